package object

import (
	"cmp"
	"iter"
	"slices"
)

// found is an object found by a scan of the file.
type found struct {
	num int
	entry
	pos int // its position, or that of the object stream that holds it
}

// Repair scans the whole file for objects and trailers, ignoring the cross-reference table. Later ones are newer. It
// does so only once. Parameter why becomes the value of Repaired. The flag is set first, since the rest loads objects,
// which may request a repair again.
func (f *File) Repair(why string) {
	if f.scanned {
		return
	}
	f.scanned = true
	f.Repaired = why
	// The maps are cleared, so that nothing read by a wrong table is kept.
	clear(f.xref)
	clear(f.objects)
	clear(f.streams)
	list := f.scan()
	// The objects of the file itself come first. They are needed to find trailers and to decrypt object streams.
	f.take(list)
	f.trailers(list)
	f.unlock()
	list = append(list, f.scanObjectStreams(list)...)
	// Objects within object streams have the position of their stream, so that later versions win however they are
	// stored. The sort is stable, for several objects of one stream.
	slices.SortStableFunc(list, func(a, b found) int { return cmp.Compare(a.pos, b.pos) })
	clear(f.xref)
	f.take(list)
	// If no trailer has a catalog, it is searched among the objects. A file may have many false ones, and each takes
	// time.
	maxCatalogs := 64
	if f.Dict(f.Trailer["Root"])["Pages"] != nil {
		return
	}
	for ref, o := range f.All() {
		if d, ok := o.(Dict); ok && f.Name(d["Type"]) == "Catalog" {
			f.Trailer["Root"] = ref
			if maxCatalogs--; maxCatalogs == 0 || f.Dict(d["Pages"]) != nil {
				return
			}
		}
	}
}

// take adds the objects of list; the last of each number counts. Numbers above the format's maximum are left out.
func (f *File) take(list []found) {
	for _, o := range list {
		if o.num > 0 && o.num <= maxNumber {
			f.xref[o.num] = o.entry
		}
	}
}

// trailers reads the dictionaries after the keyword trailer, and those of cross-reference streams. The last one wins,
// since changes are appended. Both kinds are needed, since some writers omit the keyword, and damage may destroy
// cross-reference streams.
func (f *File) trailers(list []found) {
	for pos := range occurrences(f.data, "trailer") {
		p := f.parser(f.data)
		p.pos = pos + len("trailer")
		o, _ := p.object()
		f.work -= p.pos - pos
		f.addNewerTrailer(o)
		if f.work < 0 {
			return
		}
	}
	for at := range holders(f.data, list, "/XRef") {
		_, o, _ := f.indirect(at)
		if s, ok := o.(*Stream); ok && f.Name(s.Dict["Type"]) == "XRef" {
			f.addNewerTrailer(s.Dict)
		}
	}
}

// addNewerTrailer takes the important entries of o if it is a trailer with an existing catalog. Keys are set one by
// one, since the last trailer of a damaged file may lack some.
func (f *File) addNewerTrailer(o Object) {
	d, ok := o.(Dict)
	if !ok {
		return
	}
	for _, k := range []Name{"Root", "Info", "Encrypt", "ID"} {
		if v := d[k]; v != nil {
			f.Trailer[k] = v
		}
	}
}

// All yields every object that can be loaded, in the order of the file. Objects of object streams have the position of
// their stream.
func (f *File) All() iter.Seq2[Ref, Object] {
	// The list is sorted, because maps have no order and the result must be the same each time.
	list := make([]found, 0, len(f.xref))
	for num, e := range f.xref {
		pos := e.at
		// The position of an object stream is that of its own entry, or 0.
		if e.in != 0 {
			pos = f.xref[e.in].at
		}
		list = append(list, found{num, e, pos})
	}
	slices.SortFunc(list, func(a, b found) int { return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(a.num, b.num)) })
	return func(yield func(Ref, Object) bool) {
		// Method load may repair the file and change the table. The list was made before, and lost objects are nil.
		for _, o := range list {
			if v := f.load(o.num); v != nil && !yield(Ref{Num: o.num}, v) {
				return
			}
		}
	}
}

package object

import (
	"cmp"
	"iter"
	"slices"
)

// found is an object that a look through the file has found.
type found struct {
	num int
	entry
	pos int // where it is, or the object stream that holds it
}

// Repair looks through the whole file for objects, and for trailers, as if it had no cross-reference table. What is
// further behind is newer. It does so once; why is what Repaired tells from then on. The flag comes first: what
// follows loads objects, which may ask for a repair again.
func (f *File) Repair(why string) {
	if f.scanned {
		return
	}
	f.scanned = true
	f.Repaired = why
	// Cleared, not replaced: nothing that was read by a wrong table is kept.
	clear(f.xref)
	clear(f.objects)
	clear(f.streams)
	list := f.scan()
	// First the objects of the file itself, which are needed to find trailers and to decrypt object
	// streams.
	f.take(list)
	f.trailers(list)
	f.unlock()
	list = append(list, f.scanObjectStreams(list)...)
	// Objects within object streams take the place of their stream, so that later versions win over
	// earlier ones whichever way they are stored. Stable, for several objects of one stream.
	slices.SortStableFunc(list, func(a, b found) int { return cmp.Compare(a.pos, b.pos) })
	clear(f.xref)
	f.take(list)
	// Without a catalog in any trailer, the objects are asked; a file may have many that lead
	// nowhere, and each costs a look.
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

// take enters the objects of list; the last of a number counts. Numbers beyond the format's are left out, so a
// hostile file does not get entries for them.
func (f *File) take(list []found) {
	for _, o := range list {
		if o.num > 0 && o.num <= maxNumber {
			f.xref[o.num] = o.entry
		}
	}
}

// trailers reads the dictionaries after the keyword trailer, and those of cross-reference streams. The last one
// wins, since changes are appended. Some writers drop the keyword and damage takes cross-reference streams, so both
// kinds are looked for.
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

// addNewerTrailer takes the entries of o that matter, when it is a trailer whose catalog is there. Keys one by one:
// the last trailer of a damaged file may lack what an earlier one has.
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

// All yields every object that can be loaded, in the order of the file, objects of object streams where their stream
// is.
func (f *File) All() iter.Seq2[Ref, Object] {
	// Sorted again, because maps have no order and the result must be the same each time.
	list := make([]found, 0, len(f.xref))
	for num, e := range f.xref {
		pos := e.at
		// The place of an object stream is that of its own entry; where it has none, 0.
		if e.in != 0 {
			pos = f.xref[e.in].at
		}
		list = append(list, found{num, e, pos})
	}
	slices.SortFunc(list, func(a, b found) int { return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(a.num, b.num)) })
	return func(yield func(Ref, Object) bool) {
		// load may repair the file and change the table; the list was made before, and objects that
		// are gone are nil.
		for _, o := range list {
			if v := f.load(o.num); v != nil && !yield(Ref{Num: o.num}, v) {
				return
			}
		}
	}
}

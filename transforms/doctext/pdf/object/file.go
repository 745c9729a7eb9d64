package object

import (
	"bytes"
	"cmp"
)

// Limits bound what a File takes; the zero value takes the defaults.
type Limits struct {
	MaxBytes int64 // bytes that all streams together inflate to; 256 MiB
	MaxEntry int64 // bytes that one stream inflates to; 64 MiB
	MaxDepth int   // of nested arrays and dictionaries; 400
}

const (
	// maxObjects bounds the objects that are made of the file, elements of arrays and dictionaries among them: at 24 bytes
	// and more each, this is what bounds memory. Documents of 1,000 pages make some 500,000. A file may make baseObjects
	// and objectsPerByte for each of its bytes, since they are deflated and fonts have tables in common.
	maxObjects     = 4 << 20
	baseObjects    = 1 << 18
	objectsPerByte = 16
	// maxEntries bounds the objects that the cross-reference table or a look through the file finds: real files of 60 MB
	// have 500,000.
	maxEntries = 1 << 20
	// workFactor bounds the bytes that are parsed, as a multiple of the file's: objects that are never closed overlap.
	workFactor = 16
	// maxHeader is where the header is looked for: what precedes it is not part of the file. Annex I has 1,024 bytes;
	// servers put longer notices there.
	maxHeader = 16 << 10
)

// File is a PDF file in memory. It is not safe for concurrent use. Objects are made when they are asked for and kept;
// the budgets at the end count down for the whole life of the File, and what runs out sets Cut.
type File struct {
	// Trailer is the newest trailer, filled up from older ones.
	Trailer Dict
	// Repaired tells that the cross-reference table was damaged, and why; objects were then looked for in the whole file.
	Repaired string
	// Locked tells that a password is needed: strings are empty and streams are not decoded.
	Locked bool
	// Cut tells that a limit was reached.
	Cut bool

	data    []byte
	limits  Limits
	xref    map[int]entry
	objects map[int]Object // what was loaded; nil also while it is being loaded
	streams map[int]*objectStream
	crypt   *crypt
	scanned bool
	// ends is sorted: the end of a stream without a length is found by a search in it instead of a
	// search through the file.
	ends []int // where endstream and endobj stand, once needed

	left    int   // objects that may still be made
	entries int   // objects of object streams that may still be found
	work    int   // bytes that may still be parsed
	inflate int64 // bytes that streams may still inflate to
	keep    int64 // bytes of decoded streams that may still be kept
}

// entry tells where an object is: at an offset of the file, or, where in is not 0, in the object stream of that number.
// An object that is free has an offset below 0. The number 0 is free for that, since object 0 is always the head of
// the list of free objects.
type entry struct{ at, in int }

// Open returns the file that data holds. It always returns one: of what is not PDF file at all, File.Empty is true.
// The File keeps data and does not change it.
func Open(data []byte, l Limits) *File {
	// Mail headers and other junk stand before the PDF in some files; offsets count from "%PDF-"
	// (Annex I). A header after objects is that of a file within this one, whose own is lost.
	i := bytes.Index(data[:min(len(data), maxHeader)], []byte("%PDF-"))
	if i > 0 && !bytes.Contains(data[:i], []byte(" obj")) {
		data = data[i:]
	}
	f := &File{
		Trailer: Dict{},
		data:    data,
		limits: Limits{
			MaxBytes: cmp.Or(l.MaxBytes, 256<<20),
			MaxEntry: cmp.Or(l.MaxEntry, 64<<20),
			MaxDepth: cmp.Or(l.MaxDepth, 400),
		},
		xref:    map[int]entry{},
		objects: map[int]Object{},
		streams: map[int]*objectStream{},
		// The smaller of both: small files make few objects, whatever they claim.
		left:    min(maxObjects, baseObjects+objectsPerByte*len(data)),
		entries: maxEntries,
		work:    workFactor*len(data) + 1<<20,
		// 16 MiB of decoded streams, mostly forms that pages share.
		keep: 16 << 20,
	}
	f.inflate = f.limits.MaxBytes
	// Any damage of the table leads to the repair: half a table would silently lose objects.
	if err := f.readXref(); err != nil {
		f.Repair(err.Error())
		return f
	}
	f.unlock()
	// A table that is sound in itself may still belong to another version of the file.
	if f.Dict(f.Trailer["Root"])["Pages"] == nil {
		f.Repair("no catalog")
	}
	return f
}

// Spend counts n things that were made of the file and are kept, and reports whether they may be: together with its
// objects they are bounded. It goes on below zero, so that later calls still see that the bound was reached.
func (f *File) Spend(n int) bool {
	if f.left -= n; f.left < 0 {
		f.Cut = true
	}
	return f.left >= 0
}

// Empty tells that not one object was found.
func (f *File) Empty() bool { return len(f.xref) == 0 }

// load returns object num, nil where there is none, and nil while it is being loaded, which ends cycles.
func (f *File) load(num int) Object {
	if o, ok := f.objects[num]; ok {
		return o
	}
	// Objects beyond the budget are missing, not an error.
	if f.left < 0 || f.work < 0 {
		f.Cut = true
		return nil
	}
	f.objects[num] = nil
	e, ok := f.xref[num]
	switch {
	case !ok || e.at < 0:
		return nil
	case e.in != 0:
		f.objects[num] = f.compressed(e.in, num)
		return f.objects[num]
	}
	// The table may be wrong for one object only; one wrong entry makes all doubtful, so the whole
	// file is looked through, once.
	ref, o, ok := f.indirect(e.at)
	if !ok || ref.Num != num {
		if f.scanned {
			return nil
		}
		// Repair empties the map, but the repaired table may have this object: it is asked for again.
		f.Repair("objects are not where the table says")
		delete(f.objects, num)
		return f.load(num)
	}
	f.objects[num] = f.decryptStrings(o, ref, 0)
	return f.objects[num]
}

// objectStream is a stream that holds objects (section 7.5.7), decoded.
type objectStream struct {
	data []byte
	at   map[int]int // where each object is in data
}

// compressed returns object num of the object stream with number in. What is read counts as work, because many
// numbers may lead to the same bytes.
func (f *File) compressed(in, num int) Object {
	s := f.objectStream(in)
	at, ok := s.at[num]
	if !ok {
		return nil
	}
	p := f.parser(s.data)
	// Positions were bounded when the head was read.
	p.pos = at
	o, _ := p.object()
	f.work -= p.pos - at
	return o
}

// objectStream returns the object stream with number num, which is empty when it cannot be read. The empty stream is
// entered before it is read: an object stream that needs itself (for its length, say) ends there.
func (f *File) objectStream(num int) *objectStream {
	if s, ok := f.streams[num]; ok {
		return s
	}
	s := &objectStream{at: map[int]int{}}
	f.streams[num] = s
	// Its generation is always 0.
	stream := f.Stream(Ref{Num: num})
	if stream == nil {
		return s
	}
	s.data = f.Decode(stream)
	// New bytes bring new work with them, at the same ratio as those of the file.
	f.work += workFactor * len(s.data)
	// The head is pairs of object number and offset, up to First (section 7.5.7).
	first := min(max(f.Int(stream.Dict["First"], 0), 0), len(s.data))
	head := f.parser(s.data[:first])
	for {
		n, ok1 := head.integer()
		off, ok2 := head.integer()
		if !ok1 || !ok2 {
			return s
		}
		// An object that is listed twice counts where it is first; an offset may be bounded here
		// since integer never returns a negative number.
		if _, known := s.at[n]; known || off >= len(s.data)-first {
			continue
		}
		if f.entries--; f.entries < 0 {
			f.Cut = true
			return s
		}
		s.at[n] = first + off
	}
}

package object

import (
	"bytes"
	"cmp"
)

// Limits bound the work for a File; a zero field means its default.
type Limits struct {
	MaxBytes int64 // bytes that all streams together inflate to; 256 MiB
	MaxEntry int64 // bytes that one stream inflates to; 64 MiB
	MaxDepth int   // of nested arrays and dictionaries; 400
}

const (
	// maxObjects bounds the objects made from the file, including elements of arrays and dictionaries. Each takes 24
	// bytes or more, so this bounds memory. Documents of 1,000 pages have some 500,000. A file may make baseObjects,
	// plus objectsPerByte for each of its bytes, since objects are deflated and fonts share tables.
	maxObjects     = 4 << 20
	baseObjects    = 1 << 18
	objectsPerByte = 16
	// maxEntries bounds the objects found in the cross-reference table or in a scan of the file. Real files of 60 MB
	// have 500,000.
	maxEntries = 1 << 20
	// workFactor bounds the bytes parsed, as a multiple of the file's: unclosed objects overlap.
	workFactor = 16
	// maxHeader bounds the search for the header; bytes before it are not part of the file. Annex I allows 1,024
	// bytes, but servers put longer notices there.
	maxHeader = 16 << 10
)

// File is a PDF file in memory. It is not safe for concurrent use. Objects are made on demand and cached. The budgets
// at the end count down over the whole life of the File; an exhausted budget sets Cut.
type File struct {
	// Trailer is the newest trailer, with missing keys from older ones.
	Trailer Dict
	// Repaired says how the cross-reference table was damaged, or is "". The objects of a repaired file come from a
	// scan of the whole file.
	Repaired string
	// Locked means that a password is needed. Strings are then empty and streams are not decoded.
	Locked bool
	// Cut means that a limit was reached.
	Cut bool
	// Broken means that compressed data were damaged, so that a part of a stream is lost.
	Broken bool

	data    []byte
	limits  Limits
	xref    map[int]entry
	objects map[int]Object // objects loaded so far; nil while one is being loaded
	streams map[int]*objectStream
	crypt   *crypt
	scanned bool
	// ends is sorted: the end of a stream without a length is found by a search in it instead of a search through the
	// file.
	ends []int // positions of endstream and endobj, once needed

	left    int   // objects that may still be made
	entries int   // objects of object streams that may still be found
	work    int   // bytes that may still be parsed
	inflate int64 // bytes that streams may still inflate to
	keep    int64 // bytes of decoded streams that may still be cached
}

// entry is the place of an object: an offset in the file, or the number of an object stream if in is not 0. A free
// object has a negative offset. Number 0 can have this meaning, since object 0 is always the head of the list of free
// objects.
type entry struct{ at, in int }

// Open returns the file in data. It always returns one: if data is not a PDF file at all, File.Empty is true. The File
// keeps data and does not change it.
func Open(data []byte, l Limits) *File {
	// In some files mail headers and other junk come before the PDF; offsets count from "%PDF-" (Annex I). If there
	// are objects before a header, it is that of an embedded file, and the outer header is lost.
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
		// This is the smaller of both, so small files make few objects.
		left:    min(maxObjects, baseObjects+objectsPerByte*len(data)),
		entries: maxEntries,
		work:    workFactor*len(data) + 1<<20,
		// 16 MiB are for decoded streams, mostly forms that pages share.
		keep: 16 << 20,
	}
	f.inflate = f.limits.MaxBytes
	// Any damage of the table leads to a repair: half a table would silently lose objects.
	if err := f.readXref(); err != nil {
		f.Repair(err.Error())
		return f
	}
	f.unlock()
	// A sound table may still belong to another version of the file.
	if f.Dict(f.Trailer["Root"])["Pages"] == nil {
		f.Repair("no catalog")
	}
	return f
}

// Spend counts n things made from the file and kept in memory, and reports whether they are allowed. They share a
// bound with the file's objects. The count continues below zero, so that later calls see that the bound was reached.
func (f *File) Spend(n int) bool {
	if f.left -= n; f.left < 0 {
		f.Cut = true
	}
	return f.left >= 0
}

// Empty reports whether the file has no objects.
func (f *File) Empty() bool { return len(f.xref) == 0 }

// load returns object num, or nil if there is none. It also returns nil while the object is being loaded, which ends
// cycles.
func (f *File) load(num int) Object {
	if o, ok := f.objects[num]; ok {
		return o
	}
	// Objects beyond the budget count as missing.
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
	// One wrong entry makes all entries doubtful, so the whole file is scanned, once.
	ref, o, ok := f.indirect(e.at)
	if !ok || ref.Num != num {
		if f.scanned {
			return nil
		}
		// Repair empties the map, but the repaired table may have this object, so it is loaded again.
		f.Repair("objects are not where the table says")
		delete(f.objects, num)
		return f.load(num)
	}
	f.objects[num] = f.decryptStrings(o, ref, 0)
	return f.objects[num]
}

// objectStream is a decoded stream that holds objects (section 7.5.7).
type objectStream struct {
	data []byte
	at   map[int]int // position of each object in data
}

// compressed returns object num of the object stream with number in. Its bytes count as work, because many numbers may
// refer to the same bytes.
func (f *File) compressed(in, num int) Object {
	s := f.objectStream(in)
	at, ok := s.at[num]
	if !ok {
		return nil
	}
	p := f.parser(s.data)
	// Positions were checked when the head was read.
	p.pos = at
	o, _ := p.object()
	f.work -= p.pos - at
	return o
}

// objectStream returns the object stream with number num. It is empty if the stream cannot be read. The empty stream
// is cached before it is read: this stops an object stream that needs itself (for its length, say).
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
	// New bytes bring new work, at the same ratio as those of the file.
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
		// The first listing of an object counts. The offset needs only an upper check, since integer never returns a
		// negative number.
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

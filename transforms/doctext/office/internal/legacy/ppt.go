package legacy

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/codepage"
)

// Types of records ([MS-PPT], section 2.13.24, and [MS-ODRAW]).
const (
	recDocument        = 0x03E8
	recSlidePersist    = 0x03F3
	recNotes           = 0x03F0
	recNotesAtom       = 0x03F1
	recTextChars       = 0x0FA0
	recTextBytes       = 0x0FA8
	recString          = 0x0FBA
	recHeadersFooters  = 0x0FD9
	recSlideList       = 0x0FF0
	recUserEdit        = 0x0FF5
	recPersist         = 0x1772
	recComment         = 0x2EE0
	recTagBlob         = 0x138B // holds records although it is not marked so
	recShape           = 0xF004
	recPlaceholder     = 0x0BC3
	encryptedToken     = 0xF3D1C4DF
	maxPersist         = 1 << 20 // ids have 20 bits
	maxEdits           = 10_000
	instanceOfSlides   = 0
	instanceOfMasters  = 1
	instanceOfNotes    = 2
	instanceOfComments = 1 // the string with a comment's text
)

// record is a record of a presentation. Field instance tells records of one type apart by their role. The body of a
// container consists of records; that of another record is data.
type record struct {
	kind, instance int
	container      bool
	body           []byte
	next           int // where the next record begins
}

// show reads a presentation. Objects (the document, slides, masters, notes) are referred to by ids. The persist
// directories say where in the stream each object begins. Many ids may name the same record, and records lie within
// each other. The budget keeps the work linear although the same bytes could be walked many times.
type show struct {
	*reader
	b       []byte
	persist map[int]int // where objects begin, by id
	seen    map[int]bool
	budget  int // bytes of records that may still be read
}

// presentation reads slides in order, with the texts of their boxes, notes and comments. It reads the texts of masters
// once.
func (r *reader) presentation(b, user []byte) {
	if u32(user, 12) == encryptedToken {
		r.encrypted()
		return
	}
	// No sound presentation needs more than eight visits of each byte; 1 MiB is for tiny ones.
	s := &show{reader: r, b: b, persist: map[int]int{}, seen: map[int]bool{}, budget: 8*len(b) + 1<<20}
	// The stream "Current User" says where the last edit begins ([MS-PPT], section 2.3.2).
	doc, ok := s.edits(u32(user, 16))
	if !ok || doc.kind != recDocument {
		// Without the directory, the order and state of slides is unknown. All texts are taken in the order of the
		// stream, including deleted ones.
		r.damaged("the list of slides is missing")
		s.texts(b, 0)
		return
	}
	s.slides(doc.body)
}

// read returns the record at a position. A record has version (4 bits), instance (12), type (16), length (32) and a
// body ([MS-PPT], section 2.3.1). Version 15 marks containers. The body is cut at the end of b. Field next is not, so
// that it ends the walk.
func read(b []byte, at int) (record, bool) {
	if at < 0 || at+8 > len(b) {
		return record{}, false
	}
	head, n := u16(b, at), u32(b, at+4)
	return record{u16(b, at+2), head >> 4, head&15 == 15, cut(b, at+8, at+8+n), at + 8 + n}, true
}

// each calls visit with the records of a container. A record takes at least 8 bytes, so the walk ends. The budget
// bounds all walks together.
func (s *show) each(b []byte, visit func(record)) {
	for at := 0; !s.out.Full(); {
		rec, ok := read(b, at)
		if !ok || s.budget < 0 {
			return
		}
		s.budget -= 8
		visit(rec)
		at = rec.next
	}
}

// edits follows the chain of edits, from the last to the first, and returns the document in its last state. At each
// save PowerPoint appends changed objects, a directory of them and an edit. The edit refers to the one before it
// ([MS-PPT], sections 2.3.3 and 2.3.4). Limit maxEdits ends circular chains.
func (s *show) edits(at int) (doc record, ok bool) {
	id := -1
	for range maxEdits {
		rec, ok := read(s.b, at)
		if !ok || rec.kind != recUserEdit {
			break
		}
		// The last edit names the document; earlier ones name the same object.
		if id < 0 {
			id = u32(rec.body, 16)
		}
		if dir, ok := read(s.b, u32(rec.body, 12)); ok && dir.kind == recPersist {
			s.directory(dir.body)
		}
		if at = u32(rec.body, 8); at == 0 {
			break
		}
	}
	where, ok := s.persist[id]
	if !ok {
		return record{}, false
	}
	return read(s.b, where)
}

func (s *show) directory(b []byte) {
	for len(b) >= 4 {
		// The first id has 20 bits. The number of ids has 12, and a position follows for each.
		id, n := u32(b, 0)&0xFFFFF, u32(b, 0)>>20
		b = b[4:]
		for i := range min(n, len(b)/4) {
			// The first directory seen is the newest; older ones must not overwrite it.
			if _, ok := s.persist[id+i]; !ok && len(s.persist) < maxPersist {
				s.persist[id+i] = u32(b, 4*i)
			}
		}
		if s.budget -= 4 * n; s.budget < 0 {
			return
		}
		// If there are fewer positions than announced, cut returns nil and the loop ends.
		b = cut(b, 4*n, len(b))
	}
}

// object returns the record of an id. It returns each record once, so that slides that refer to each other end.
func (s *show) object(id int) (record, bool) {
	at, ok := s.persist[id]
	if !ok || s.seen[at] {
		return record{}, false
	}
	s.seen[at] = true
	return read(s.b, at)
}

// slides reads the lists of the document container. There are three lists of the same type, told apart by their
// instance: slides, masters, notes. The texts of headers and footers are in the document itself.
func (s *show) slides(doc []byte) {
	// The lists come in any order, and slides need their notes. So all lists are collected first.
	notes := map[int]record{} // by the slide's id
	var lists, masters []record
	s.each(doc, func(rec record) {
		switch {
		case rec.kind == recSlideList && rec.instance == instanceOfNotes:
			s.notes(rec.body, notes)
		case rec.kind == recSlideList && rec.instance == instanceOfMasters:
			masters = append(masters, rec)
		case rec.kind == recSlideList && rec.instance == instanceOfSlides:
			lists = append(lists, rec)
		case rec.kind == recHeadersFooters:
			s.strings(rec.body)
		}
	})
	for _, list := range lists {
		s.list(list.body, notes)
	}
	for _, list := range masters {
		s.each(list.body, func(rec record) {
			// Masters are read after the slides, so their texts come once, after those of all slides.
			if master, ok := s.object(u32(rec.body, 0)); ok && rec.kind == recSlidePersist {
				s.own(master.body, 0)
			}
		})
	}
}

// list reads a list of slides: for each its position, then the texts of its placeholders. The rest of a slide (text
// boxes, comments, notes) is in its own record. It is written after the placeholders, at the next slide or at the end;
// function finish does it.
func (s *show) list(b []byte, notes map[int]record) {
	finish := func() {}
	s.each(b, func(rec record) {
		if rec.kind != recSlidePersist {
			s.text(rec)
			return
		}
		finish()
		if s.doc.Pages > 0 {
			s.out.Page()
		}
		if s.doc.Pages++; s.doc.Pages > s.o.MaxPages {
			// A negative budget ends every walk, including those in progress further up.
			s.budget = -1
			s.doc.Add(doctext.KindLimit, "there are more slides than are read")
			return
		}
		finish = func() {
			if slide, ok := s.object(u32(rec.body, 0)); ok {
				s.texts(slide.body, 0)
			}
			s.texts(notes[u32(rec.body, 12)].body, 0)
		}
	})
	finish()
}

func (s *show) notes(b []byte, notes map[int]record) {
	s.each(b, func(rec record) {
		n, ok := s.object(u32(rec.body, 0))
		if rec.kind != recSlidePersist || !ok || n.kind != recNotes {
			return
		}
		// NotesAtom begins with the id of the slide that the notes belong to.
		s.each(n.body, func(atom record) {
			if atom.kind == recNotesAtom {
				notes[u32(atom.body, 0)] = n
			}
		})
	})
}

// texts adds all texts in a container.
func (s *show) texts(b []byte, depth int) {
	s.each(b, func(rec record) {
		switch {
		case rec.kind == recComment:
			s.comment(rec.body)
		// Blobs of tags hold records without being marked as containers. Comments of PowerPoint 2002 and later are in
		// them.
		case (rec.container || rec.kind == recTagBlob) && depth < s.o.MaxDepth:
			s.texts(rec.body, depth+1)
		default:
			s.text(rec)
		}
	})
}

// own adds the texts that belong to a master itself. Texts of placeholders are prompts ("Click to edit Master title
// style") and are left out.
func (s *show) own(b []byte, depth int) {
	s.each(b, func(rec record) {
		switch {
		case rec.kind == recShape && !hasPlaceholder(rec.body, 0):
			s.texts(rec.body, depth)
		case rec.kind != recShape && rec.container && depth < s.o.MaxDepth:
			s.own(rec.body, depth+1)
		}
	})
}

// hasPlaceholder reports whether a shape is a placeholder. Its data two levels down say so.
func hasPlaceholder(b []byte, depth int) bool {
	for at := 0; ; {
		rec, ok := read(b, at)
		if !ok {
			return false
		}
		// OfficeArtClientData, one level down in the shape, holds the placeholder's atom. So the recursion has two
		// levels.
		if rec.kind == recPlaceholder || rec.container && depth < 2 && hasPlaceholder(rec.body, depth+1) {
			return true
		}
		at = rec.next
	}
}

func (s *show) comment(b []byte) {
	s.each(b, func(rec record) {
		if rec.kind == recString && rec.instance == instanceOfComments {
			s.add(codepage.UTF16(rec.body))
		}
	})
}

func (s *show) strings(b []byte) {
	s.each(b, func(rec record) {
		if rec.kind == recString {
			s.add(codepage.UTF16(rec.body))
		}
	})
}

// text adds the text of a record, if it has one. Texts also count towards the budget, since repeating them costs.
func (s *show) text(rec record) {
	if rec.kind == recTextChars || rec.kind == recTextBytes {
		s.budget -= len(rec.body)
	}
	switch rec.kind {
	case recTextChars:
		s.add(codepage.UTF16(rec.body))
	// TextBytesAtom of [MS-PPT].
	case recTextBytes: // lower bytes of characters whose upper bytes are zero
		s.add(string(codepage.Decode(28591, rec.body)))
	}
}

// add adds paragraphs. A star alone is a field: the number of the slide, the date.
func (s *show) add(text string) {
	if text == "*" {
		return
	}
	for p := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == '\r' || c == '\n' }) {
		s.out.Add(strings.ReplaceAll(p, "\v", "\n"))
		s.out.Paragraph()
	}
}

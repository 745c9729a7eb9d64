package legacy_test

import (
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// atom is a record of a presentation; box is one that holds records.
func atom(kind, instance int, body []byte) []byte {
	return slices.Concat(put16(instance<<4, kind), put32(len(body)), body)
}

func box(kind, instance int, list ...[]byte) []byte {
	b := atom(kind, instance, slices.Concat(list...))
	b[0] |= 15
	return b
}

// said is a text, listed a reference to the object of a slide with an id.
func said(s string) []byte { return atom(0x0FA0, 0, officetest.Wide(s)) }

func listed(object, id int) []byte { return atom(0x03F3, 0, put32(object, 0, 0, id, 0)) }

// show makes the streams of a presentation. Objects have the ids 1, 2, 3 and so on; the first is the document.
func show(objects ...[]byte) []stream {
	b, places := []byte(nil), []int{1 | len(objects)<<20}
	for _, o := range objects {
		places = append(places, len(b))
		b = append(b, o...)
	}
	directory := len(b)
	b = append(b, atom(0x1772, 0, put32(places...))...)
	user := slices.Concat(make([]byte, 8), put32(20, 0xE391C05F, len(b)))
	b = append(b, atom(0x0FF5, 0, put32(0, 0, 0, directory, 1, len(objects)+1, 0))...)
	return []stream{{Name: "PowerPoint Document", Body: b}, {Name: "Current User", Body: user}}
}

func TestRead_slides(t *testing.T) {
	document := func(list ...[]byte) []byte { return box(0x03E8, 0, list...) }
	slides := func(list ...[]byte) []byte { return box(0x0FF0, 0, list...) }
	slide := func(list ...[]byte) []byte { return box(0x03EE, 0, list...) }
	comment := func(s string) []byte {
		return box(0x2EE0, 0, atom(0x0FBA, 0, officetest.Wide("Ada")), atom(0x0FBA, 1, officetest.Wide(s)))
	}
	shape := func(list ...[]byte) []byte { return box(0xF004, 0, list...) }
	prompt := box(0xF011, 0, atom(0x0BC3, 0, put32(0, 0)))
	tests := []struct {
		name    string
		objects [][]byte
		want    string
		pages   int
	}{
		{"texts of both widths", [][]byte{
			document(slides(listed(2, 256), said("潮 😀"), atom(0x0FA8, 0, []byte("caf\xE9")))),
			slide(),
		}, "潮 😀\n\ncafé", 1},
		{"paragraphs and lines", [][]byte{document(slides(listed(2, 256), said("a\rb\vc\n\rd")))}, "a\n\nb\nc\n\nd", 1},
		{"a number of the slide", [][]byte{document(slides(listed(2, 256))), slide(said("*"), said("a*"))}, "a*", 1},
		{"the slide after its outline", [][]byte{
			document(slides(listed(2, 256), said("title"), listed(3, 257), said("next"))),
			slide(box(0xF00D, 0, said("box"))), slide(comment("remark")),
		}, "title\n\nbox\fnext\n\nremark", 2},
		{"empty slides", [][]byte{
			document(slides(listed(2, 256), listed(3, 257), listed(4, 258))), slide(), slide(),
			slide(said("last")),
		}, "\f\flast", 3},
		{"an object that is missing", [][]byte{document(slides(listed(99, 256), said("a")))}, "a", 1},
		{"one object for two slides", [][]byte{document(slides(listed(2, 256), listed(2, 257))), slide(said("a"))}, "a", 2},
		{"notes by the slide's id", [][]byte{
			document(slides(listed(2, 256), listed(3, 257)), box(0x0FF0, 2, listed(4, 0))), slide(said("a")), slide(said("b")),
			box(0x03F0, 0, atom(0x03F1, 0, put32(257, 0)), said("of b")),
		}, "a\fb\n\nof b", 2},
		{"a master without its prompts", [][]byte{
			document(box(0x0FF0, 1, listed(2, 0)), slides(listed(3, 256), said("a"))),
			box(0x03F8, 0, shape(prompt, said("Click to edit")), shape(said("Wrenmouth"))), slide(),
		}, "a\n\nWrenmouth", 1},
		{"header and footer", [][]byte{document(box(0x0FD9, 3, atom(0x0FBA, 2, officetest.Wide("Fußzeile"))),
			slides(listed(2, 256), said("a")))}, "Fußzeile\n\na", 1},
		{"a comment of another version", [][]byte{
			document(slides(listed(2, 256))),
			slide(box(0x1388, 0, atom(0x138B, 0, comment("remark")))),
		}, "remark", 1},
		{"a slide within itself", [][]byte{document(slides(listed(1, 256), said("a")))}, "a\n\na", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, doctext.Options{}, show(tt.objects...)...)
			if d.Text != tt.want || d.Pages != tt.pages || d.Problems != nil {
				t.Errorf("Read = %q, %d pages, problems %v; want %q, %d", d.Text, d.Pages, d.Problems, tt.want, tt.pages)
			}
		})
	}
}

func TestRead_slideProblems(t *testing.T) {
	one := func(n int) []stream {
		return show(box(0x03E8, 0, box(0x0FF0, 0, slices.Repeat(slices.Concat(listed(9, 256), said("slide")), n))))
	}
	sound := one(1)
	long := slices.Clone(sound[0].Body)
	copy(long[4:], put32(0x7FFFFFFF))
	tests := []struct {
		name    string
		streams []stream
		o       doctext.Options
		want    string
		kinds   []doctext.Kind
	}{
		{"no last edit", sound[:1], doctext.Options{}, "slide", []doctext.Kind{doctext.KindDamaged}},
		{"an edit out of reach", []stream{sound[0], {Name: "Current User", Body: slices.Concat(make([]byte, 8), put32(20, 0,
			1<<30))}}, doctext.Options{}, "slide", []doctext.Kind{doctext.KindDamaged}},
		{"a password", []stream{sound[0], {Name: "Current User", Body: slices.Concat(make([]byte, 8), put32(20, 0xF3D1C4DF,
			0))}}, doctext.Options{}, "", []doctext.Kind{doctext.KindEncrypted}},
		{"a length that lies", []stream{{Name: sound[0].Name, Body: long}, sound[1]}, doctext.Options{}, "slide", nil},
		{"too many slides", one(5), doctext.Options{MaxPages: 2}, "slide\fslide", []doctext.Kind{doctext.KindLimit}},
		{"too much text", one(5), doctext.Options{MaxText: 8}, "slide\fsl", []doctext.Kind{doctext.KindLimit}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, tt.o, tt.streams...)
			if d.Text != tt.want || !slices.Equal(kinds(d), tt.kinds) {
				t.Errorf("Read = %q, problems %v; want %q, %v", d.Text, d.Problems, tt.want, tt.kinds)
			}
		})
	}
	// Edits that refer to each other end.
	circle := show(box(0x03E8, 0))
	at := len(circle[0].Body) - 7*4
	copy(circle[0].Body[at+8:], put32(at-8))
	if d := read(t, doctext.Options{}, circle...); d.Problems != nil {
		t.Errorf("a circle of edits: problems %v", d.Problems)
	}
}

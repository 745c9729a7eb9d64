package pdf

import (
	"bytes"
	"maps"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// Truncated files often have the content of pages, but not the pages, which many writers put last. This file guesses,
// and is used only if the page tree is known to be incomplete.

// lostPages returns a page for each content stream that no page uses, in the order of the file. Its fonts come from
// any resources with the names it uses. All resources are mixed, since the page of a stream is lost; the first font of
// a name wins.
func (r *reader) lostPages() []page {
	fonts := object.Dict{}
	var streams []object.Ref
	for ref, o := range r.file.All() {
		switch v := o.(type) {
		case object.Dict:
			r.collectFonts(fonts, v)
		case *object.Stream:
			// The number of streams is bounded like that of pages: each will be one.
			r.collectFonts(fonts, r.file.Dict(v.Dict["Resources"]))
			if len(streams) < r.options.MaxPages && !r.used[ref.Num] && r.isContent(v) {
				streams = append(streams, ref)
			}
		}
	}
	resources := object.Dict{"Font": fonts}
	pages := make([]page, len(streams))
	for i, ref := range streams {
		pages[i] = page{dict: object.Dict{"Contents": ref}, resources: resources}
	}
	return pages
}

// collectFonts adds the fonts of d, or of the resources in d. Parameter d is either a resource dictionary or an object
// that has one.
func (r *reader) collectFonts(fonts, d object.Dict) {
	if own := r.file.Dict(d["Resources"]); own != nil {
		d = own
	}
	for name, o := range maps.All(r.file.Dict(d["Font"])) {
		// Font names such as F1 mean different fonts on different pages. Function readable discards the resulting
		// nonsense.
		if _, ok := fonts[name]; !ok && r.file.Dict(o) != nil {
			fonts[name] = o
		}
	}
}

// isContent reports whether a stream that no page refers to shows text. Streams with a declared kind (fonts,
// functions, pictures, forms) are not content. Content must have a text object, a font and a string.
func (r *reader) isContent(s *object.Stream) bool {
	for _, key := range []object.Name{"Type", "Subtype", "Length1", "FunctionType", "ShadingType", "BBox", "N"} {
		if s.Dict[key] != nil {
			return false
		}
	}
	// A small stream is cached, since readPage decodes it again.
	b := r.file.DecodeOften(s)
	return bytes.Contains(b, []byte("BT")) && bytes.Contains(b, []byte("Tf")) &&
		(bytes.Contains(b, []byte("Tj")) || bytes.Contains(b, []byte("TJ")))
}

// readLost reads the content of a file that has lost pages, and keeps the readable part. Each page is written
// separately first, so that noise can be dropped as a whole.
func (r *reader) readLost() {
	kept := r.marks // offsets of lost pages are unknown until they are readable, so their headings are not noted
	defer func() { r.marks = kept }()
	for _, p := range r.lostPages() {
		r.marks = structure{letters: map[look]int{}}
		var text strings.Builder
		// The first operand is evaluated after readPage has filled text.
		marks := len(r.doc.PageMarks)
		if r.readPage(&text, p); !readable(text.String()) || r.text.Len() > r.options.MaxText {
			r.doc.PageMarks = r.doc.PageMarks[:marks]
			continue
		}
		if r.text.Len() > 0 {
			r.text.WriteByte('\f')
		}
		r.text.WriteString(text.String())
		r.doc.Add(doctext.KindDamaged, "pages are lost: their content is in the order of the file")
	}
}

// readable tells text from glyph numbers read as characters. Most characters of text are small letters. Above U+00BF
// come letters of other scripts, which have no case or are rare as noise. Noise in ASCII is mostly capitals, digits
// and signs.
func readable(text string) bool {
	small, all := 0, 0
	for _, r := range text {
		if r > ' ' {
			all++
		}
		if r >= 'a' && r <= 'z' || r > 0xbf {
			small++
		}
	}
	return 2*small > all
}

package pdf

import (
	"bytes"
	"maps"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// Files that were cut often have the content of pages, but not the pages: many writers put these last. What follows
// guesses: it is asked only when the page tree is known to be incomplete.

// lostPages returns a page for each content stream that no page has, in the order of the file. Its fonts are those that
// any resources have under the names it uses. Streams that a page has used are left out. The fonts of all resources
// are thrown together, since which page a stream belonged to is lost; the first font of a name wins.
func (r *reader) lostPages() []page {
	fonts := object.Dict{}
	var streams []object.Ref
	for ref, o := range r.file.All() {
		switch v := o.(type) {
		case object.Dict:
			r.collectFonts(fonts, v)
		case *object.Stream:
			// The number of streams is bounded as pages are: each will be one.
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

// collectFonts adds the fonts of a resource dictionary, and of one in d. d is either a resource dictionary itself or
// something that has one.
func (r *reader) collectFonts(fonts, d object.Dict) {
	if own := r.file.Dict(d["Resources"]); own != nil {
		d = own
	}
	for name, o := range maps.All(r.file.Dict(d["Font"])) {
		// Font names such as F1 mean different fonts on different pages: readable throws away what
		// that makes of the text.
		if _, ok := fonts[name]; !ok && r.file.Dict(o) != nil {
			fonts[name] = o
		}
	}
}

// isContent reports whether a stream, of which no page tells that it is content, shows text. Streams that say what they
// are (fonts, functions, pictures, forms) are not content; what content has to show are a text object, a font and a
// string.
func (r *reader) isContent(s *object.Stream) bool {
	for _, key := range []object.Name{"Type", "Subtype", "Length1", "FunctionType", "ShadingType", "BBox", "N"} {
		if s.Dict[key] != nil {
			return false
		}
	}
	// Kept if small, since readPage decodes it again.
	b := r.file.DecodeOften(s)
	return bytes.Contains(b, []byte("BT")) && bytes.Contains(b, []byte("Tf")) &&
		(bytes.Contains(b, []byte("Tj")) || bytes.Contains(b, []byte("TJ")))
}

// readLost reads the content of a file that has lost pages, and keeps of it what is readable. Each page is written
// apart first, so that noise can be dropped as a whole.
func (r *reader) readLost() {
	for _, p := range r.lostPages() {
		var text strings.Builder
		// readPage has filled text by the time the condition is asked.
		if r.readPage(&text, p); !readable(text.String()) || r.text.Len() > r.options.MaxText {
			continue
		}
		if r.text.Len() > 0 {
			r.text.WriteByte('\f')
		}
		r.text.WriteString(text.String())
		r.doc.Add(doctext.KindDamaged, "pages are lost: their content is in the order of the file")
	}
}

// readable tells text from what glyph numbers look like when they are taken for characters: most of it is small
// letters. Beyond U+00BF come letters of other scripts, which have no case or are rare as noise; ASCII noise is
// mostly capitals, digits and signs.
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

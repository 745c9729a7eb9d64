// Package ooxml reads Office Open XML: word processing (DOCX), presentations (PPTX) and spreadsheets (XLSX), with their
// templates, variants with macros, and the strict variant. Elements are known by their local names, which the variants
// and the three languages have in common.
//
// The format is that of ECMA-376 (https://ecma-international.org/publications-and-standards/standards/ecma-376/).
package ooxml

import (
	"errors"
	"net/url"
	"path"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/parts"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xmlscan"
)

// ErrFormat is returned for archives that hold no Office Open XML.
var ErrFormat = errors.New("not Office Open XML")

// maxRelations bounds the relations of one part: a presentation has one for each slide.
const maxRelations = 20_000

// reader is the reading of one document. rels and byID keep what was read of relations, which a workbook asks for
// once for each sheet. seen has two uses: parts that were read, and (in cache) rows of charts.
type reader struct {
	a     *parts.Archive
	doc   *doctext.Document
	o     doctext.Options
	out   *flow.Text
	seen  map[string]bool // parts that were read
	embed Embed
	rels  map[string][]relation
	byID  map[string]map[string]string // targets, by part and id
	// mainPart is the name of the part that is the document itself, and mainSource what is in it, once it was unpacked.
	mainPart   string
	mainSource []byte

	escapes bool            // strings have those of ST_Xstring
	hides   map[string]bool // styles whose text is not shown
	hidden  int             // the depth of the run or paragraph whose text is not shown; 0 outside of them
}

// Embed reads a document that another includes as a part of its text (altChunk), and adds its text.
type Embed func(body []byte, out *flow.Text)

// relation is a reference from one part to another. Kinds are compared by the last segment, since strict documents
// have other URLs before it.
type relation struct {
	id     string
	kind   string // the last segment of its type: "slide", "footnotes"
	target string // name of the part
}

// Read reads the document that the archive holds.
func Read(a *parts.Archive, doc *doctext.Document, o doctext.Options, embed Embed) error {
	o = o.WithDefaults()
	r := &reader{
		a: a, doc: doc, o: o, out: flow.New(o.MaxText), seen: map[string]bool{}, embed: embed,
		rels: map[string][]relation{}, byID: map[string]map[string]string{},
	}
	main := r.main()
	// Every package has [Content_Types].xml (part 2, section 10.1.2), so what has it is damaged
	// rather than something else.
	if main == "" && !a.Has("[Content_Types].xml") {
		return ErrFormat
	}
	// Before the text: a part that is missing should not cost the title.
	r.properties()
	if main == "" {
		doc.Add(doctext.KindDamaged, "the part with the text is missing")
		return nil
	}
	if path.Ext(main) == ".bin" {
		doc.Add(doctext.KindUnsupported, "workbooks in the binary format (XLSB) are not read")
		return nil
	}
	// The root element decides, not the name of the part, which programs may choose.
	root := r.root(main)
	// mainPart is set only now: root read the part by itself.
	r.mainPart, r.seen[main] = main, true
	switch root {
	case "presentation":
		r.presentation(main)
	case "workbook":
		r.workbook(main)
	default:
		r.document(main)
	}
	doc.Text = r.out.String()
	if r.out.Full() {
		doc.Add(doctext.KindLimit, "the text is longer than what is read")
	}
	return nil
}

// main is the name of the part that is the document itself. Relations of the package ("") say it; the names that all
// programs use serve where they are lost.
func (r *reader) main() string {
	for _, rel := range r.relations("") {
		if rel.kind == "officeDocument" && r.a.Has(rel.target) {
			return rel.target
		}
	}
	for _, name := range []string{"word/document.xml", "ppt/presentation.xml", "xl/workbook.xml"} {
		if r.a.Has(name) {
			return name
		}
	}
	// A document that was cut: its last parts are missing, and the main part of a presentation or
	// workbook stands after its slides or sheets in many files.
	for _, name := range r.a.Names() { // cut before the main part, or named after none
		if ok, _ := path.Match("word/document*.xml", strings.ToLower(name)); ok {
			return name
		}
		if sheetOrSlide(name) != "" {
			return name
		}
	}
	return ""
}

// root is the name of the part's first element. A part that is missing is recognised by its folder. What is unpacked
// here is kept for walk, which reads the same part again: unpacking is the most expensive step.
func (r *reader) root(name string) string {
	if kind := sheetOrSlide(name); kind != "" {
		return kind
	}
	r.mainSource = r.a.Read(name)
	s := xmlscan.New(r.mainSource, r.o.MaxDepth)
	for s.Next() {
		if s.Kind == xmlscan.Start {
			return s.Name
		}
	}
	return ""
}

// sheetOrSlide tells what a document is from the name of one of its parts.
func sheetOrSlide(name string) string {
	switch name = strings.ToLower(name); {
	case strings.HasPrefix(name, "ppt/slides/slide"):
		return "presentation"
	case strings.HasPrefix(name, "xl/worksheets/sheet"):
		return "workbook"
	}
	return ""
}

// relations are what a part refers to, in order; "" is the document as a whole.
func (r *reader) relations(part string) []relation {
	if rels, ok := r.rels[part]; ok {
		return rels
	}
	// Relations of word/document.xml are in word/_rels/document.xml.rels (part 2, section 9.3).
	dir, base := path.Split(part)
	var rels []relation
	r.walk(dir+"_rels/"+base+".rels", func(s *xmlscan.Scanner) {
		// A hostile list may have millions.
		if s.Kind != xmlscan.Start || s.Name != "Relationship" || len(rels) == maxRelations {
			return
		}
		// A fragment leads into the part, which is read whole.
		target, _, _ := strings.Cut(s.Attr("Target"), "#")
		if u, err := url.PathUnescape(target); err == nil {
			target = u
		}
		// External targets are URLs of pictures and links: nothing is fetched.
		if s.Attr("TargetMode") == "External" || target == "" {
			return
		}
		// Relative targets start from the folder of the part; absolute ones from the package.
		if !strings.HasPrefix(target, "/") {
			target = dir + target
		}
		rels = append(rels, relation{
			s.Attr("Id"), path.Base(s.Attr("Type")),
			// Clean takes "..": no target leaves the package.
			strings.TrimPrefix(path.Clean("/"+target), "/"),
		})
	})
	// An empty list is kept, too: nil in the map is an answer.
	r.rels[part] = rels
	return rels
}

// targets are the parts of a kind that a part refers to.
func (r *reader) targets(part, kind string) []string {
	var names []string
	for _, rel := range r.relations(part) {
		if rel.kind == kind {
			names = append(names, rel.target)
		}
	}
	return names
}

// target is the part that a part refers to by an id, or "".
func (r *reader) target(part, id string) string {
	targets := r.byID[part]
	if targets == nil {
		targets = map[string]string{}
		for _, rel := range r.relations(part) {
			// Of two relations with one id the later counts; ids are unique in sound files.
			targets[rel.id] = rel.target
		}
		r.byID[part] = targets
	}
	return targets[id]
}

// walk calls visit with each token of a part, until the text is full. What was wrong is noted.
func (r *reader) walk(part string, visit func(*xmlscan.Scanner)) {
	// The main part's source serves once it is known; others are unpacked each time, and most are
	// read once.
	src := r.mainSource
	if part != r.mainPart || src == nil {
		src = r.a.Read(part)
	}
	if src == nil {
		return
	}
	s := xmlscan.New(src, r.o.MaxDepth)
	// A full text ends the walk: nothing that follows could be added.
	for !r.out.Full() && s.Next() {
		visit(s)
	}
	switch err := s.Err(); {
	// Too deep is our bound; all else is the document's.
	case errors.Is(err, xmlscan.ErrDepth):
		r.doc.Add(doctext.KindLimit, part+": "+err.Error())
	case err != nil:
		r.doc.Add(doctext.KindDamaged, part+": "+err.Error())
	}
}

// once reports whether a part has not been read yet, and notes that it is now.
func (r *reader) once(part string) bool {
	if r.seen[part] || !r.a.Has(part) {
		return false
	}
	r.seen[part] = true
	return true
}

// Package ooxml reads Office Open XML: word processing (DOCX), presentations (PPTX) and spreadsheets (XLSX). It also
// reads their templates, variants with macros, and the strict variant. Elements are matched by local names, which all
// variants and the three languages share.
//
// The format is ECMA-376 (https://ecma-international.org/publications-and-standards/standards/ecma-376/).
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

// reader reads one document. Fields rels and byID cache relations, which a workbook needs once for each sheet. Field
// seen has two uses: it holds the parts already read, and (in cache) rows of charts.
type reader struct {
	a     *parts.Archive
	doc   *doctext.Document
	o     doctext.Options
	out   *flow.Text
	seen  map[string]bool // parts already read
	embed Embed
	rels  map[string][]relation
	byID  map[string]map[string]string // targets, by part and id
	// mainPart is the name of the main part, and mainSource is its unpacked content.
	mainPart   string
	mainSource []byte

	escapes bool            // strings use the escapes of ST_Xstring
	hides   map[string]bool // styles with hidden text
	ranks   map[string]int  // styles of titles
	raised  flow.Raised     // of the run at hand
	spans   []int           // over how many columns the open cells reach
	hidden  int             // the depth of the hidden run or paragraph; 0 outside of one
}

// Embed reads a document that another includes in its text (altChunk), and adds its text to out.
type Embed func(body []byte, out *flow.Text)

// relation is a reference from one part to another. Kinds are compared by their last segment, since strict documents
// use other URLs.
type relation struct {
	id     string
	kind   string // the last segment of its type: "slide", "footnotes"
	target string // name of the part
}

// Read reads the document in the archive.
func Read(a *parts.Archive, doc *doctext.Document, o doctext.Options, embed Embed) error {
	o = o.WithDefaults()
	r := &reader{
		a: a, doc: doc, o: o, out: flow.New(o.MaxText), seen: map[string]bool{}, embed: embed,
		rels: map[string][]relation{}, byID: map[string]map[string]string{},
	}
	main := r.main()
	// Every package has [Content_Types].xml (part 2, section 10.1.2). So an archive with that file is a damaged
	// document.
	if main == "" && !a.Has("[Content_Types].xml") {
		return ErrFormat
	}
	// Properties come first, since they can be read even if a part is missing.
	r.properties()
	if main == "" {
		doc.Add(doctext.KindDamaged, "the part with the text is missing")
		return nil
	}
	if path.Ext(main) == ".bin" {
		doc.Add(doctext.KindUnsupported, "workbooks in the binary format (XLSB) are not read")
		return nil
	}
	// The root element decides, since programs may choose the name of the part.
	root := r.root(main)
	// mainPart is set after root has read the part.
	r.mainPart, r.seen[main] = main, true
	switch root {
	case "presentation":
		r.presentation(main)
	case "workbook":
		r.workbook(main)
	default:
		r.document(main)
	}
	doc.Text, doc.Shown = r.out.String(), r.out.Shown()
	if r.out.Full() {
		doc.Add(doctext.KindLimit, "the text is longer than what is read")
	}
	return nil
}

// main returns the name of the main part. It is in the relations of the package (""). If they are lost, the names that
// all programs use are tried.
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
	// The document was truncated, and its last parts are missing. In many files the main part of a presentation or
	// workbook comes after its slides or sheets.
	for _, name := range r.a.Names() { // truncated before the main part, or with an unusual name
		if ok, _ := path.Match("word/document*.xml", strings.ToLower(name)); ok {
			return name
		}
		if sheetOrSlide(name) != "" {
			return name
		}
	}
	return ""
}

// root returns the name of the part's first element. It guesses the name for a missing part from the folder. The
// unpacked part is kept for walk, which reads it again: unpacking is the most expensive step.
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

// sheetOrSlide guesses the root element of a document from the name of one of its parts.
func sheetOrSlide(name string) string {
	switch name = strings.ToLower(name); {
	case strings.HasPrefix(name, "ppt/slides/slide"):
		return "presentation"
	case strings.HasPrefix(name, "xl/worksheets/sheet"):
		return "workbook"
	}
	return ""
}

// relations returns the references of a part, in order; "" is the whole document.
func (r *reader) relations(part string) []relation {
	if rels, ok := r.rels[part]; ok {
		return rels
	}
	// The relations of word/document.xml are in word/_rels/document.xml.rels (part 2, section 9.3).
	dir, base := path.Split(part)
	var rels []relation
	r.walk(dir+"_rels/"+base+".rels", func(s *xmlscan.Scanner) {
		// A hostile list may have millions.
		if s.Kind != xmlscan.Start || s.Name != "Relationship" || len(rels) == maxRelations {
			return
		}
		// A fragment is a place in the part, which is read whole.
		target, _, _ := strings.Cut(s.Attr("Target"), "#")
		if u, err := url.PathUnescape(target); err == nil {
			target = u
		}
		// External targets are URLs of pictures and links; nothing is fetched.
		if s.Attr("TargetMode") == "External" || target == "" {
			return
		}
		// Relative targets start at the folder of the part, absolute ones at the package.
		if !strings.HasPrefix(target, "/") {
			target = dir + target
		}
		rels = append(rels, relation{
			s.Attr("Id"), path.Base(s.Attr("Type")),
			// Clean removes "..", so no target leaves the package.
			strings.TrimPrefix(path.Clean("/"+target), "/"),
		})
	})
	// An empty list is cached too, as nil.
	r.rels[part] = rels
	return rels
}

// targets returns the parts of a kind that a part refers to.
func (r *reader) targets(part, kind string) []string {
	var names []string
	for _, rel := range r.relations(part) {
		if rel.kind == kind {
			names = append(names, rel.target)
		}
	}
	return names
}

// target returns the part that a part refers to by an id, or "".
func (r *reader) target(part, id string) string {
	targets := r.byID[part]
	if targets == nil {
		targets = map[string]string{}
		for _, rel := range r.relations(part) {
			// Of two relations with one id the later counts. In sound files ids are unique.
			targets[rel.id] = rel.target
		}
		r.byID[part] = targets
	}
	return targets[id]
}

// walk calls visit with each token of a part until the text is full. It notes errors.
func (r *reader) walk(part string, visit func(*xmlscan.Scanner)) {
	// The main part is kept unpacked. Other parts are unpacked each time, but most are read once.
	src := r.mainSource
	if part != r.mainPart || src == nil {
		src = r.a.Read(part)
	}
	if src == nil {
		return
	}
	s := xmlscan.New(src, r.o.MaxDepth)
	// A full text ends the walk, since nothing more can be added.
	for !r.out.Full() && s.Next() {
		visit(s)
	}
	switch err := s.Err(); {
	// ErrDepth is our bound; other errors are faults of the document.
	case errors.Is(err, xmlscan.ErrDepth):
		r.doc.Add(doctext.KindLimit, part+": "+err.Error())
	case err != nil:
		r.doc.Add(doctext.KindDamaged, part+": "+err.Error())
	}
}

// once reports whether a part exists and has not been read yet, and marks it as read.
func (r *reader) once(part string) bool {
	if r.seen[part] || !r.a.Has(part) {
		return false
	}
	r.seen[part] = true
	return true
}

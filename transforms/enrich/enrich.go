// Package enrich turns a capture into a document: it runs the transforms that were asked for, in the order of their
// needs, each on what the others have found already. A capture's bytes are decoded once and its page is parsed once,
// whatever is asked.
//
// A transform that breaks on a capture becomes an entry of the document's errors; the others go on.
//
//	e, err := enrich.New(enrich.Options{Extract: []string{"text", "language"}})
//	if err != nil {
//		return err
//	}
//	doc := e.Document(c)
package enrich

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/PuerkitoBio/goquery"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/reader"
	"github.com/gleaner-web/gleaner/transforms/entity"
	"github.com/gleaner-web/gleaner/transforms/entity/tagger"
	"github.com/gleaner-web/gleaner/transforms/feed"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/langid"
	"github.com/gleaner-web/gleaner/transforms/link"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
	"github.com/gleaner-web/gleaner/transforms/neardup"
	"github.com/gleaner-web/gleaner/transforms/outlink"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
	"github.com/gleaner-web/gleaner/transforms/publisher"
	"github.com/gleaner-web/gleaner/transforms/quality"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/sanitize"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Options say what is extracted; the zero value extracts everything. It travels to Beam's workers, so it holds values
// only.
type Options struct {
	Extract []string // names of Extractors; nil for all, empty for none
	Select  []Field  // custom fields by CSS selector
	MaxText int      // bytes of text that a document carries; 8 MiB
	Links   bool     // rows of links, where links are extracted; they need the main text, which counting links does not
	// Triggers are filters of package query, by the names of extractors: one runs on the captures alone that its filter
	// takes. A filter may ask for what the capture tells, and for what extractors find that run before.
	Triggers map[string]string

	LanguageAccuracy langid.Accuracy // langid.Default

	Profile  maintext.Profile     // of the main text: which mistakes are worse
	Comments maintext.CommentMode // what becomes of readers' comments
	Markdown bool                 // the text of documents is Markdown; what reads it (languages, names) reads it plain
	NoHTML   bool                 // documents have no MainHTML
}

// Field is a custom field: the texts of the elements that a CSS selector matches.
type Field struct{ Name, CSS string }

// extractor is one name that Options.Extract takes. The function sets fields of the document; what it needs from
// others it asks of work, which makes it once.
type extractor struct {
	stage    stage
	run      func(*work)
	versions map[string]string // of the packages that its result depends on
}

// extractors is the table of what can be extracted, in the order in which it runs. The order decides which error of a
// capture comes first, and whose time shared work is told by; results do not depend on it. A document's version is
// made of the versions here: a package that is missing would let old documents pass for new ones.
var extractors = []extractor{
	{stageMIME, (*work).setMIME, map[string]string{"mimetype": mimetype.Version}},
	{stageCharset, (*work).setCharset, map[string]string{"mimetype": mimetype.Version, "charset": charset.Version}},
	{stageText, (*work).setText, withText(map[string]string{"sanitize": sanitize.Version})},
	{stageLanguage, (*work).setLanguage, withText(map[string]string{"langid": langid.Version})},
	{
		stageMetadata, (*work).setMetadata,
		withPage(map[string]string{
			"doctext": reader.Version, "pagemeta": pagemeta.Version, "jsonld": jsonld.Version,
			"publisher": publisher.Version,
		}),
	},
	{
		stageEntities, (*work).setEntities,
		withText(map[string]string{
			"entity": entity.Version, "tagger": tagger.Version, "jsonld": jsonld.Version,
			"langid": langid.Version,
		}),
	},
	{stageFeeds, (*work).setFeeds, withPage(map[string]string{"feed": feed.Version})},
	{stageLinks, (*work).setLinks, withPage(map[string]string{"link": link.Version})},
	{stageNeardup, (*work).setSimhash, withText(map[string]string{"neardup": neardup.Version})},
	{stageQuality, (*work).setQuality, withText(map[string]string{"quality": quality.Version})},
}

// withPage adds the packages on which everything that reads a page depends.
func withPage(v map[string]string) map[string]string {
	v["mimetype"], v["charset"], v["page"] = mimetype.Version, charset.Version, page.Version
	return v
}

// withText adds those on which everything that reads the main text depends.
func withText(v map[string]string) map[string]string {
	v["maintext"], v["doctext"] = maintext.Version, reader.Version
	return withPage(v)
}

// name is what Options.Extract calls it.
func (x extractor) name() string { return stageNames[x.stage] }

// Extractors are the names that Options.Extract takes, in the order in which they run: those of this package, and then
// those that the program has registered.
func Extractors() []string {
	names := make([]string, len(extractors))
	for i, x := range extractors {
		names[i] = x.name()
	}
	for _, x := range own() {
		names = append(names, x.Name())
	}
	return names
}

// Enricher makes documents of captures. It may be used by several goroutines at the same time. Its fields are set by
// New and only read then, but for the pool, which is safe by itself.
type Enricher struct {
	run       []extractor
	own       []Extractor
	triggers  map[string]query.Expr // by the names of extractors
	fields    []matcher
	languages *langid.Detector
	names     *tagger.Tagger
	likely    *tagger.Tagger // of names of which four in five are right
	documents func(mime string, body []byte) *doctext.Document
	detects   bool // languages are asked for
	links     bool // rows of links are
	profile   maintext.Profile
	comments  maintext.CommentMode
	markdown  bool
	noHTML    bool
	tools     sync.Pool // of *tools
	maxText   int
}

// tools are what one capture after another uses again. They hold memory of the last capture's size, so a document
// must not refer to it: what is kept is copied. Each belongs to one capture at a time.
type tools struct {
	parser  page.Parser
	texts   maintext.Extractor
	quality quality.Counter
	// What the tagger found, in its words and in those of the layers that it joins.
	mentions []tagger.Mention
	names    []entity.Name
	when     when
}

// matcher is a custom field with its selector compiled.
type matcher struct {
	name string
	m    goquery.Matcher
}

// New checks the options and makes an Enricher of them.
func New(o Options) (*Enricher, error) {
	e := &Enricher{
		languages: langid.New(langid.Options{Accuracy: o.LanguageAccuracy}),
		names:     tagger.New(tagger.Options{}), likely: tagger.New(tagger.Options{MinConfidence: 0.6}),
		documents: readHere, maxText: o.MaxText,
		profile: o.Profile, comments: o.Comments, markdown: o.Markdown, noHTML: o.NoHTML,
		links: o.Links,
	}
	// Zero and less take the default.
	if e.maxText <= 0 {
		e.maxText = 8 << 20
	}
	// nil means all, and an empty list none: the two must not be mixed up.
	if o.Extract == nil {
		o.Extract = Extractors()
	}
	// A name that is misspelt would silently leave a field empty in every document.
	for _, name := range o.Extract {
		if !slices.Contains(Extractors(), name) {
			return nil, fmt.Errorf("unknown extractor %q; there are %s", name, strings.Join(Extractors(), ", "))
		}
	}
	// In the order of the table, whatever the order of the option.
	for _, x := range extractors {
		if slices.Contains(o.Extract, x.name()) {
			e.run = append(e.run, x)
		}
	}
	for _, x := range own() {
		if slices.Contains(o.Extract, x.Name()) {
			e.own = append(e.own, x)
		}
	}
	if err := e.parseTriggers(o.Triggers); err != nil {
		return nil, err
	}
	e.detects = slices.Contains(o.Extract, "language")
	// Selectors are compiled once; one that is broken stops the run before it begins.
	for _, f := range o.Select {
		if owner := OwnerOf(f.Name); slices.Contains(o.Extract, owner) {
			return nil, fmt.Errorf("field %s: the extractor %s makes it", f.Name, owner)
		}
		m, err := page.CompileSelector(f.CSS)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", f.Name, err)
		}
		e.fields = append(e.fields, matcher{f.Name, m})
	}
	return e, nil
}

// readHere reads a document in this process, which a hostile one can make loop or exhaust the memory.
func readHere(mime string, body []byte) *doctext.Document {
	return reader.Read(mime, body, doctext.Options{})
}

// ReadDocumentsBy has documents that are not HTML read by read, instead of reader.Read in this process, which a hostile
// one can make loop or exhaust the memory. It is to be called before the first use; read is called by several
// goroutines at the same time. (It is not an option, since options travel to Beam's workers.)
func (e *Enricher) ReadDocumentsBy(read func(mime string, body []byte) *doctext.Document) {
	e.documents = read
}

// Versions are the versions of the transforms that this enricher's documents depend on. A document that was made with
// others is out of date. The map is the caller's.
func (e *Enricher) Versions() map[string]string {
	// Keys of URLs are in every document.
	v := map[string]string{"urlkey": urlkey.Version}
	for _, x := range e.run {
		maps.Copy(v, x.versions)
	}
	for _, x := range e.own {
		maps.Copy(v, withText(map[string]string{ownPrefix + x.Name(): x.Version()})) // it may ask for the text
	}
	if e.links {
		maps.Copy(v, withText(map[string]string{"outlink": outlink.Version}))
	}
	if len(e.triggers) > 0 {
		v["query"], v["tokenize"] = query.Version, tokenize.Version
	}
	// Custom fields read the page, even where no extractor does.
	if len(e.fields) > 0 {
		maps.Copy(v, withPage(map[string]string{}))
	}
	return v
}

// ownPrefix is before the names of registered extractors among versions, so that none is taken for a package.
const ownPrefix = "extractor:"

// begin takes up c. The tools that it uses are to be put back. A tool that panicked is put back as well: all of them
// begin again with each capture.
func (e *Enricher) begin(c *schemas.Capture, s *Stopwatch) *work {
	// The pool is empty at first, and after garbage collections.
	t, _ := e.tools.Get().(*tools)
	if t == nil {
		t = new(tools)
	}
	return &work{e: e, t: t, watch: s, c: c, d: base(c)}
}

// Extra says what Enrich is to give beside the document that the options ask for; the zero value wants nothing more.
type Extra struct {
	Template sitetemplate.Template // what the capture's host has on many of its pages: it is left out of the text
	Page     bool                  // what formats need that hold the page itself
	Watch    *Stopwatch            // measures the stages; may be nil
}

// Result is what Enrich gives. It shares no memory with the capture's body.
type Result struct {
	Document *schemas.Document
	Feeds    []schemas.FeedCapture // rows of the feeds that the capture is or announces, where feeds are asked for
	Links    []schemas.Link        // of the page, where Options.Links asks for them
	Page     schemas.Page          // the zero value unless it was wanted
}

// Enrich says of c what was asked for.
func (e *Enricher) Enrich(c *schemas.Capture, want Extra) (r Result) {
	w := e.begin(c, want.Watch)
	defer e.tools.Put(w.t)
	r.Document, r.Feeds = w.extract(want.Template)
	r.Links = w.links
	// Last, when all that reads the page has run.
	if want.Page {
		w.guard("page", func(w *work) { r.Page = w.pageOf() })
	}
	return r
}

// Document is Enrich for those who want the document alone.
func (e *Enricher) Document(c *schemas.Capture) *schemas.Document {
	return e.Enrich(c, Extra{}).Document
}

// HTML returns c's page as UTF-8, whatever is asked for; nil when c is not HTML page. It may be c's body itself. It
// does not parse: callers want the bytes.
func (e *Enricher) HTML(c *schemas.Capture) (src []byte) {
	w := e.begin(c, nil)
	defer e.tools.Put(w.t)
	w.guard("charset", func(w *work) {
		if w.isHTML() {
			src = w.utf8()
		}
	})
	return src
}

// extract runs what was asked for. Each step is guarded by itself, so a page that breaks one extractor keeps the
// results of the others.
func (w *work) extract(t sitetemplate.Template) (*schemas.Document, []schemas.FeedCapture) {
	w.template = t
	e := w.e
	// Cheap, and needed by every reader of documents: it is never left out.
	w.guard("urlkey", func(w *work) {
		w.d.SURT = urlkey.SURT(w.c.URL)
		w.d.Host, w.d.Domain = urlkey.Site(w.c.URL)
	})
	w.guard("redirect", (*work).setRedirect)
	for _, x := range e.run {
		if w.off(x.name()) {
			continue
		}
		w.watch.turn(x.stage)
		w.guard(x.name(), x.run)
	}
	if len(e.fields) > 0 {
		w.watch.turn(stageSelect)
		w.guard("select", (*work).setCustom)
	}
	// Last, so that they see what all others have found.
	for _, x := range e.own {
		if !w.off(x.Name()) {
			w.watch.turn(stageOwn)
			w.guard(x.Name(), func(w *work) { w.runOwn(x) })
		}
	}
	w.watch.turn(stageOther) // a format may ask for the page
	return w.d, w.feeds
}

// Sketch returns what c's page tells of its host's template; false when c is not a page. Templates are learnt from
// the sketches of many pages, before documents are made.
func (e *Enricher) Sketch(c *schemas.Capture) (k sitetemplate.Sketch, ok bool) {
	w := e.begin(c, nil) // what goes wrong becomes an error of the document, when that is made
	defer e.tools.Put(w.t)
	w.guard("page", func(w *work) {
		if p := w.html(); p != nil {
			k, ok = sitetemplate.SketchOf(p), true
		}
	})
	return k, ok
}

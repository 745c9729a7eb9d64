// Package enrich turns a capture into a document. It runs the requested transforms in the order of their dependencies,
// each on the results of the others. A capture's bytes are decoded once and its page is parsed once, for any request.
//
// If a transform fails on a capture, the document gets an error, and the others continue.
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
	"github.com/gleaner-web/gleaner/transforms/doctext/ocr"
	"github.com/gleaner-web/gleaner/transforms/doctext/reader"
	"github.com/gleaner-web/gleaner/transforms/entity"
	"github.com/gleaner-web/gleaner/transforms/entity/tagger"
	"github.com/gleaner-web/gleaner/transforms/feed"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/langid"
	"github.com/gleaner-web/gleaner/transforms/licence"
	"github.com/gleaner-web/gleaner/transforms/link"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
	"github.com/gleaner-web/gleaner/transforms/neardup"
	"github.com/gleaner-web/gleaner/transforms/outlink"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pagedata"
	"github.com/gleaner-web/gleaner/transforms/pageimage"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
	"github.com/gleaner-web/gleaner/transforms/picture"
	"github.com/gleaner-web/gleaner/transforms/publisher"
	"github.com/gleaner-web/gleaner/transforms/quality"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/rights"
	"github.com/gleaner-web/gleaner/transforms/sanitize"
	"github.com/gleaner-web/gleaner/transforms/sentiment"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
	"github.com/gleaner-web/gleaner/transforms/thread"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Options choose the data to extract; the zero value chooses Defaults. They are sent to Beam's workers, so they hold
// only values.
type Options struct {
	Extract []string // names of Extractors; nil means Defaults, empty means none
	Select  []Field  // custom fields by CSS selector
	MaxText int      // maximum bytes of text in a document; 8 MiB
	Links   bool     // rows of links, if links are extracted; they need the main text, which counting links does not
	Data    bool     // rows of structured data, if data is extracted
	// Triggers maps names of extractors to filters of package query. Such an extractor runs only on captures that
	// match its filter. A filter may use fields of the capture, and results of extractors that run before.
	Triggers map[string]string

	LanguageAccuracy langid.Accuracy // langid.Default

	Profile  maintext.Profile     // of the main text: which mistakes are worse
	Comments maintext.CommentMode // treatment of readers' comments
	Markdown bool                 // the text of documents is Markdown; languages and names still use the plain text
	NoHTML   bool                 // documents have no MainHTML

	ImagePosition bool // EXIF fields of images have the position where they were taken
}

// Field is a custom field: the texts of the elements that match a CSS selector.
type Field struct{ Name, CSS string }

// extractor is one name for Options.Extract. Its function sets fields of the document. Results that several extractors
// need come from work, which makes them once.
type extractor struct {
	stage    stage
	run      func(*work)
	versions map[string]string // of the packages that affect its result
}

// extractors is the table of extractors, in the order in which they run. The order determines which error of a capture
// comes first, and which stage the time of shared work belongs to. It does not affect results. A document's version
// consists of the versions here: if a package were missing, old documents would count as current.
var extractors = []extractor{
	{stageMIME, (*work).setMIME, map[string]string{"mimetype": mimetype.Version}},
	{stageCharset, (*work).setCharset, map[string]string{"mimetype": mimetype.Version, "charset": charset.Version}},
	{
		stageText, (*work).setText,
		withText(map[string]string{"sanitize": sanitize.Version, "thread": thread.Version, "jsonld": jsonld.Version}),
	},
	{stageLanguage, (*work).setLanguage, withText(map[string]string{"langid": langid.Version, "ocr": ocr.Version})},
	{
		stageMetadata, (*work).setMetadata,
		withText(map[string]string{
			"ocr": ocr.Version, "pagemeta": pagemeta.Version, "jsonld": jsonld.Version, "publisher": publisher.Version,
			"thread": thread.Version,
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
	{
		stageRights, (*work).setRights,
		withPage(map[string]string{
			"rights": rights.Version, "pagemeta": pagemeta.Version, "link": link.Version, "doctext": reader.Version,
		}),
	},
	{
		stageLicenses, (*work).setLicenses,
		withText(map[string]string{"licence": licence.Version, "jsonld": jsonld.Version, "link": link.Version}),
	},
	{stageNeardup, (*work).setSimhash, withText(map[string]string{"neardup": neardup.Version})},
	{stageQuality, (*work).setQuality, withText(map[string]string{"quality": quality.Version})},
	{
		stageSentiment, (*work).setSentiment,
		withText(map[string]string{
			"sentiment": sentiment.Version, "langid": langid.Version, "entity": entity.Version, "tagger": tagger.Version,
		}),
	},
	{
		stageImages, (*work).setImages,
		withPage(map[string]string{"picture": picture.Version, "pageimage": pageimage.Version}),
	},
	{
		stageData, (*work).setData,
		withPage(map[string]string{"pagedata": pagedata.Version, "jsonld": jsonld.Version}),
	},
}

// withPage adds the packages that affect everything that reads a page.
func withPage(v map[string]string) map[string]string {
	v["mimetype"], v["charset"], v["page"] = mimetype.Version, charset.Version, page.Version
	return v
}

// withText adds the packages that affect everything that reads the main text.
func withText(v map[string]string) map[string]string {
	v["maintext"], v["doctext"] = maintext.Version, reader.Version
	return withPage(v)
}

// name returns its name in Options.Extract.
func (x extractor) name() string { return stageNames[x.stage] }

// Extractors returns the names for Options.Extract in the order in which they run: first those of this package, then
// those registered by the program.
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

// All is a name for Options.Extract that stands for all extractors.
const All = "all"

// Named returns the extractors that a user names, with All replaced.
func Named(names []string) []string {
	if !slices.Contains(names, All) {
		return names
	}
	return append(slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == All }), Extractors()...)
}

// Defaults returns the extractors that run unless others are chosen, in their order. Images run on request, because
// decoding a photo takes longer than all work on a page. Structured data is mostly wanted for its rows, so it also runs
// on request, and so does sentiment, which is a rough measure.
func Defaults() []string {
	return slices.DeleteFunc(Extractors(), func(name string) bool {
		return name == stageNames[stageImages] || name == stageNames[stageData] || name == stageNames[stageSentiment]
	})
}

// Enricher makes documents from captures. It is safe for concurrent use. New sets its fields, and they are only read
// afterwards, except for the pool, which is safe itself.
type Enricher struct {
	run       []extractor
	own       []Extractor
	batched   []Batched             // of own, its last ones
	triggers  map[string]query.Expr // by names of extractors
	fields    []matcher
	languages *langid.Detector
	pages     *langid.Detector // of single pages of a document, which have less text
	names     *tagger.Tagger
	likely    *tagger.Tagger // for names of which four in five are right
	documents func(mime string, body []byte) *doctext.Document
	pictures  func(mime string, body []byte, o picture.Options) (*schemas.Image, error)
	picture   picture.Options
	detects   bool // languages are requested
	links     bool // rows of links are requested
	data      bool // rows of structured data are requested
	profile   maintext.Profile
	comments  maintext.CommentMode
	markdown  bool
	noHTML    bool
	tools     sync.Pool // of *tools
	maxText   int
}

// tools are the objects reused from capture to capture. They hold memory of the last capture's size, so a document
// must not refer to them: values are copied. Each belongs to one capture at a time.
type tools struct {
	parser  page.Parser
	texts   maintext.Extractor
	html    sanitize.Sanitizer
	quality quality.Counter
	moods   sentiment.Extractor
	// These are the tagger's results, in its type and in that of package entity.
	mentions []tagger.Mention
	names    []entity.Name
	when     when
}

// matcher is a custom field with its selector compiled.
type matcher struct {
	name string
	m    goquery.Matcher
}

// New checks the options and makes an Enricher.
func New(o Options) (*Enricher, error) {
	e := &Enricher{
		languages: langid.New(langid.Options{Accuracy: o.LanguageAccuracy}),
		pages:     langid.New(langid.Options{Windows: 4, MaxBytes: 4 << 10}),
		names:     tagger.New(tagger.Options{}), likely: tagger.New(tagger.Options{MinConfidence: 0.6}),
		documents: readHere, pictures: picture.Examine, maxText: o.MaxText,
		profile: o.Profile, comments: o.Comments, markdown: o.Markdown, noHTML: o.NoHTML,
		links: o.Links, data: o.Data, picture: picture.Options{Position: o.ImagePosition},
	}
	// Zero and negative values mean the default.
	if e.maxText <= 0 {
		e.maxText = 8 << 20
	}
	// An empty list means none.
	if o.Extract == nil {
		o.Extract = Defaults()
	}
	o.Extract = Named(o.Extract)
	// A misspelt name would silently leave a field empty in every document.
	for _, name := range o.Extract {
		if !slices.Contains(Extractors(), name) {
			return nil, fmt.Errorf("unknown extractor %q; there are %s", name, strings.Join(Extractors(), ", "))
		}
	}
	// They run in the order of the table, whatever the order of the option.
	for _, x := range extractors {
		if slices.Contains(o.Extract, x.name()) {
			e.run = append(e.run, x)
		}
	}
	e.choose(o.Extract)
	if err := e.parseTriggers(o.Triggers, o.Select); err != nil {
		return nil, err
	}
	e.detects = slices.Contains(o.Extract, "language")
	// Selectors are compiled once; an invalid one stops the run before it begins.
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

// readHere reads a document in this process. A hostile document may make it loop or exhaust the memory.
func readHere(mime string, body []byte) *doctext.Document {
	return reader.Read(mime, body, doctext.Options{})
}

// ReadDocumentsBy sets the function that reads documents other than HTML. By default it is reader.Read in this
// process, in which a hostile document may loop or exhaust the memory. Call it before the first use. Several
// goroutines call read at the same time. (It is not an option, since options are sent to Beam's workers.)
func (e *Enricher) ReadDocumentsBy(read func(mime string, body []byte) *doctext.Document) {
	e.documents = read
}

// Versions returns the versions of the transforms that affect this enricher's documents. A document made with others
// is out of date. The map belongs to the caller.
func (e *Enricher) Versions() map[string]string {
	// Keys of URLs are in every document.
	v := map[string]string{"urlkey": urlkey.Version}
	for _, x := range e.run {
		maps.Copy(v, x.versions)
	}
	for _, x := range e.own {
		maps.Copy(v, withText(map[string]string{OwnPrefix + x.Name(): x.Version()})) // it may use the text
	}
	if e.links {
		maps.Copy(v, withText(map[string]string{"outlink": outlink.Version}))
	}
	if len(e.triggers) > 0 {
		v["query"], v["tokenize"] = query.Version, tokenize.Version
	}
	// Custom fields read the page, even if no extractor does.
	if len(e.fields) > 0 {
		maps.Copy(v, withPage(map[string]string{}))
	}
	return v
}

// ReadPicturesBy sets the function that examines images, as ReadDocumentsBy does for documents. By default it is
// picture.Examine in this process.
func (e *Enricher) ReadPicturesBy(examine func(string, []byte, picture.Options) (*schemas.Image, error)) {
	e.pictures = examine
}

// OwnPrefix comes before the names of registered extractors among versions, to distinguish them from packages.
const OwnPrefix = "extractor:"

// begin starts work on c. Its tools must be put back, even after a panic: all tools start afresh with each capture.
func (e *Enricher) begin(c *schemas.Capture, s *Stopwatch) *work {
	// The pool is empty at first, and after garbage collections.
	t, _ := e.tools.Get().(*tools)
	if t == nil {
		t = new(tools)
	}
	return &work{e: e, t: t, watch: s, c: c, d: base(c)}
}

// Extra requests results of Enrich besides the document; the zero value requests none.
type Extra struct {
	Template sitetemplate.Template // repeated text of the capture's host, which is left out of the text
	Page     bool                  // data for formats that hold the page itself
	Watch    *Stopwatch            // measures the stages; may be nil
	Later    bool                  // Batched extractors are left to Finish
}

// Result is the result of Enrich. It shares no memory with the capture's body.
type Result struct {
	Document *schemas.Document
	Feeds    []schemas.FeedCapture // rows of the feeds that the capture is or announces, if feeds are requested
	Links    []schemas.Link        // links of the page, if Options.Links requests them
	Data     []schemas.Datum       // structured data of the page, if Options.Data requests it
	Page     schemas.Page          // the zero value unless requested
	Rest     *Rest                 // for Finish, if Extra.Later was set and there are Batched extractors
}

// Enrich returns the requested data for c.
func (e *Enricher) Enrich(c *schemas.Capture, want Extra) (r Result) {
	w := e.begin(c, want.Watch)
	defer e.tools.Put(w.t)
	w.later = want.Later && len(e.batched) > 0
	r.Document, r.Feeds = w.extract(want.Template)
	r.Rest = w.rest
	r.Links, r.Data = w.links, w.data
	// This is last, after everything that reads the page.
	if want.Page {
		w.guard("page", func(w *work) { r.Page = w.pageOf() })
	}
	return r
}

// Document is Enrich for callers that need only the document.
func (e *Enricher) Document(c *schemas.Capture) *schemas.Document {
	return e.Enrich(c, Extra{}).Document
}

// HTML returns c's page as UTF-8, whatever the options, or nil if c is not an HTML page. It may be c's body itself. It
// does not parse, since callers need only the bytes.
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

// extract runs the requested extractors. Each step is guarded separately, so a page that breaks one extractor keeps
// the results of the others.
func (w *work) extract(t sitetemplate.Template) (*schemas.Document, []schemas.FeedCapture) {
	w.template = t
	e := w.e
	// This is fast, and every reader of documents needs it, so it is never left out.
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
	w.runOwn()
	w.watch.turn(stageOther) // a format may need the page
	return w.d, w.feeds
}

// Sketch returns the information in c's page about its host's template. Result ok is false if c is not a page.
// Templates are learnt from the sketches of many pages before documents are made.
func (e *Enricher) Sketch(c *schemas.Capture) (k sitetemplate.Sketch, ok bool) {
	w := e.begin(c, nil) // errors are reported when the document is made
	defer e.tools.Put(w.t)
	w.guard("page", func(w *work) {
		if p := w.html(); p != nil {
			k, ok = sitetemplate.SketchOf(p), true
		}
	})
	return k, ok
}

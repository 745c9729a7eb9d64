package enrich

import (
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/message"
	"github.com/gleaner-web/gleaner/transforms/doctext/ocr"
	"github.com/gleaner-web/gleaner/transforms/doctext/reader"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
	"github.com/gleaner-web/gleaner/transforms/thread"
)

// work is the work on one capture. Results that several extractors need are made on first use. Such fields have a
// flag, or are nil until then. A failure counts as made, so that a broken page is not read once for each extractor.
type work struct {
	e *Enricher
	t *tools
	c *schemas.Capture
	d *schemas.Document

	watch *Stopwatch // nil if nothing is measured

	feeds    []schemas.FeedCapture
	links    []schemas.Link
	data     []schemas.Datum
	template sitetemplate.Template // of the host
	later    bool                  // Batched extractors do not run now
	rest     *Rest                 // for them

	mime     *mimetype.Result
	charset  *charset.Result
	text     []byte // the body as UTF-8
	mhtml    savedPage
	inflated []byte // see unpacked
	page     *page.Page
	doc      *doctext.Document
	needs    []ocr.Need // of the pages of doc
	ld       []jsonld.Node
	ldDone   bool
	ldLeft   int // of the JSON-LD, beyond the limits
	main     *maintext.Result
	thread   []thread.Post
	threaded bool
	stated   bool // JSON-LD alone has the posts
	lacking  int  // posts, beyond the limits
	langs    []schemas.Language
	langed   bool
}

// base sets the fields from the archive itself, except for the URL's keys. Making those may panic, so that runs under
// guard.
func base(c *schemas.Capture) *schemas.Document {
	d := &schemas.Document{
		URL: c.URL, Status: c.Status, MIMEDeclared: mimetype.Base(c.MIMEDeclared), Digest: c.Digest,
		RecordID: c.RecordID, RecordType: c.RecordType, RefersTo: c.RefersTo, Filename: c.Origin.File,
		Offset: c.Origin.Offset, Length: c.Origin.Length, Sequence: c.Origin.Sequence, BodyBytes: int64(len(c.Body)),
		IP: c.IP, Truncated: c.Cut(), Flags: c.Flags, Damaged: schemas.Damaged(c.Flags), Crawl: c.Crawl,
	}
	if !c.Timestamp.IsZero() {
		d.Timestamp = c.Timestamp.UTC().Format(time.RFC3339Nano)
	}
	return d
}

// guard runs one extractor and turns a panic into an error of the document. It cannot catch fatal errors of the
// runtime.
func (w *work) guard(stage string, run func(*work)) {
	defer func() {
		if p := recover(); p != nil {
			w.fail(stage, schemas.KindPanic, fmt.Sprint(p))
		}
	}()
	run(w)
}

// maxMessage bounds an error's text, which may quote the page.
const maxMessage = 500

// fail notes an error of a stage. The cut may split a character.
func (w *work) fail(stage string, kind schemas.Kind, message string) { fail(w.d, stage, kind, message) }

func fail(d *schemas.Document, stage string, kind schemas.Kind, message string) {
	message = strings.ToValidUTF8(message[:min(len(message), maxMessage)], "\uFFFD")
	d.Errors = append(d.Errors, schemas.StageError{Stage: stage, Kind: kind, Message: message})
}

// mimeType returns the type of the body, detected once.
func (w *work) mimeType() mimetype.Result {
	if w.mime == nil {
		// This turns to the stage now, and back at the end.
		defer w.watch.turn(w.watch.turn(stageMIME))
		r := mimetype.Detect(w.c.Body, w.c.MIMEDeclared, w.c.URL, mimetype.Options{})
		w.mime = &r
	}
	return *w.mime
}

// typeMHTML is the type of pages saved with their parts, typeGzip that of gzip files.
const (
	typeMHTML = "multipart/related"
	typeGzip  = "application/gzip"
)

// textType returns the type of the body, or of the text in it if that lost its Content-Encoding.
func (w *work) textType() string {
	m := w.mimeType()
	if m.Type == typeGzip && mimetype.IsText(mimetype.Base(w.c.MIMEDeclared)) {
		return m.Inside
	}
	return m.Type
}

// isText reports whether the body is text.
func (w *work) isText() bool { return len(w.c.Body) > 0 && mimetype.IsText(w.textType()) }

// isHTML reports whether the body is a page, or holds one saved with its parts.
func (w *work) isHTML() bool {
	return len(w.c.Body) > 0 && (mimetype.IsHTML(w.textType()) || w.saved().html != nil)
}

// savedPage is the page in an MHTML capture. Field url is its original address, if that is on the web.
type savedPage struct {
	html             []byte
	contentType, url string
	done             bool
}

// saved returns the page in an MHTML body, searched once.
func (w *work) saved() savedPage {
	if !w.mhtml.done {
		w.mhtml.done = true
		if w.mimeType().Type == typeMHTML {
			w.mhtml.html, w.mhtml.contentType, w.mhtml.url = message.Page(w.c.Body)
		}
		if !strings.HasPrefix(w.mhtml.url, "http") {
			w.mhtml.url = w.c.URL
		}
	}
	return w.mhtml
}

// source returns the bytes of the page or text, and its Content-Type.
func (w *work) source() (body []byte, contentType string) {
	if p := w.saved(); p.html != nil {
		return p.html, p.contentType
	}
	if w.mimeType().Type == typeGzip {
		return w.unpacked(), w.c.MIMEDeclared
	}
	return w.c.Body, w.c.MIMEDeclared
}

// utf8 returns the body as UTF-8, or nil if it is not text.
func (w *work) utf8() []byte {
	// It was made already, or must not be made.
	if w.charset != nil || !w.isText() {
		return w.text
	}
	defer w.watch.turn(w.watch.turn(stageCharset))
	body, contentType := w.source()
	text, r, err := charset.Read(body, contentType, charset.Options{})
	w.charset = &r
	// The name is always known, so an error would be a bug; the text is then read as UTF-8.
	if err != nil {
		w.fail("charset", schemas.KindDecode, err.Error())
		text = []byte(strings.ToValidUTF8(string(body), "\uFFFD"))
	}
	w.text = text
	return w.text
}

// html returns the page, parsed once, or nil if the body is not HTML.
func (w *work) html() *page.Page {
	if w.page == nil && w.isHTML() {
		// utf8 measures the time of decoding itself.
		defer w.watch.turn(w.watch.turn(stagePage))
		src := w.utf8()
		if w.isXML() {
			src = page.FromXHTML(src)
		}
		w.page = w.t.parser.Parse(src, page.Options{URL: w.saved().url})
		// Limits become errors of the document, so that missing parts are noticed.
		for _, limit := range w.page.Truncated {
			w.fail("page", schemas.KindLimit, "the page is cut at the limit of "+limit)
		}
	}
	return w.page
}

// isXML reports whether the page was served as XML, which browsers then read it as.
func (w *work) isXML() bool {
	_, contentType := w.source()
	return page.IsXML(contentType)
}

// document returns the content of a document that is not a page, read once, or nil for other bodies.
func (w *work) document() *doctext.Document {
	if w.doc == nil && len(w.c.Body) > 0 && reader.Format(w.mimeType().Type) != "" {
		defer w.watch.turn(w.watch.turn(stageDocuments))
		w.doc = &doctext.Document{} // after a panic, later callers find nothing
		w.doc = w.e.documents(w.mimeType().Type, w.c.Body)
		for _, p := range w.doc.Problems {
			w.fail("documents", schemas.Kind(p.Kind), p.Message)
		}
	}
	return w.doc
}

// jsonLD returns the JSON-LD of the page, read once, or nil if the body is not a page.
func (w *work) jsonLD() []jsonld.Node {
	if p := w.html(); p != nil && !w.ldDone {
		w.ldDone = true
		w.ld, w.ldLeft = jsonld.Read(p.Scripts(), jsonld.Options{})
	}
	return w.ld
}

// posts returns the posts of a thread, and how many others a limit leaves out.
func (w *work) posts() ([]thread.Post, int) {
	if p := w.html(); !w.threaded && p != nil {
		w.threaded = true // even after a panic
		m := w.mainText()
		w.thread, w.lacking, w.stated = thread.Posts(&m, p, w.jsonLD(), w.ldLeft)
	}
	return w.thread, w.lacking
}

// mainText returns the main text of a page, or the whole text of a document or of plain text.
func (w *work) mainText() maintext.Result {
	if w.main != nil {
		return *w.main
	}
	defer w.watch.turn(w.watch.turn(stageText))
	w.main = &maintext.Result{} // after a panic, later callers find no text
	switch {
	// A page comes first, since it is text as well.
	case w.html() != nil:
		// Blocks of the host's template are not main text.
		marks, n := w.template.Boilerplate(w.html())
		w.d.TemplateBlocks = n
		*w.main = w.t.texts.Extract(w.html(), maintext.Options{
			Boilerplate: marks, Profile: w.e.profile, Comments: w.e.comments,
		})
	case w.document() != nil:
		if w.doc.Text != "" {
			*w.main = maintext.Result{Text: w.doc.Text, Source: reader.Format(w.mimeType().Type)}
		}
	case w.isText() && isPlain(w.textType()):
		*w.main = maintext.Plain(w.utf8())
	}
	if w.main.Cut {
		w.fail("text", schemas.KindLimit, "the text of the page, or of its comments, is cut at 2 MiB")
	}
	// Each source has bounds of its own; this is the document's.
	if len(w.main.Text) > w.e.maxText {
		w.fail("text", schemas.KindLimit, fmt.Sprintf("the text is cut at %d of %d bytes", w.e.maxText, len(w.main.Text)))
		w.main.Text = cut(w.main.Text, w.e.maxText)
	}
	return *w.main
}

// isPlain reports whether the body of a type is its own main text. Logs, source code and lists of books are. Such a
// type often comes from a name alone, as "LICENSE.c", "show.pl" or "refs.bib". Style sheets, scripts of pages and data,
// such as the answers of name servers that crawlers archive, are not.
func isPlain(t string) bool {
	if !mimetype.IsText(t) || mimetype.IsHTML(t) || mimetype.IsXML(t) || isData[t] {
		return false
	}
	top, sub, _ := strings.Cut(t, "/")
	return (top == "text" || top == "application") && !strings.HasSuffix(sub, "json")
}

// isData are types of text for programs, and of containers.
var isData = map[string]bool{
	"text/css": true, "text/javascript": true, "text/x-typescript": true, "text/x-less": true, "text/x-scss": true,
	"text/x-sass": true, "text/x-component": true, "text/x-uuencode": true, "text/calendar": true,
	"text/x-vcalendar": true, "text/vcard": true, "text/turtle": true, "text/n3": true, "text/dns": true,
	"application/n-triples": true, "application/n-quads": true, "application/trig": true, "application/x-ldif": true,
	"application/x-ndjson": true, "application/geo+json-seq": true, "application/pgp-signature": true,
	"application/x-x509-dsa-parameters": true, "application/x-x509-ec-parameters": true, "application/sdp": true,
	"application/postscript": true, "application/vnd.hp-hpgl": true, "application/mac-binhex40": true,
	"application/vnd.apple.mpegurl": true, "application/x-netscape-proxy-autoconfig": true,
	"application/x-ns-proxy-autoconfig": true, "application/vnd.mif": true, "application/x-project": true,
	"application/mbox": true, "application/warc": true, "application/http": true, "application/rtf": true,
	"application/vnd.java.hprof.text": true,
}

// cut returns at most n bytes of s, in whole characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// languages returns the languages of the main text, the largest share first.
func (w *work) languages() []schemas.Language {
	if !w.langed {
		defer w.watch.turn(w.watch.turn(stageLanguage))
		w.langed = true
		// Declarations are hints for the detector, in the order of trust.
		w.langs = w.e.languages.Detect(w.mainText().Text, w.declaredLanguages()...)
	}
	return w.langs
}

// language returns the main language of the text, or "".
func (w *work) language() string {
	if l := w.languages(); len(l) > 0 {
		return l[0].Code
	}
	return ""
}

// likelyLanguage returns the language of the text if languages are requested, and otherwise the declared one.
func (w *work) likelyLanguage() string {
	if w.e.detects {
		return w.language()
	}
	code := w.declaredLanguage()
	// "de-AT" and "de_AT" count as German.
	if i := strings.IndexAny(code, "-_"); i >= 0 { // og:locale has an underscore
		code = code[:i]
	}
	return schemas.LanguageCodes(strings.ToLower(code))[0]
}

// declaredLanguage returns the language declared by the page or document, or else by its HTTP header, or else by
// og:locale.
func (w *work) declaredLanguage() string {
	for _, declared := range w.declaredLanguages() {
		if declared != "" {
			return declared
		}
	}
	return ""
}

// declaredLanguages returns the languages declared by the page or document, its HTTP header and og:locale; missing
// ones are empty.
func (w *work) declaredLanguages() []string {
	declared := []string{"", strings.TrimSpace(w.c.Get("Content-Language")), ""}
	p := w.html()
	if d := w.document(); d != nil {
		declared[0] = d.Language
	}
	if p == nil {
		return declared
	}
	declared[0] = p.Lang()
	for _, m := range p.Metas() {
		if m.Name == "og:locale" {
			declared[2] = strings.TrimSpace(m.Content)
			break
		}
	}
	return declared
}

// setRedirect resolves the Location of a redirect.
func (w *work) setRedirect() {
	location := w.c.Get("Location")
	if location == "" || w.c.Status < 300 || w.c.Status > 399 {
		return
	}
	// A Location that cannot be resolved stays unchanged.
	w.d.RedirectURL = location
	base, err := url.Parse(w.c.URL)
	if err != nil {
		return
	}
	if u, err := base.Parse(strings.TrimSpace(location)); err == nil {
		w.d.RedirectURL = u.String()
	}
}

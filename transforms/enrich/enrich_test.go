package enrich

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

const article = `<!doctype html><html lang="de"><head><title>Der Leuchtturm</title>
<meta name="description" content="Ein Besuch auf der Mole.">
<link rel="canonical" href="/leuchtturm">
<link rel="alternate" type="application/rss+xml" href="/feed.xml" title="Neues">
<script type="application/ld+json">{"@type":"NewsArticle","headline":"Der Leuchtturm","datePublished":"2024-03-01T08:00:00Z","author":{"@type":"Person","name":"Ada Beispiel"}}</script>
</head><body><nav><a href="/">Start</a> <a href="https://other.example/">Andere</a></nav>
<article><h1>Der Leuchtturm</h1>
<p>Am Ende der langen Mole steht ein Leuchtturm, der seit vielen Jahren nicht mehr brennt. Die Fischer erzählen, dass
er früher jedes Schiff sicher in den Hafen gebracht hat, auch bei dichtem Nebel und hoher See.</p>
<p>Heute öffnet der Verein den Turm an jedem ersten Sonntag im Monat. Wer hinaufsteigt, sieht die ganze Bucht und die
Inseln dahinter. Fragen beantwortet der Verein unter turm@hafen.example, und der Eintritt kostet <span class="price">4,50 €</span>.</p>
<p>Im Sommer werden die Fenster neu gestrichen, und dann soll auch die alte Lampe wieder leuchten, wenigstens am Abend.</p>
</article></body></html>`

func capture(body, mime string) *schemas.Capture {
	return &schemas.Capture{
		URL: "https://www.hafen.example/leuchtturm?utm=1", Timestamp: time.Date(2024, 3, 2, 10, 0, 0, 0, time.UTC),
		Status:   200,
		RecordID: "urn:uuid:1", RecordType: schemas.TypeResponse, MIMEDeclared: mime, Body: []byte(body),
		Origin: schemas.Origin{File: "a.warc.gz", Offset: 10, Length: 20},
	}
}

func mustNew(t testing.TB, o Options) *Enricher {
	t.Helper()
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestDocument_article(t *testing.T) {
	d := mustNew(t, Options{Select: []Field{{"price", "span.price"}}}).Document(capture(article,
		"text/html; charset=utf-8"))
	got := []string{
		d.SURT, d.Timestamp, d.MIMEDeclared, d.MIMEDetected, d.Charset, d.Language, d.LanguageDeclared, d.Title,
		d.Description,
		d.Canonical, d.Published, strings.Join(d.Authors, "|"), strings.Join(d.Custom["price"], "|"),
	}
	want := []string{
		"example,hafen)/leuchtturm?utm=1", "2024-03-02T10:00:00Z", "text/html", "text/html", "utf-8", "de", "de",
		"Der Leuchtturm",
		"Ein Besuch auf der Mole.", "https://www.hafen.example/leuchtturm", "2024-03-01T08:00:00Z", "Ada Beispiel", "4,50 €",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Document(article) differs (-want +got):\n%s", diff)
	}
	if !strings.Contains(d.Text, "seit vielen Jahren") || strings.Contains(d.Text, "Andere") {
		t.Errorf("Text = %q; want the article without its navigation", d.Text)
	}
	if !strings.Contains(d.MainHTML, "<p>") || strings.Contains(d.MainHTML, "<script") {
		t.Errorf("MainHTML = %q; want paragraphs and no script", d.MainHTML)
	}
	if len(d.Feeds) != 1 || d.Feeds[0].URL != "https://www.hafen.example/feed.xml" {
		t.Errorf("Feeds = %v; want the one that is announced", d.Feeds)
	}
	if d.LinksInternal == nil || *d.LinksInternal != 1 || *d.LinksExternal != 1 {
		t.Errorf("links = %v, %v; want 1 and 1", d.LinksInternal, d.LinksExternal)
	}
	if d.Simhash == "" || d.Quality == nil || d.Quality.Words < 50 || len(d.Errors) > 0 {
		t.Errorf("simhash %q, quality %v, errors %v", d.Simhash, d.Quality, d.Errors)
	}
	if !slices.ContainsFunc(d.Entities, func(e schemas.Entity) bool {
		return e.Type == "email" &&
			e.Text == "turm@hafen.example"
	}) {
		t.Errorf("Entities = %v; want the e-mail address", d.Entities)
	}
}

// TestDocument_onlyWhatWasAsked: an extractor runs its prerequisites itself, and their results are not in the
// document.
func TestDocument_onlyWhatWasAsked(t *testing.T) {
	tests := []struct {
		extract []string
		want    []string // in addition to those of the archive
	}{
		{[]string{}, nil},
		{[]string{"mime"}, []string{"mime_basis", "mime_detected"}},
		{[]string{"language"}, []string{"language", "language_declared", "languages"}},
		{[]string{"links"}, []string{"links_external", "links_internal"}},
		{[]string{"neardup"}, []string{"simhash"}},
		{[]string{"feeds"}, []string{"feeds"}},
		{[]string{"quality"}, []string{"quality"}},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.extract), func(t *testing.T) {
			bare := fields(t, mustNew(t, Options{Extract: []string{}}).Document(capture(article, "text/html")))
			var got []string
			for _, f := range fields(t, mustNew(t, Options{Extract: tt.extract}).Document(capture(article, "text/html"))) {
				if !slices.Contains(bare, f) {
					got = append(got, f)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Extract %v adds (-want +got):\n%s", tt.extract, diff)
			}
		})
	}
}

func fields(t *testing.T, d *schemas.Document) []string {
	t.Helper()
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func TestDocument_bodiesThatAreNoPage(t *testing.T) {
	e := mustNew(t, Options{})
	plain := e.Document(capture("One line of plain text.\r\nAnd another one, which is longer.", "text/plain"))
	if plain.Text != "One line of plain text.\nAnd another one, which is longer." || plain.TextSource != "plain" {
		t.Errorf("plain text: Text = %q from %q", plain.Text, plain.TextSource)
	}
	rss := e.Document(capture(`<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>https://a.example/</link>`+
		`<item><title>A</title></item></channel></rss>`, "text/xml"))
	if rss.Feed == nil || rss.Feed.Items != 1 || rss.Feed.Title != "News" {
		t.Errorf("feed: %+v; want one item of News", rss.Feed)
	}
	empty := e.Document(capture("", "text/html"))
	if empty.Text != "" || len(empty.Errors) > 0 {
		t.Errorf("empty body: text %q, errors %v", empty.Text, empty.Errors)
	}
	for _, body := range []string{"", "<html><body></body></html>", "<script>x</script>"} {
		if d := e.Document(capture(body, "text/html")); d.PageType != "" {
			t.Errorf("PageType of %q, which has no text, = %q", body, d.PageType)
		}
	}
}

// TestDocument_xhtml: browsers read pages that are served as XML as XML, in which a script may end with its start tag.
func TestDocument_xhtml(t *testing.T) {
	body := `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Turm</title><script src="a.js"/>` +
		`</head><body><h1>Turm</h1><iframe src="b"/><p>Am Ende der langen Mole steht ein Leuchtturm.</p></body></html>`
	for mime, want := range map[string]bool{
		"application/xhtml+xml": true, "application/xhtml+xml; charset=utf-8": true, "application/xml": true,
		"text/html": false, // a script to the end of the page
	} {
		d := mustNew(t, Options{}).Document(capture(body, mime))
		if got := strings.Contains(d.Text, "Leuchtturm"); got != want {
			t.Errorf("%s: text %q, want the paragraph: %v", mime, d.Text, want)
		}
	}
}

func TestDocument_redirect(t *testing.T) {
	c := capture("", "text/html")
	c.Status, c.Header = 301, []schemas.Field{{Name: "location", Value: " ../neu?a=1 "}}
	if d := mustNew(t, Options{}).Document(c); d.RedirectURL != "https://www.hafen.example/neu?a=1" {
		t.Errorf("RedirectURL = %q", d.RedirectURL)
	}
	c.Status = 200
	if d := mustNew(t, Options{}).Document(c); d.RedirectURL != "" {
		t.Errorf("RedirectURL = %q of a page that is no redirect", d.RedirectURL)
	}
}

func TestDocument_mimeConflict(t *testing.T) {
	e := mustNew(t, Options{Extract: []string{"mime"}})
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write([]byte(article)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		body, declared, detected, inside string
		conflict                         bool
	}{
		{article, "text/html; charset=utf-8", "text/html", "", false},
		{article, "application/pdf", "text/html", "", true},
		{zipped.String(), "text/html", "application/gzip", "text/html", true},
		{"", "text/html", "", "", false},
	} {
		d := e.Document(capture(tt.body, tt.declared))
		if d.MIMEDetected != tt.detected || d.MIMEInside != tt.inside || d.MIMEConflict != tt.conflict {
			t.Errorf("declared %s: %q, inside %q, conflict %t; want %q, %q, %t", tt.declared, d.MIMEDetected, d.MIMEInside,
				d.MIMEConflict, tt.detected, tt.inside, tt.conflict)
		}
	}
}

// TestGuard_panicBecomesTheDocumentsError: one extractor fails, and the others continue.
func TestGuard_panicBecomesTheDocumentsError(t *testing.T) {
	e := mustNew(t, Options{Extract: []string{"mime"}})
	e.run = append([]extractor{{stage: stageOther, run: func(*work) { panic("index out of \xff range") }}}, e.run...)
	d := e.Document(capture(article, "text/html"))
	want := []schemas.StageError{{Stage: "other", Kind: schemas.KindPanic, Message: "index out of \uFFFD range"}}
	if diff := cmp.Diff(want, d.Errors); diff != "" || d.MIMEDetected != "text/html" {
		t.Errorf("mime %q, errors differ (-want +got):\n%s", d.MIMEDetected, diff)
	}
}

func TestDocument_longTextIsCutAndSaid(t *testing.T) {
	e := mustNew(t, Options{Extract: []string{"text"}, MaxText: 10})
	d := e.Document(capture("äöüäöüäöüäöü", "text/plain; charset=utf-8"))
	if d.Text != "äöüäö" || len(d.Errors) != 1 || d.Errors[0].Kind != schemas.KindLimit {
		t.Errorf("Text = %q, errors %v; want 10 bytes and a limit", d.Text, d.Errors)
	}
}

func TestNew_refuses(t *testing.T) {
	if _, err := New(Options{Extract: []string{"texts"}}); err == nil || !strings.Contains(err.Error(), `"texts"`) {
		t.Errorf("New with an unknown extractor: %v", err)
	}
	if _, err := New(Options{Select: []Field{{"x", "p["}}}); err == nil || !strings.Contains(err.Error(), "p[") {
		t.Errorf("New with a bad selector: %v", err)
	}
}

func TestVersions_nameWhatRan(t *testing.T) {
	v := mustNew(t, Options{Extract: []string{"language"}}).Versions()
	for _, name := range []string{"urlkey", "mimetype", "charset", "page", "maintext", "langid"} {
		if v[name] == "" {
			t.Errorf("Versions() of language lacks %s: %v", name, v)
		}
	}
	if v["entity"] != "" {
		t.Errorf("Versions() of language names entity, which does not run: %v", v)
	}
}

func ExampleEnricher_Document() {
	e, err := New(Options{Extract: []string{"mime", "metadata"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	d := e.Document(&schemas.Capture{
		URL:  "http://example.org/",
		Body: []byte("<html><title>Example</title><p>Text</p></html>"),
	})
	fmt.Println(d.MIMEDetected, d.Title)
	// Output: text/html Example
}

func BenchmarkDocument(b *testing.B) {
	e := mustNew(b, Options{})
	b.SetBytes(int64(len(article)))
	b.ReportAllocs()
	for b.Loop() {
		e.Document(capture(article, "text/html"))
	}
}

// Without the language extractor, no language is detected: quality uses the declared one.
func TestDocument_qualityTakesTheDeclaredLanguage(t *testing.T) {
	for _, lang := range []string{"de-AT", "de_AT", "zz"} {
		page := strings.Replace(article, `lang="de"`, `lang="`+lang+`"`, 1)
		d := mustNew(t, Options{Extract: []string{"quality"}}).Document(capture(page, "text/html"))
		if known := d.Quality.StopWords > 2; known != (lang != "zz") {
			t.Errorf("lang=%s: %d stop words", lang, d.Quality.StopWords)
		}
	}
}

// TestEnrich_leavesTheTemplateOut: a host's template is in no field that is made from the main text.
func TestEnrich_leavesTheTemplateOut(t *testing.T) {
	e := mustNew(t, Options{})
	c := capture(article, "text/html; charset=utf-8")
	k, ok := e.Sketch(c)
	if !ok || len(k.Blocks) == 0 {
		t.Fatalf("Sketch(article) = %v, %v", k, ok)
	}
	plain := e.Document(c)
	d := e.Enrich(c, Extra{Template: k.Blocks}).Document
	if plain.TemplateBlocks != 0 || d.TemplateBlocks != len(k.Blocks) {
		t.Errorf("TemplateBlocks = %d, and without a template %d; want %d and 0", d.TemplateBlocks, plain.TemplateBlocks,
			len(k.Blocks))
	}
	for name, s := range map[string]string{"text": d.Text, "main_html": d.MainHTML} {
		if strings.Contains(s, "seit vielen Jahren") {
			t.Errorf("%s holds what is in the template: %q", name, s)
		}
	}
	if d.Simhash == plain.Simhash {
		t.Error("the fingerprint is that of the whole text")
	}
}

func TestEnrich_feeds(t *testing.T) {
	tests := []struct {
		name, body, mime string
		want             []string // kind and URL of the rows
		errors           int
	}{
		{"page", article, "text/html", []string{"announced https://www.hafen.example/feed.xml"}, 0},
		{
			"RSS", `<rss><channel><title>News</title><item><link>/a</link></item></channel></rss>`, "text/html",
			[]string{"feed https://www.hafen.example/leuchtturm?utm=1"},
			0,
		},
		{
			"OPML", `<opml><body><outline xmlUrl="https://a.example/rss"/></body></opml>`, "text/xml",
			[]string{"feed https://www.hafen.example/leuchtturm?utm=1", "announced https://a.example/rss"},
			0,
		},
		{
			"CDF", `<CHANNEL HREF="/"><ITEM HREF="/a"/></CHANNEL>`, "application/xml",
			[]string{"feed https://www.hafen.example/leuchtturm?utm=1"},
			0,
		},
		{"other XML", `<?xml version="1.0"?><beans><bean/></beans>`, "application/xml", nil, 0},
		{"cut in its first tag", `<?xml version="1.0"?><rss version="2.0" `, "application/rss+xml", nil, 1},
		{"text", "News of the day.", "text/plain", nil, 0},
	}
	e := mustNew(t, Options{Extract: []string{"feeds"}})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := e.Enrich(capture(tt.body, tt.mime), Extra{})
			d, rows := r.Document, r.Feeds
			var got []string
			for _, r := range rows {
				got = append(got, r.Kind+" "+r.URL)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || len(d.Errors) != tt.errors {
				t.Errorf("rows (-want +got):\n%s\nerrors %v", diff, d.Errors)
			}
		})
	}
	if rows := mustNew(t, Options{Extract: []string{"text"}}).Enrich(capture(article, "text/html"),
		Extra{}).Feeds; rows != nil {
		t.Errorf("rows = %v where no feeds were asked for", rows)
	}
}

func TestSketch_onlyOfPages(t *testing.T) {
	e := mustNew(t, Options{})
	for _, c := range []*schemas.Capture{
		capture("One line of plain text, which is no page.", "text/plain"),
		capture("%PDF-1.4", "application/pdf"),
		capture("", "text/html"),
	} {
		if k, ok := e.Sketch(c); ok {
			t.Errorf("%s: a sketch, %v", c.MIMEDeclared, k)
		}
	}
}

// A page's declaration is kept unchanged, with a text in any language. A difference is reported.
func TestDocument_declaredLanguage(t *testing.T) {
	const locale = `<head><meta property="og:locale" content="de_AT">`
	for _, tt := range []struct {
		name, from, to, declared string
		conflict                 bool
	}{
		{"html", "", "", "de", false},
		{"another", `lang="de"`, `lang="en-US"`, "en-US", true},
		{"og:locale", `lang="de"><head>`, ">" + locale, "de_AT", false},
		{"nothing", ` lang="de"`, "", "", false},
	} {
		page := strings.Replace(article, tt.from, tt.to, 1)
		d := mustNew(t, Options{Extract: []string{"language"}}).Document(capture(page, "text/html"))
		if d.Language != "de" || d.LanguageDeclared != tt.declared || d.LanguageConflict != tt.conflict {
			t.Errorf("%s: language %q, declared %q, conflict %v", tt.name, d.Language, d.LanguageDeclared, d.LanguageConflict)
		}
	}
}

// Prose and a page of documentation contain the same sentences. Unlikely names are only reported for prose.
func TestDocument_likelyNames(t *testing.T) {
	e := mustNew(t, Options{})
	const sentences = "<p>Walkers should use the lane past the chapel, with the Strava app or without. No rest days " +
		"for SPF.</p>" +
		"<p>The bus of LYFE Marketing stands at the end of Tar Lane, and Barack Obama lives in London.</p>"
	const code = "<pre><code>reader --out folder --from 2024-01-01\nreader --list\n</code></pre>"
	for _, test := range []struct {
		kind, url, body string
		unlikely        bool
	}{
		{"article", "https://paper.example/2024/06/03/a-walk.html", sentences + strings.Repeat("<p>They came home late "+
			"that day and told nobody where they had been, nor what they had seen by the river.</p>", 3), true},
		{"documentation", "https://docs.example/guide/reference/install.html", "<h2>Install</h2>" + code + sentences +
			"<h2>Usage</h2>" + code + "<h2>Options</h2>" + code, false},
	} {
		c := capture("<html lang=en><title>A walk</title><body><main><h1>A walk</h1>"+test.body+"</main></body></html>",
			"text/html")
		c.URL = test.url
		d := e.Document(c)
		likely, unlikely := 0, 0
		for _, x := range d.Entities {
			if x.Confidence >= 0.6 {
				likely++
			} else {
				unlikely++
			}
		}
		if d.PageType != test.kind || likely < 2 || (unlikely > 0) != test.unlikely {
			t.Errorf("page of type %q (want %q): %d likely names, %d others: %v", d.PageType, test.kind, likely, unlikely,
				d.Entities)
		}
	}
}

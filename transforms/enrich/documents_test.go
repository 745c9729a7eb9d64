package enrich

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/doctext"
)

const pdfBody = "%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n"

// report returns the reader's result for a document; calls counts its calls.
func report(calls *int) func(string, []byte) *doctext.Document {
	return func(mime string, body []byte) *doctext.Document {
		*calls++
		return &doctext.Document{
			Text: "Der Bericht über die Fischerei\n\nIm vergangenen Jahr wurden in der Bucht deutlich weniger Heringe " +
				"gefangen als " +
				"in den Jahren davor, schreibt der Verein. Fragen beantwortet fisch@hafen.example gern.\n",
			Title: "Bericht", Description: "Die Heringe", Authors: []string{"Ada Beispiel"}, Publisher: "Verein",
			Tags:    []string{"Fisch"},
			Created: "2024-01-02", Modified: "2024-01-03T10:00:00Z", Language: "de-AT", Pages: 3,
		}
	}
}

func reading(t *testing.T, o Options, read func(string, []byte) *doctext.Document) *Enricher {
	t.Helper()
	e := mustNew(t, o)
	e.ReadDocumentsBy(read)
	return e
}

// TestDocument_pdf: a document other than HTML is read once, and its text is used like that of pages.
func TestDocument_pdf(t *testing.T) {
	calls := 0
	d := reading(t, Options{}, report(&calls)).Document(capture(pdfBody, "application/pdf"))
	got := []string{
		d.MIMEDetected, d.TextSource, d.Title, d.Description, strings.Join(d.Authors, "|"), d.Publisher,
		strings.Join(d.Tags, "|"),
		d.Published, d.Modified, d.Language, d.LanguageDeclared, fmt.Sprint(d.Pages), d.PageType, d.MainHTML,
	}
	want := []string{
		"application/pdf", "pdf", "Bericht", "Die Heringe", "Ada Beispiel", "Verein", "Fisch",
		"2024-01-02", "2024-01-03T10:00:00Z", "de", "de-AT", "3", "", "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Document(pdf) differs (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(d.Text, "Der Bericht") || d.Simhash == "" || d.Quality == nil || d.LanguageConflict ||
		len(d.Errors) > 0 {
		t.Errorf("text %q, simhash %q, quality %v, conflict %v, errors %v", d.Text, d.Simhash, d.Quality, d.LanguageConflict,
			d.Errors)
	}
	var entities []string
	for _, e := range d.Entities {
		entities = append(entities, e.Type+" "+e.Text+" "+e.Source)
	}
	wanted := []string{"organization Verein metadata", "email fisch@hafen.example pattern", "person Ada Beispiel metadata"}
	if !cmp.Equal(entities, wanted) {
		t.Errorf("entities %q, want %q", entities, wanted)
	}
	sources := map[string]string{}
	for _, field := range []string{"title", "description", "authors", "publisher", "tags", "published", "modified"} {
		sources[field] = "pdf"
	}
	if diff := cmp.Diff(sources, d.MetaSources); diff != "" {
		t.Errorf("metadata_sources (-want +got):\n%s", diff)
	}
	if calls != 1 {
		t.Errorf("the document was read %d times, want once", calls)
	}
}

// TestDocument_readsDocumentsForThoseWhoNeedThem: a document is read if an extractor needs its text or its metadata.
func TestDocument_readsDocumentsForThoseWhoNeedThem(t *testing.T) {
	for _, x := range Extractors() {
		calls := 0
		e := reading(t, Options{Extract: []string{x}}, report(&calls))
		e.Document(capture(pdfBody, "application/pdf"))
		_, depends := e.Versions()["doctext"]
		needs := map[string]bool{
			"text": true, "language": true, "metadata": true, "entities": true, "neardup": true,
			"quality": true, "rights": true, "licenses": true, "sentiment": true, "praise": true,
		}[x]
		if (calls == 1) != needs || depends != needs {
			t.Errorf("extractor %s read the document %d times and has its version: %v; want %v", x, calls, depends, needs)
		}
		e.Document(capture(article, "text/html"))
		e.Document(capture("", "application/pdf"))
		if calls > 1 {
			t.Errorf("extractor %s read a page or an empty body as a document", x)
		}
	}
}

func TestDocument_problemsAreErrors(t *testing.T) {
	read := func(string, []byte) *doctext.Document {
		d := &doctext.Document{Title: "Scan", Pages: 2}
		for _, k := range []doctext.Kind{
			doctext.KindEncrypted, doctext.KindNoText, doctext.KindDamaged, doctext.KindLimit, doctext.KindUnsupported,
			doctext.KindTimeout, doctext.KindCrashed,
		} {
			d.Add(k, "because")
		}
		return d
	}
	d := reading(t, Options{}, read).Document(capture(pdfBody, "application/pdf"))
	var want []schemas.StageError
	for _, k := range []schemas.Kind{
		schemas.KindEncrypted, schemas.KindNoText, schemas.KindDamaged, schemas.KindLimit, schemas.KindUnsupported,
		schemas.KindTimeout, schemas.KindCrashed,
	} {
		want = append(want, schemas.StageError{Stage: "documents", Kind: k, Message: "because"})
	}
	if diff := cmp.Diff(want, d.Errors); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
	if d.Title != "Scan" || d.Pages != 2 || d.TextSource != "" || d.Text != "" {
		t.Errorf("title %q, pages %d, text %q of source %q; want the metadata alone", d.Title, d.Pages, d.Text, d.TextSource)
	}
}

// TestDocument_documentReaderPanics: a hook that panics loses the document's text, and is called once.
func TestDocument_documentReaderPanics(t *testing.T) {
	calls := 0
	read := func(string, []byte) *doctext.Document { calls++; panic("a fault") }
	d := reading(t, Options{}, read).Document(capture(pdfBody, "application/pdf"))
	if calls != 1 || len(d.Errors) != 1 || d.Errors[0].Kind != schemas.KindPanic || d.SURT == "" {
		t.Errorf("%d calls, errors %v; want one of each", calls, d.Errors)
	}
}

// TestDocument_markdownIsWholeOrSaid: Markdown has all lines of the text, or the document says that it has not.
func TestDocument_markdownIsWholeOrSaid(t *testing.T) {
	para := "A queen lays up to two thousand eggs a day; workers make honey, of which they keep most for the winter."
	src := "<main>" + strings.Repeat("<p>"+para+"</p><p><img src=/"+strings.Repeat("long", 80)+".jpg></p>", 60) + "</main>"
	for _, tt := range []struct {
		limit, want, errors int
	}{{0, 60, 0}, {10_000, 22, 1}} {
		e := mustNew(t, Options{Extract: []string{"text"}, Markdown: true, MaxText: tt.limit})
		d := e.Document(capture(src, "text/html"))
		if n := strings.Count(d.Text, para); n != tt.want || len(d.Errors) != tt.errors {
			t.Errorf("limit %d: %d paragraphs, errors %v; want %d and %d", tt.limit, n, d.Errors, tt.want, tt.errors)
		}
	}
}

// TestDocument_pdfMarkdown: with Markdown, headings and tables of a PDF are marked in the text.
func TestDocument_pdfMarkdown(t *testing.T) {
	d := reading(t, Options{Markdown: true}, func(string, []byte) *doctext.Document {
		return &doctext.Document{Text: "Preise\n\nWare\tEuro\nBrot\t3\n", Blocks: []doctext.Block{
			{End: 6, Level: 1}, {Start: 8, End: 24},
		}}
	}).Document(capture(pdfBody, "application/pdf"))
	want := "# Preise\n\n| Ware | Euro |\n| --- | --- |\n| Brot | 3 |\n"
	if d.Text != want {
		t.Errorf("text %q, want %q", d.Text, want)
	}
}

package mimetype_test

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	base "github.com/gabriel-vasile/mimetype"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

var (
	corpus = flag.String("corpus", "../../../shared/corpora/mime", "folder with truth.tsv and docs")
	peers  = flag.Bool("peers", false, "measure libmagic and Apache Tika beside")
)

// document is a document of the corpus.
type document struct {
	name, truth string
	body        []byte
}

// readCorpus skips the test if the corpus is not beside the checkout. Lines of truth.tsv have a name in docs, its
// type, and further columns that are not read here.
func readCorpus(tb testing.TB) []document {
	tb.Helper()
	f, err := os.Open(filepath.Join(*corpus, "truth.tsv"))
	if err != nil {
		tb.Skip("no ../shared/corpora/mime beside the checkout: documents of others, which may not be copied into it")
	}
	tb.Cleanup(func() {
		if err := f.Close(); err != nil {
			tb.Error(err)
		}
	})
	var docs []document
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		body, err := os.ReadFile(filepath.Join(*corpus, "docs", fields[0]))
		if err != nil {
			tb.Fatal(err)
		}
		docs = append(docs, document{fields[0], fields[1], body})
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return docs
}

// fold returns the form of a type for comparison: one name for each, without the prefix of unregistered names.
func fold(t string) string {
	return strings.ReplaceAll(mimetype.Canonical(mimetype.Base(t)), "/x-", "/")
}

// web reports whether t is a web type. A browser shows, plays or loads it for a page, or it is a feed, data for
// programs, or a document or archive for download.
func web(t string) bool {
	switch top, _, _ := strings.Cut(t, "/"); top {
	case "audio", "video", "font":
		return true
	}
	t = mimetype.Canonical(t)
	return slices.Contains([]string{
		"text/html", "application/xhtml+xml", "text/css", "text/javascript", "application/json", "application/xml",
		"text/plain",
		"application/atom+xml", "application/rss+xml", "application/rdf+xml", "text/x-opml", "application/x-ndjson",
		"application/ld+json", "application/feed+json", "text/csv", "text/calendar", "text/vcard", "text/vtt",
		"application/x-subrip",
		"application/ttml+xml", "application/vnd.google-earth.kml+xml", "application/vnd.google-earth.kmz", "message/rfc822",
		"image/svg+xml", "image/png", "image/webp", "image/heic", "image/avif", "image/jxl", "image/bmp", "image/gif",
		"image/jpeg",
		"image/tiff", "image/vnd.microsoft.icon", "application/pdf", "application/postscript", "application/rtf",
		"application/epub+zip",
		"application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint", "application/zip",
		"application/gzip",
		"application/x-shockwave-flash", "application/x-internet-archive", "application/warc", "font/ttf", "font/otf",
	}, t) || strings.HasPrefix(t, "application/vnd.openxmlformats-") ||
		strings.HasPrefix(t, "application/vnd.oasis.opendocument.")
}

// tally counts how types compare with the truth.
type tally struct{ all, exact, kind, none, wrong int }

func (c *tally) add(got, truth string) {
	c.all++
	switch got = mimetype.Canonical(mimetype.Base(got)); {
	case fold(got) == fold(truth):
		c.exact++
	case got == "" || got == "application/octet-stream" || got == "text/plain" || got == "inode/x-empty":
		c.none++
	case !mimetype.Conflicts(got, truth):
		c.kind++ // the truth is a kind of it, or it is a kind of the truth
	default:
		c.wrong++
	}
}

func (c *tally) share() float64 { return float64(c.exact) / float64(max(c.all, 1)) }

func (c *tally) String() string {
	n := float64(max(c.all, 1))
	return fmt.Sprintf("%.3f | %.3f | %.3f | %.3f", c.share(), float64(c.kind)/n, float64(c.none)/n, float64(c.wrong)/n)
}

// measured is the result of one detector for the corpus.
type measured struct {
	name     string
	all, web tally
	micros   float64 // CPU time per document
}

func (m *measured) add(docs []document, types []string) {
	for i, d := range docs {
		m.all.add(types[i], d.truth)
		if web(d.truth) {
			m.web.add(types[i], d.truth)
		}
	}
}

// atLeast logs a line of the table, and fails below the minimums, which are for the corpus beside the checkout.
func (m *measured) atLeast(t *testing.T, all, web float64) {
	t.Helper()
	t.Logf("| %s | %v | %.3f | %.1f |", m.name, &m.all, m.web.share(), m.micros)
	if here := flag.Lookup("corpus"); here.Value.String() == here.DefValue &&
		(m.all.share() < all || m.web.share() < web) {
		t.Errorf("%s: %.3f of all and %.3f of web types are exact, want at least %.3f and %.3f", m.name, m.all.share(),
			m.web.share(), all, web)
	}
}

// measure runs a detector over the documents and measures the CPU time, after a warm-up and with one thread.
func measure(t *testing.T, name string, docs []document, detect func(document) string) *measured {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	types := make([]string, len(docs))
	pass := func() {
		for i, d := range docs {
			types[i] = detect(d)
		}
	}
	pass()
	const passes = 50
	before := cputime.Self()
	for range passes {
		pass()
	}
	m := &measured{name: name, micros: (cputime.Self() - before).Seconds() * 1e6 / float64(passes*len(docs))}
	m.add(docs, types)
	return m
}

// TestDetect_corpus compares with documents of Apache Tika's tests, whose types are known. It prints the table of
// docs/mime.md, and with -peers also the results of libmagic and Tika.
func TestDetect_corpus(t *testing.T) {
	docs := readCorpus(t)
	declared := declarations(t)
	t.Log("| detector | exact | parent or kind | none | wrong | web types exact | CPU µs a file |")
	ours := func(d document, declared, name string) string {
		return mimetype.Detect(d.body, declared, name, mimetype.Options{}).Type
	}
	measure(t, "ours, bytes alone", docs, func(d document) string { return ours(d, "", "") }).atLeast(t, 0.84, 0.95)
	measure(t, "ours, name too", docs, func(d document) string { return ours(d, "", d.name) }).atLeast(t, 0.95, 0.98)
	measure(t, "ours, name and declaration too", docs, func(d document) string {
		return ours(d, declared[strings.ToLower(filepath.Ext(d.name))], d.name)
	}).atLeast(t, 0.95, 0.98)
	measure(t, "mimetype 1.4.16, bytes alone", docs,
		func(d document) string { return base.Detect(d.body).String() }).atLeast(t, 0, 0)
	if *peers {
		t.Run("libmagic", func(t *testing.T) { measureLibmagic(t, docs) })
		t.Run("tika", func(t *testing.T) { measureTika(t, docs, declared) })
	}
	for _, d := range docs {
		if got := ours(d, "", d.name); fold(got) != fold(d.truth) {
			t.Logf("%s: Detect = %s, %s by bytes alone, truth %s", d.name, got, ours(d, "", ""), d.truth)
		}
	}
}

// declarations are the types that Apache's server declares by extension, from Debian's list.
func declarations(t *testing.T) map[string]string {
	list, err := os.ReadFile("/etc/mime.types")
	if err != nil {
		t.Logf("nothing is declared: %v", err)
	}
	types := map[string]string{}
	for line := range strings.Lines(string(list)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0][0] == '#' {
			continue
		}
		for _, extension := range fields[1:] {
			types["."+extension] = fields[0]
		}
	}
	return types
}

// BenchmarkDetect_documents detects the corpus, by us and by the module that we use.
func BenchmarkDetect_documents(b *testing.B) {
	docs := readCorpus(b)
	size := 0
	for _, d := range docs {
		size += len(d.body)
	}
	for _, bm := range []struct {
		name   string
		detect func(document)
	}{
		{"ours", func(d document) { mimetype.Detect(d.body, "", d.name, mimetype.Options{}) }},
		{"module", func(d document) { base.Detect(d.body) }},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			before := cputime.Self()
			for b.Loop() {
				for _, d := range docs {
					bm.detect(d)
				}
			}
			b.ReportMetric((cputime.Self()-before).Seconds()*1e6/float64(b.N*len(docs)), "cpu-µs/file")
		})
	}
}

package maintext

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/markusmobius/go-trafilatura"

	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/page"
)

const corpora = "../../../shared/corpora/maintext/"

// wcxb returns every n-th page of WCXB's development split by its id, or skips the test.
func wcxb(tb testing.TB, n int) (ids []string, pages [][]byte, size int64) {
	tb.Helper()
	files, err := filepath.Glob(corpora + "wcxb-dev/html/*.html.gz")
	if err != nil || len(files) == 0 {
		tb.Skip("no pages in ../shared/corpora/maintext/wcxb-dev, relative to the repository")
	}
	for i := 0; i < len(files); i += n {
		src := unzip(tb, files[i])
		ids = append(ids, filepath.Base(files[i])[:4])
		pages = append(pages, src)
		size += int64(len(src))
	}
	return ids, pages, size
}

func unzip(tb testing.TB, file string) []byte {
	tb.Helper()
	zipped, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		tb.Fatal(err)
	}
	src, err := io.ReadAll(r)
	if err != nil {
		tb.Fatal(err)
	}
	return src
}

// reader reads pages as enrich does.
type reader struct {
	pages page.Parser
	texts Extractor
}

func (r *reader) read(tb testing.TB, body []byte) Result {
	tb.Helper()
	name := charset.Detect(body, "text/html", charset.Options{}).Name
	src, _, err := charset.Decode(body, name)
	if err != nil {
		tb.Fatal(err)
	}
	return r.texts.Extract(r.pages.Parse(src, page.Options{URL: "https://example.org/"}), Options{})
}

func BenchmarkExtract(b *testing.B) {
	_, pages, size := wcxb(b, 15)
	b.Run("all", func(b *testing.B) { // charset, page and text
		var r reader
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for _, src := range pages {
				r.read(b, src)
			}
		}
	})
	b.Run("page", func(b *testing.B) {
		var r page.Parser
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for _, src := range pages {
				r.Parse(src, page.Options{URL: "https://example.org/"})
			}
		}
	})
	b.Run("go-trafilatura", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for _, src := range pages {
				// A page that it finds nothing in costs as much.
				_, _ = trafilatura.Extract(bytes.NewReader(src), trafilatura.Options{EnableFallback: true, ExcludeComments: true})
			}
		}
	})
}

package page

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/internal/cputime"
)

// corpus returns every n-th page of a folder of the corpora, or skips the test.
func corpus(tb testing.TB, n int) (pages [][]byte, size int64) {
	tb.Helper()
	files, err := filepath.Glob("../../../shared/corpora/maintext/wcxb-dev/html/*.html.gz")
	if err != nil || len(files) == 0 {
		tb.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	for i := 0; i < len(files); i += n {
		zipped, err := os.ReadFile(files[i])
		if err != nil {
			tb.Fatal(err)
		}
		r, err := gzip.NewReader(bytes.NewReader(zipped))
		if err != nil {
			tb.Fatal(err)
		}
		page, err := io.ReadAll(r)
		if err != nil {
			tb.Fatal(err)
		}
		pages = append(pages, page)
		size += int64(len(page))
	}
	return pages, size
}

// BenchmarkParse compares with golang.org/x/net/html on the same pages. It reports processor time as well as clock
// time, which is unreliable on a busy machine.
func BenchmarkParse(b *testing.B) {
	pages, size := corpus(b, 15)
	run := func(b *testing.B, parse func(src []byte)) {
		b.SetBytes(size)
		b.ReportAllocs()
		used := cputime.Of(func() {
			for b.Loop() {
				for _, src := range pages {
					parse(src)
				}
			}
		})
		b.ReportMetric(float64(size)*float64(b.N)/1e6/used.Seconds(), "MB/cpu-s")
	}
	b.Run("arena", func(b *testing.B) {
		var r Parser
		run(b, func(src []byte) { r.Parse(src, Options{URL: "https://example.org/"}) })
	})
	b.Run("x-net", func(b *testing.B) {
		run(b, func(src []byte) {
			if _, err := html.Parse(bytes.NewReader(src)); err != nil {
				b.Fatal(err)
			}
		})
	})
}

// BenchmarkFindings measures the data other than text that most collections need from a page.
func BenchmarkFindings(b *testing.B) {
	pages, size := corpus(b, 15)
	var parsed []*Page
	links := 0
	for _, src := range pages {
		p := Parse(src, Options{URL: "https://example.org/news/2020/?page=1"})
		parsed = append(parsed, p)
		links += len(p.Anchors())
	}
	b.SetBytes(size)
	b.ReportAllocs()
	used := cputime.Of(func() {
		for b.Loop() {
			for _, p := range parsed {
				p.link = nil
				p.findAnchors()
				p.findLinks()
				p.findMetas()
				p.findScripts()
			}
		}
	})
	b.ReportMetric(float64(used.Nanoseconds())/float64(b.N)/float64(links), "cpu-ns/anchor")
}

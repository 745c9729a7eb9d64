package maintext

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

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
		tb.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
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

// reader reads pages like package enrich.
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
				// A page without any result costs the same.
				_, _ = trafilatura.Extract(bytes.NewReader(src), trafilatura.Options{EnableFallback: true, ExcludeComments: true})
			}
		}
	})
}

// words counts the words of a text.
func words(text string) map[string]int {
	count := map[string]int{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) &&
			!unicode.IsNumber(r)
	}) {
		count[w]++
	}
	return count
}

// f1 returns the F1 of the words that two texts have in common.
func f1(got, want string) float64 {
	a, b := words(got), words(want)
	both, all := 0, 0
	for w, n := range a {
		both += min(n, b[w])
		all += n
	}
	for _, n := range b {
		all += n
	}
	return 2 * float64(both) / float64(max(1, all))
}

// TestExtract_corpus scores the built-in model on pages that it was trained on, to check that the surrounding program
// has not changed. Its quality on other pages is in internal/score/model.json.
func TestExtract_corpus(t *testing.T) {
	ids, pages, _ := wcxb(t, 30)
	var r reader
	sum := 0.0
	for i, src := range pages {
		var truth struct {
			Truth struct {
				Text string `json:"main_content"`
			} `json:"ground_truth"`
		}
		b, err := os.ReadFile(corpora + "wcxb-dev/ground-truth/" + ids[i] + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &truth); err != nil {
			t.Fatal(err)
		}
		sum += f1(r.read(t, src).Text, truth.Truth.Text)
	}
	mean := sum / float64(len(pages))
	t.Logf("word F1 %.3f on %d pages", mean, len(pages))
	if mean < 0.88 {
		t.Errorf("word F1 %.3f, want 0.88 or more", mean)
	}
}

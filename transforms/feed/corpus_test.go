package feed

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// corpora is the folder of measured sets, beside the repository.
const corpora = "../../../shared/corpora"

// feedFile is one file of feedparser's test suite.
type feedFile struct {
	name string
	body []byte
}

// feedparserSuite reads the half of feedparser's test files that is for development.
func feedparserSuite(t *testing.T) []feedFile {
	t.Helper()
	f, err := os.Open(filepath.Join(corpora, "feeds", "feedparser-half.tar.gz"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no ../shared/corpora/feeds beside the checkout: feeds of others, which may not be copied into it")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var files []feedFile
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		body, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, feedFile{h.Name, body})
	}
}

// For feedparser, nearly all files of the suite are feeds (all but 1 in 100). The header of each contains feedparser's
// result, which is compared without its markup. The minimum for titles is lower: feedparser keeps the reference &lt;,
// which we resolve. It also reads base64, and resolves ⟨ to another character than today's HTML.
func TestParse_feedparserSuite(t *testing.T) {
	parsed, titles, exact, total := 0, 0, 0, 0
	for _, f := range feedparserSuite(t) {
		total++
		info, err := Parse(f.body, "", "", Options{})
		if err != nil {
			t.Logf("%s: %v", f.name, err)
			continue
		}
		parsed++
		want, ok := expectedTitle(f.body)
		if !ok {
			continue
		}
		titles++
		if info.Title == want {
			exact++
		} else {
			t.Logf("%s: title %q, feedparser %q", f.name, info.Title, want)
		}
	}
	t.Logf("parsed %d of %d; title exact %d of %d", parsed, total, exact, titles)
	if share := float64(parsed) / float64(total); share < 0.998 {
		t.Errorf("parsed %.4f of the files, want 0.998", share)
	}
	if share := float64(exact) / float64(titles); share < 0.97 {
		t.Errorf("title exact in %.4f, want 0.97", share)
	}
}

var (
	titleExpectation = regexp.MustCompile(`Expect: *(?:not bozo and )?feed\['title'\] == u?'([^']*)'\s`)
	pythonHex        = regexp.MustCompile(`\\x([0-9a-f]{2})`)
)

// expectedTitle returns the title in the header comment, if that contains nothing else.
func expectedTitle(body []byte) (string, bool) {
	m := titleExpectation.FindSubmatch(body)
	if m == nil {
		return "", false
	}
	literal := pythonHex.ReplaceAll(m[1], []byte(`\u00$1`))
	title, err := strconv.Unquote(`"` + strings.ReplaceAll(string(literal), `"`, `\"`) + `"`)
	return clean(plain(title), 1<<20), err == nil
}

func TestParse_seed(t *testing.T) {
	body, err := os.ReadFile("../../testdata/seeds/feed/feed.xml")
	if err != nil {
		t.Fatal(err)
	}
	info, err := Parse(body, "application/rss+xml", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	items := strings.Count(string(body), "<item>")
	if info.Type != "rss" || info.Title != "Example News" || info.Items != items || info.Newest == "" {
		t.Errorf("Parse = %+v, want Example News with %d items and a date", info, items)
	}
}

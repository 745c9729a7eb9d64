package mimetype_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

// corpus is beside the checkout; the tests here skip where it is not.
const corpus = "../../../shared/corpora/mime"

// synonyms are types that the truth names otherwise; both sides are folded, and "x-" is ignored.
var synonyms = map[string]string{
	"application/gtar":              "application/tar",
	"application/java-vm":           "application/java-applet",
	"audio/vnd.wave":                "audio/wav",
	"image/raw-adobe":               "image/dng",
	"application/vnd.ms-powerpoint": "application/powerpoint",
	"application/font-ttf":          "font/ttf",
	"application/bplist-itunes":     "application/bplist",
	"application/vnd.java.hprof":    "application/vnd.java.hprof",
	"application/vnd.rar":           "application/rar-compressed",
	"text/xml":                      "application/xml",
	"application/javascript":        "text/javascript",
	"image/icon":                    "image/vnd.microsoft.icon",
}

func fold(t string) string {
	t = strings.ReplaceAll(t, "/x-", "/")
	if s, ok := synonyms[t]; ok {
		return s
	}
	return t
}

// web says whether a type is one that the web serves to readers: pages, feeds, data, documents, pictures, sound and
// fonts.
func web(t string) bool {
	switch t {
	case "text/html", "application/xhtml+xml", "application/pdf", "application/atom+xml", "application/rss+xml", "application/xml",
		"application/json", "text/plain", "text/csv", "text/vtt", "application/epub+zip", "application/zip", "application/msword",
		"application/x-font-ttf", "application/ttml+xml", "application/vnd.google-earth.kml+xml", "application/x-subrip",
		"application/rtf", "application/rdf+xml", "image/svg+xml", "text/css", "text/javascript", "message/rfc822":
		return true
	}
	for _, prefix := range []string{
		"image/png", "image/webp", "image/heic", "image/jxl", "image/bmp", "image/gif", "image/jpeg", "image/tiff",
		"audio/", "video/", "application/vnd.openxmlformats", "application/vnd.oasis.opendocument", "application/vnd.ms-excel",
		"application/vnd.ms-powerpoint",
	} {
		if strings.HasPrefix(t, prefix) {
			return true
		}
	}
	return false
}

// TestDetect_corpus holds against 119 documents whose types are those of Apache Tika's tests.
func TestDetect_corpus(t *testing.T) {
	f, err := os.Open(filepath.Join(corpus, "truth.tsv"))
	if err != nil {
		t.Skipf("corpus is not here: %v", err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	var named, unnamed, webNamed tally
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		body, err := os.ReadFile(filepath.Join(corpus, "docs", fields[0]))
		if err != nil {
			t.Fatal(err)
		}
		want := fields[1]
		got := mimetype.Detect(body, "", fields[0], mimetype.Options{})
		right := fold(got.Type) == fold(want)
		named.add(right)
		if web(want) {
			webNamed.add(right)
		}
		if !right {
			t.Logf("%s: Detect = %v, truth %s", fields[0], got, want)
		}
		unnamed.add(fold(mimetype.Detect(body, "", "", mimetype.Options{}).Type) == fold(want))
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	named.atLeast(t, "all types, name known", 0.92)
	webNamed.atLeast(t, "web types, name known", 0.97)
	unnamed.atLeast(t, "all types, bytes alone", 0.77)
}

type tally struct{ right, all int }

func (c *tally) add(right bool) {
	c.all++
	if right {
		c.right++
	}
}

func (c *tally) atLeast(t *testing.T, what string, floor float64) {
	t.Helper()
	share := float64(c.right) / float64(max(c.all, 1))
	t.Logf("%s: %d of %d exact, %.3f", what, c.right, c.all, share)
	if share < floor {
		t.Errorf("%s: %.3f exact, want at least %.3f", what, share, floor)
	}
}

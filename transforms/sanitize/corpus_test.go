package sanitize

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// vector is one way to run a script by a page's markup; see testdata/xss/README.md.
type vector struct {
	name   string
	source string // the collection that describes the class
	runs   bool   // whether a browser of today calls mark() if the markup is not sanitised
	html   string
}

// vectors reads the corpus of testdata/xss.
func vectors(t testing.TB) []vector {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "xss", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	names := map[string]bool{}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range readVectors(t, f, string(src)) {
			if names[v.name] {
				t.Fatalf("%s: a second vector %q", f, v.name)
			}
			names[v.name] = true
			all = append(all, v)
		}
	}
	if len(all) < 500 {
		t.Fatalf("testdata/xss has only %d vectors", len(all))
	}
	return all
}

// byteName is the corpus's notation for a byte that text cannot show.
var byteName = regexp.MustCompile(`⟨[0-9a-f]{2}⟩`)

func readVectors(t testing.TB, file, src string) []vector {
	t.Helper()
	_, src, _ = strings.Cut(src, "\n: ") // the text before it is a comment
	var found []vector
	for part := range strings.SplitSeq(src, "\n: ") {
		head, body, _ := strings.Cut(part, "\n")
		words := strings.Fields(head)
		if len(words) < 2 || len(words) > 3 || words[len(words)-1] != "runs" && len(words) == 3 || body == "" {
			t.Fatalf("%s: vector %q is no name, source and markup", file, head)
		}
		body = byteName.ReplaceAllStringFunc(strings.TrimSuffix(body, "\n"), func(s string) string {
			b, err := hex.DecodeString(strings.Trim(s, "⟨⟩"))
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		})
		found = append(found, vector{words[0], words[1], len(words) == 3, body})
	}
	return found
}

const (
	pageURL    = "https://example.org/dir/page"
	paragraphs = `<p>The harbour of the old town was rebuilt after the storm of the year before, and the fishermen
who had left for the north came back with their families in the spring, as the mayor had hoped.</p>
<p>Most of the houses along the quay had lost their roofs, their windows and, in some cases, the whole upper floor;
the council paid for timber and slate, and the neighbours helped one another with the work.</p>
<p>By the end of the summer the market was open again on Saturdays, and visitors could buy bread, cheese, smoked fish
and the woollen jackets for which the town has been known for more than two hundred years.</p>`
)

// wrapped puts markup into an article, so that the surrounding text is the main text of the page.
func wrapped(markup string) string {
	return "<!doctype html><html lang=en><head><title>The harbour</title></head><body><article><h1>The harbour</h1>\n" +
		paragraphs + "\n" + markup + "\n" + paragraphs + "</article></body></html>"
}

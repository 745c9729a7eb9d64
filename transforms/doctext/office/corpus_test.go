package office_test

import (
	"cmp"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office"
)

// minWords is how many words the other program must have found in a document for it to be scored.
const minWords = 5

// score is the agreement of one document's words with those that another program found.
type score struct {
	name                  string
	recall, precision, f1 float64
	took                  time.Duration
}

// TestRead_corpus compares our texts with those of another program. OFFICE_DOCS is a folder of documents. OFFICE_TEXTS
// has the text of each under its name and ".txt", as made by `java -jar tika-app.jar -t -i docs -o texts`. Half of the
// documents, by the hash of their names, are for development. REPORT=1 scores the other half, without naming
// documents.
func TestRead_corpus(t *testing.T) {
	docs, texts := os.Getenv("OFFICE_DOCS"), os.Getenv("OFFICE_TEXTS")
	if docs == "" || texts == "" {
		t.Skip("OFFICE_DOCS and OFFICE_TEXTS do not name documents and what another program read in them")
	}
	report := os.Getenv("REPORT") != ""
	files, err := filepath.Glob(filepath.Join(docs, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents in %s: %v", docs, err)
	}
	scores := map[string][]score{}
	for _, file := range files {
		h := fnv.New32a()
		h.Write([]byte(filepath.Base(file)))
		if (h.Sum32()>>8)%2 == 0 == report {
			continue
		}
		if s, ok := scored(t, file, filepath.Join(texts, filepath.Base(file)+".txt"), !report); ok {
			ext := filepath.Ext(file)
			scores[ext] = append(scores[ext], s)
		}
	}
	for ext, list := range scores {
		summarise(t, ext, list, !report)
	}
}

func scored(t *testing.T, file, reference string, named bool) (score, bool) {
	t.Helper()
	want, err := os.ReadFile(reference)
	if err != nil {
		return score{}, false
	}
	words := bag(string(want))
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	d, err := office.Read("", body, doctext.Options{})
	s := score{name: filepath.Base(file), took: time.Since(start)}
	if named {
		if err != nil {
			t.Logf("%s: %v", s.name, err)
		} else if len(d.Problems) > 0 {
			t.Logf("%s: %v", s.name, d.Problems)
		}
	}
	if words.n < minWords {
		return score{}, false
	}
	if d == nil {
		return s, true
	}
	got := bag(d.Text)
	common := 0
	for w, n := range got.count {
		common += min(n, words.count[w])
	}
	s.recall, s.precision = float64(common)/float64(words.n), float64(common)/float64(max(got.n, 1))
	s.f1 = 2 * float64(common) / float64(got.n+words.n)
	return s, true
}

type words struct {
	count map[string]int
	n     int
}

func bag(text string) words {
	b := words{count: map[string]int{}}
	for _, w := range strings.FieldsFunc(strings.ToLower(norm.NFKC.String(text)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}) {
		b.count[w]++
		b.n++
	}
	return b
}

func summarise(t *testing.T, ext string, list []score, named bool) {
	t.Helper()
	slices.SortFunc(list, func(a, b score) int { return cmp.Compare(a.f1, b.f1) })
	var sum float64
	var took time.Duration
	for _, s := range list {
		sum += s.f1
		took += s.took
	}
	t.Logf("%-6s n %3d  F1 mean %.3f median %.3f  %v a document", ext, len(list), sum/float64(len(list)),
		list[len(list)/2].f1,
		(took / time.Duration(len(list))).Round(10*time.Microsecond))
	for _, s := range list {
		if named && s.f1 < .95 {
			t.Logf("   %.3f recall %.3f precision %.3f %s", s.f1, s.recall, s.precision, s.name)
		}
	}
}

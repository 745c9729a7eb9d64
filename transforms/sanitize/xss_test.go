package sanitize

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// cleanMain sanitises what the main-text extractor keeps of src.
func cleanMain(src string) string {
	p := page.Parse([]byte(src), page.Options{URL: pageURL})
	r := maintext.Extract(p, maintext.Options{})
	return HTML(r.Node, Options{Base: p.Base})
}

func TestHTML_vectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.name, func(t *testing.T) {
			checkSafe(t, clean(t, v.html))
			checkSafe(t, clean(t, wrapped(v.html)))
			checkSafe(t, cleanMain(wrapped(v.html)))
		})
	}
}

// A check that finds nothing in the vectors themselves would prove nothing.
func TestUnsafe_findsVectors(t *testing.T) {
	all, missed := vectors(t), 0
	for _, v := range all {
		if v.runs && len(unsafe(v.html)) == 0 {
			missed++
			t.Logf("nothing found in %s", v.name)
		}
	}
	if missed > 0 {
		t.Errorf("nothing found in %d of %d vectors", missed, len(all))
	}
}

// What stands around a vector is to stay: an empty output is safe, and useless.
func TestHTML_vectorsLeaveTheArticle(t *testing.T) {
	all, lost := vectors(t), 0
	for _, v := range all {
		if n := strings.Count(cleanMain(wrapped(v.html)), "smoked fish"); n == 0 {
			lost++
			t.Logf("%s: no paragraph left", v.name)
		}
	}
	if lost > len(all)/50 {
		t.Errorf("%d of %d articles lost", lost, len(all))
	}
}

func FuzzHTML(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.html)
	}
	f.Fuzz(func(t *testing.T, src string) {
		checkSafe(t, clean(t, src))
	})
}

package sanitize

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// cleanMain sanitises the part of src that the main-text extractor keeps.
func cleanMain(src string) string {
	p := page.Parse([]byte(src), page.Options{URL: pageURL})
	r := maintext.Extract(p, maintext.Options{})
	if r.Page == nil {
		return ""
	}
	return safe(r.Page, r.Ranges, Options{})
}

func TestHTML_vectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.name, func(t *testing.T) {
			checkSafe(t, clean(v.html))
			checkSafe(t, clean(wrapped(v.html)))
			checkSafe(t, cleanMain(wrapped(v.html)))
		})
	}
}

// A check that finds nothing in the unsanitised vectors would prove nothing.
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

// The content around a vector must stay: an empty output is safe, but useless.
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
		f.Add(v.html, uint16(0), uint16(1<<16-1), uint8(0))
	}
	f.Add("<x-table>a<x-tr><x-p>b<x-td>c", uint16(4), uint16(6), uint8(1))
	f.Fuzz(func(t *testing.T, src string, start, end uint16, shift uint8) {
		p := odd(src)
		for i := range p.Nodes { // this is another way to trees that no parser makes
			if n := &p.Nodes[i]; n.Tag > page.TagText {
				n.Tag = (n.Tag-page.TagA+page.Tag(shift))%(page.TagXmp-page.TagA+1) + page.TagA
			}
		}
		first, last := min(int32(start), int32(len(p.Nodes)-1)), min(int32(end), int32(len(p.Nodes)))
		var keep []page.Range
		for i := first; i < last; i += 4 {
			keep = append(keep, page.Range{Start: i, End: min(i+3, last)})
		}
		checkSafe(t, safe(p, keep, Options{}))
		checkSafe(t, safe(p, whole(p), Options{}))
	})
}

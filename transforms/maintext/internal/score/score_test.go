package score

import (
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

func TestKindsAt(t *testing.T) {
	p := page.Parse([]byte("<p>a b c<p>d e f"), page.Options{})
	var r reader
	var c context
	r.read(p)
	c.read(&r, []float32{0.5, 0.25})
	if n := len(c.appendAround(c.appendScores(nil, 0), 0)); n != kindsAt {
		t.Errorf("the kinds stand at %d, want %d", kindsAt, n)
	}
}

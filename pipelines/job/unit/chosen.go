package unit

import (
	"sync"

	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// The reasons for leaving a capture out, as in Counts.ByFilter. Manifests have them as keys, so renaming one changes
// what users read.
const (
	leftByWhere  = "where"
	leftBySample = "sample"
	leftByLimit  = "limit"
)

// chosen decides which captures become output. It is safe for concurrent use.
type chosen struct {
	sample int64 // parts in a million of the pages; 0 for all
	// The parts of --where for captures and for documents, or nil. A compiled filter serves one goroutine, so they
	// are pooled.
	capture, document *sync.Pool
}

// match is a compiled filter.
type match = func(*schemas.Document) bool

// newChosen parses the filter, which the request has checked: it travels to workers as text.
func newChosen(r recipe.Recipe) (*chosen, error) {
	where, err := query.Parse(r.Where)
	if err != nil {
		return nil, err
	}
	// Captures that the early part refuses are not enriched.
	early, late := query.Split(where, allOfCapture)
	return &chosen{capture: pooled(early), document: pooled(late), sample: r.Sample}, nil
}

func pooled(e query.Expr) *sync.Pool {
	if e == nil {
		return nil
	}
	return &sync.Pool{New: func() any { return query.Compile(e) }}
}

// allOfCapture reports whether e needs only columns that the capture itself has.
func allOfCapture(e query.Expr) bool {
	for _, column := range query.Columns(e) {
		if !enrich.OfCapture(column) {
			return false
		}
	}
	return true
}

// before returns why a capture is left out before extraction, or "". It checks the sample first, because a hash costs
// less than a filter.
func (c *chosen) before(of *schemas.Capture) string {
	if c.sample > 0 && !query.InSample(urlkey.SURT(of.URL), c.sample) {
		return leftBySample
	}
	if c.capture != nil && !matches(c.capture, enrich.Base(of)) {
		return leftByWhere
	}
	return ""
}

// after is like before, for a document after extraction.
func (c *chosen) after(d *schemas.Document) string {
	if c.document != nil && !matches(c.document, d) {
		return leftByWhere
	}
	return ""
}

func matches(p *sync.Pool, d *schemas.Document) bool {
	f := p.Get().(match)
	defer p.Put(f)
	return f(d)
}

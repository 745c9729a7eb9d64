package score

import "github.com/gleaner-web/gleaner/transforms/page"

// Features makes what models are trained on. The zero value is ready.
type Features struct {
	r reader
	c context
}

// First returns the features of the first pass, block after block.
func (f *Features) First(p *page.Page) []float32 {
	f.r.read(p)
	var rows []float32
	for i := range p.Blocks {
		rows = f.r.append1(rows, int32(i))
	}
	return rows
}

// Second returns the features of the page, and those of the second pass, block after block, given the scores of the
// first. The kinds' places, from KindsAt on, are left empty.
func (f *Features) Second(p *page.Page, scores []float32) (kind, rows []float32) {
	f.r.read(p)
	f.c.read(&f.r, scores)
	for i := range p.Blocks {
		rows = f.c.append2(rows, int32(i))
	}
	return f.c.appendKind(nil), rows
}

// KindsAt returns where the kinds stand among the features of the second pass.
func (f *Features) KindsAt() int { return kindsAt }

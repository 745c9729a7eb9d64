package collection

import "github.com/gleaner-web/gleaner/schemas"

// plan is the result of Resume's comparison, before anything is touched.
type plan struct {
	total int
	todo  []schemas.Unit
	done  []schemas.UnitResult
	drop  []Row // units to do again, because their inputs have changed
	other bool  // there are rows of units outside this plan: Finish removes them
}

// keep takes the row as the result of unit id.
func (p *plan) keep(r Row, id int) {
	r.ID = id
	p.done = append(p.done, r.UnitResult)
}

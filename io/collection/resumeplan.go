package collection

import "github.com/gleaner-web/gleaner/schemas"

// plan is the result of Resume's comparison, before anything is touched.
type plan struct {
	files Listing
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

// compareJoined keeps the unit of joined records if no other unit is done again, because then the segments are the
// same. Otherwise it drops the unit, which will be done again under its key. It removes the unit from rows.
func (c *Collection) compareJoined(p *plan, rows map[string]Row, key string) error {
	r, ok := rows[key]
	if !ok {
		return nil
	}
	delete(rows, key)
	whole, err := c.verify(p.files, r)
	if err != nil {
		return err
	}
	switch {
	case !whole: // made again with the same bytes
	// A unit that is done again may have other segments.
	case len(p.todo) > 0 || !NeedsJoin(p.done, p.total):
		p.drop = append(p.drop, r)
	default:
		p.keep(r, p.total)
	}
	return nil
}

package collection

import (
	"fmt"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/schemas"
)

// plan is the result of Resume's comparison, before anything is touched.
type plan struct {
	files ledger.Listing
	total int
	todo  []schemas.Unit
	done  []schemas.UnitResult
	drop  []ledger.Row // units to do again, because their inputs have changed
	other bool         // there are rows of units outside this plan: Finish removes them
}

// keep takes the row as the result of unit id.
func (p *plan) keep(r ledger.Row, id int) {
	r.ID = id
	p.done = append(p.done, r.UnitResult)
}

// compareJoined keeps the unit of joined records if no other unit is done again, because then the segments are the
// same. Otherwise it drops the unit, which will be done again under its key. It removes the unit from rows.
func (c *Collection) compareJoined(p *plan, rows map[string]ledger.Row, key string) error {
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
	case len(p.todo) > 0 || !ledger.NeedsJoin(p.done, p.total):
		p.drop = append(p.drop, r)
	default:
		p.keep(r, p.total)
	}
	return nil
}

// planRedo is like compare, for a run that does everything again.
func (c *Collection) planRedo(units []schemas.Unit, keys []string) (*plan, error) {
	rows, err := c.Rows()
	if err != nil {
		return nil, err
	}
	p := &plan{total: len(units), todo: units}
	for _, key := range append(keys[:len(keys):len(keys)], ledger.JoinedKey(keys)) {
		if r, ok := rows[key]; ok {
			p.drop = append(p.drop, r)
			delete(rows, key)
		}
	}
	p.other = len(rows) > 0
	return p, nil
}

// compareStanding keeps a standing unit. The unit of joined records becomes a numbered one, because the plan may need
// another for segments of its other units.
func (c *Collection) compareStanding(p *plan, u schemas.Unit, r ledger.Row, s standing) error {
	// Only the row knows the unit's shards.
	if r.Key == "" {
		return fmt.Errorf("%w: the row of unit %d", ErrMissing, u.ID)
	}
	whole, err := c.verify(p.files, r)
	if err != nil {
		return err
	}
	if !whole {
		return fmt.Errorf("%w: one of %s in %s: put it back, or remove the unit by "+
			"--prune", ErrMissing, ledger.Describe(r.Shards), c.f.Path(""))
	}
	if s.joined {
		r.Segments = nil // they were joined
	}
	p.keep(r, u.ID)
	return nil
}

package collection

import (
	"fmt"

	"github.com/gleaner-web/gleaner/schemas"
)

// standing are the units of a plan that cannot be done again.
type standing struct {
	keys map[string]bool
	// joined means that the unit of joined records is among them.
	joined bool
}

func newStanding(keys []string, rows map[string]Row) standing {
	s := standing{keys: map[string]bool{}}
	for _, key := range keys {
		s.keys[key] = true
		s.joined = s.joined || rows[key].Joins() && rows[key].Key != ""
	}
	return s
}

// compareStanding keeps a standing unit. The unit of joined records becomes a numbered one, because the plan may need
// another for segments of its other units.
func (c *Collection) compareStanding(p *plan, u schemas.Unit, r Row, s standing) error {
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
			"--prune", ErrMissing, names(r.Shards), c.f.Path(""))
	}
	if s.joined {
		r.Segments = nil // they were joined
	}
	p.keep(r, u.ID)
	return nil
}

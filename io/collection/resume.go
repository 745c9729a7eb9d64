package collection

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// Fresh tells whether a range of an input is still what it was when row was committed. The range is the planned one,
// with the fingerprint that was recorded for it.
type Fresh func(r schemas.Range, row Row) (bool, error)

// Resume divides the units of a plan into those that must be done and the results of those that are. keys[i] is the
// Key of units[i], and the units' IDs are 0 to len(units)-1 in this order.
//
// A unit is done when it has a row, fresh says yes for each of its inputs (a nil fresh always does), and its shards
// are in the folder as they were written. A missing shard means that the unit is done again; a changed one, or an index
// that was changed, is ErrChanged, and then nothing was touched. Shards of a unit that has another number in this plan are renamed; a
// crash while they are loses nothing. When anything is to be done, the manifest is removed first.
//
// The shards of units that are not in the plan stay until Finish: where they are, or in the hidden folder when the plan
// wants their names. So what a killed run was about to replace is still there.
//
// standing are keys of units of the plan that nobody can do again, since their inputs are gone: they are taken as they
// are, and a missing shard of theirs is ErrMissing.
//
// When all units are done, the result of the unit of joined records is among the results, if it is done, too. See
// NeedsJoin.
func (c *Collection) Resume(units []schemas.Unit, keys []string, fresh Fresh, standing ...string) (todo []schemas.Unit, done []schemas.UnitResult, err error) {
	p, err := c.compare(units, keys, fresh, standing)
	if err != nil {
		return nil, nil, err
	}
	if err := c.apply(p); err != nil {
		return nil, nil, fmt.Errorf("collection: resume %s: %w", c.f.Path(""), err)
	}
	return p.todo, p.done, nil
}

// plan is what Resume found out, before anything is touched.
type plan struct {
	total  int
	todo   []schemas.Unit
	done   []schemas.UnitResult
	kept   []Row  // of units that are done, as found
	moves  []move // of units that are done and whose shards are not where this plan wants them
	drop   []Row  // of units that are done again
	aside  []Row  // of units that are not in this plan, and that it wants the names of: Finish removes them
	spared []Row  // of units that are not in this plan and not in its way: Finish removes them
}

// move is a unit whose shards get other names.
type move struct {
	from, to Row
	direct   number // that all shards are at, when nobody can have the names that they get, else zero
}

func (m move) isDirect() bool { return m.direct != (number{}) }

// newMove is the move of a unit to its number in a plan.
func newMove(from, to Row) move {
	m := move{from: from, to: to}
	for i, at := range from.at {
		n, ok := parseShard(at)
		before := number{n.id, n.total}
		if !ok || n.total == to.Total || i > 0 && before != m.direct { // it is aside, or where others may want to be, or elsewhere
			return move{from: from, to: to}
		}
		m.direct = before
	}
	return m
}

// idle tells whether the folder is as the plan wants it.
func (p *plan) idle() bool {
	return len(p.todo) == 0 && len(p.moves) == 0 && len(p.drop) == 0 && len(p.aside) == 0 && len(p.spared) == 0 &&
		!NeedsJoin(p.done, p.total)
}

// compare finds out what is done, and touches nothing.
func (c *Collection) compare(units []schemas.Unit, keys []string, fresh Fresh, standing []string) (*plan, error) {
	if err := checkPlan(units, keys); err != nil {
		return nil, err
	}
	rows, err := c.rows()
	if err != nil {
		return nil, fmt.Errorf("collection: %w", err)
	}
	forget, err := c.look()
	if err != nil {
		return nil, fmt.Errorf("collection: %w", err)
	}
	defer forget()
	p := &plan{total: len(units)}
	s := newStanding(standing, rows)
	for i, u := range units {
		r, ok := rows[keys[i]]
		delete(rows, keys[i])
		switch {
		case s.keys[keys[i]]:
			err = c.compareStanding(p, u, r, s)
		case ok:
			err = c.compareUnit(p, u, r, fresh)
		default:
			p.todo = append(p.todo, u)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := c.compareJoined(p, rows, JoinedKey(keys)); err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		if err := c.compareOther(p, rows[key]); err != nil {
			return nil, err
		}
	}
	return p, c.verifyIndex()
}

func checkPlan(units []schemas.Unit, keys []string) error {
	if len(units) != len(keys) {
		return fmt.Errorf("collection: %d units and %d keys", len(units), len(keys))
	}
	seen := map[string]int{}
	for i, u := range units {
		if u.ID != i {
			return fmt.Errorf("collection: unit %d has ID %d: units are numbered in their order", i, u.ID)
		}
		if !validKey(keys[i]) {
			return fmt.Errorf("collection: unit %d: %w", i, errKey)
		}
		if j, twice := seen[keys[i]]; twice {
			return fmt.Errorf("collection: units %d and %d have the same inputs", j, i)
		}
		seen[keys[i]] = i
	}
	return nil
}

// compareUnit decides on a planned unit that has a row.
func (c *Collection) compareUnit(p *plan, u schemas.Unit, r Row, fresh Fresh) error {
	r.at = c.places(r)
	whole, err := c.verify(r)
	if err != nil {
		return err
	}
	same := whole
	if whole {
		same, err = unchanged(u, r, fresh)
	}
	if err != nil {
		return err
	}
	if !same {
		p.drop = append(p.drop, r)
		p.todo = append(p.todo, u)
		return nil
	}
	p.keepRow(u, r)
	return nil
}

// keepRow keeps the row as that of a planned unit.
func (p *plan) keepRow(u schemas.Unit, r Row) {
	to := r.renumbered(u.ID, p.total)
	if misplaced(r, to) {
		p.moves = append(p.moves, newMove(r, to))
	}
	p.kept = append(p.kept, r)
	p.done = append(p.done, to.UnitResult)
}

// compareOther decides on a row whose unit is not planned.
func (c *Collection) compareOther(p *plan, r Row) error {
	r.at = c.places(r)
	if _, err := c.verify(r); err != nil {
		return err
	}
	if r.Total == p.total || r.from.Total == p.total || r.joined() || r.isAside() {
		p.aside = append(p.aside, r)
	} else {
		p.spared = append(p.spared, r)
	}
	return nil
}

// unchanged asks fresh of every input.
func unchanged(u schemas.Unit, r Row, fresh Fresh) (bool, error) {
	if len(u.Inputs) != len(r.Inputs) {
		return false, nil // the row was edited: the key says that they are the same
	}
	for i, in := range u.Inputs {
		if in.Unreadable != r.Inputs[i].Unreadable {
			return false, nil // it may be readable now
		}
		if fresh == nil {
			continue
		}
		in.Fingerprint = r.Inputs[i].Fingerprint
		ok, err := fresh(in, r)
		if err != nil {
			return false, fmt.Errorf("collection: %s: %w", in.File, err)
		}
		if !ok {
			return false, nil
		}
	}
	return true, nil
}

// misplaced tells whether a shard is anywhere but under the name that it has in to.
func misplaced(from, to Row) bool {
	for i, at := range from.at {
		if at != to.Shards[i].Name {
			return true
		}
	}
	return from.ID != to.ID || from.Total != to.Total
}

// apply makes the folder ready for the plan.
func (c *Collection) apply(p *plan) error {
	if p.idle() {
		return nil
	}
	if err := c.removeManifest(); err != nil {
		return err
	}
	keep := p.keep()
	for _, r := range p.drop {
		if err := c.dropRow(r, keep); err != nil {
			return err
		}
	}
	if err := c.putAside(p.aside); err != nil {
		return err
	}
	return c.renumber(p)
}

// keep are the places of shards that stay.
func (p *plan) keep() map[string]bool {
	keep := map[string]bool{}
	for _, r := range p.kept {
		for _, at := range r.at {
			keep[at] = true
		}
	}
	return keep
}

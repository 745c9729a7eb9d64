package collection

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// Fresh reports whether a range of an input is still what it was when row was committed. The range is the planned one,
// with the fingerprint that was recorded for it.
type Fresh func(r schemas.Range, row Row) (bool, error)

// Resume divides the units of a plan into those that must be done and the results of those that are. keys[i] is the
// Key of units[i], and the units' IDs are 0 to len(units)-1 in this order.
//
// A unit is done when it has a row, fresh says yes for each of its inputs (a nil fresh always does), and its shards
// are in the folder as they were written. A missing shard means that the unit is done again; a changed one, or an
// index that was changed, is ErrChanged, and then nothing was touched. A unit that has another number in this plan
// keeps its shards and their names. When anything is to be done, that is noted first: see Unfinished.
//
// The manifest stays, and all that it names, until Finish has written the next: readers have the collection as it was,
// and so has whoever comes after a run that was killed. A unit that is done again under its key is retired before.
//
// standing are keys of units of the plan that nobody can do again, since their inputs are gone: they are taken as they
// are, and a missing shard of theirs is ErrMissing.
//
// When all units are done, the result of the unit of joined records is among the results, if it is done, too. See
// NeedsJoin.
func (c *Collection) Resume(
	units []schemas.Unit, keys []string, fresh Fresh, standing ...string,
) (todo []schemas.Unit, done []schemas.UnitResult, err error) {
	p, err := c.compare(units, keys, fresh, standing)
	if err != nil {
		return nil, nil, err
	}
	if err := c.apply(p); err != nil {
		return nil, nil, fmt.Errorf("collection: resume %s: %w", c.f.Path(""), err)
	}
	return p.todo, p.done, nil
}

// idle reports whether the folder is as the plan wants it.
func (p *plan) idle() bool {
	return len(p.todo) == 0 && len(p.drop) == 0 && !p.other && !NeedsJoin(p.done, p.total)
}

// compare finds out what is done, and touches nothing.
func (c *Collection) compare(units []schemas.Unit, keys []string, fresh Fresh, standing []string) (*plan, error) {
	names, err := checkPlan(units, keys)
	if err != nil {
		return nil, err
	}
	if c.anew {
		return c.compareAnew(units, keys)
	}
	rows, err := c.rows()
	if err != nil {
		return nil, fmt.Errorf("collection: %w", err)
	}
	// One listing in place of a question for each shard.
	forget, err := c.look()
	if err != nil {
		return nil, fmt.Errorf("collection: %w", err)
	}
	defer forget()
	p := &plan{total: len(units)}
	s := newStanding(standing, rows)
	for i, u := range units {
		r, ok := rows[keys[i]]
		// What is left in rows at the end is of units that are not in the plan.
		delete(rows, keys[i])
		switch {
		// Asked before ok, since a unit that stands and has no row is an error and not work.
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
	for _, key := range c.waiting {
		delete(rows, key)
	}
	for _, key := range slices.Sorted(maps.Keys(rows)) { // in order, for the error that is told
		if names[nameOf(key)] {
			return nil, errAlike(key)
		}
		if _, err := c.verify(rows[key]); err != nil {
			return nil, err
		}
		p.other = true
	}
	return p, c.verifyIndex()
}

// checkPlan checks the numbers and the keys of a plan, and returns what its units are called in the names of shards.
func checkPlan(units []schemas.Unit, keys []string) (names map[string]bool, err error) {
	if len(units) != len(keys) {
		return nil, fmt.Errorf("collection: %d units and %d keys", len(units), len(keys))
	}
	joined := JoinedKey(keys)
	names = map[string]bool{nameOf(joined): true}
	seen := map[string]int{}
	for i, u := range units {
		if u.ID != i {
			return nil, fmt.Errorf("collection: unit %d has ID %d: units are numbered in their order", i, u.ID)
		}
		if !validKey(keys[i]) {
			return nil, fmt.Errorf("collection: unit %d: %w", i, errKey)
		}
		if j, twice := seen[keys[i]]; twice {
			return nil, fmt.Errorf("collection: units %d and %d have the same inputs", j, i)
		}
		if names[nameOf(keys[i])] {
			return nil, errAlike(keys[i])
		}
		seen[keys[i]], names[nameOf(keys[i])] = i, true
	}
	return names, nil
}

// errAlike is a unit whose shards would have the names of another's: see nameDigits.
func errAlike(key string) error {
	return fmt.Errorf("collection: two units are called %s by their keys: name the archives of one by another path",
		nameOf(key))
}

// compareUnit decides on a planned unit that has a row.
func (c *Collection) compareUnit(p *plan, u schemas.Unit, r Row, fresh Fresh) error {
	whole, err := c.verify(r)
	if err != nil {
		return err
	}
	// What is left of it stays: what is missing is made again, and is the same.
	if !whole {
		p.todo = append(p.todo, u)
		return nil
	}
	same, err := unchanged(u, r, fresh)
	if err != nil {
		return err
	}
	if !same {
		p.drop = append(p.drop, r)
		p.todo = append(p.todo, u)
		return nil
	}
	p.keep(r, u.ID)
	return nil
}

// keep takes the row as the result of the unit with a number in this plan.
func (p *plan) keep(r Row, id int) {
	r.ID = id
	p.done = append(p.done, r.UnitResult)
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
		// The plan does not know it: it was made when the input was read.
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

// apply makes the folder ready for the plan.
func (c *Collection) apply(p *plan) error {
	_, there, err := readChange(c.f)
	if err != nil {
		return err
	}
	if p.idle() && !there && len(c.waiting) == 0 {
		return nil
	}
	// First of all: whoever comes after this has to know of it.
	if err := c.beginChange(); err != nil {
		return err
	}
	return c.dropUnits(p.drop)
}

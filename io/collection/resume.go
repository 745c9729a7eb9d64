package collection

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/schemas"
)

// Fresh reports whether a range of an input is unchanged since row was committed. r is the planned range with the
// fingerprint from the row.
type Fresh func(r schemas.Range, row ledger.Row) (bool, error)

// Resume divides the units of a plan into units to do and results of units that are done. The Key of units[i] is
// keys[i], and its ID must be i.
//
// A unit is done if it has a row, its inputs are fresh and its shards are unchanged. A nil fresh counts all inputs as
// fresh. If a shard is missing, the unit is done again. If a shard or the index has changed, Resume returns ErrChanged
// and touches nothing. A unit whose number differs in this plan keeps its shards. If there is anything to do, Resume
// notes that first: see Unfinished.
//
// The manifest and all files it names stay until Finish writes the next one, so that readers see the old collection
// even after a crash. A unit that is done again under its key is retired first.
//
// standing are keys of units that cannot be done again because their inputs are gone. They are taken as they are, and a
// missing shard is ErrMissing.
//
// If all units are done and the unit of joined records is too, its result is among the results. See NeedsJoin.
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

// idle reports whether the plan has nothing to change in the folder.
func (p *plan) idle() bool {
	return len(p.todo) == 0 && len(p.drop) == 0 && !p.other && !ledger.NeedsJoin(p.done, p.total)
}

// compare finds the finished units without changing anything.
func (c *Collection) compare(units []schemas.Unit, keys []string, fresh Fresh, standing []string) (*plan, error) {
	names, err := checkPlan(units, keys)
	if err != nil {
		return nil, err
	}
	if c.redo {
		return c.planRedo(units, keys)
	}
	rows, err := c.Rows()
	if err != nil {
		return nil, fmt.Errorf("collection: %w", err)
	}
	// One listing instead of a request for each shard.
	files, err := ledger.List(c.f)
	if err != nil {
		return nil, fmt.Errorf("collection: %w", err)
	}
	p := &plan{total: len(units), files: files}
	s := newStanding(standing, rows)
	for i, u := range units {
		r, ok := rows[keys[i]]
		// Rows that remain are of units outside the plan.
		delete(rows, keys[i])
		switch {
		// Before ok: a standing unit without a row is an error.
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
	if err := c.compareJoined(p, rows, ledger.JoinedKey(keys)); err != nil {
		return nil, err
	}
	for _, key := range c.waiting {
		delete(rows, key)
	}
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		if names[ledger.UnitOfKey(key)] {
			return nil, errAlike(key)
		}
		if _, err := c.verify(files, rows[key]); err != nil {
			return nil, err
		}
		p.other = true
	}
	return p, c.verifyIndex(files)
}

// checkPlan checks numbers and keys of a plan, and returns its units as the names of shards have them.
func checkPlan(units []schemas.Unit, keys []string) (names map[string]bool, err error) {
	if len(units) != len(keys) {
		return nil, fmt.Errorf("collection: %d units and %d keys", len(units), len(keys))
	}
	joined := ledger.JoinedKey(keys)
	names = map[string]bool{ledger.UnitOfKey(joined): true}
	seen := map[string]int{}
	for i, u := range units {
		if u.ID != i {
			return nil, fmt.Errorf("collection: unit %d has ID %d: units are numbered in their order", i, u.ID)
		}
		if !ledger.ValidKey(keys[i]) {
			return nil, fmt.Errorf("collection: unit %d: %w", i, ledger.ErrKey)
		}
		if j, twice := seen[keys[i]]; twice {
			return nil, fmt.Errorf("collection: units %d and %d have the same inputs", j, i)
		}
		if names[ledger.UnitOfKey(keys[i])] {
			return nil, errAlike(keys[i])
		}
		seen[keys[i]], names[ledger.UnitOfKey(keys[i])] = i, true
	}
	return names, nil
}

// errAlike is the error for two units whose shards would have the same names: see holdings.NameDigits.
func errAlike(key string) error {
	return fmt.Errorf("collection: two units are called %s by their keys: name the archives of one by another path",
		ledger.UnitOfKey(key))
}

// compareUnit decides whether a planned unit with a row is done.
func (c *Collection) compareUnit(p *plan, u schemas.Unit, r ledger.Row, fresh Fresh) error {
	whole, err := c.verify(p.files, r)
	if err != nil {
		return err
	}
	// The remaining shards stay: the missing ones are made again with the same bytes.
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

// unchanged calls fresh for every input.
func unchanged(u schemas.Unit, r ledger.Row, fresh Fresh) (bool, error) {
	if len(u.Inputs) != len(r.Inputs) {
		return false, nil // the row was edited: by its key the inputs are equal
	}
	for i, in := range u.Inputs {
		if in.Unreadable != r.Inputs[i].Unreadable {
			return false, nil // it may be readable now
		}
		if fresh == nil {
			continue
		}
		// The plan has no fingerprint: it was made when the input was read.
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

// Apply prepares the folder for the plan.
func (c *Collection) apply(p *plan) error {
	_, there, err := ledger.ReadChange(c.f)
	if err != nil {
		return err
	}
	if p.idle() && !there && len(c.waiting) == 0 {
		return nil
	}
	// Noted before any other change.
	if err := c.Begin(); err != nil {
		return err
	}
	return c.dropUnits(p.drop)
}

package collection

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// number is the place of a unit in a plan: the ID-th of Total.
type number struct {
	ID    int `json:"id"`
	Total int `json:"total"`
}

// place is the number of a unit, and while its shards are renamed the one that they come from.
type place struct {
	number
	From number `json:"from,omitzero"`
}

// readNumbers reads the places of units, by key, that are not, or may not be, those which their rows were committed with.
// They are in one file, since to write twenty thousand rows anew takes minutes, and in an object store money.
func readNumbers(f folder.Folder) (map[string]place, error) {
	data, err := readFile(f, hidden(numbersFile), maxRowBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	numbers := map[string]place{}
	if err := json.Unmarshal(data, &numbers); err != nil || !followable(numbers) {
		return nil, nil // somebody has edited it: units that are not found are done again
	}
	return numbers, nil
}

// followable tells whether no two units have one number, or come from one, and all are possible ones.
func followable(numbers map[string]place) bool {
	taken, left := map[number]bool{}, map[number]bool{}
	for _, p := range numbers {
		if !p.possible() || taken[p.number] {
			return false
		}
		taken[p.number] = true
		if p.From == (number{}) {
			continue
		}
		if !p.From.possible() || left[p.From] {
			return false
		}
		left[p.From] = true
	}
	return true
}

func (n number) possible() bool { return n.ID >= 0 && n.ID < n.Total && n.Total <= maxTotal }

// saveNumbers writes the places that the units of a plan shall have, and those of rows that are spared, which keep theirs.
// Rows whose shards are aside have none: they are found by their keys.
// With moving, shards that do not step aside may still be where they are.
func (c *Collection) saveNumbers(p *plan, moving bool) error {
	numbers := map[string]place{}
	for _, r := range p.spared {
		numbers[r.Key] = place{number{r.ID, r.Total}, r.from}
	}
	for _, r := range p.kept {
		if !r.joined() {
			numbers[r.Key] = place{number: number{r.ID, r.Total}}
		}
	}
	for _, m := range p.moves {
		to := place{number: number{m.to.ID, m.to.Total}}
		if moving {
			to.From = m.direct
		}
		numbers[m.to.Key] = to
	}
	if len(p.moves) == 0 {
		before, err := readNumbers(c.f)
		if err != nil || maps.Equal(before, numbers) {
			return err
		}
	}
	data, err := json.Marshal(numbers) // which are many
	if err != nil {
		return err
	}
	return c.f.Write(hidden(numbersFile), data)
}

// renumber gives shards the names of this plan. A unit whose shards have names of a plan of another length can take its new
// ones, which nobody has: the numbers say where they come from until all have arrived. Other units may take each other's
// names, so their shards step aside first, to names made of their keys, then the numbers are written, then they take their
// names. While a shard is aside it is found there whatever the numbers say. So a crash between any two steps loses nothing:
// the next run finds the units done, and in the wrong place.
func (c *Collection) renumber(p *plan) error {
	if err := c.eachShard(p.moves, c.stepAside); err != nil {
		return err
	}
	if err := c.saveNumbers(p, true); err != nil {
		return err
	}
	if err := c.eachShard(p.moves, c.takePlace); err != nil || !slices.ContainsFunc(p.moves, move.isDirect) {
		return err
	}
	return c.saveNumbers(p, false)
}

// eachShard does one step for all shards of the moves. The next step relies on it: both folders are on disk when it
// returns.
func (c *Collection) eachShard(moves []move, step func(m move, shard int) error) error {
	if len(moves) == 0 {
		return nil
	}
	errs := make([]error, len(moves))
	folder.Numbers(atOnce, len(moves), func(i int) {
		for shard := range moves[i].from.Shards {
			errs[i] = errors.Join(errs[i], step(moves[i], shard))
		}
	})
	return errors.Join(errors.Join(errs...), c.f.Sync(hiddenDir), c.f.Sync(""))
}

// putAside moves the shards of units that no plan has any longer out of the way of those which get their names.
func (c *Collection) putAside(rows []Row) error {
	moves := make([]move, len(rows))
	for i, r := range rows {
		moves[i].from = r
	}
	return c.eachShard(moves, func(m move, shard int) error {
		err := c.stepAside(m, shard)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was missing: the unit counts as done no longer
		}
		return err
	})
}

func (c *Collection) stepAside(m move, shard int) error {
	at, held := m.from.at[shard], m.from.held(shard)
	if at == held || m.isDirect() {
		return nil
	}
	return c.f.Rename(at, held)
}

func (c *Collection) takePlace(m move, shard int) error {
	at := m.from.held(shard)
	if m.isDirect() {
		at = m.from.at[shard]
	}
	return c.f.Rename(at, m.to.Shards[shard].Name)
}

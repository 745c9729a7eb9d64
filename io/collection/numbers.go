package collection

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"

	"github.com/gleaner-web/gleaner/io/folder"
)

// number is the place of a unit in a plan: the ID-th of Total.
type number struct {
	ID    int `json:"id"`
	Total int `json:"total"`
}

// readNumbers reads the numbers of units, by key, that are not, or may not be, those which their rows were committed with.
// They are in one file, since to write twenty thousand rows anew takes minutes, and in an object store money.
func readNumbers(f folder.Folder) (map[string]number, error) {
	data, err := readFile(f, hidden(numbersFile), maxRowBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	numbers := map[string]number{}
	if err := json.Unmarshal(data, &numbers); err != nil || !followable(numbers) {
		return nil, nil // somebody has edited it: units that are not found are done again
	}
	return numbers, nil
}

// followable tells whether no two units have one number, and all a possible one.
func followable(numbers map[string]number) bool {
	taken := map[number]bool{}
	for _, n := range numbers {
		if n.ID < 0 || n.ID >= n.Total || n.Total > maxTotal || taken[n] {
			return false
		}
		taken[n] = true
	}
	return true
}

// saveNumbers writes the numbers that the units of a plan shall have, and those of rows that are spared, which keep theirs.
func (c *Collection) saveNumbers(p *plan) error {
	numbers := map[string]number{}
	for _, r := range p.spared {
		numbers[r.Key] = number{r.ID, r.Total}
	}
	for _, r := range p.kept {
		if !r.joined() {
			numbers[r.Key] = number{r.ID, r.Total}
		}
	}
	for _, m := range p.moves {
		numbers[m.to.Key] = number{m.to.ID, m.to.Total}
	}
	before, err := readNumbers(c.f)
	if err != nil || maps.Equal(before, numbers) {
		return err
	}
	data, err := encode(numbers)
	if err != nil {
		return err
	}
	return c.f.Write(hidden(numbersFile), data)
}

// renumber gives shards the names of this plan. Units may take each other's names, so all shards step aside first, to
// names made of their keys, then the numbers are written, then the shards take their names. While a shard is aside it is
// found there whatever the numbers say, so that a crash between any two steps loses nothing: the next run finds the
// units done, and in the wrong place.
func (c *Collection) renumber(p *plan) error {
	if err := c.eachShard(p.moves, c.stepAside); err != nil {
		return err
	}
	if err := c.saveNumbers(p); err != nil {
		return err
	}
	return c.eachShard(p.moves, c.takePlace)
}

// eachShard does one step for all shards of the moves. The next step relies on it: both folders are on disk when it
// returns.
func (c *Collection) eachShard(moves []move, step func(m move, shard int) error) error {
	if len(moves) == 0 {
		return nil
	}
	errs := make([]error, len(moves))
	each(len(moves), func(i int) {
		for shard := range moves[i].from.Shards {
			errs[i] = errors.Join(errs[i], step(moves[i], shard))
		}
	})
	return errors.Join(errors.Join(errs...), c.f.Sync(hiddenDir), c.f.Sync(""))
}

func (c *Collection) stepAside(m move, shard int) error {
	at, held := m.from.at[shard], m.held(shard)
	if at == held {
		return nil
	}
	return c.f.Rename(at, held)
}

func (c *Collection) takePlace(m move, shard int) error {
	return c.f.Rename(m.held(shard), m.to.Shards[shard].Name)
}

// held is where a shard is while it is aside.
func (m move) held(shard int) string {
	n, _ := parseShard(m.from.Shards[shard].Name) // the row was checked when it was read
	return hidden(heldName(m.from.Key, n.part))
}

package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// migrate brings a folder of layout 1 to today's: shards get the names of their units, and Parquet is written again
// from its own rows, since it had milliseconds and no field ids. No archive is read, and rows keep their keys, so what
// was done stays done. Killed at any moment, the next run goes on: a unit is in the new layout when its row is, and
// until then each of its shards is at the one place or the other.
func (c *Collection) migrate() error {
	older, err := isOlder(c.f)
	if err != nil || !older {
		return err
	}
	m := migration{Collection: c}
	if err := m.read(); err != nil {
		return err
	}
	// First of all: from here on an older version refuses the folder, and this one knows that it was
	// interrupted.
	if err := c.f.Write(holdings.Hidden(holdings.MarkerFile), []byte(holdings.MovingMarker)); err != nil {
		return err
	}
	if err := errors.Join(c.removeManifest(), m.dropPending()); err != nil { // the names in it are going
		return err
	}
	// In order, so that the error which is told is the same each time.
	keys := slices.Sorted(maps.Keys(m.units))
	errs := make([]error, len(keys))
	// Each i has its own place in errs; units have no file in common.
	folder.Numbers(m.atOnce, len(keys), func(i int) { errs[i] = m.move(m.units[keys[i]]) })
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("to layout %s: %w", holdings.Layout, err)
	}
	return c.forgetOlder()
}

// migration is a folder on its way.
type migration struct {
	*Collection
	units  map[string]olderUnit // that are not moved yet, by their keys
	places map[string]bool      // all places that their shards are at
	atOnce int
}

// olderUnit is a unit of layout 1.
type olderUnit struct {
	olderRow
	at []string // where its shards are
}

// read finds the units that are not moved yet, and where their shards are. Rows that cannot be followed are left to
// the sweeping that comes later.
func (m *migration) read() error {
	keys, err := Keys(m.f)
	if err != nil {
		return err
	}
	numbers, err := readNumbers(m.f)
	if err != nil {
		return err
	}
	rows := make([]olderRow, len(keys))
	errs := make([]error, len(keys))
	// Rows of today's layout are ErrContent for it, and are left as they are.
	folder.Numbers(atOnce, len(keys), func(i int) { rows[i], errs[i] = readOlder(m.f, rowName(keys[i]), keys[i]) })
	forget, err := m.look()
	if err != nil {
		return err
	}
	defer forget()
	m.units, m.places, m.atOnce = map[string]olderUnit{}, map[string]bool{}, atOnce
	for i, r := range rows {
		if errors.Is(errs[i], ErrContent) {
			continue
		}
		if errs[i] != nil {
			return errs[i]
		}
		u := olderUnit{olderRow: r}
		for _, s := range r.Shards {
			n, _ := holdings.ParseNumbered(s.Name) // the row was checked
			at := m.locate(r, n.FileType, numbers)
			u.at, m.places[at] = append(u.at, at), true
			if n.Ext == holdings.ExtParquet {
				m.atOnce = runtime.GOMAXPROCS(0) // each takes memory to sort, and a processor
			}
		}
		m.units[r.Key] = u
	}
	return nil
}

// locate returns where a shard is: in the hidden folder when a run was killed that renumbered units, or under the name
// that it had before, else under the one of its number.
func (m *migration) locate(r olderRow, p holdings.FileType, numbers map[string]place) string {
	// First, since only a run that was killed while renumbering leaves one.
	if held := holdings.Hidden(heldName(r.Key, p)); m.there(held) {
		return held
	}
	now := number{r.ID, r.Total}
	// The file of numbers counts more than the row, which has the number that the unit was committed with.
	if other, renumbered := numbers[r.Key]; renumbered {
		now = other.number
		if before := other.From.shard(p).String(); other.From.Total > 0 && m.there(before) {
			return before
		}
	}
	return now.shard(p).String()
}

func (m *migration) there(name string) bool {
	_, err := m.size(name)
	return err == nil
}

// dropPending removes the shards of units that were being committed, unless they are another's, and then what said so.
func (m *migration) dropPending() error {
	names, err := m.f.Names(holdings.HiddenDir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !isPending(name) {
			continue
		}
		key, _, _ := keyOf(name)
		r, err := readOlder(m.f, name, key)
		if err != nil && !errors.Is(err, ErrContent) {
			return err
		}
		if err != nil {
			continue // it is today's, or nobody's: sweep looks at it
		}
		for _, s := range r.Shards {
			// A unit that is committed has a shard at this place: it stays.
			if !m.places[s.Name] {
				err = errors.Join(err, m.f.Remove(s.Name))
			}
		}
		if err = errors.Join(err, m.f.Remove(holdings.Hidden(name))); err != nil {
			return err
		}
	}
	return nil
}

// move gives the shards of a unit their names, and then writes its row with these. A shard that is at neither place is
// missing: the row is written all the same, and the unit counts as done no longer.
func (m *migration) move(u olderUnit) error {
	row := u.Row
	row.Shards, row.Modified = slices.Clone(u.Shards), slices.Clone(u.Modified)
	for i, s := range u.Shards {
		n, _ := holdings.ParseNumbered(s.Name) // the row was checked
		row.Shards[i].Name = n.FileType.Name(nameOf(u.Key)).String()
		var modified int64
		if i < len(u.Modified) {
			modified = u.Modified[i]
		}
		if n.Ext != holdings.ExtParquet {
			// JSON lines stay the same, byte for byte.
			if err := m.rename(u.at[i], row.Shards[i].Name); err != nil {
				return err
			}
			continue
		}
		made, written, err := m.rewrite(u.at[i], row.Shards[i], modified)
		if err != nil {
			return err
		}
		// Its hash and length are others by now.
		row.Shards[i] = made
		if i < len(row.Modified) {
			row.Modified[i] = written
		}
	}
	data, err := folder.EncodeJSON(row)
	if err != nil {
		return err
	}
	// The names have to be on the disk before a row says so.
	if err := m.f.Sync(""); err != nil {
		return err
	}
	return m.f.Write(holdings.Hidden(rowName(u.Key)), data)
}

// rename gives a shard its name, unless an earlier attempt did.
func (m *migration) rename(from, to string) error {
	err := m.f.Rename(from, to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// rewrite writes a Parquet shard again, as s.Name, and removes the one at from. One that was changed since it was
// written stays, as ErrChanged. When from is gone, an earlier attempt has written what is there, or it was missing
// before.
func (m *migration) rewrite(from string, s schemas.Shard, modified int64) (schemas.Shard, int64, error) {
	// Compared first: a shard that somebody changed must not be given a new, valid hash.
	whole, err := m.verifyFile(from, s, time.Unix(0, modified))
	if err != nil {
		return s, 0, err
	}
	if !whole {
		// 0 as its time, so that the next run that asks compares the bytes.
		bytes, sum, err := hashFile(m.f, s.Name)
		if errors.Is(err, fs.ErrNotExist) {
			return s, 0, nil
		}
		return schemas.Shard{Name: s.Name, Bytes: bytes, SHA256: sum}, 0, err
	}
	made, modified, err := m.writeParquet(from, s.Name)
	if err == nil {
		// The new one is there to stay before the old one goes.
		err = errors.Join(m.f.Sync(""), m.f.Remove(from))
	}
	if err != nil {
		return s, 0, fmt.Errorf("%s: %w", m.f.Path(from), err)
	}
	return made, modified, nil
}

// writeParquet writes the documents of one Parquet file to another, and tells when it was written, in nanoseconds.
func (m *migration) writeParquet(from, to string) (made schemas.Shard, modified int64, err error) {
	attempt := folder.Unique()
	spill, err := m.f.Temp(holdings.Hidden(spillStart + attempt))
	if err != nil {
		return made, 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(spill)) }()
	in, err := m.f.Open(from)
	if err != nil {
		return made, 0, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := newOutput(m.f, to, attempt)
	if err != nil {
		return made, 0, err
	}
	defer out.discard()
	w := parquetfile.NewWriter(out, parquetfile.Options{TempDir: spill})
	out.enc = w
	// Row by row, so that a shard of any size takes the memory of a sort.
	for d, err := range parquetfile.Read(in, in.Size()) {
		if err == nil {
			err = w.Write(d)
		}
		if err != nil {
			return made, 0, err
		}
	}
	if made, err = out.finish(); err != nil {
		return made, 0, err
	}
	return made, out.time, m.f.Rename(out.temp, to)
}

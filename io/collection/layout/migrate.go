package layout

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
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Migrate brings a folder of layout 1 to today's layout: shards are renamed after their units' keys, and Parquet is
// rewritten from its own rows. Layout 1 had milliseconds and no field ids. No archive is read, and rows keep their
// keys, so finished units stay done. The next run continues a migration that was killed. A unit is in the new layout
// once its row is; until then each shard has either name.
func Migrate(f folder.Folder) error {
	older, err := ledger.IsOlder(f)
	if err != nil || !older {
		return err
	}
	m := migration{f: f}
	if err := m.read(); err != nil {
		return err
	}
	// This marker first: older versions then refuse the folder, and this one sees that a migration was interrupted.
	if err := f.Write(holdings.Hidden(holdings.MarkerFile), []byte(holdings.MovingMarker)); err != nil {
		return err
	}
	if err := errors.Join(ledger.RemoveManifest(f), m.dropPending()); err != nil { // the names in it will change
		return err
	}
	// In order, so that the reported error is the same each time.
	keys := slices.Sorted(maps.Keys(m.units))
	errs := make([]error, len(keys))
	// Safe in parallel: no two units share a file.
	folder.Numbers(m.atOnce, len(keys), func(i int) { errs[i] = m.move(m.units[keys[i]]) })
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("to layout %s: %w", holdings.Layout, err)
	}
	return Forget(f)
}

// migration is the state of migrate.
type migration struct {
	f      folder.Folder
	files  ledger.Listing
	units  map[string]olderUnit // units not moved yet, by key
	places map[string]bool      // Describe of all their shards
	atOnce int
}

// olderUnit is a unit of layout 1.
type olderUnit struct {
	ledger.OlderRow
	at []string // Describe of its shards
}

// read finds the units that are not moved yet, and their shards. Rows with invalid content are left to the sweep.
func (m *migration) read() error {
	keys, err := ledger.Keys(m.f)
	if err != nil {
		return err
	}
	numbers, err := ledger.ReadNumbers(m.f)
	if err != nil {
		return err
	}
	rows := make([]ledger.OlderRow, len(keys))
	errs := make([]error, len(keys))
	// ReadOlder returns ErrContent for rows of today's layout, which stay as they are.
	folder.Numbers(ledger.AtOnce, len(keys),
		func(i int) { rows[i], errs[i] = ledger.ReadOlder(m.f, ledger.RowFile(keys[i]), keys[i]) })
	if m.files, err = ledger.List(m.f); err != nil {
		return err
	}
	m.units, m.places, m.atOnce = map[string]olderUnit{}, map[string]bool{}, ledger.AtOnce
	for i, r := range rows {
		if errors.Is(errs[i], ledger.ErrContent) {
			continue
		}
		if errs[i] != nil {
			return errs[i]
		}
		u := olderUnit{OlderRow: r}
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

// locate returns the name of a shard: in the hidden folder or under its earlier number if a run was killed while it
// renumbered units. Otherwise the shard has its number.
func (m *migration) locate(r ledger.OlderRow, p holdings.FileType, numbers map[string]ledger.Place) string {
	// Only a run that was killed while renumbering leaves this file.
	if held := holdings.Hidden(heldName(r.Key, p)); m.there(held) {
		return held
	}
	now := ledger.Number{ID: r.ID, Total: r.Total}
	// The file of numbers is newer than the row, which has the number at commit.
	if other, renumbered := numbers[r.Key]; renumbered {
		now = other.Number
		if before := other.From.Shard(p).String(); other.From.Total > 0 && m.there(before) {
			return before
		}
	}
	return now.Shard(p).String()
}

func (m *migration) there(name string) bool {
	_, there := m.files.Stat(name)
	return there
}

// dropPending removes the shards of units that were being committed, unless a committed unit has them, and then their
// pending rows.
func (m *migration) dropPending() error {
	names, err := m.f.Names(holdings.HiddenDir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !ledger.IsPending(name) {
			continue
		}
		key, _, _ := ledger.SplitKey(name)
		r, err := ledger.ReadOlder(m.f, name, key)
		if err != nil && !errors.Is(err, ledger.ErrContent) {
			return err
		}
		if err != nil {
			continue // a row of today's layout, or invalid: sweep handles it
		}
		for _, s := range r.Shards {
			// The shard belongs to a committed unit.
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

// move renames the shards of a unit and then writes its row with the new names. If a shard is missing under both names,
// the row is still written, but the unit no longer counts as done.
func (m *migration) move(u olderUnit) error {
	row := u.Row
	row.Shards, row.Modified = slices.Clone(u.Shards), slices.Clone(u.Modified)
	for i, s := range u.Shards {
		n, _ := holdings.ParseNumbered(s.Name) // the row was checked
		row.Shards[i].Name = n.FileType.Name(ledger.UnitOfKey(u.Key)).String()
		if n.Ext != holdings.ExtParquet {
			if err := m.rename(u.at[i], row.Shards[i].Name); err != nil {
				return err
			}
			continue
		}
		made, written, err := m.rewrite(u.at[i], row.Shards[i])
		if err != nil {
			return err
		}
		// Hash and length have changed.
		row.Shards[i] = made
		if i < len(row.Modified) {
			row.Modified[i] = written
		}
	}
	data, err := folder.EncodeJSON(row)
	if err != nil {
		return err
	}
	// The names must be on disk before the row.
	if err := m.f.Sync(""); err != nil {
		return err
	}
	return m.f.Write(holdings.Hidden(ledger.RowFile(u.Key)), data)
}

// rename renames a shard, unless an earlier attempt did.
func (m *migration) rename(from, to string) error {
	err := m.f.Rename(from, to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// rewrite rewrites a Parquet shard as s.Name and removes the file from. A file that was changed stays, and the error is
// ErrChanged. If from is missing, either an earlier attempt has rewritten it, or it was missing before.
func (m *migration) rewrite(from string, s schemas.Shard) (schemas.Shard, int64, error) {
	// Compared first: a shard that was changed must not get a new, valid hash.
	whole, err := m.files.Verify(from, s, time.Time{})
	if err != nil {
		return s, 0, err
	}
	if !whole {
		// Time 0 makes the next run compare the bytes.
		bytes, sum, err := ledger.HashFile(m.f, s.Name)
		if errors.Is(err, fs.ErrNotExist) {
			return s, 0, nil
		}
		return schemas.Shard{Name: s.Name, Bytes: bytes, SHA256: sum}, 0, err
	}
	made, modified, err := m.writeParquet(from, s.Name)
	if err == nil {
		// The new file must be durable before the old one goes.
		err = errors.Join(m.f.Sync(""), m.f.Remove(from))
	}
	if err != nil {
		return s, 0, fmt.Errorf("%s: %w", m.f.Path(from), err)
	}
	return made, modified, nil
}

// writeParquet copies the documents of one Parquet file to another; modified is its time, in nanoseconds since 1970.
func (m *migration) writeParquet(from, to string) (made schemas.Shard, modified int64, err error) {
	attempt := folder.Unique()
	spill, err := m.f.Temp(ledger.SpillName(attempt))
	if err != nil {
		return made, 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(spill)) }()
	in, err := m.f.Open(from)
	if err != nil {
		return made, 0, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := shard.Create(m.f, to, attempt)
	if err != nil {
		return made, 0, err
	}
	defer out.Discard()
	w := parquetfile.NewWriter(out, parquetfile.Options{TempDir: spill})
	out.Enc = w
	// Row by row, to bound memory.
	for d, err := range parquetfile.Read(in, in.Size()) {
		if err == nil {
			err = w.Write(d)
		}
		if err != nil {
			return made, 0, err
		}
	}
	if made, err = out.Finish(); err != nil {
		return made, 0, err
	}
	return made, out.Time, m.f.Rename(out.Temp, to)
}

// Forget removes the rest of layout 1 and writes today's marker.
func Forget(f folder.Folder) error {
	older, err := ledger.IsOlder(f)
	if err != nil || !older {
		return err
	}
	names, err := f.Names(holdings.HiddenDir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if name != ledger.NumbersFile && !heldPattern().MatchString(name) {
			continue
		}
		if err := f.Remove(holdings.Hidden(name)); err != nil {
			return err
		}
	}
	// The marker changes only after the removals are durable.
	if err := errors.Join(f.Sync(""), f.Sync(holdings.HiddenDir)); err != nil {
		return err
	}
	return f.Write(holdings.Hidden(holdings.MarkerFile), []byte(holdings.MarkerText))
}

// heldPattern matches shards that were moved aside into the hidden folder while units were renumbered: key, kind and
// extension.
var heldPattern = pattern.Lazy(`^[0-9a-f]{64}-[a-z]+\.[a-z.]+$`)

func heldName(key string, p holdings.FileType) string { return key + "-" + p.Kind + p.Ext }

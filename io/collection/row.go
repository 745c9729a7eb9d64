package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Row is what a committed unit leaves in the hidden folder, so that the next run can tell whether it still holds. Its
// ID is the unit's number in the plan that it was committed in: the next plan may have another for it.
type Row struct {
	Key string `json:"key"`
	Note
	// Modified are the times when the shards were last written, in their order, in nanoseconds since 1970. Renaming
	// does not change them.
	Modified []int64 `json:"modified,omitempty"`
	// Retired is the key that the unit had before it was retired; "" for all others. See Collection.retire.
	Retired string `json:"retired,omitempty"`
	schemas.UnitResult

	file folder.Stat // of the row, when it was read
}

// Joins reports whether the unit is that of joined records, the only one that reads no file: see Joined.
func (r Row) Joins() bool { return len(r.Inputs) == 0 }

// Note is what the committer of a unit notes for later runs, in its own words. It is not part of the manifest.
type Note struct {
	// Stamps tell quickly whether the input files changed (a size and a time of modification, say), by names.
	Stamps   map[string]string `json:"stamps,omitempty"`
	Options  string            `json:"options,omitempty"`  // that the unit was made with, as a key of Asked.Options
	Dir      string            `json:"dir,omitempty"`      // that relative names of inputs are relative to
	Division string            `json:"division,omitempty"` // by which the inputs were divided into units
}

// check reports whether the row can be followed: nothing is removed by a row that was edited to say more than this
// package writes.
func (r Row) check(key string) error {
	if r.Key != key {
		return fmt.Errorf("collection: row %s: not the row of this unit", key)
	}
	// A row names its own shards alone: others would be removed by it.
	unit, err := unitOf(r.Shards)
	if err == nil && unit != nameOf(key) {
		err = fmt.Errorf("%q is not a shard of this unit", r.Shards[0].Name)
	}
	if err != nil {
		return fmt.Errorf("collection: row %s: %w", key, err)
	}
	return nil
}

// unitOf is what the unit of these shards is called in their names. They are of one unit, and hold something else
// each.
func unitOf(shards []schemas.Shard) (unit string, err error) {
	seen := map[holdings.FileType]bool{}
	for _, s := range shards {
		// A name that leads anywhere else is refused here, before anything is removed by it.
		n, ok := holdings.ParseName(s.Name)
		if !ok || len(seen) > 0 && n.Unit != unit || seen[n.FileType] {
			return "", fmt.Errorf("%q is not a shard of one unit with the others", s.Name)
		}
		seen[n.FileType], unit = true, n.Unit
	}
	if len(seen) == 0 {
		return "", errors.New("no shards")
	}
	return unit, nil
}

// rows reads every row, by key. Rows that cannot be followed are removed: their units are done again.
func (c *Collection) rows() (map[string]Row, error) {
	rows, bad, err := readRows(c.f, c.known)
	if err != nil {
		return nil, err
	}
	for _, key := range bad {
		if err := c.f.Remove(holdings.Hidden(rowName(key))); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// Rows are the rows of the finished units in f, by key, and those of units that no run has asked for lately. Nothing
// is touched; another run may be writing to f, whose rows are then some of those that it is going to leave.
func Rows(f folder.Folder) (map[string]Row, error) {
	rows, _, err := readRows(f, nil)
	if err != nil {
		return nil, fmt.Errorf("collection: %s: %w", f.Path(""), err)
	}
	return rows, nil
}

// Keys are the keys of the rows in f, sorted.
func Keys(f folder.Folder) ([]string, error) {
	names, err := f.Names(holdings.HiddenDir)
	if err != nil {
		return nil, fmt.Errorf("collection: %w", err)
	}
	var keys []string
	for _, name := range names {
		if key, rest, ok := keyOf(name); ok && rest == rowExt {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// readRows reads every row, by key, and tells the keys of those that cannot be followed. Those that are known already
// are read only where their files have changed.
func readRows(f folder.Folder, known map[string]Row) (rows map[string]Row, bad []string, err error) {
	keys, err := Keys(f)
	if err != nil || len(keys) == 0 {
		return nil, nil, err
	}
	older, err := isOlder(f)
	if err != nil {
		return nil, nil, err
	}
	read := readRow
	if older {
		if read, err = olderReader(f); err != nil {
			return nil, nil, err
		}
		// Rows that were read before have the names of another layout.
		known = nil
	}
	stats, err := f.Stats(holdings.HiddenDir)
	if err != nil {
		return nil, nil, err
	}
	found := make([]Row, len(keys))
	errs := make([]error, len(keys))
	folder.Numbers(atOnce, len(keys), func(i int) {
		name := rowName(keys[i])
		r, there := known[keys[i]]
		// A store that tells no times cannot tell whether a row has changed: it is read.
		if now := stats[name]; !there || now.Modified.IsZero() || r.file != now {
			r, errs[i] = read(f, name, keys[i])
			r.file = now
		}
		found[i] = r
	})
	rows = map[string]Row{}
	for i, r := range found {
		switch err := errs[i]; {
		case errors.Is(err, ErrContent):
			bad = append(bad, keys[i])
		case errors.Is(err, fs.ErrNotExist): // removed meanwhile
		case err != nil:
			return nil, nil, err
		default:
			rows[r.Key] = r
		}
	}
	return rows, bad, nil
}

// atOnce is how many rows are read at the same time, since each takes a request where the folder is in an object
// store.
const atOnce = 32

// readRow reads the row of the unit with this key. One that cannot be followed is ErrContent.
func readRow(f folder.Folder, name, key string) (Row, error) {
	var r Row
	if err := folder.ReadJSON(f, holdings.Hidden(name), maxRowBytes, &r); err != nil {
		return Row{}, err
	}
	if err := r.check(key); err != nil {
		return Row{}, fmt.Errorf("%w: %w", ErrContent, err)
	}
	return r, nil
}

// verify looks whether the shards of a row are there as they were written: whole is false when one is missing. One
// with other bytes is ErrChanged. One whose documents were moved counts as there.
func (c *Collection) verify(r Row) (whole bool, err error) {
	compacted, err := c.movedShards()
	if err != nil {
		return false, err
	}
	whole = true
	for i, s := range r.Shards {
		// Its documents are in other shards by now, and those are looked at by their own names.
		if compacted.has(s) {
			continue
		}
		var at time.Time
		if i < len(r.Modified) {
			// Older rows have none: the zero time is never equal, and the bytes are compared.
			at = time.Unix(0, r.Modified[i])
		}
		there, err := c.verifyFile(s.Name, s, at)
		if err != nil {
			return false, err
		}
		whole = whole && there
	}
	return whole, nil
}

// verifyFile reports whether a file is there. One that is not what was written is ErrChanged. One of the right size
// that was last modified at the given time is not read again, which could take as long as a run.
func (c *Collection) verifyFile(name string, written schemas.Shard, modified time.Time) (bool, error) {
	now, there := c.stats[name]
	if there && now.Size == written.Bytes && !now.Modified.IsZero() && now.Modified.Equal(modified) {
		return true, nil
	}
	size, sum, err := c.sum(name, written)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("collection: %w", err)
	}
	// An error, and not work to be done again: somebody has changed what was written, and may want it.
	if size != written.Bytes || sum != written.SHA256 {
		return false, fmt.Errorf("%w: %s: put back the file, or remove it, or start over with --fresh",
			holdings.ErrChanged, c.f.Path(name))
	}
	return true, nil
}

// sum is the size and hash of a file. Objects are not read again, which would take as long as a run and cost: they
// have checksums of their store, and whoever replaces one hardly makes it as long as it was.
func (c *Collection) sum(name string, written schemas.Shard) (int64, string, error) {
	if blob.IsRemote(c.f.Path("")) {
		size, err := c.size(name)
		return size, written.SHA256, err
	}
	return hashFile(c.f, name)
}

// size is the length of a file, by what look has found or else as it is.
func (c *Collection) size(name string) (int64, error) {
	if c.stats == nil {
		return c.f.Size(name)
	}
	s, there := c.stats[name]
	if !there {
		return 0, fmt.Errorf("%s: %w", c.f.Path(name), fs.ErrNotExist)
	}
	return s.Size, nil
}

// look notes what all files are, until forget is called. Nothing may change any in between.
func (c *Collection) look() (forget func(), err error) {
	all := map[string]folder.Stat{}
	for _, dir := range []string{"", holdings.HiddenDir} {
		files, err := c.f.Stats(dir)
		if err != nil {
			return nil, err
		}
		for name, s := range files {
			all[path.Join(dir, name)] = s
		}
	}
	c.stats = all
	return func() { c.stats = nil }, nil
}

// dropRow forgets a unit: its shards go first, so that a row without shards is all that a crash can leave.
func (c *Collection) dropRow(r Row) error {
	for _, s := range r.Shards {
		if err := c.removeShard(s.Name); err != nil {
			return err
		}
	}
	return c.f.Remove(holdings.Hidden(rowName(r.Key)))
}

// Compaction is what a collection notes of documents that were moved from the shards of their units to shards that
// many units share: one month each, sorted. It is the only place that says so: the rows of units stay as they are, so
// that a later run knows what is done, and Finish writes a manifest in which units have lost the shards that were moved
// and the shared shards stand after all units, as shards of units without inputs. Whoever reads the manifest need
// know nothing of it.
//
// A source counts while its shards are still those that a row of the folder names. When a unit was done again, or is
// gone, Finish writes the shards that it had documents in once more, without these.
type Compaction struct {
	Order   parquetfile.Order `json:"order"`
	Shards  []CompactShard    `json:"shards"`
	Sources []Source          `json:"sources"`
	// Replaced are shards that an earlier compaction made and that no manifest names any longer. They stay, as do those
	// of the sources, until they expire: earlier snapshots of a table may refer to them.
	Replaced []schemas.Shard `json:"replaced,omitempty"`
}

// movedShards are the hashes of shards whose documents were moved, by their names.
type movedShards map[string]string

// has reports whether the documents of a shard were moved. One of the same name and other bytes is of a unit that was
// done again since.
func (m movedShards) has(s schemas.Shard) bool {
	sum, ok := m[s.Name]
	return ok && sum == s.SHA256
}

// CompactShard is a shard that documents were moved to.
type CompactShard struct {
	schemas.Shard
	Month   string `json:"month"` // of the captures, 2026-03; empty for those without a time
	Rows    int64  `json:"rows"`
	Sources []int  `json:"sources"` // places in Compaction.Sources: the numbers in the file of the rows' sources
	// Form is the parquetfile.Form that it was written in; empty for forms before 7.
	Form string `json:"form,omitempty"`
}

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

// Row is what a committed unit leaves in the hidden folder, so that later runs can check it. Its ID is the unit's
// number in the plan at commit; later plans may number it differently.
type Row struct {
	Key string `json:"key"`
	Note
	// Modified are the times of the shards' last writes, in order, in nanoseconds since 1970. Renaming does not change
	// them.
	Modified []int64 `json:"modified,omitempty"`
	// Retired is the key that the unit had before it was retired; "" for other units. See Collection.retire.
	Retired string `json:"retired,omitempty"`
	schemas.UnitResult

	file folder.Stat // of the row's file when it was read
}

// Joins reports whether the unit is the one of joined records, the only one without inputs: see Joined.
func (r Row) Joins() bool { return len(r.Inputs) == 0 }

// Note is what the committer of a unit records for later runs. It is not part of the manifest.
type Note struct {
	// Stamps tell quickly whether input files have changed, by name: for example size and time of modification.
	Stamps   map[string]string `json:"stamps,omitempty"`
	Options  string            `json:"options,omitempty"`  // options of the unit, as a key of Asked.Options
	Dir      string            `json:"dir,omitempty"`      // base of relative names of inputs
	Division string            `json:"division,omitempty"` // how the inputs were divided into units
}

// check returns an error if the row is not consistent: an edited row must not name files of others, which would be
// removed.
func (r Row) check(key string) error {
	if r.Key != key {
		return fmt.Errorf("collection: row %s: not the row of this unit", key)
	}
	unit, err := unitOf(r.Shards)
	if err == nil && unit != nameOf(key) {
		err = fmt.Errorf("%q is not a shard of this unit", r.Shards[0].Name)
	}
	if err != nil {
		return fmt.Errorf("collection: row %s: %w", key, err)
	}
	return nil
}

// unitOf returns the unit of the shards, as their names have it. All must be of one unit, and no two of the same type.
func unitOf(shards []schemas.Shard) (unit string, err error) {
	seen := map[holdings.FileType]bool{}
	for _, s := range shards {
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

// rows reads all rows, by key. It removes rows with invalid content: their units are done again.
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

// Rows returns the rows of the finished units in f, by key, including units that no recent run has asked for. It
// changes nothing. While another run writes to f, some of its rows may be missing.
func Rows(f folder.Folder) (map[string]Row, error) {
	rows, _, err := readRows(f, nil)
	if err != nil {
		return nil, fmt.Errorf("collection: %s: %w", f.Path(""), err)
	}
	return rows, nil
}

// Keys returns the keys of the rows in f, sorted.
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

// readRows reads all rows, by key. bad are the keys of rows with invalid content. Known rows are read again only if
// their files have changed.
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
		// Known rows have shard names of the other layout.
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
		// Without a time of modification, a change would go unnoticed.
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

// atOnce is how many rows are read in parallel, because in an object store each takes a request.
const atOnce = 32

// readRow reads the row of the unit with this key. Invalid content is ErrContent.
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

// verify reports whether all shards of a row exist. A shard whose bytes have changed is ErrChanged. Shards whose
// documents were moved count as existing.
func (c *Collection) verify(r Row) (whole bool, err error) {
	compacted, err := c.movedShards()
	if err != nil {
		return false, err
	}
	whole = true
	for i, s := range r.Shards {
		// Its documents are in shared shards, which are verified by their own names.
		if compacted.has(s) {
			continue
		}
		var at time.Time
		if i < len(r.Modified) {
			// Rows without times keep the zero time, which is never equal, so the bytes are compared.
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

// verifyFile reports whether a file exists. A file that differs from written is ErrChanged. A file of the right size
// and time of modification is not read, because hashing could take as long as a run.
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
	// An error rather than work to repeat: somebody has changed the file and may want it.
	if size != written.Bytes || sum != written.SHA256 {
		return false, fmt.Errorf("%w: %s: put back the file, or remove it, or start over with --fresh",
			holdings.ErrChanged, c.f.Path(name))
	}
	return true, nil
}

// sum returns the size and hash of a file. Objects in a store are not read again, because that takes time and costs
// money. They have the store's checksums, and a replaced object hardly has the same size.
func (c *Collection) sum(name string, written schemas.Shard) (int64, string, error) {
	if blob.IsRemote(c.f.Path("")) {
		size, err := c.size(name)
		return size, written.SHA256, err
	}
	return hashFile(c.f, name)
}

// size returns a file's size, from look if it was called.
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

// look caches the stats of all files until forget is called. Nothing may change files in between.
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

// dropRow removes a unit. Shards go first: a crash leaves at most a row without shards.
func (c *Collection) dropRow(r Row) error {
	for _, s := range r.Shards {
		if err := c.removeShard(s.Name); err != nil {
			return err
		}
	}
	return c.f.Remove(holdings.Hidden(rowName(r.Key)))
}

// Compaction is the note of documents that were moved from units' shards to shared shards, each sorted and of one
// month. The rows of units stay as they are, so that later runs find the finished units. In the manifest, units lack
// the moved shards, and the shared shards follow all units, as shards of units without inputs. Readers of the manifest
// need not know about compactions.
//
// A source counts while a row still names its shards. After a unit was done again or removed, Finish rewrites the
// shared shards that hold its documents, without them.
type Compaction struct {
	Order   parquetfile.Order `json:"order"`
	Shards  []CompactShard    `json:"shards"`
	Sources []Source          `json:"sources"`
	// Replaced are shards of earlier compactions that no manifest names any more. Like those of the sources they stay
	// until they expire: earlier snapshots of a table may refer to them.
	Replaced []schemas.Shard `json:"replaced,omitempty"`
}

// movedShards are the hashes of shards whose documents were moved, by name.
type movedShards map[string]string

// has reports whether the documents of a shard were moved. A shard of the same name but with other bytes is of a unit
// that was done again.
func (m movedShards) has(s schemas.Shard) bool {
	sum, ok := m[s.Name]
	return ok && sum == s.SHA256
}

// CompactShard is a shared shard.
type CompactShard struct {
	schemas.Shard
	Month   string `json:"month"` // of capture, 2026-03; empty for documents without a time
	Rows    int64  `json:"rows"`
	Sources []int  `json:"sources"` // indexes into Compaction.Sources; the sources file indexes this list
	// Form is the parquetfile.Form of the shard; empty for forms before 7.
	Form string `json:"form,omitempty"`
}

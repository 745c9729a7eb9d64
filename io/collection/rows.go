package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

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

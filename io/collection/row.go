package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Row is what a committed unit leaves in the hidden folder, so that the next run can tell whether it still holds.
type Row struct {
	Key   string `json:"key"`
	Total int    `json:"total"` // how many units the plan had that it was committed in
	Note
	// Modified are the times when the shards were last written, in their order, in nanoseconds since 1970. Renaming does
	// not change them.
	Modified []int64 `json:"modified,omitempty"`
	schemas.UnitResult

	file folder.Stat // of the row, when it was read
	own  number      // that it was committed with
	from number      // that its shards had before, and may have, since a run was killed while it renamed them
	at   []string    // where its shards were found
}

// Joins tells whether the unit was committed as that of joined records, be it a numbered one by now: see Resume.
func (r Row) Joins() bool { return r.own.ID == r.own.Total }

// Note is what the committer of a unit notes for later runs, in its own words. It is not part of the manifest.
type Note struct {
	// Stamps tell quickly whether the input files changed (a size and a time of modification, say), by names.
	Stamps   map[string]string `json:"stamps,omitempty"`
	Options  string            `json:"options,omitempty"`  // that the unit was made with, as a key of Asked.Options
	Dir      string            `json:"dir,omitempty"`      // that relative names of inputs are relative to
	Division string            `json:"division,omitempty"` // by which the inputs were divided into units
}

// maxRowBytes bounds a row file: a unit of 100,000 small files needs 20 MB.
const maxRowBytes = 256 << 20

// check tells whether the row can be followed: nothing is renamed or removed by a row that was edited to say more
// than this package writes.
func (r Row) check(key string) error {
	if r.Key != key || r.Total < 1 || r.ID < 0 || r.ID > r.Total {
		return fmt.Errorf("collection: row %s: not the row of this unit", key)
	}
	seen := map[part]bool{}
	for _, s := range r.Shards {
		n, ok := parseShard(s.Name)
		if !ok || n != r.shard(n.part) || seen[n.part] {
			return fmt.Errorf("collection: row %s: %q is not a shard of unit %d of %d", key, s.Name, r.ID, r.Total)
		}
		seen[n.part] = true
	}
	if len(seen) == 0 {
		return fmt.Errorf("collection: row %s: no shards", key)
	}
	return nil
}

// joined tells whether the row is that of the unit of joined records.
func (r Row) joined() bool { return r.ID == r.Total }

// shard is the name of one of the row's shards.
func (r Row) shard(p part) shardName {
	if r.joined() {
		return shardName{part: p, joined: true}
	}
	return shardName{part: p, id: r.ID, total: r.Total}
}

// renumbered is the row as it reads when its unit has another number.
func (r Row) renumbered(id, total int) Row {
	shards := make([]schemas.Shard, len(r.Shards))
	for i, s := range r.Shards {
		n, _ := parseShard(s.Name) // the row was checked when it was read
		n.id, n.total, n.joined = id, total, id == total
		shards[i] = schemas.Shard{Name: n.String(), Bytes: s.Bytes, SHA256: s.SHA256}
	}
	r.ID, r.Total, r.Shards = id, total, shards
	return r
}

// rows reads every row, by key, with the number that its unit has now. Rows that cannot be followed are removed: their
// units are done again.
func (c *Collection) rows() (map[string]Row, error) {
	rows, bad, err := readRows(c.f, c.known)
	if err != nil {
		return nil, err
	}
	for _, key := range bad {
		if err := c.f.Remove(hidden(rowName(key))); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// Rows are the rows of the finished units in f, by key, and those of units that no run has asked for lately. Nothing is
// touched; another run may be writing to f, whose rows are then some of those that it is going to leave.
func Rows(f folder.Folder) (map[string]Row, error) {
	rows, _, err := readRows(f, nil)
	if err != nil {
		return nil, fmt.Errorf("collection: %s: %w", f.Path(""), err)
	}
	return rows, nil
}

// Keys are the keys of the rows in f, sorted.
func Keys(f folder.Folder) ([]string, error) {
	names, err := f.Names(hiddenDir)
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

// readRows reads every row, by key, with the number that its unit has now, and tells the keys of those that cannot be
// followed. Those that are known already are read only where their files have changed.
func readRows(f folder.Folder, known map[string]Row) (rows map[string]Row, bad []string, err error) {
	keys, err := Keys(f)
	if err != nil {
		return nil, nil, err
	}
	stats, err := f.Stats(hiddenDir)
	if err != nil {
		return nil, nil, err
	}
	found := make([]Row, len(keys))
	errs := make([]error, len(keys))
	folder.Numbers(atOnce, len(keys), func(i int) {
		name := rowName(keys[i])
		r, there := known[keys[i]]
		if now := stats[name]; !there || now.Modified.IsZero() || r.file != now {
			r, errs[i] = readRow(f, name, keys[i])
			r.file, r.own = now, number{r.ID, r.Total}
		}
		found[i] = r
	})
	numbers, err := readNumbers(f)
	if err != nil {
		return nil, nil, err
	}
	rows = map[string]Row{}
	for i, r := range found {
		switch err := errs[i]; {
		case errors.Is(err, errContent):
			bad = append(bad, keys[i])
			continue
		case errors.Is(err, fs.ErrNotExist):
			continue // removed meanwhile
		case err != nil:
			return nil, nil, err
		}
		n, other := numbers[r.Key]
		if !other {
			n = place{number: r.own}
		}
		if n.number != (number{r.ID, r.Total}) {
			r = r.renumbered(n.ID, n.Total)
		}
		r.from = n.From
		rows[r.Key] = r
	}
	return rows, bad, nil
}

// atOnce is how many rows are read at the same time, since each takes a request where the folder is in an object store.
const atOnce = 32

// readRow reads the row of the unit with this key. One that cannot be followed is errContent.
func readRow(f folder.Folder, name, key string) (Row, error) {
	var r Row
	if err := readJSON(f, hidden(name), maxRowBytes, &r); err != nil {
		return Row{}, err
	}
	if err := r.check(key); err != nil {
		return Row{}, fmt.Errorf("%w: %w", errContent, err)
	}
	return r, nil
}

// locate returns where a shard of the row is: in the hidden folder while units are renumbered, or under the name that it
// had before, else under its own.
func (c *Collection) locate(r Row, shard int) string {
	if held := r.held(shard); c.there(held) {
		return held
	}
	if r.from.Total > 0 {
		n, _ := parseShard(r.Shards[shard].Name)
		n.id, n.total = r.from.ID, r.from.Total
		if before := n.String(); c.there(before) {
			return before
		}
	}
	return r.Shards[shard].Name
}

func (c *Collection) there(name string) bool {
	_, err := c.size(name)
	return err == nil
}

// isAside tells whether a shard of the row was found aside.
func (r Row) isAside() bool {
	for i, at := range r.at {
		if at == r.held(i) {
			return true
		}
	}
	return false
}

// held is where a shard waits while units are renumbered, or until Finish removes it.
func (r Row) held(shard int) string {
	n, _ := parseShard(r.Shards[shard].Name) // the row was checked when it was read
	return hidden(heldName(r.Key, n.part))
}

// places are where the row's shards are.
func (c *Collection) places(r Row) (at []string) {
	for i := range r.Shards {
		at = append(at, c.locate(r, i))
	}
	return at
}

// verify looks whether the shards of a row are at its places as they were written: whole is false when one is missing. One
// with other bytes is ErrChanged.
func (c *Collection) verify(r Row) (whole bool, err error) {
	whole = true
	for i, s := range r.Shards {
		var at time.Time
		if i < len(r.Modified) {
			at = time.Unix(0, r.Modified[i])
		}
		there, err := c.verifyFile(r.at[i], s, at)
		if err != nil {
			return false, err
		}
		whole = whole && there
	}
	return whole, nil
}

// verifyFile tells whether a file is there. One that is not what was written is ErrChanged. One of the right size
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
	if size != written.Bytes || sum != written.SHA256 {
		return false, fmt.Errorf("%w: %s: put back the file, or remove it, or start over with --fresh", ErrChanged, c.f.Path(name))
	}
	return true, nil
}

// sum is the size and hash of a file. Objects are not read again, which would take as long as a run and cost: they have
// checksums of their store, and whoever replaces one hardly makes it as long as it was.
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
	for _, dir := range []string{"", hiddenDir} {
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

// dropRow forgets a unit: its shards go first, so that a row without shards is all that a crash can leave. Names in
// keep belong to somebody else by now. The row of shards that are aside goes before them, or the shards of others would be
// taken for those of its that are gone; what a crash leaves of these is swept.
func (c *Collection) dropRow(r Row, keep map[string]bool) error {
	at := c.places(r)
	if r.at = at; r.isAside() {
		if err := c.f.Remove(hidden(rowName(r.Key))); err != nil {
			return err
		}
		if err := c.f.Sync(hiddenDir); err != nil {
			return err
		}
	}
	for _, name := range at {
		if keep[name] {
			continue
		}
		if err := c.f.Remove(name); err != nil {
			return err
		}
	}
	return c.f.Remove(hidden(rowName(r.Key)))
}

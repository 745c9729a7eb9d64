package lake

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/apache/iceberg-go/table"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// ErrNoParquet is a collection of whose documents none is there as Parquet.
var ErrNoParquet = errors.New("lake: a table is of Parquet shards: run `gleaner ingest` over the folder with " +
	"--format=parquet, alone or with others")

// Sync brings the table of the collection in f to its manifest, in one commit, and returns the newest snapshot. It
// makes the table where there is none. Shards that the manifest has and an earlier one had not are added; those that it
// has no more are removed. When the table had this manifest already, nothing changes. Rows that others have inserted
// stay. A folder in which no run has finished is fs.ErrNotExist. With Options.Location a table that says that it is
// elsewhere is moved there first.
func Sync(ctx context.Context, f folder.Folder, o Options) (Snapshot, error) {
	t, err := open(ctx, f, o)
	if err != nil {
		return Snapshot{}, err
	}
	// Read once, before all attempts: it is this manifest that the table is brought to, even when a run
	// ends meanwhile.
	hash, shards, err := readManifest(f)
	if err != nil {
		return Snapshot{}, err
	}
	// Before anything is added: manifests hold whole URIs, and those of two places must not be mixed.
	if _, err := t.load(ctx); err == nil && o.Location != "" {
		if err := t.Move(ctx); err != nil {
			return Snapshot{}, err
		}
	}
	if err := t.sweepTemps(); err != nil {
		return Snapshot{}, err
	}
	footers := map[schemas.Shard]*shard{}
	return t.retry(ctx, func(c *change) error {
		// In each attempt: another process may have brought the table to another manifest meanwhile.
		before, err := t.readList(c.now.Properties()[manifestKey])
		if err != nil {
			return err
		}
		c.key = hash
		if c.now.Properties()[manifestKey] == hash {
			return nil
		}
		added, removed := changes(before, shards)
		if added, removed, err = rewrittenByOthers(ctx, c.now, added, removed); err != nil {
			return err
		}
		// A shard whose bytes were replaced is in both lists: see stage.
		for _, s := range removed {
			c.remove = append(c.remove, s.Name)
		}
		if c.add, err = readShards(ctx, f, added, footers); err != nil {
			return err
		}
		// Before the commit that names it: a list without a commit does no harm, a commit without its list
		// ends all later ones.
		if err := t.saveList(hash, shards); err != nil {
			return err
		}
		c.properties = map[string]string{manifestKey: hash}
		return nil
	})
}

// rewrittenByOthers leaves out shards whose bytes were replaced under their names, as a takedown does, and that the
// table has no more: another program has rewritten their rows, which are in its files. Added again, they would be
// there twice; TakeOut takes the pages out of these files.
func rewrittenByOthers(
	ctx context.Context, now *table.Table, added, removed []schemas.Shard,
) (add, remove []schemas.Shard, err error) {
	gone, replaced := map[string]bool{}, map[string]bool{}
	for _, s := range removed {
		gone[s.Name] = true
	}
	for _, s := range added {
		if gone[s.Name] {
			replaced[s.Name] = true
		}
	}
	if len(replaced) == 0 {
		return added, removed, nil
	}
	files, err := now.FS(ctx)
	if err != nil {
		return nil, nil, err
	}
	for e, err := range entries(now.CurrentSnapshot(), files) {
		if err != nil {
			return nil, nil, err
		}
		if name, err := nameIn(now.Location(), e.DataFile().FilePath()); err == nil {
			delete(replaced, name)
		}
	}
	// What is left is in the manifest and not in the table.
	other := func(s schemas.Shard) bool { return replaced[s.Name] }
	return slices.DeleteFunc(added, other), slices.DeleteFunc(removed, other), nil
}

// Outside counts what the table of the collection in f cannot have: units whose documents are there in JSON lines
// alone, and these documents. Compacting brings them to Parquet, and so to the table.
func Outside(f folder.Folder) (units int, documents int64, err error) {
	m, err := holdings.ReadManifest(f)
	if err != nil {
		return 0, 0, fmt.Errorf("lake: %w", err)
	}
	for _, u := range m.Units {
		parquet, lines := false, false
		for _, s := range u.Shards {
			parquet = parquet || shardPattern.MatchString(s.Name)
			lines = lines || strings.HasPrefix(s.Name, "documents-")
		}
		if lines && !parquet && u.Documents > 0 {
			units, documents = units+1, documents+u.Documents
		}
	}
	return units, documents, nil
}

// Withdraw takes shards out of the table that are about to be replaced under their names: a snapshot names no file that
// is not as it says. Sync adds what takes their place. It says ErrNone of a collection without a table.
func (t *Table) Withdraw(ctx context.Context, names []string) error {
	_, err := t.retry(ctx, func(c *change) error {
		before, err := t.readList(c.now.Properties()[manifestKey])
		if err != nil {
			return err
		}
		sum := sha256.New()
		var rest []schemas.Shard
		for _, s := range before {
			if slices.Contains(names, s.Name) {
				c.remove = append(c.remove, s.Name)
				continue
			}
			rest = append(rest, s)
			fmt.Fprintln(sum, s.Name, s.SHA256) // a hash never fails to write
		}
		// It was done before, or the table never had them.
		if len(c.remove) == 0 {
			return nil
		}
		c.key = hex.EncodeToString(sum.Sum(nil))
		c.properties = map[string]string{manifestKey: c.key}
		return t.saveList(c.key, rest)
	})
	return err
}

// readManifest reads the manifest's hash and the Parquet shards that it lists.
func readManifest(f folder.Folder) (hash string, shards []schemas.Shard, err error) {
	r, err := f.Open(holdings.ManifestFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, fmt.Errorf("lake: no run has finished in %s: %w", f.Path(""), err)
	}
	if err != nil {
		return "", nil, fmt.Errorf("lake: %w", err)
	}
	var m schemas.Manifest
	sum := sha256.New()
	// Hash and content come of one reading, so that they are of the same manifest even while it is being
	// replaced.
	in := io.TeeReader(r, sum)
	err = json.NewDecoder(in).Decode(&m)
	if err == nil {
		// The decoder stops at the end of the value: the hash is of the whole file.
		_, err = io.Copy(io.Discard, in)
	}
	if err = errors.Join(err, r.Close()); err != nil {
		return "", nil, fmt.Errorf("lake: %s: %w", f.Path(holdings.ManifestFile), err)
	}
	for _, u := range m.Units {
		for _, s := range u.Shards {
			if shardPattern.MatchString(s.Name) {
				shards = append(shards, s)
			}
		}
	}
	if len(shards) == 0 && m.Totals.Documents > 0 {
		return "", nil, fmt.Errorf("%w (%s has %d documents)", ErrNoParquet, f.Path(""), m.Totals.Documents)
	}
	return hex.EncodeToString(sum.Sum(nil)), shards, nil
}

// readShards reads the footers of shards, of which some may be known.
func readShards(
	ctx context.Context, f folder.Folder, list []schemas.Shard, known map[schemas.Shard]*shard,
) ([]*shard, error) {
	shards, errs := make([]*shard, len(list)), make([]error, len(list))
	// Each i has its own place in both slices, so that no lock is needed.
	folder.Numbers(max(f.AtOnce(), 4), len(list), func(i int) {
		// Known from an attempt before this one. The map is only read here.
		if shards[i] = known[list[i]]; shards[i] == nil {
			if errs[i] = ctx.Err(); errs[i] == nil {
				shards[i], errs[i] = readShard(f, list[i])
			}
		}
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	// Written when all goroutines have ended.
	for i, s := range list {
		known[s] = shards[i]
	}
	return shards, nil
}

//go:build !noiceberg && !local

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

// Sync brings the table of the collection in f to its manifest in one commit, and returns the newest snapshot. It makes
// the table if there is none. It adds shards that are new in the manifest, and removes those that the manifest no
// longer has. If the table has this manifest already, nothing changes. Rows that others have inserted stay. A folder
// without a finished run gives fs.ErrNotExist. With Options.Location a table with another location is moved there
// first.
func Sync(ctx context.Context, f folder.Folder, o Options) (Snapshot, error) {
	t, err := open(ctx, f, o)
	if err != nil {
		return Snapshot{}, err
	}
	// The manifest is read once, before all attempts. The table is brought to this one even if a run ends in the
	// meantime.
	hash, shards, err := readManifest(f)
	if err != nil {
		return Snapshot{}, err
	}
	// The move comes first: manifests hold whole URIs, and those of two places must not be mixed.
	if _, err := t.load(ctx); err == nil && o.Location != "" {
		if err := t.Move(ctx); err != nil {
			return Snapshot{}, err
		}
	}
	if err := t.sweepTemps(); err != nil {
		return Snapshot{}, err
	}
	footers := map[schemas.Shard]*tableShard{}
	return t.retry(ctx, func(c *change) error {
		// Each attempt reads the list, because another process may have brought the table to another manifest.
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
		// The list is written before the commit that names it. A list without a commit does no harm, but a commit
		// without its list blocks all later ones.
		if err := t.saveList(hash, shards); err != nil {
			return err
		}
		c.properties = map[string]string{manifestKey: hash}
		return nil
	})
}

// rewrittenByOthers leaves out shards whose bytes were replaced under their names, as a takedown does, and that the
// table no longer has. Another program has rewritten their rows into its own files, so adding the shards would
// duplicate these rows. TakeOut removes the pages from those files.
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
	has, err := namesIn(ctx, now)
	if err != nil {
		return nil, nil, err
	}
	// These are in the manifest but not in the table.
	other := func(s schemas.Shard) bool { return replaced[s.Name] && !has[s.Name] }
	return slices.DeleteFunc(added, other), slices.DeleteFunc(removed, other), nil
}

// namesIn returns the files of the newest snapshot that are in the collection's folder.
func namesIn(ctx context.Context, now *table.Table) (map[string]bool, error) {
	files, err := now.FS(ctx)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for e, err := range entries(now.CurrentSnapshot(), files) {
		if err != nil {
			return nil, err
		}
		if name, err := nameIn(now.Location(), e.DataFile().FilePath()); err == nil {
			names[name] = true
		}
	}
	return names, nil
}

// Outside counts the documents that the table cannot have because they exist only as JSON lines, and their units.
// Compacting converts them to Parquet, and so brings them to the table.
func Outside(f folder.Folder) (units int, documents int64, err error) {
	m, err := holdings.ReadManifest(f)
	if err != nil {
		return 0, 0, fmt.Errorf("lake: %w", err)
	}
	for _, u := range m.Units {
		parquet, lines := false, false
		for _, s := range u.Shards {
			parquet = parquet || shardPattern().MatchString(s.Name)
			lines = lines || strings.HasPrefix(s.Name, "documents-")
		}
		if lines && !parquet && u.Documents > 0 {
			units, documents = units+1, documents+u.Documents
		}
	}
	return units, documents, nil
}

// Withdraw removes shards from the table that are about to be replaced under their names. A snapshot must not name a
// file with other content. Sync adds their replacements. Shards that another program has rewritten are not in the
// table. They stay in its list, so that Sync does not add their rows again. A collection without a table gives ErrNone.
func (t *Table) Withdraw(ctx context.Context, names []string) error {
	_, err := t.retry(ctx, func(c *change) error {
		before, err := t.readList(c.now.Properties()[manifestKey])
		if err != nil {
			return err
		}
		has, err := namesIn(ctx, c.now)
		if err != nil {
			return err
		}
		sum := sha256.New()
		var rest []schemas.Shard
		for _, s := range before {
			if slices.Contains(names, s.Name) && has[s.Name] {
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
	// Hash and content come from one read, so they match even while the manifest is being replaced.
	in := io.TeeReader(r, sum)
	err = json.NewDecoder(in).Decode(&m)
	if err == nil {
		// The decoder stops at the end of the value, but the hash covers the whole file.
		_, err = io.Copy(io.Discard, in)
	}
	if err = errors.Join(err, r.Close()); err != nil {
		return "", nil, fmt.Errorf("lake: %s: %w", f.Path(holdings.ManifestFile), err)
	}
	for _, u := range m.Units {
		for _, s := range u.Shards {
			if shardPattern().MatchString(s.Name) {
				shards = append(shards, s)
			}
		}
	}
	if len(shards) == 0 && m.Totals.Documents > 0 {
		return "", nil, fmt.Errorf("%w (%s has %d documents)", ErrNoParquet, f.Path(""), m.Totals.Documents)
	}
	return hex.EncodeToString(sum.Sum(nil)), shards, nil
}

// readShards reads the footers of shards, except those already known.
func readShards(
	ctx context.Context, f folder.Folder, list []schemas.Shard, known map[schemas.Shard]*tableShard,
) ([]*tableShard, error) {
	shards, errs := make([]*tableShard, len(list)), make([]error, len(list))
	// Each i has its own place in both slices, so no lock is needed.
	folder.Numbers(max(f.AtOnce(), 4), len(list), func(i int) {
		// An earlier attempt has read it. Goroutines only read the map.
		if shards[i] = known[list[i]]; shards[i] == nil {
			if errs[i] = ctx.Err(); errs[i] == nil {
				shards[i], errs[i] = readShard(f, list[i])
			}
		}
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	// The map is written after all goroutines have ended.
	for i, s := range list {
		known[s] = shards[i]
	}
	return shards, nil
}

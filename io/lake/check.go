//go:build !noiceberg && !local

package lake

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Check reports the problems of the table. Files of any snapshot may be missing or have another size. The newest
// snapshot may lack shards of the manifest although no other program has rewritten them. The table may lag behind its
// manifest. Check reads metadata and asks for sizes; the check of the collection compares bytes.
func (t *Table) Check(ctx context.Context) ([]Problem, error) {
	now, err := t.load(ctx)
	if err != nil {
		return nil, err
	}
	var problems []Problem
	say := func(name, form string, args ...any) {
		problems = append(problems, Problem{name, fmt.Sprintf(form, args...)})
	}
	// Sizes alone: a bucket answers them without reading, and the snapshots may refer to the same files many times.
	err = t.walk(ctx, now.Metadata(), func(name string, data *File) error {
		size, err := t.f.Size(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			say(name, "a snapshot refers to it, and it is not there")
		case err != nil:
			return err
		case data != nil && data.Bytes != size:
			say(name, "a snapshot says that it has %d bytes, and it has %d", data.Bytes, size)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	// The table was read first. A run that ends between the two reads makes Check report a lag, which is true.
	hash, shards, err := readManifest(t.f)
	switch {
	case err != nil:
		say("", "%v", err)
	// Shards are not compared in this case: one difference would be reported as many.
	case now.Properties()[manifestKey] != hash:
		var same bool
		if same, err = isRetired(t.f, now.Properties()[manifestKey]); err == nil && !same {
			say("", "the table is not that of the manifest: bring it to it with `gleaner collection lake`")
		}
	default:
		err = t.checkShards(ctx, now, shards, say)
	}
	slices.SortFunc(problems, func(a, b Problem) int {
		return strings.Compare(a.Name+"\x00"+a.Message, b.Name+"\x00"+b.Message)
	})
	// Several snapshots may report the same file.
	return slices.Compact(problems), err
}

// isRetired reports whether the manifest differs from the one with this hash only in names: an interrupted run has
// renamed shards that it replaces. Then the table has all documents, and the next run or Sync brings the names.
func isRetired(f folder.Folder, hash string) (bool, error) {
	m, err := holdings.ReadManifest(f)
	if err != nil {
		return false, err
	}
	rows, err := ledger.Rows(f)
	if err != nil {
		return false, err
	}
	before, retired := ledger.Unretired(m, rows)
	data, err := ledger.EncodeManifest(before)
	sum := sha256.Sum256(data)
	return retired && hex.EncodeToString(sum[:]) == hash, err
}

// checkShards compares the newest snapshot with the manifest. Shards may be missing where another program has removed
// files, as Spark does when it rewrites or deletes rows.
func (t *Table) checkShards(
	ctx context.Context, now *table.Table, shards []schemas.Shard, say func(name, form string, args ...any),
) error {
	if now.Properties()[othersKey] != "" {
		return nil
	}
	for s := range history(now.Metadata()) {
		if rewrites(describe(*s)) {
			return nil
		}
	}
	files, err := now.FS(ctx)
	if err != nil {
		return err
	}
	// By name and size: hashes are not in the table.
	have := map[string]int64{}
	for e, err := range entries(now.CurrentSnapshot(), files) {
		if err != nil {
			return err
		}
		if name, err := nameIn(now.Location(), e.DataFile().FilePath()); err == nil {
			have[name] = e.DataFile().FileSizeBytes()
		}
	}
	for _, s := range shards {
		if size, ok := have[s.Name]; !ok || size != s.Bytes {
			say(s.Name, "it is a shard of the manifest, and not in the table's newest snapshot")
		}
		// Only the shards that the manifest lacks remain in have.
		delete(have, s.Name)
	}
	for name := range have {
		if shardPattern().MatchString(name) {
			say(name, "it is in the table's newest snapshot, and no shard of the manifest")
		}
	}
	return nil
}

// rewrites reports whether another program made a snapshot and removed files in it. Such a snapshot lacks our key.
func rewrites(s Snapshot) bool { return s.Manifest == "" && s.Removed > 0 }

// walk visits all files that the table's snapshots refer to: manifest lists, manifests and data files, which it
// describes. It visits a file once for each size.
func (t *Table) walk(ctx context.Context, meta table.Metadata, visit func(name string, data *File) error) error {
	files := &fileIO{f: t.f, location: meta.Location()}
	seen := map[string]bool{}
	// An error of nameIn ends the walk: the files of a table that names files elsewhere are not checked.
	once := func(uri string, data *File) error {
		name, err := nameIn(meta.Location(), uri)
		key := name
		if data != nil {
			// The size is part of the key: a shard whose bytes were replaced under its name is another file in older
			// snapshots.
			key = fmt.Sprint(name, "\x00", data.Bytes)
		}
		if err != nil || seen[key] {
			return err
		}
		seen[key] = true
		return visit(name, data)
	}
	for _, s := range meta.Snapshots() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := once(s.ManifestList, nil); err != nil {
			return err
		}
		manifests, err := s.Manifests(files)
		if errors.Is(err, fs.ErrNotExist) {
			continue // visit has reported it
		}
		if err != nil {
			return fmt.Errorf("lake: snapshot %d: %w", s.SnapshotID, err)
		}
		for _, m := range manifests {
			if name, err := nameIn(meta.Location(), m.FilePath()); err != nil {
				return err
			} else if seen[name] {
				// Snapshots share manifests. Reading each once keeps the cost linear.
				continue
			}
			if err := once(m.FilePath(), nil); err != nil {
				return err
			}
			if err := walkManifest(files, m, once); err != nil {
				return err
			}
		}
	}
	return nil
}

func walkManifest(files *fileIO, m iceberg.ManifestFile, once func(uri string, data *File) error) error {
	// true skips entries that the manifest marks as deleted: these files may be gone legitimately.
	for e, err := range m.Entries(files, true) {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // visit has reported it
		}
		if err != nil {
			return fmt.Errorf("lake: %s: %w", m.FilePath(), err)
		}
		d := e.DataFile()
		described := &File{Bytes: d.FileSizeBytes(), format: d.FileFormat(), content: d.ContentType()}
		if err := once(d.FilePath(), described); err != nil {
			return err
		}
	}
	return nil
}

package lake

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"github.com/gleaner-web/gleaner/schemas"
)

// Problem is something that Check has found.
type Problem struct {
	Name    string // of the file, in the folder; empty when it is of the table as a whole
	Message string
}

// Check tells what is wrong with the table: files of any snapshot that are not there, or have another size; shards of
// the manifest that the newest snapshot has not and no other program has rewritten; and whether the table lags behind
// the manifest. It reads metadata, and asks for sizes; bytes are compared where the collection is checked.
func (t *Table) Check(ctx context.Context) ([]Problem, error) {
	now, err := t.load(ctx)
	if err != nil {
		return nil, err
	}
	var problems []Problem
	say := func(name, form string, args ...any) {
		problems = append(problems, Problem{name, fmt.Sprintf(form, args...)})
	}
	// Sizes alone: a bucket answers them without reading, and all snapshots together may refer to the same
	// files many times.
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
	// The table was read before: a run that ends between the two makes that the table lags, which is true.
	hash, shards, err := readManifest(t.f)
	switch {
	case err != nil:
		say("", "%v", err)
	// Shards are not compared then: all differences would be told one by one of what is a single one.
	case now.Properties()[manifestKey] != hash:
		say("", "the table is not that of the manifest: bring it to it with `gleaner collection lake`")
	default:
		err = t.checkShards(ctx, now, shards, say)
	}
	slices.SortFunc(problems, func(a, b Problem) int {
		return strings.Compare(a.Name+"\x00"+a.Message, b.Name+"\x00"+b.Message)
	})
	// The same file may be told of by several snapshots.
	return slices.Compact(problems), err
}

// checkShards compares the newest snapshot with the manifest. Where another program has removed files, as Spark does
// when it rewrites or deletes rows, it is right that some are not there.
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
		// What is left in have at the end is in the snapshot alone.
		delete(have, s.Name)
	}
	for name := range have {
		if shardPattern.MatchString(name) {
			say(name, "it is in the table's newest snapshot, and no shard of the manifest")
		}
	}
	return nil
}

// rewrites reports whether another program made a snapshot, which does not have our key, and removed files in it.
func rewrites(s Snapshot) bool { return s.Manifest == "" && s.Removed > 0 }

// walk visits all files that the table's snapshots refer to, each once a size: lists of manifests, manifests, and data,
// which it describes.
func (t *Table) walk(ctx context.Context, meta table.Metadata, visit func(name string, data *File) error) error {
	files := &fileIO{f: t.f, location: meta.Location()}
	seen := map[string]bool{}
	// An error of nameIn ends the walk: a table that names files elsewhere is not checked file by file.
	once := func(uri string, data *File) error {
		name, err := nameIn(meta.Location(), uri)
		key := name
		if data != nil {
			// With the size, since a shard whose bytes were replaced under its name is another file in
			// older snapshots.
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
			continue // visit was told
		}
		if err != nil {
			return fmt.Errorf("lake: snapshot %d: %w", s.SnapshotID, err)
		}
		for _, m := range manifests {
			if name, err := nameIn(meta.Location(), m.FilePath()); err != nil {
				return err
			} else if seen[name] {
				// Manifests are shared by snapshots: reading each once makes this linear in what there is.
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
	// true leaves entries out that the manifest notes as deleted: these files may be gone rightly.
	for e, err := range m.Entries(files, true) {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // visit was told
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

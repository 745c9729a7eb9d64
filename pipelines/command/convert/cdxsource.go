package convert

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/cdx/zipnum"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/schemas"
)

// cdxSource is a source of index lines.
type cdxSource struct {
	name, stamp string
	path        string // as captureindex.Source has it
	archive     bool
	archives    []string // of a collection
	// lines calls add with each line, which it may change. Lines of an archive have it under name.
	lines func(ctx context.Context, name string, add func(line []byte) error, bad func(error)) error
}

// findSources finds what the inputs name, without reading lines.
func (c *cdxConfig) findSources(ctx context.Context, store *blob.Store) (found []cdxSource, err error) {
	var archives []string
	for _, name := range c.inputs {
		s, is, err := c.oneSource(ctx, store, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if is {
			found = append(found, s)
		} else {
			archives = append(archives, name)
		}
	}
	if len(archives) == 0 {
		return found, nil
	}
	more, err := c.expanded(ctx, store, archives)
	return append(found, more...), err
}

// expanded finds the archives that names, patterns and lists stand for, and the indexes of patterns and lists.
func (c *cdxConfig) expanded(ctx context.Context, store *blob.Store, names []string) (found []cdxSource, err error) {
	size := int64(64 << 20)
	if c.post {
		size = math.MaxInt64 // a request and its answer must not be in two units
	}
	named, err := namedApart(ctx, store, names)
	if err != nil {
		return nil, err
	}
	var indexes []string
	archives := func(f blob.Info) (bool, error) {
		is := f.Group == nil && f.Unreadable == "" && !blob.IsRemote(f.Name) && isIndexName(f.Name) &&
			(named == nil || named[f.Name])
		if is {
			indexes = append(indexes, f.Name)
		}
		return !is, nil
	}
	in, err := work.Find(ctx, store, names, os.Stdin, work.FindOptions{
		UnitSize: size, Output: c.output, Wanted: archives,
	})
	if err != nil {
		return nil, err
	}
	for _, name := range indexes {
		s, is, err := c.oneSource(ctx, store, name)
		if err == nil && !is {
			err = fs.ErrNotExist
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		found = append(found, s)
	}
	for _, note := range notes(in) {
		slog.Warn(note)
	}
	return append(found, c.archiveSources(store, in)...), nil
}

// notes says what of the inputs is not read.
func notes(in *work.Inputs) []string {
	list := in.Notes()
	if n := len(in.Others); n > 0 {
		note := fmt.Sprintf("%d files are not archives, and nothing is read of them; the first is %s", n,
			schemas.Printable(in.Others[0]))
		if n == 1 {
			note = "1 file is not an archive, and nothing is read of it: " + schemas.Printable(in.Others[0])
		}
		if i := slices.IndexFunc(in.Others, isIndexName); i >= 0 {
			note += fmt.Sprintf(". To read an index, such as %s, name it, or use a pattern", schemas.Printable(in.Others[i]))
		}
		list = append(list, note)
	}
	return list
}

// namedApart returns the files that patterns and lists name beside folders, or nil if no folder is named.
func namedApart(ctx context.Context, store *blob.Store, names []string) (map[string]bool, error) {
	if !slices.ContainsFunc(names, isFolder) {
		return nil, nil
	}
	// Standard input can be read only once, and is a list.
	patterns := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "-" || isFolder(name) })
	named := map[string]bool{}
	if len(patterns) == 0 {
		return named, nil
	}
	files, err := store.Expand(ctx, patterns, nil)
	for _, f := range files {
		named[f.Name] = true
	}
	return named, err
}

// isFolder reports whether an argument is a folder, and not a pattern or a list.
func isFolder(arg string) bool {
	info, err := os.Stat(schemas.PathOf(arg))
	return err == nil && info.IsDir()
}

// findAgain finds a source by the name that the index has for it.
func (c *cdxConfig) findAgain(ctx context.Context, store *blob.Store, name string) (cdxSource, error) {
	one := *c
	one.inputs = []string{name}
	// A group of files is found by its folder.
	if dir, _, is := strings.Cut(name, "//"); is && !blob.IsRemote(name) {
		one.inputs[0] = dir
	}
	found, err := one.findSources(ctx, store)
	if err != nil {
		return cdxSource{}, err
	}
	i := slices.IndexFunc(found, func(s cdxSource) bool { return s.name == name })
	if i < 0 {
		return cdxSource{}, fs.ErrNotExist
	}
	return found[i], nil
}

// archiveSources makes a source of each archive.
func (c *cdxConfig) archiveSources(store *blob.Store, in *work.Inputs) (found []cdxSource) {
	units := map[string][]schemas.Range{}
	for _, u := range in.Units {
		for _, r := range u.Inputs {
			name := work.StampName(r)
			if r.Format == "" && r.Group == nil && r.End == 0 && r.Unreadable == "" {
				continue // not an archive, which a note says
			}
			if units[name] == nil {
				found = append(found, cdxSource{name: name, stamp: in.Stamps[name], archive: true})
			}
			units[name] = append(units[name], r)
		}
	}
	for i := range found {
		found[i].lines = c.archiveLines(store, units[found[i].name])
	}
	return found
}

// oneSource returns a collection or an index. It returns false if name is to be taken for archives.
func (c *cdxConfig) oneSource(ctx context.Context, store *blob.Store, name string) (s cdxSource, is bool, err error) {
	if blob.IsRemote(name) {
		if strings.ContainsAny(name, "*?[") || path.Ext(name) != "" {
			return s, false, nil
		}
		return collectionSource(folder.Open(ctx, name, store), name)
	}
	info, err := os.Stat(schemas.PathOf(name))
	if err != nil {
		return s, false, nil // a pattern, a list, or an error that work.Find explains
	}
	switch {
	case zipnum.Is(name):
		return clusterSource(name)
	case info.IsDir():
		return collectionSource(folder.Open(ctx, name, nil), name)
	case isIndexName(name):
		stamp := fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano())
		return cdxSource{name: name, stamp: stamp, lines: fileLines(name)}, true, nil
	}
	return s, false, nil
}

// isIndexName reports whether a file is named like an index.
func isIndexName(name string) bool {
	ext := filepath.Ext(name)
	if ext == ".gz" || ext == ".zst" {
		ext = filepath.Ext(strings.TrimSuffix(name, ext))
	}
	return slices.Contains([]string{".cdx", ".cdxj"}, strings.ToLower(ext))
}

// clusterSource returns a ZipNum cluster.
func clusterSource(name string) (s cdxSource, is bool, err error) {
	x, err := zipnum.Open(name, zipnum.Options{})
	if err != nil {
		return s, false, err
	}
	stamp, err := stampOf(x.Name())
	return cdxSource{name: name, stamp: stamp, lines: clusterLines(name)}, true, errors.Join(err, x.Close())
}

// stampOf hashes a file: an .idx file has offsets and lengths of blocks, which change with these.
func stampOf(name string) (string, error) {
	data, err := os.ReadFile(name)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), err
}

// isMarked reports whether a folder is a collection, whatever its manifest.
func isMarked(f folder.Folder) bool {
	_, err := f.Size(holdings.Hidden(holdings.MarkerFile))
	return err == nil
}

// collectionSource returns a collection. Its stamp is that of its shards, which a takedown writes again.
func collectionSource(f folder.Folder, name string) (s cdxSource, is bool, err error) {
	part, m, err := holdings.Whole(f)
	switch {
	// A conversion is a folder of archives, and one of these may have a manifest.json of its own.
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, folder.ErrContent) && !isMarked(f),
		err == nil && m.SchemaVersion == "":
		return s, false, nil
	case err != nil:
		return s, false, err
	}
	h := sha256.New()
	for _, shard := range part.Of(holdings.KindCaptures) {
		_, _ = fmt.Fprintln(h, shard.Name, shard.SHA256) // a hash does not fail
	}
	s = cdxSource{name: name, stamp: hex.EncodeToString(h.Sum(nil)), lines: collectionLines(part)}
	for _, u := range m.Units {
		for _, r := range u.Inputs {
			s.archives = append(s.archives, r.File)
		}
	}
	return s, true, nil
}

package fileset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/dataset/filesets"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// unitSize is the size of a unit of archives for indexing, in bytes.
const unitSize = 64 << 20

// plan is the work before the requests.
type plan struct {
	todo  []indexTask
	index string // name of the index in the hidden folder; "" with a server
	found string // name of the file of discovered requests
	bytes int64  // of archives
	// names are the archives, indexes and collections in the index.
	names []string
}

// indexTask is a unit to be indexed: archives or a whole capture index.
type indexTask struct {
	Key    string
	Base   int    // number of the folder of its archives
	Dir    string // that folder, as the prefix of names
	Unit   schemas.Unit
	Lines  string // name of a capture index, instead of Unit
	Stamps map[string]string
	// Discover also searches captures for datasets.
	Discover bool
}

// makePlan finds the archives and the units to be indexed.
func makePlan(ctx context.Context, store *blob.Store, c *config) (p *plan, err error) {
	p = &plan{}
	if c.options.Server != "" {
		c.options.Bases = []string{c.base}
		return p, nil
	}
	if len(c.archives) == 0 {
		return p, nil // only the live web
	}
	b := &planner{ctx: ctx, store: store, c: c, plan: p}
	var plain []string
	for _, name := range c.archives {
		taken, err := b.special(name)
		if err != nil {
			return nil, err
		}
		if !taken {
			plain = append(plain, name)
		}
	}
	if len(plain) > 0 {
		if err := b.archives(plain); err != nil {
			return nil, err
		}
	}
	// The name of the index has all that its bytes depend on: folders, units, their stamps and versions.
	keys := []any{c.options.Bases}
	for _, t := range p.todo {
		keys = append(keys, t.Key)
		c.options.Captures.Archives += int64(max(1, len(t.Unit.Inputs)))
	}
	hash := short(ledger.Key(schemas.Unit{}, keys, versions()))
	p.index, p.found = "captures-"+hash+".cdxj", "captures-"+hash+".found.jsonl"
	c.options.Captures.Index = "captures-" + hash
	return p, nil
}

type planner struct {
	ctx   context.Context
	store *blob.Store
	c     *config
	plan  *plan
}

// base returns the number of a folder of archives.
func (b *planner) base(dir string) int {
	if i := slices.Index(b.c.options.Bases, dir); i >= 0 {
		return i
	}
	b.c.options.Bases = append(b.c.options.Bases, dir)
	return len(b.c.options.Bases) - 1
}

func (b *planner) add(t indexTask) {
	t.Discover = b.c.discover
	// All that changes the lines is in the key.
	about := map[string]any{"base": t.Base, "dir": t.Dir, "lines": t.Lines, "stamps": t.Stamps, "discover": t.Discover}
	t.Key = short(ledger.Key(t.Unit, about, versions()))
	b.plan.todo = append(b.plan.todo, t)
	b.plan.bytes += t.Unit.Bytes()
}

// short returns a key as it is in file names.
func short(key string) string { return key[:20] }

// special adds a collection or a capture index, and reports whether name is one.
func (b *planner) special(name string) (taken bool, err error) {
	lower := strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst"))
	if strings.HasSuffix(lower, ".cdx") || strings.HasSuffix(lower, ".cdxj") {
		infos, err := b.store.Expand(b.ctx, []string{name}, nil)
		if err != nil {
			return true, cli.Usagef("--archives: %v", err)
		}
		dir := cmp.Or(b.c.base, folderOf(name))
		for _, info := range infos {
			b.plan.names = append(b.plan.names, info.Name)
			b.add(indexTask{Base: b.base(dir), Lines: info.Name, Stamps: map[string]string{info.Name: info.Stamp}})
		}
		return true, nil
	}
	// A collection has a manifest, which is written last. An unfinished one counts as a folder of archives.
	f := folder.Open(b.ctx, name, b.store)
	m, err := holdings.ReadManifest(f)
	switch err = errors.Join(err, f.Close()); {
	case err == nil && m.SchemaVersion != "":
		return true, b.collection(name, m)
	case isOther(name, err):
		return false, nil
	}
	// A disk or server fails. The shards of a collection must not be read as archives.
	return true, fmt.Errorf("--archives=%s: %w", secret.Hide(name), err)
}

// folderOf returns the folder of an index.
func folderOf(name string) string {
	if blob.IsRemote(name) {
		return secret.Folder(name)
	}
	return path.Dir(filepath.ToSlash(name))
}

// isOther reports whether err, from reading a manifest, means that name is not a collection.
func isOther(name string, err error) bool {
	switch {
	// A folder of archives may have its own manifest.json, and name may be a file.
	case err == nil, errors.Is(err, ledger.ErrContent), errors.Is(err, fs.ErrNotExist),
		errors.Is(err, syscall.ENOTDIR):
		return true
	// Without permission to list a bucket, servers report this for every missing name.
	case blob.IsRemote(name):
		return errors.Is(err, blob.ErrPermission) || errors.Is(err, errors.ErrUnsupported)
	}
	return false
}

// collection adds the captures of a collection: its index lines, or its archives if there are none or if datasets are
// to be discovered.
func (b *planner) collection(name string, m schemas.Manifest) error {
	// The collection's name, because its files change as it grows.
	b.plan.names = append(b.plan.names, schemas.NameOf(strings.TrimRight(name, "/")))
	dir := holdings.ArchiveDir(m.Units)
	base := b.base(orHere(dir))
	lines := false
	for _, u := range m.Units {
		for _, s := range u.Shards {
			if strings.HasPrefix(s.Name, "captures-") && !b.c.discover {
				lines = true
				file := schemas.NameOf(strings.TrimRight(name, "/") + "/" + s.Name)
				b.add(indexTask{Base: base, Dir: dir, Lines: file, Stamps: map[string]string{"sha256": s.SHA256}})
			}
		}
	}
	// The lines have all captures, so the archives need not be read.
	if lines {
		return nil
	}
	for _, u := range m.Units {
		b.add(indexTask{Base: base, Dir: dir, Unit: u.Unit})
	}
	if len(m.Units) == 0 {
		return cli.Usagef("--archives=%s: the collection is empty", name)
	}
	return nil
}

// archives adds units of archives.
func (b *planner) archives(names []string) error {
	// Standard input is for requests.
	in, err := work.Find(b.ctx, b.store, names, strings.NewReader(""), work.FindOptions{
		UnitSize: unitSize, Output: b.c.options.Output,
	})
	if err != nil {
		return errors.Join(b.ctx.Err(), cli.Usagef("%v", err))
	}
	for _, note := range in.Notes() {
		slog.Warn(note)
	}
	dir := archiveDir(in.Units)
	base := b.base(orHere(dir))
	for _, u := range in.Units {
		for _, r := range u.Inputs {
			b.plan.names = append(b.plan.names, r.File)
		}
		b.add(indexTask{Base: base, Dir: dir, Unit: u, Stamps: in.StampsOf(u)})
	}
	return nil
}

// archiveDir returns the folder of all archives. Folders with a file for each page have no format in a plan.
func archiveDir(units []schemas.Unit) string {
	all := []schemas.UnitResult{}
	for _, u := range units {
		u.Inputs = slices.Clone(u.Inputs)
		for i := range u.Inputs {
			if in := &u.Inputs[i]; in.Group != nil {
				in.File, in.Format = in.File+"/", "files"
			}
		}
		all = append(all, schemas.UnitResult{Unit: u})
	}
	return holdings.ArchiveDir(all)
}

// orHere returns dir, or the working directory if it is empty.
func orHere(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

func (p *plan) print(ctx context.Context, to io.Writer, c config, f folder.Folder) error {
	w := new(strings.Builder)
	fmt.Fprintf(w, "Captures     %d units (%s) to index\n", len(p.todo), cli.FormatBytes(p.bytes))
	if c.options.Server != "" {
		fmt.Fprintf(w, "Captures     asked from %s\n", c.options.Server)
	} else if _, err := f.Size(filesets.Hidden(p.index)); err == nil {
		fmt.Fprintln(w, "             their index is there already")
	}
	store := blob.New(c.options.Remote)
	requests, bad := 0, 0
	// The plan shows the number of requests, so all are read.
	for line, err := range asked(ctx, store, c.requests, c.options.Servers.properties()) {
		if err != nil {
			return errors.Join(err, store.Close())
		}
		if line.Reject != nil {
			bad++
		} else {
			requests++
		}
	}
	fmt.Fprintf(w, "Requests     %d, in units of %d; %d lines are not requests\n", requests, c.options.UnitSize, bad)
	if c.discover {
		fmt.Fprintln(w, "             and those that are found in the archives")
	}
	fmt.Fprintf(w, "Output       %s\n", f.Path(""))
	return errors.Join(store.Close(), cli.Answer(to, cli.AnswerPlan, struct {
		Units    int    `json:"units"` // of captures, to be indexed
		Bytes    int64  `json:"bytes"`
		Server   string `json:"cdx_server,omitempty"`
		Requests int    `json:"requests"`
		Rejects  int    `json:"rejects"` // lines that are not requests
		Discover bool   `json:"discover"`
		Output   string `json:"output"`
	}{len(p.todo), p.bytes, c.options.Server, requests, bad, c.discover, f.Path("")}, w.String()))
}

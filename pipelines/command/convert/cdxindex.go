package convert

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strconv"

	"github.com/gleaner-web/gleaner/io/derived/captureindex"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// plainFile is the whole index as text.
const plainFile = "index.cdxj"

// cdxReport is what `convert cdx` did.
type cdxReport struct {
	Lines   int64 `json:"lines"`
	Blocks  int64 `json:"blocks"`
	Bytes   int64 `json:"bytes"` // of the part and cluster.idx
	Read    int   `json:"read"`  // sources
	Kept    int   `json:"kept"`  // sources that had not changed
	Added   int64 `json:"added"`
	Twice   int64 `json:"twice"`
	Dropped int64 `json:"dropped"`
	Rejects int64 `json:"rejects"`
	Gone    int   `json:"gone"` // sources that are no longer there, and have lines
}

func makeCDX(ctx context.Context, args []string) (code int, err error) {
	c, err := parseCDX(args)
	if err != nil {
		return cli.ExitUsage, err
	}
	// Beside the lines there are the blocks that are decoded and compressed.
	cli.SetMemoryLimit(c.memory + baseMemory)
	store := blob.New(c.remote)
	defer func() { _ = store.Close() }() // nothing was written
	// Wrong inputs make no folder.
	found, err := c.findSources(ctx, store)
	if err != nil {
		return cli.ExitUsage, cli.Usagef("%v", err)
	}
	f := folder.Open(ctx, c.output, nil)
	defer func() { _ = f.Close() }() // local
	x, err := captureindex.Open(f)
	if err != nil {
		return cli.ExitFailed, cli.OutputError(err, captureindex.ErrForeign)
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	if err := c.checkOptions(x); err != nil {
		return cli.ExitUsage, err
	}
	r, err := c.update(ctx, store, x, found)
	if err != nil {
		return cli.ExitFailed, err
	}
	// An earlier run's text must not differ from the index.
	switch _, err := f.Size(plainFile); {
	case c.plain || err == nil:
		if err := x.WritePlain(plainFile); err != nil {
			return cli.ExitFailed, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return cli.ExitFailed, err
	}
	if r.Bytes, err = sizeOf(f); err != nil {
		return cli.ExitFailed, err
	}
	if err := cli.Answer(os.Stdout, cli.AnswerSummary, r, r.text(c.output)); err != nil {
		return cli.ExitFailed, err
	}
	if r.Rejects > 0 || r.Gone > 0 {
		return cli.ExitLosses, nil
	}
	return cli.ExitDone, nil
}

// options are those that lines depend on.
func (c *cdxConfig) options() map[string]string {
	return map[string]string{"archives": c.base, "post": strconv.FormatBool(c.post)}
}

// checkOptions returns an error if the lines that stand were made otherwise.
func (c *cdxConfig) checkOptions(x *captureindex.Folder) error {
	old, now := x.State().Options, c.options()
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if x.State().Update > 0 && !c.fresh && old[name] != now[name] {
			return cli.Usagef("the lines in %s were made with --%s=%s: use it again, or --fresh", c.output, name, old[name])
		}
	}
	return nil
}

// update reads the sources that are new or have changed, and merges their lines.
func (c *cdxConfig) update(
	ctx context.Context, store *blob.Store, x *captureindex.Folder, found []cdxSource,
) (r cdxReport, err error) {
	paths, err := blob.NewPaths()
	if err != nil {
		return r, err
	}
	same := sameSources{paths, c.base}
	all := same.withPaths(x.Sources())
	old := all
	if c.fresh {
		old = nil
	}
	remove, old, err := same.settleRemoved(old, c.remove)
	if err != nil {
		return r, err
	}
	// What leaves in this run is in the way of no other file.
	found, twice, err := same.settle(old, found)
	if err != nil {
		return r, err
	}
	warnTwice(twice)
	remove = append(remove, twice...)
	gone := same.gone(old, c.inputs)
	if c.prune {
		remove, gone = append(remove, gone...), nil
	}
	warnGone(gone)
	p := c.plan(all, found, remove)
	p.share(found, func(s captureindex.Source) (cdxSource, error) {
		again, err := c.findAgain(ctx, store, s.Name)
		// In another folder the name may be that of another file, or of none.
		if again.path = same.pathOf(again.name); s.Path != "" && (err != nil || again.path != s.Path) {
			again, err = c.findAgain(ctx, store, s.Path)
			again.name, again.path = s.Name, s.Path
		}
		return again, err
	})
	r.Read, r.Gone = len(p.read), len(gone)
	for _, s := range p.kept {
		if _, is := slices.BinarySearch(gone, s.Name); !is {
			r.Kept++
		}
	}
	if len(p.read) > 0 || len(p.left) > 0 || c.fresh || x.State().Update == 0 {
		err = c.merge(ctx, x, p, &r)
	} else if newPaths(x.Sources(), p.kept) {
		err = x.Note(p.kept)
	}
	if err != nil {
		return r, err
	}
	s := x.State()
	r.Lines, r.Blocks = s.Lines, s.Blocks
	return r, nil
}

// merge sorts the new lines and updates the index.
func (c *cdxConfig) merge(ctx context.Context, x *captureindex.Folder, p cdxPlan, r *cdxReport) (err error) {
	temp, remove, err := x.Temp()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	s := extsort.New(extsort.Options{MemoryBytes: int(min(c.memory, 64<<30)), TempDir: temp})
	defer func() { _ = s.Close() }() // Merge has reported its errors
	read := cdxReading{config: c, sorter: s, base: c.base}
	sources, err := read.all(ctx, p.read)
	if err != nil {
		return err
	}
	r.Rejects = read.rejects + int64(len(p.stay))
	sources = p.keepUnread(sources)
	if read.first != nil {
		slog.Warn(fmt.Sprintf("%d lines or parts of archives cannot be read; the first: %v", read.rejects, read.first))
	}
	if n := len(read.outside); n > 0 {
		slog.Warn(fmt.Sprintf("no archive of %d inputs is named as one in --archives=%s, so that their names stay as they "+
			"are; the first: %s", n, c.base, schemas.Printable(slices.Min(read.outside))))
	}
	done, err := x.Update(ctx, captureindex.Update{
		Lines: s, Drop: p.drops(c.fresh), Sources: slices.Concat(p.kept, p.stay, sources), Options: c.options(),
	})
	r.Added, r.Twice, r.Dropped = done.Added, done.Twice, done.Dropped
	return err
}

// sizeOf returns the bytes of the cluster.
func sizeOf(f folder.Folder) (n int64, err error) {
	stats, err := f.Stats("")
	for name, s := range stats {
		if name == "cluster.idx" || len(name) > 4 && name[:4] == "cdx-" {
			n += s.Size
		}
	}
	return n, err
}

func (r *cdxReport) text(output string) string {
	text := fmt.Sprintf("Index        %s lines in %s blocks, %s: %s\n", cli.FormatCount(r.Lines),
		cli.FormatCount(r.Blocks), cli.FormatBytes(r.Bytes), output)
	if r.Lines > 0 {
		text += fmt.Sprintf("Size         %.1f bytes a line\n", float64(r.Bytes)/float64(r.Lines))
	} else {
		text += "Nothing      the inputs have no captures\n"
	}
	text += fmt.Sprintf("Sources      %s read, %s had not changed, %s gone\n", cli.FormatCount(int64(r.Read)),
		cli.FormatCount(int64(r.Kept)), cli.FormatCount(int64(r.Gone)))
	return text + fmt.Sprintf("Lines        %s added, %s were there, %s left\n", cli.FormatCount(r.Added),
		cli.FormatCount(r.Twice), cli.FormatCount(r.Dropped))
}

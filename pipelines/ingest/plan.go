package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/gleaner-web/gleaner/io/blob"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/unit"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// defaultInput is what is read when nothing is named: the archives that the project ships.
const defaultInput = "testdata/archives"

// plan is what a run is going to do.
type plan struct {
	units  []schemas.Unit
	keys   []string
	stamps map[string]string // of each file
	bytes  int64
	others []string // files that are no archives
}

// makePlan finds the inputs and divides them into units. What is wrong with the inputs is a usage error: nothing was
// begun.
//
// Files beneath the output are left out: `ingest .` must not read what it wrote.
func makePlan(ctx context.Context, c config) (*plan, error) {
	args, o := c.inputs, c.options
	store := blob.New(o.Remote)
	defer store.Close()
	p := &plan{stamps: map[string]string{}}
	if len(args) > 0 || len(c.indexes) == 0 {
		if err := p.addArchives(ctx, store, args, c.unitSize, o); err != nil {
			return nil, err
		}
	}
	if len(c.indexes) > 0 {
		if err := p.addIndexes(ctx, store, c); err != nil {
			return nil, err
		}
	}
	for _, u := range p.units {
		p.bytes += u.Bytes()
	}
	return p, nil
}

// addIndexes plans to read what the lines of indexes point to.
func (p *plan) addIndexes(ctx context.Context, store *blob.Store, c config) error {
	files, err := store.Expand(ctx, c.indexes, os.Stdin)
	if err != nil {
		return inputError(ctx, err)
	}
	for _, f := range files {
		p.stamps[f.Name] = f.Stamp
	}
	units, err := unit.PlanIndexes(ctx, store, files, c.unitSize, c.lookup, len(p.units))
	if err != nil {
		return inputError(ctx, err)
	}
	p.units = append(p.units, units...)
	return nil
}

// addArchives plans to read archives.
func (p *plan) addArchives(ctx context.Context, store *blob.Store, args []string, unitSize int64, o Options) error {
	if len(args) == 0 {
		if _, err := os.Stat(defaultInput); err != nil {
			return run.Usagef("no archives named, and there is no %s here to read instead; name files, folders or patterns", defaultInput)
		}
		args = []string{defaultInput}
	}
	files, err := unit.Files(ctx, store, args, os.Stdin, unitSize)
	if err != nil {
		return inputError(ctx, err)
	}
	files = slices.DeleteFunc(files, func(f blob.Info) bool { return beneath(f.Name, o.Output) })
	if len(files) == 0 {
		return run.Usagef("all files named are in the output folder %s", o.Output)
	}
	for _, f := range files {
		p.stamps[stampName(f.Name, f.Group)] = f.Stamp
	}
	if p.units, err = unit.Plan(ctx, store, files, unitSize); err != nil {
		return inputError(ctx, err)
	}
	for _, u := range p.units {
		for _, in := range u.Inputs {
			if in.Format == "" && in.Group == nil {
				p.others = append(p.others, in.File)
			}
		}
	}
	if len(p.others) == len(files) {
		return run.Usagef("none of the %d files named is an archive of a known format; the first is %s", len(files), files[0].Name)
	}
	return nil
}

// beneath tells whether a file is in dir or below it.
func beneath(name, dir string) bool {
	file, err := filepath.Abs(name)
	if err != nil || blob.IsRemote(name) {
		return false
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(rel)
}

func inputError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return run.Usagef("%v", err)
}

// tasks are the units, whose keys are p.keys by their numbers, with all that a worker needs.
func (p *plan) tasks(units []schemas.Unit) []task {
	list := make([]task, len(units))
	for i, u := range units {
		list[i] = task{Unit: u, Key: p.keys[u.ID], Stamps: p.stampsOf(u)}
	}
	return list
}

// stampsOf are those of a unit's files.
func (p *plan) stampsOf(u schemas.Unit) map[string]string {
	stamps := map[string]string{}
	for _, in := range u.Inputs {
		name := stampName(in.File, in.Group)
		stamps[name] = p.stamps[name]
	}
	return stamps
}

// stampName is what the stamp of a file is kept by, or that of a group of files.
func stampName(file string, g *schemas.Group) string {
	if g == nil {
		return file
	}
	return file + "//" + g.First // no cleaned name has two slashes
}

// fresh tells whether a range is what it was when its unit was done: at a glance by its file's stamp, otherwise by its
// bytes, where its unit noted what they were.
func (p *plan) fresh(ctx context.Context, o Options) collection.Fresh {
	store := blob.New(o.Remote)
	return func(r schemas.Range, row collection.Row) (bool, error) {
		if name := stampName(r.File, r.Group); row.Stamps[name] == p.stamps[name] {
			return true, nil
		}
		if r.Format == "" || r.Fingerprint == "" {
			return false, nil
		}
		now, err := fingerprint(ctx, store, r, p.stamps[r.File])
		return now == r.Fingerprint, err
	}
}

// The estimate of --plan: captures and CPU a compressed byte, from the benchmark in docs/benchmarks.md; to index alone
// takes little more than to decompress.
const (
	bytesPerCapture     = 40 << 10
	secondsPerMiB       = 0.8
	secondsPerMiBOfHead = 0.016
)

// print shows the units and an estimate.
func (p *plan) print(w io.Writer, o Options) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "UNIT\tBYTES\tINPUTS")
	for _, u := range p.units {
		in := u.Inputs[0]
		more := ""
		if in.Group != nil {
			more = fmt.Sprintf(", %d files from %s on", in.Group.Files, in.Group.First)
		}
		if n := len(u.Inputs); n > 1 {
			more += fmt.Sprintf(" and %d more", n-1)
		}
		fmt.Fprintf(t, "%05d\t%s\t%s [%d, %d)%s\n", u.ID, run.FormatBytes(u.Bytes()), in.File, in.Start, in.End, more)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	perMiB := secondsPerMiB
	if o.indexOnly() {
		perMiB = secondsPerMiBOfHead
	}
	seconds := float64(p.bytes) / (1 << 20) * perMiB / float64(o.Workers)
	_, err := fmt.Fprintf(w, "\nunits %d, archives %s, files that are no archives %d, workers %d; roughly %s captures and %s, for pages as they are crawled\n",
		len(p.units), run.FormatBytes(p.bytes), len(p.others), o.Workers, run.FormatCount(max(p.bytes/bytesPerCapture, 1)), duration(seconds))
	return err
}

func duration(seconds float64) string {
	switch {
	case seconds < 90:
		return fmt.Sprintf("%.0f s", max(seconds, 1))
	case seconds < 5400:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.1f h", seconds/3600)
}

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/gleaner-web/gleaner/io/blob"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/kafka"
	"github.com/gleaner-web/gleaner/io/unit"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// defaultInput is what is read when nothing is named: the archives that the project ships.
const defaultInput = "testdata/archives"

// plan is what a run is going to do.
type plan struct {
	*unit.Inputs
	keys []string // of the units
}

// makePlan finds the inputs and divides them into units. What is wrong with the inputs is a usage error: nothing was
// begun.
//
// Files beneath the output are left out: `ingest .` must not read what it wrote.
func makePlan(ctx context.Context, c config) (*plan, error) {
	store := blob.New(c.options.Remote)
	defer store.Close()
	p := &plan{Inputs: &unit.Inputs{Stamps: map[string]string{}}}
	var topics []string
	for _, in := range c.inputs {
		if kafka.IsURL(in) {
			topics = append(topics, in)
		}
	}
	c.inputs = slices.DeleteFunc(slices.Clone(c.inputs), kafka.IsURL)
	if len(c.inputs) > 0 || len(c.indexes)+len(topics) == 0 {
		if err := p.addArchives(ctx, store, c); err != nil {
			return nil, err
		}
	}
	if len(c.indexes) > 0 {
		if err := p.addIndexes(ctx, store, c); err != nil {
			return nil, err
		}
	}
	if err := p.addTopics(ctx, c, topics); err != nil {
		return nil, err
	}
	return p, nil
}

// addArchives plans to read archives.
func (p *plan) addArchives(ctx context.Context, store *blob.Store, c config) error {
	args := c.inputs
	if len(args) == 0 {
		if _, err := os.Stat(defaultInput); err != nil {
			return run.Usagef("no archives named, and there is no %s here to read instead; name files, folders or patterns", defaultInput)
		}
		args = []string{defaultInput}
	}
	in, err := unit.Find(ctx, store, args, os.Stdin, unit.FindOptions{UnitSize: c.unitSize, Output: c.options.Output})
	if err != nil {
		return inputError(ctx, err)
	}
	p.Inputs = in
	return nil
}

// addIndexes plans to read what the lines of indexes point to.
func (p *plan) addIndexes(ctx context.Context, store *blob.Store, c config) error {
	files, err := store.Expand(ctx, c.indexes, os.Stdin)
	if err != nil {
		return inputError(ctx, err)
	}
	for _, f := range files {
		p.Stamps[f.Name] = f.Stamp
	}
	units, err := unit.PlanIndexes(ctx, store, files, c.unitSize, c.lookup, len(p.Units))
	if err != nil {
		return inputError(ctx, err)
	}
	for _, u := range units {
		p.Bytes += u.Bytes()
	}
	p.Units = append(p.Units, units...)
	return nil
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
		list[i] = task{Unit: u, Key: p.keys[u.ID], Stamps: p.StampsOf(u)}
	}
	return list
}

// fresh tells whether a range is what it was when its unit was done: at a glance by its file's stamp, otherwise by its
// bytes, where its unit noted what they were.
func (p *plan) fresh(ctx context.Context, o Options) collection.Fresh {
	store := blob.New(o.Remote)
	return func(r schemas.Range, row collection.Row) (bool, error) {
		if name := unit.StampName(r); row.Stamps[name] == p.Stamps[name] {
			return true, nil
		}
		if r.Format == "" || r.Fingerprint == "" {
			return false, nil
		}
		now, err := fingerprint(ctx, store, r, p.Stamps[r.File])
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
	for _, u := range p.Units {
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
	seconds := float64(p.Bytes) / (1 << 20) * perMiB / float64(o.Workers)
	_, err := fmt.Fprintf(w, "\nunits %d, archives %s, files that are no archives %d, workers %d; roughly %s captures and %s, for pages as they are crawled\n",
		len(p.Units), run.FormatBytes(p.Bytes), len(p.Others), o.Workers, run.FormatCount(max(p.Bytes/bytesPerCapture, 1)), duration(seconds))
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

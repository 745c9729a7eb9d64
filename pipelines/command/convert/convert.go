package convert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/derived/conversion"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"

	// The buckets that archives are read from and folders written to.
	_ "github.com/gleaner-web/gleaner/io/storage/buckets"
)

// Verb is the command.
// Its flags are made when it is called, since each verb parses the whole command line.
var Verb = cli.Verb{Name: "convert", Brief: "write web archives in other formats", Do: convert}

// The heap that a run keeps to by default; a worker holds a page, in the forms in which it is read and written.
// A page is held decoded and encoded at once, once for each format that it is written in.
const (
	baseMemory   = 64 << 20
	workerMemory = 128 << 20
)

// convert is the command: it returns the exit code, and an error that is shown.
func convert(ctx context.Context, args []string) (int, error) {
	c, err := parse(args)
	if err != nil {
		return cli.ExitUsage, err
	}
	// It is set before any archive is read. Converting needs
	// more a worker than ingest, because whole bodies are kept.
	cli.SetMemoryLimit(cmp.Or(c.memory, baseMemory+int64(cli.Workers(c.options.Workers))*workerMemory))
	begin := time.Now()
	m, err := execute(ctx, c)
	if errors.Is(err, errLeft) {
		return cli.ExitDone, nil
	}
	if err != nil {
		return cli.ExitFailed, err
	}
	elapsed := time.Since(begin)
	// A speed is told only of what this process did in this run.
	if cli.Live.Captures.Load() < m.Totals.Captures {
		elapsed = 0 // an earlier run, or another process, did a part: there is no speed to tell
	}
	if err := cli.Summary(os.Stdout, m, elapsed, cli.PeakMemory()); err != nil {
		return cli.ExitFailed, err
	}
	return exitCode(m.Totals), nil
}

// exitCode is ExitLosses when something of the archives is not in the output, or may be wrong there: what could not be
// read, what is damaged, a body that was cut, a capture that no format could hold. What a format has no field for is no
// loss of the conversion: it is counted.
// Both kinds of rejects stand for captures that were asked for and are not there.
func exitCode(t schemas.Counts) int {
	// A cut body is written as far as it goes, and is a loss all the same.
	lost := t.BytesLost + t.ByReject[string(schemas.KindRefused)] + t.ByReject[string(schemas.KindUnreadable)] +
		t.ByFlag[string(schemas.FlagBody)] + t.ByFlag[string(schemas.FlagRatio)]
	if lost > 0 || t.HasDamage() {
		return cli.ExitLosses
	}
	return cli.ExitDone
}

// execute finds and divides the inputs, does what is not done yet and returns the manifest.
func execute(ctx context.Context, c config) (schemas.Manifest, error) {
	if c.table {
		return executeTable(ctx, c)
	}
	// An archive on standard input is kept in a file while this runs, and only a list is left in list.
	list, release, err := run.Stdin(ctx, c.inputs, c.runner, &c.options.Remote)
	if err != nil {
		return schemas.Manifest{}, err
	}
	defer release()
	// o is a copy that gets what the plan finds; c stays the command line.
	o := c.options
	store := blob.New(o.Remote)
	defer store.Close()
	in, err := work.Find(ctx, store, c.inputs, list, work.FindOptions{UnitSize: c.unitSize, Output: o.Output})
	if err != nil {
		// The error of an interrupt comes before what was made of it.
		return schemas.Manifest{}, cmp.Or(ctx.Err(), cli.Usagef("%v", err))
	}
	for _, note := range in.Notes() {
		slog.Warn(note)
	}
	// Only now is it known what lists and folders hold.
	if err := c.checkReach(in); err != nil {
		return schemas.Manifest{}, err
	}
	// The number is part of each unit's key, so that it comes before the keys are made.
	o.Units = len(in.Units)
	tasks := plan(in, &o)
	f := folder.Open(ctx, o.Output, store)
	defer func() { _ = f.Close() }() // nothing is being written to it by then
	// A dry run neither locks nor makes the folder.
	if run.DryRun() {
		return schemas.Manifest{}, cmp.Or(runUnits(ctx, c.runner, nil, f, o, tasks, nil), errLeft)
	}
	return c.fill(ctx, f, o, tasks)
}

// fill does in the folder f what is not done there yet, and returns its manifest. It has the shape of
// ingest: leave out what is done, do the rest in one graph.
func (c *config) fill(ctx context.Context, f folder.Folder, o Options, tasks []task) (schemas.Manifest, error) {
	jobEnded := func(note []byte) error { return run.JobEnded(ctx, note, c.fresh) }
	// From here on the folder is locked. A job that an earlier
	// command has left may still be writing there: it is asked about.
	out, err := conversion.Open(f, conversion.OpenOptions{Fresh: c.fresh, JobEnded: jobEnded})
	if err != nil {
		return schemas.Manifest{}, outputError(err)
	}
	defer out.Close()
	o.Generation = out.Generation()
	// The same plan was carried out before: there is nothing to do, and nothing to read.
	if m, ok, err := out.Finished(o.Plan); ok || err != nil {
		return m, outputError(err)
	}
	// Units of another conversion that was not finished are not removed: they are an error.
	if err := out.Begun(keysOf(tasks)); err != nil {
		return schemas.Manifest{}, outputError(err)
	}
	todo, done, err := divide(tasks, f.AtOnce(), out)
	if err != nil {
		return schemas.Manifest{}, err
	}
	if err := runUnits(ctx, c.runner, out, f, o, todo, done); err != nil {
		return schemas.Manifest{}, err
	}
	// The graph goes on elsewhere, and its last step writes the manifest.
	if run.Detached() {
		slog.Info(fmt.Sprintf("not waiting for the job, which writes %s last; run the same command again to go on where it "+
			"ended, or to see what it did", f.Path(holdings.ManifestFile)))
		return schemas.Manifest{}, errLeft
	}
	// The manifest is written by the graph, perhaps on another machine, so it is read from the folder.
	return holdings.ReadTotals(f)
}

// errLeft is a run of which nothing more is to be said: its job was only shown, or goes on without this process.
var errLeft = errors.New("nothing to wait for")

// divide finds the units that are done, asking for several at a time.
// A unit that is done has a row in the folder. In a bucket each is a request, hence several at a time.
func divide(tasks []task, atOnce int, out *conversion.Folder) (todo []task, done []conversion.Row, err error) {
	// Each has a place of its own, so that nothing is locked and the order stays.
	rows := make([]conversion.Row, len(tasks))
	all := func(yield func(int, error) bool) {
		for i := range tasks {
			if !yield(i, nil) {
				return
			}
		}
	}
	// The sequence of indexes has no errors of its own.
	if err := folder.Each(atOnce, all, func(i int) (err error) {
		rows[i], _, err = out.Done(tasks[i].Key)
		return err
	}); err != nil {
		return nil, nil, err
	}
	for i, row := range rows {
		if row.Key != "" {
			done = append(done, row)
		} else {
			todo = append(todo, tasks[i])
		}
	}
	return todo, done, nil
}

// plan makes the tasks, and the name of the plan. A unit's key says what it is made of: the inputs as they are now, the
// options, and its place among the others, by which its files are called.
// Keys change with the files' stamps, so that a file that changed is converted again.
func plan(in *work.Inputs, o *Options) []task {
	tasks := make([]task, len(in.Units))
	keys := make([]string, len(in.Units))
	for i, u := range in.Units {
		stamps := in.StampsOf(u)
		// units is in it because files are called by a place among all.
		about := map[string]any{"options": o.lasting(), "stamps": stamps, "unit": u.ID, "units": o.Units}
		tasks[i] = task{Unit: u, Key: collection.Key(u, about, versions()), Stamps: stamps}
		keys[i] = tasks[i].Key
	}
	// Other options or inputs make another plan, which a folder that was finished is compared with.
	o.Plan = collection.Key(schemas.Unit{}, keys, versions())
	return tasks
}

// keysOf are the keys of tasks, in their order.
func keysOf(tasks []task) []string {
	keys := make([]string, len(tasks))
	for i, t := range tasks {
		keys[i] = t.Key
	}
	return keys
}

// outputError tells a folder that cannot be used from a disk that fails.
// The kinds are those that the user can do something about: another folder, or waiting.
// Everything else is a failure of the system, such as a full disk.
func outputError(err error) error {
	return cli.OutputError(err, conversion.ErrForeign, conversion.ErrOther)
}

// runUnits does the units that are left and writes the manifest, in one graph. A dry run has no folder open: out is
// nil.
func runUnits(ctx context.Context, runner string, out *conversion.Folder, f folder.Folder, o Options, todo []task,
	done []conversion.Row,
) error {
	// for progress alone: what is done counts from here
	var bytes int64
	sizes := make(map[string]int64, len(todo))
	for _, t := range todo {
		sizes[t.Key] = t.Unit.Bytes()
		bytes += t.Unit.Bytes()
	}
	if len(done) > 0 {
		slog.Info(fmt.Sprintf("%d of %d units are done already", len(done), o.Units))
	}
	// Both lists travel by the folder, because a graph with a million units would be refused.
	if run.DryRun() {
		f = nil // it is not even there
	}
	tasks, err := batch.List(f, todo)
	if err != nil {
		return outputError(err)
	}
	before, err := batch.List(f, done)
	if err != nil {
		return outputError(err)
	}
	if out != nil {
		defer cli.StartProgress(&cli.Live, bytes).Stop()
		// Workers elsewhere have counters of their own.
		if !run.InProcess(runner) {
			defer batch.Watch(&cli.Live, sizes, func() ([]string, error) { return conversion.Keys(f) })()
		}
	}
	job := batch.Submission{Command: "convert", Output: o.Output, Runner: runner, Folder: f}
	if out != nil {
		job.Leave = out.Leave
	}
	return job.Do(ctx, converting, o, tasks, before)
}

// The headings of --help.
// They come in the order in which the first flag of each is added.
const (
	output   = "Output"
	input    = "Input"
	resource = "Running"
)

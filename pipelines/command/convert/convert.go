package convert

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/shape"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/conversion"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/secret"
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

// config is the command line.
// What has to reach the workers is in Options; the rest is for this process.
type config struct {
	options  Options
	inputs   []string
	runner   string
	unitSize int64
	// bytes; 0 for what baseMemory and workerMemory come to
	memory int64
	fresh  bool
	table  bool // the one input is a table of HBase, and no archive
}

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

// execute does what is not done yet and returns the manifest.
// It has the shape of ingest: find, divide, leave out what is done, do the rest in one graph.
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
			"ended, or to see what it did", f.Path(collection.ManifestFile)))
		return schemas.Manifest{}, errLeft
	}
	// The manifest is written by the graph, perhaps on another machine, so it is read from the folder.
	return collection.ReadTotals(f)
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
	for _, kind := range []error{conversion.ErrForeign, conversion.ErrOther, folder.ErrBusy, collection.ErrBusy} {
		if errors.Is(err, kind) {
			return cli.Usagef("%v", err)
		}
	}
	return cli.OutputError(err)
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
	p, s := beam.NewPipelineWithRoot()
	if err := batch.Build(s, converting, o, tasks, before); err != nil {
		return err
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
	return job.Run(ctx, p)
}

// The headings of --help.
// They come in the order in which the first flag of each is added.
const (
	output   = "Output"
	input    = "Input"
	resource = "Running"
)

// command is what --help begins with. Its table of formats is found out by writing, see table.
func command() cli.Command {
	return cli.Command{
		Name: "convert", Args: "archive ...",
		Summary: "Read web archives in any format that is read, told by content, and write them in any format that is " +
			"written.\n" +
			"An archive is a file, a folder (with all beneath it), a pattern (** crosses folders), @list.txt, - for an " +
			"archive or a list on standard input (told by content), or a URL: gs://bucket/name, s3://bucket/name (folders " +
			"and patterns too), https://host/file. Or it is a table of HBase that ingest wrote with bodies: " +
			"hbase://host:port/table.\n" +
			"What a format cannot carry is dropped and counted; what cannot be read, and captures that a format cannot hold, " +
			"are in rejects-*. Killed or interrupted runs go on where they were: run the same command again.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage or input, 3 done and something of the archives is not in the output (see " +
			"rejects-* and the summary).",
		Examples: []string{
			"go run ./pipelines/convert --to=ache-warc --output=/data/warc /data/crawl/data_pages",
			"go run ./pipelines/convert --from=warc --to=ache-json,ache-html --output=/data/pages '/data/warcs/**/*.warc.gz'",
			"go run ./pipelines/convert --ache_config=ache.yml --output=/data/crawl shelf/",
		},
		Table:    table(),
		Versions: versions(),
	}
}

// parse reads the command line and checks it.
func parse(args []string) (config, error) {
	row := cli.Rows(flagTable)
	f := run.NewFlags(flag.CommandLine, command())
	to, yml := f.Strings(row("to")), f.String(row("ache_config"))
	out := f.String(row("output"))
	compress := f.String(row("compress"))
	hash := f.Bool(row("hash_names"))
	status := f.Bool(row("status_line"))
	maxFile := f.Bytes(row("max_file"))
	// The flags about WARC are in a file of their own, as not all formats take them.
	// w is filled when the command line is parsed.
	var w warcFlags
	w.flags(f)
	stamp, known := f.String(row("stamp")), f.String(row("sources"))
	fresh := f.Bool(row("fresh"))
	from := f.Strings(row("from"))
	maxBody := f.Bytes(row("max_body"))
	maxHead := f.Bytes(row("max_header"))
	maxRatio := f.Int(row("max_ratio"))
	payer := f.String(row("requester_pays"))
	private := f.Bool(row("private_hosts"))
	unitSize := f.Bytes(row("unit_size"))
	workers, memory := f.Int(row("workers")), f.Bytes(row("memory"))
	inputs := f.Strings(row("input"))
	if err := f.Parse(args); err != nil {
		return config{}, err
	}
	// Secrets in URLs are hidden here, before anything is shown or sent.
	c := config{
		options: Options{
			Output: *out, From: *from, MaxBody: *maxBody, MaxHead: int(*maxHead), MaxRatio: int64(*maxRatio), Workers: *workers,
			Remote:  blob.Options{UserAgent: "gleaner", RequesterPays: *payer, PrivateHosts: *private},
			Sources: *known,
		},
		inputs: shown(slices.Concat(f.Args(), *inputs)), runner: f.Runner(), unitSize: *unitSize, memory: *memory,
		fresh: *fresh,
	}
	// A table is told by its address, before formats are looked at: it has no --from of archives.
	if err := c.checkTable(); err != nil {
		return config{}, err
	}
	// These hold for all formats of --to; a format that has no such option ignores it, but for those about WARC.
	writing := shape.WriteOptions{HashNames: *hash, StatusLine: *status, MaxFileBytes: *maxFile}
	if err := c.writing(&writing, *compress, *stamp); err != nil {
		return config{}, err
	}
	// Without a configuration the formats are those of --to, each with the same options.
	if *yml == "" {
		for _, name := range *to {
			c.options.To = append(c.options.To, conversion.Target{Format: name, Options: writing})
		}
		if err := w.apply(f, c.options.To); err != nil {
			return config{}, err
		}
		return c, c.check()
	}
	// With one, a flag that says the same could contradict it,
	// and which of the two counts would have to be guessed.
	for _, name := range append([]string{"to", "compress", "hash_names", "max_file"}, warcOnly...) {
		if f.Set(name) {
			return config{}, cli.Usagef("--%s and --ache_config: the configuration says that", name)
		}
	}
	if err := c.configure(*yml, writing); err != nil {
		return config{}, err
	}
	return c, c.check()
}

// writing reads the options of writing that are texts.
// They are read here and not by the flags, because a switch has three values and a stamp may be absent.
func (c *config) writing(w *shape.WriteOptions, compress, stamp string) (err error) {
	// Default is not off: each format has its own habit.
	switches := map[string]shape.Switch{"default": shape.Default, "on": shape.On, "off": shape.Off}
	known := false
	if w.Compress, known = switches[compress]; !known {
		return cli.Usagef("--compress=%s: there are on, off and default", compress)
	}
	if stamp == "" {
		return nil
	}
	// The stamp stands in for the clock, so that the same input makes the same bytes.
	if w.Stamp, err = time.Parse(time.RFC3339, stamp); err != nil {
		return cli.Usagef("--stamp: %v", err)
	}
	return nil
}

// configure takes the formats and their options from an ache.yml. What ACHE's has no option for is as in w.
func (c *config) configure(name string, w shape.WriteOptions) error {
	said, err := ache.ReadConfig(name)
	if err != nil {
		return cli.Usagef("--ache_config: %v", err)
	}
	list, err := said.Outputs()
	// Some outputs of ACHE are no files, such as Elasticsearch. The files are written, and the rest is told.
	if err != nil && len(list) > 0 {
		slog.Warn(fmt.Sprintf("%s: %v", name, err))
	} else if err != nil {
		return cli.Usagef("--ache_config: %s: %v", name, err)
	}
	for _, o := range list {
		// ACHE has no word for these two, so the flags say them for every format.
		o.Options.Stamp, o.Options.StatusLine = w.Stamp, w.StatusLine
		c.options.To = append(c.options.To, conversion.Target{Format: o.Name, Options: o.Options})
	}
	return nil
}

// minUnit is the least size of a unit: the chain rule tells smaller ranges hardly apart.
// It is the same bound as in ingest.
const minUnit = 64 << 10

// check finds what is wrong with the command line before any work is begun.
// It is called for both ways of naming formats. The order is that in which a user would mend things.
func (c *config) check() error {
	o := c.options
	if len(c.inputs) == 0 {
		return cli.Usagef("no archives named; name files, folders or patterns")
	}
	if len(o.To) == 0 {
		return cli.Usagef("--to is missing: there are %s", strings.Join(archive.Outputs(), ", "))
	}
	for i, t := range o.To {
		if !slices.Contains(archive.Outputs(), t.Format) {
			return cli.Usagef("--to=%s: there are %s", t.Format, strings.Join(archive.Outputs(), ", "))
		}
		// Each format has a folder of its name, so that two of a kind would write the same files.
		if slices.ContainsFunc(o.To[:i], func(other conversion.Target) bool { return other.Format == t.Format }) {
			return cli.Usagef("--to: %s is there twice", t.Format)
		}
	}
	for _, name := range o.From {
		if !slices.Contains(archive.Inputs(), name) {
			return cli.Usagef("--from=%s: there are %s", name, strings.Join(archive.Inputs(), ", "))
		}
	}
	if err := folder.Check(o.Output); err != nil {
		return cli.Usagef("--output: %v", err)
	}
	// The two are of Dataflow; a dry run shows the job that would be sent there.
	if run.DryRun() && c.runner != run.Dataflow {
		return cli.Usagef("--dry_run is for --runner=%s", run.Dataflow)
	}
	if c.runner == run.Dataflow && !blob.IsRemote(o.Output) {
		return cli.Usagef("--runner=%s needs an output that its workers reach, which no local folder is; name a bucket: "+
			"--output=gs://bucket/folder", c.runner)
	}
	// Everything is bounded, since archives are hostile: no number stands for "without a limit".
	if o.MaxBody <= 0 || o.MaxHead <= 0 || o.MaxRatio <= 0 || c.unitSize < minUnit {
		return cli.Usagef("--max_body, --max_header and --max_ratio must be positive, and --unit_size at least 64KiB")
	}
	return cmp.Or(run.CheckRunner(c.runner), run.CheckEndpoint(c.runner), c.checkSources())
}

// checkReach finds archives that the workers of a service cannot read.
// What is local is out of reach for a service, and secrets must not travel to one.
func (c *config) checkReach(in *work.Inputs) error {
	for _, u := range in.Units {
		for _, r := range u.Inputs {
			// Where workers are this process, the secret stays here.
			if secret.Hides(r.File) && !run.InProcess(c.runner) {
				return cli.Usagef("%s: the user or query of its URL would travel with the job, to be read by whoever sees jobs: "+
					"name the archive in gs:// or s3://, or run with --runner=direct", r.File)
			}
			if c.runner == run.Dataflow && !blob.IsRemote(r.File) {
				return cli.Usagef("%s is out of reach for the workers of --runner=%s: name what lies in gs://, s3:// or https://",
					r.File, c.runner)
			}
		}
	}
	return nil
}

// Package collection is the command that maintains collections. It compacts their documents into sorted shards, makes
// the index and the Iceberg table, and expires snapshots. It also checks every file, takes pages down, and adopts and
// merges others.
//
// It is only the command line; io/collection and its packages do the work. It links no Beam, and is the one command
// that links Iceberg's library, which takes 50 MB. See docs/collections.md.
package collection

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/lake"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"

	// The buckets that collections lie in.
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	_ "github.com/gleaner-web/gleaner/io/storage/buckets"
)

// Verb is the command.
var Verb = cli.Verb{
	Name: "collection", Brief: "compact, check, merge collections; take pages down",
	Flags: func(set *flag.FlagSet) *cli.Flags { return newFlags(set, new(config)) },
	Do:    do,
}

// task is a subcommand.
type task struct {
	name  string
	args  string // in the help; "" for tasks without arguments
	brief string
	table bool // the task uses the Iceberg table
	do    func(ctx context.Context, j *job) (int, error)
}

// tasks are in the order of the help.
var tasks = []task{
	{"stats", "", "what the collection holds, by units, shards and versions", false, stats},
	{"describe", "TITLE [TEXT]", "set the title and description that people see", false, describe},
	{"card", "", "write README.md, with which load_dataset of Hugging Face reads the folder", false, writeCard},
	{"check", "", "read every shard and snapshot, and compare them with their hashes and counts", true, check},
	{"index", "", "update the index, or make it again (--rebuild)", false, updateIndex},
	{"compact", "", "gather documents in shards of a month, sorted (--cluster)", true, compact},
	{"lake", "", "make or bring up to date the Iceberg table", true, syncLake},
	{"snapshots", "", "list the table's snapshots", true, snapshots},
	{"expire", "", "remove old snapshots (--keep, --older_than), and shards that were compacted", true, expire},
	{"takedown", "URL|host ...", "remove pages, or all of hosts, for good (--reason)", true, takeDown},
	{"adopt", "FOLDER", "take in documents-*.jsonl and *.parquet that another program wrote", true, adopt},
	{"merge", "FOLDER ...", "take in all units of other collections", true, merge},
}

// job is a task with what it works on.
type job struct {
	config
	f      folder.Folder
	store  *blob.Store
	out    io.Writer // answers
	unsaid error     // the first line that could not be written
}

// wrap is a variable so that tests can make folders fail.
var wrap = func(f folder.Folder) folder.Folder { return f }

func do(ctx context.Context, args []string) (code int, err error) {
	c, err := parse(args)
	if err != nil {
		return cli.ExitUsage, err
	}
	store := blob.New(blob.Options{UserAgent: "gleaner"})
	// Deferred calls run in reverse order: the folder closes before its store.
	defer func() { err = errors.Join(err, store.Close()) }()
	// Tasks that change something take the lock themselves.
	j := newJob(ctx, c, store)
	defer func() { err = errors.Join(err, j.f.Close()) }()
	// Check the catalogue before any change that the table would have to follow.
	if tasks[c.task].table {
		if err := lake.CheckCatalogue(j.f, j.lake); err != nil {
			return j.explain(cli.ExitFailed, err)
		}
	}
	limitMemory(tasks[c.task].name, c.memory)
	code, err = tasks[c.task].do(ctx, j)
	if err == nil && j.unsaid != nil {
		return cli.ExitFailed, j.unsaid
	}
	return j.explain(code, err)
}

func newJob(ctx context.Context, c config, store *blob.Store) *job {
	return &job{config: c, f: wrap(folder.Open(ctx, c.collection, store)), store: store, out: os.Stdout}
}

// explain makes usage errors of errors that another command line would avoid.
func (j *job) explain(code int, err error) (int, error) {
	switch {
	case errors.Is(err, errLeft): // never a mistake of the command line
		return cli.ExitFailed, err
	case errors.Is(err, collection.ErrForeign), errors.Is(err, lake.ErrNone), errors.Is(err, lake.ErrNoParquet),
		errors.Is(err, lake.ErrOlder), errors.Is(err, lake.ErrCatalogue), errors.Is(err, lake.ErrLeftOut):
		return cli.ExitUsage, cli.Usagef("%v", err)
	// Any other missing file is damage. Where a task makes the collection, takeFrom tells them apart.
	case errors.Is(err, fs.ErrNotExist) && !slices.Contains([]string{"adopt", "merge"}, tasks[j.task].name):
		if _, none := holdings.ReadTotals(j.f); errors.Is(none, fs.ErrNotExist) {
			return cli.ExitUsage, cli.Usagef("%s is no collection in which a run has finished: name the folder that "+
				"ingest wrote, by --collection", j.collection)
		}
	}
	return code, err
}

// open opens the collection for writing, which excludes other runs.
func (j *job) open() (*collection.Collection, error) {
	if _, err := holdings.ReadTotals(j.f); err != nil && !ledger.Interrupted(j.f) {
		return nil, err // opening must not create a collection
	}
	return collection.Open(j.f, collection.OpenOptions{})
}

// changed updates the table to the manifest, if there is a table.
func (j *job) changed(ctx context.Context) error {
	switch _, err := lake.Open(ctx, j.f, j.lake); {
	case errors.Is(err, lake.ErrNone):
		return nil
	case err != nil:
		return err
	}
	s, err := lake.Sync(ctx, j.f, j.lake)
	if err == nil {
		j.say("table      snapshot %d, %s in %s", s.ID, cli.Plural(s.Records, "row"), cli.Plural(s.Files, "file"))
		err = j.sayOutside()
	}
	return err
}

// sayOutside reports documents that the table cannot have.
func (j *job) sayOutside() error {
	units, documents, err := lake.Outside(j.f)
	if err == nil && units > 0 {
		j.say("not in it  %s of %s that are there in JSON lines alone: `gleaner collection compact` brings them in, and so "+
			"does `gleaner ingest --format=parquet`", cli.Plural(documents, "document"), cli.Plural(units, "unit"))
	}
	return err
}

// say prints a line of the answer. The work goes on if that fails, and the command fails at its end.
func (j *job) say(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	err := cli.Answer(j.out, "answer", strings.Join(strings.Fields(text), " "), text+"\n")
	j.unsaid = cmp.Or(j.unsaid, err)
}

func compact(ctx context.Context, j *job) (code int, err error) {
	c, err := j.open()
	if err != nil {
		return cli.ExitFailed, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	// The same command or the next run completes a killed compaction: see ledger.Interrupted.
	done, err := care.Compact(ctx, c, care.CompactOptions{
		Order: orders[j.cluster], MemoryBytes: int(j.memory), ShardBytes: j.shardSize,
	})
	if err != nil {
		return cli.ExitFailed, err
	}
	j.say("compacted  %s of %s to %s, for %s; %s as they were", cli.Plural(done.Rows, "row"),
		cli.Plural(done.Units, "unit"), cli.Plural(done.Shards, "shard"), cli.Plural(done.Months, "month"),
		cli.Plural(done.Kept, "shard"))
	if done.Units > 0 {
		// Earlier snapshots of the table may refer to them.
		j.say("the shards that were there before stay until `collection expire`")
	}
	// The collection's lock is still held, so no run can change the manifest before the table follows.
	return cli.ExitDone, j.changed(ctx)
}

func syncLake(ctx context.Context, j *job) (int, error) {
	// No lock: the manifest is replaced in one step, and the commit is of the one that was read.
	s, err := lake.Sync(ctx, j.f, j.lake)
	if err != nil {
		return cli.ExitFailed, err
	}
	j.say("snapshot   %d of %s\nfiles      %s, %s added, %s removed\nrows       %s", s.ID, s.Time.Format(timeLayout),
		cli.FormatCount(s.Files), cli.FormatCount(s.Added), cli.FormatCount(s.Removed), cli.FormatCount(s.Records))
	return cli.ExitDone, j.sayOutside()
}

// timeLayout is for UTC, as all times of a snapshot are.
const timeLayout = "2006-01-02T15:04:05.000Z"

func snapshots(ctx context.Context, j *job) (int, error) {
	t, err := lake.Open(ctx, j.f, j.lake)
	if err != nil {
		return cli.ExitFailed, err
	}
	list, err := t.Snapshots(ctx)
	if err != nil {
		return cli.ExitFailed, err
	}
	j.say("%-20s  %-24s  %-9s  %8s  %12s  %s", "snapshot", "time", "operation", "files", "rows", "manifest")
	for _, s := range list {
		j.say("%-20d  %-24s  %-9s  %8d  %12d  %.12s", s.ID, s.Time.Format(timeLayout), s.Operation, s.Files, s.Records,
			s.Manifest)
	}
	return cli.ExitDone, nil
}

// expire removes old snapshots, and then the shards that no remaining snapshot needs.
func expire(ctx context.Context, j *job) (code int, err error) {
	c, err := j.open()
	if err != nil {
		return cli.ExitFailed, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	// A dry run must not update the table.
	if j.dryRun {
		return j.expireTable(ctx)
	}
	if err := j.changed(ctx); err != nil { // or the newest snapshot could be of an earlier manifest
		return cli.ExitFailed, err
	}
	if code, err := j.expireTable(ctx); err != nil {
		return code, err
	}
	// The removed snapshots have released their files.
	kept, err := j.referenced(ctx)
	if err != nil {
		return cli.ExitFailed, err
	}
	done, err := care.Expire(c, kept)
	if err != nil {
		return cli.ExitFailed, err
	}
	j.say("shards     %s removed that were compacted, %s", cli.Plural(done.Files, "file"), cli.FormatBytes(done.Bytes))
	return cli.ExitDone, nil
}

// expireTable removes snapshots of the table, if there is one.
func (j *job) expireTable(ctx context.Context) (int, error) {
	t, err := lake.Open(ctx, j.f, j.lake)
	if errors.Is(err, lake.ErrNone) {
		return cli.ExitDone, nil
	}
	if err != nil {
		return cli.ExitFailed, err
	}
	// Files up to a day old stay (see lake.Expiry): another program may be about to commit them.
	done, err := t.Expire(ctx, lake.Expiry{Before: j.before, Keep: j.keep, DryRun: j.dryRun})
	if err != nil {
		return cli.ExitFailed, err
	}
	verb := "removed"
	if j.dryRun {
		verb = "would be removed"
	}
	j.say("snapshots  %s %s, with %s, %s", cli.Plural(len(done.Snapshots), "snapshot"), verb,
		cli.Plural(len(done.Files), "file"), cli.FormatBytes(done.Bytes))
	return cli.ExitDone, nil
}

// referenced returns the files that any snapshot of the table refers to.
func (j *job) referenced(ctx context.Context) (map[string]bool, error) {
	t, err := lake.Open(ctx, j.f, j.lake)
	if errors.Is(err, lake.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list, err := t.Snapshots(ctx)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, s := range list {
		files, err := t.Plan(ctx, lake.Point{ID: s.ID}, everything)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			names[f.Name] = true
		}
	}
	return names, nil
}

// find returns the index of a task in tasks, or -1.
func find(name string) int {
	return slices.IndexFunc(tasks, func(t task) bool { return t.name == name })
}

// table lists the tasks for the help.
func table() string {
	var b strings.Builder
	b.WriteString("Tasks\n")
	for _, t := range tasks {
		fmt.Fprintf(&b, "  %-23s %s\n", strings.TrimSpace(t.name+" "+t.args), t.brief)
	}
	return b.String()
}

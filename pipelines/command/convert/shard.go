package convert

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"slices"

	"github.com/gleaner-web/gleaner/io/derived/conversion"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// of returns the tasks of the shard. All parts have the same plan, so a task's place in it decides.
func (c *config) of(tasks []task) []task {
	if c.shard.N == 0 {
		return tasks
	}
	return slices.DeleteFunc(slices.Clone(tasks), func(t task) bool { return t.Unit.ID%c.shard.N != c.shard.I-1 })
}

// counts returns what the units of a part have. There is no manifest before the parts are joined.
func (c *config) counts(tasks []task, atOnce int, out *conversion.Folder) (m schemas.Manifest, err error) {
	todo, done, err := divide(tasks, atOnce, out)
	if err == nil && len(todo) > 0 {
		err = fmt.Errorf("%w: %d of part %s have no result", conversion.ErrIncomplete, len(todo), &c.shard)
	}
	for _, row := range done {
		m.Units = append(m.Units, row.UnitResult)
		m.Totals.Add(row.Counts)
	}
	slog.Info(fmt.Sprintf("part %s is done: `convert merge` joins the parts", &c.shard))
	return m, err
}

// mergeTask is the argument that joins parts. An archive of this name has to be written ./merge.
const mergeTask = "merge"

func aboutMerge() cli.Command {
	return cli.Command{
		Name: "convert merge", Args: "part ...",
		Summary: "Join the folders that `convert --shard` has made. Then run the same convert command without --shard, " +
			"into the same folder: it finds the archives converted and moves the files to their places.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage or input.",
		Examples: []string{"go run ./pipelines/convert merge --output=/data/warc parts/1 parts/2 parts/3"},
	}
}

func newMergeFlags(set *flag.FlagSet, output *string) *cli.Flags {
	f := cli.NewFlags(set, aboutMerge())
	f.Add(setting.Under("Output", []setting.Setting{{
		Name: "output", Value: output, Default: "converted", Example: "/data/warc",
		Help: "folder of the conversion: it is made when it is not there", Brief: "folder of the conversion",
	}}))
	return f
}

// open opens a folder of a conversion and locks it.
func open(ctx context.Context, f folder.Folder) (*conversion.Folder, error) {
	c, err := conversion.Open(f, conversion.OpenOptions{
		JobEnded: func(note []byte) error { return run.JobEnded(ctx, note, false) },
	})
	return c, outputError(err)
}

func merge(ctx context.Context, args []string) (code int, err error) {
	var output string
	// A new flag set, because flag.CommandLine has Beam's flags.
	f := newMergeFlags(flag.NewFlagSet("convert merge", flag.ContinueOnError), &output)
	if err := f.Parse(args); err != nil {
		return cli.ExitUsage, err
	}
	if len(f.Args()) == 0 {
		return cli.ExitUsage, cli.Usagef("name the folders of the parts")
	}
	store := blob.New(blob.Options{UserAgent: "gleaner"})
	defer func() { _ = store.Close() }() // all writes have ended
	for _, name := range f.Args() {
		// Opening a folder makes it.
		if err := conversion.IsMade(folder.Open(ctx, name, store)); err != nil {
			return cli.ExitUsage, cli.Usagef("%v", err)
		}
	}
	units, err := mergeParts(ctx, store, output, f.Args())
	if err != nil {
		return cli.ExitFailed, err
	}
	return cli.ExitDone, cli.Answer(os.Stdout, cli.AnswerSummary, struct {
		Parts int `json:"parts"`
		Units int `json:"units"`
	}{len(f.Args()), units}, fmt.Sprintf("Joined       %s units of %s parts: run the same command without --shard\n",
		cli.FormatCount(int64(units)), cli.FormatCount(int64(len(f.Args())))))
}

func mergeParts(ctx context.Context, store *blob.Store, output string, parts []string) (units int, err error) {
	to := folder.Open(ctx, output, store)
	out, err := open(ctx, to)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, out.Close(), to.Close()) }()
	for _, name := range parts {
		n, err := takePart(ctx, out, store, name)
		if err != nil {
			return 0, err
		}
		units += n
	}
	return units, nil
}

// takePart copies a part under its lock, so that no command is at work in it.
func takePart(ctx context.Context, out *conversion.Folder, store *blob.Store, name string) (n int, err error) {
	f := folder.Open(ctx, name, store)
	defer func() { err = errors.Join(err, f.Close()) }()
	part, err := open(ctx, f)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, part.Close()) }()
	n, err = out.Take(ctx, part)
	return n, outputError(err)
}

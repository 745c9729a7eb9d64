package convert

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
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

func newMergeFlags(set *flag.FlagSet, output *string) *cli.Flags {
	f := cli.NewFlags(set, cli.Command{
		Name: "convert merge", Args: "part ...",
		Summary: "Join the folders that `convert --shard` has made. Then run the same convert command without --shard, " +
			"into the same folder: it finds the archives converted and moves the files to their places.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage or input.",
		Examples: []string{"go run ./pipelines/convert merge --output=/data/warc parts/1 parts/2 parts/3"},
	})
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

func merge(ctx context.Context, args []string) (int, error) {
	var output string
	// A new flag set, because flag.CommandLine has Beam's flags.
	f := newMergeFlags(flag.NewFlagSet("convert merge", flag.ContinueOnError), &output)
	return f.Merge(args, func(parts []string) (int, error) {
		store := blob.New(blob.Options{UserAgent: "gleaner"})
		defer func() { _ = store.Close() }() // all writes have ended
		all, err := together(ctx, store, parts)
		if err != nil {
			return 0, err
		}
		return mergeParts(ctx, store, output, parts, all)
	})
}

// together returns what the parts have, or an error if they do not belong together. It changes nothing.
func together(ctx context.Context, store *blob.Store, names []string) (all conversion.Part, err error) {
	first := map[int]string{}
	for i, name := range names {
		f := folder.Open(ctx, name, store)
		err := conversion.IsMade(f)
		if err == nil {
			_, err = f.Size(holdings.ManifestFile)
			if err == nil {
				err = fmt.Errorf("%s is finished and not a part", name)
			} else if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		}
		var p conversion.Part
		if err == nil {
			p, err = conversion.ReadPart(f)
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return all, cli.Usagef("%v", err)
		}
		switch {
		case p.Of == 0:
			return all, cli.Usagef("%s does not say which part it is: run its command with --shard again to note that",
				name)
		case i > 0 && p.Of != all.Of:
			return all, cli.Usagef("%s is %d/%d and %s is %d/%d: parts of one number belong together", names[0],
				all.Numbers[0], all.Of, name, p.Numbers[0], p.Of)
		case i > 0 && p.Plan != all.Plan:
			return all, cli.Usagef("%s is of another run than %s: other archives, other options or another version", name,
				names[0])
		}
		for _, n := range p.Numbers {
			if other, has := first[n]; has {
				return all, cli.Usagef("%s and %s are both part %d/%d: name each part once", other, name, n, p.Of)
			}
			first[n] = name
		}
		all.Of, all.Plan, all.Numbers = p.Of, p.Plan, append(all.Numbers, p.Numbers...)
	}
	return all, nil
}

func mergeParts(
	ctx context.Context, store *blob.Store, output string, parts []string, all conversion.Part,
) (units int, err error) {
	to := folder.Open(ctx, output, store)
	out, err := open(ctx, to)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, out.Close(), to.Close()) }()
	if err := out.NotePart(all); err != nil {
		return 0, outputError(err)
	}
	has, err := conversion.ReadPart(to)
	if err != nil {
		return 0, err
	}
	if missing := has.Missing(); len(missing) > 0 {
		slog.Warn(fmt.Sprintf("%d of %d parts are missing: %s. The command without --shard converts their archives itself",
			len(missing), has.Of, listed(missing)))
	}
	for _, name := range parts {
		n, err := takePart(ctx, out, store, name)
		if err != nil {
			return 0, err
		}
		units += n
	}
	return units, nil
}

// listed writes the first twenty numbers.
func listed(numbers []int) string {
	text := fmt.Sprint(numbers[:min(20, len(numbers))])
	text = strings.ReplaceAll(strings.Trim(text, "[]"), " ", ", ")
	if len(numbers) > 20 {
		text += " …"
	}
	return text
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

package corpus

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/derived/corpora"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/batch/graphs"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// of returns the units of the shard. Their keys decide, so that each command has the same list.
func (c config) of(s *corpora.Steps, units []element) []element {
	if c.shard.N == 0 {
		return units
	}
	all := keys(s, units)
	return slices.DeleteFunc(units, func(u element) bool {
		i, _ := slices.BinarySearch(all, s.UnitKey(holdings.Part{Shards: u.Shards}))
		return i%c.shard.N != c.shard.I-1
	})
}

// signPart filters the units of a shard. The folder is then a part for `corpus merge`.
func (c config) signPart(ctx context.Context, s *corpora.Steps, lock *claim.Claimed, units []element) error {
	if _, err := s.Out.Size(corpora.ManifestFile); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, cli.Usagef("--output=%s holds a finished corpus: name another folder for a part",
			c.options.Output))
	}
	units = c.of(s, units)
	p, scope := beam.NewPipelineWithRoot()
	if err := Build(scope, c.options, units); err != nil {
		return err
	}
	progress := cli.StartProgress(&cli.Live, 0) // the total is unknown
	job := batch.Submission{
		Command: "corpus", Output: c.options.Output, Runner: c.runner, Folder: s.Out, Leave: lock.Leave,
	}
	err := graphs.Submit(ctx, job, p)
	if progress.Stop(); err != nil {
		return err
	}
	return cli.Answer(os.Stdout, cli.AnswerSummary, struct {
		Units int `json:"units"`
	}{len(units)}, fmt.Sprintf("Part %-8s %s of the collections filtered: `corpus merge` joins the parts\n",
		&c.shard, cli.FormatCount(int64(len(units)))+" units"))
}

func newMergeFlags(set *flag.FlagSet, output *string) *cli.Flags {
	f := cli.NewFlags(set, cli.Command{
		Name: "corpus merge", Args: "part ...",
		Summary: "Join the folders that `corpus --shard` has made. Then run the same corpus command without --shard, " +
			"into the same folder: it finds the documents filtered, removes duplicates and writes the files.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage or input.",
		Examples: []string{"go run ./pipelines/corpus merge --output=out-corpus parts/1 parts/2 parts/3"},
	})
	f.Add(setting.Under("Output", []setting.Setting{{
		Name: "output", Value: output, Default: outFolder, Example: "/data/corpus",
		Help: "folder of the corpus: it is made when it is not there", Brief: "folder of the corpus",
	}}))
	return f
}

func merge(ctx context.Context, args []string) (int, error) {
	var output string
	// A new flag set, because flag.CommandLine has Beam's flags.
	f := newMergeFlags(flag.NewFlagSet("corpus merge", flag.ContinueOnError), &output)
	return f.Merge(args, func(parts []string) (int, error) { return mergeParts(ctx, output, parts) })
}

func mergeParts(ctx context.Context, output string, parts []string) (units int, err error) {
	store := blob.New(blob.Options{UserAgent: "gleaner"})
	defer func() { _ = store.Close() }() // all writes have ended
	s := Options{Output: output, Memory: 1 << 20}.steps(ctx, store)
	defer func() { _ = s.Out.Close() }() // as above
	lock, err := corpora.Marker.Claim(s.Out)
	if err != nil {
		return 0, cli.OutputError(err, corpora.ErrForeign)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := lock.Begin(func(note []byte) error { return run.JobEnded(ctx, note, false) }); err != nil {
		return 0, cli.OutputError(err, corpora.ErrForeign)
	}
	for _, name := range parts {
		n, err := takePart(ctx, s, store, name)
		if err != nil {
			return 0, err
		}
		units += n
	}
	return units, nil
}

// takePart copies a part under its lock, so that no command is at work in it.
func takePart(ctx context.Context, s *corpora.Steps, store *blob.Store, name string) (n int, err error) {
	from := folder.Open(ctx, name, store)
	defer func() { err = errors.Join(err, from.Close()) }()
	if _, err := from.Size(holdings.Hidden(corpora.Marker.Name)); errors.Is(err, fs.ErrNotExist) {
		return 0, cli.Usagef("%s: not a part of a corpus", name)
	}
	lock, err := corpora.Marker.Claim(from)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return s.Take(ctx, from)
}

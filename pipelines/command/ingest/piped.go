package ingest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/pipe"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

const (
	stdout = "-"     // as --output
	arrow  = "arrow" // as --format
)

// readPiped reads --output=- and its formats.
func (c *config) readPiped(f *run.Flags) error {
	r := &c.request
	c.said, c.piped = os.Stdout, r.Output == stdout
	if !c.piped {
		if slices.Contains(r.Formats, arrow) {
			return cli.Usagef("--format=arrow is a stream: it needs --output=-")
		}
		return nil
	}
	c.said, c.arrow = os.Stderr, slices.Equal(r.Formats, []string{arrow})
	if !c.arrow && !slices.Equal(r.Formats, []string{holdings.FormatJSONL}) {
		return cli.Usagef("--output=-: --format=jsonl or arrow, one of them, goes to standard output")
	}
	for _, name := range []string{"add", "fresh", "watch", "prune", "compression", "report"} {
		if f.Given(name) {
			return cli.Usagef("--%s is for folders, and --output=- writes none", name)
		}
	}
	if f.Runner() != run.Local {
		return cli.Usagef("--output=- needs --runner=local: other runners' workers have no standard output")
	}
	r.Formats, r.Compression = []string{holdings.FormatJSONL}, string(jsonl.None)
	return nil
}

// piped does a run in a scratch folder, and writes the documents of each unit to standard output. They are in the order
// of the plan, so that a command writes the same bytes each time.
func piped(ctx context.Context, c config) (code int, err error) {
	dir, remove, err := folder.Scratch("ingest")
	if err != nil {
		return cli.ExitFailed, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	c.request.Output = filepath.Join(dir, "out")
	// An error of the output does not belong to a unit, so it ends the run as an interrupt does.
	running, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p, err := pipe.New(os.Stdout, c.arrow, cancel)
	if err != nil {
		return cli.ExitFailed, err
	}
	c.request.Done = p.Done
	code, m, err := once(running, c)
	switch {
	case errors.Is(p.Err(), syscall.EPIPE): // head has enough
		return cli.ExitDone, nil
	case p.Err() != nil:
		return cli.ExitFailed, p.Err()
	case err != nil || m == nil:
		return code, err
	}
	f := folder.Open(ctx, c.request.Output, nil)
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := p.End(f, *m); err != nil && !errors.Is(err, syscall.EPIPE) {
		return cli.ExitFailed, err
	}
	return code, nil
}

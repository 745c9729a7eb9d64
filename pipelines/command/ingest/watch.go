package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// watch runs again and again. A failed run is logged, and the next one continues. An interrupt between runs returns
// the exit code of the last run.
func watch(ctx context.Context, c config) (int, error) {
	for {
		// Planning again finds new archives.
		code, m, err := once(ctx, c)
		if ctx.Err() != nil {
			return code, err
		}
		switch {
		// An inbox may be empty before the first archive arrives or after its removal: the collection stays.
		case errors.Is(err, plan.ErrNothingThere):
			slog.Info(fmt.Sprintf("nothing is there; the next run begins in %v", c.watch), "input", err)
			code = cli.ExitDone
		case err != nil:
			code = exitCodeOf(err)
			slog.Error(fmt.Sprintf("this run failed; the next one begins in %v", c.watch), "error", err)
		// Logged each time to show that the watcher is alive.
		case m == nil:
			slog.Info(fmt.Sprintf("nothing to do; the next run begins in %v", c.watch))
		default:
			t := m.Totals
			slog.Info(fmt.Sprintf("done; the next run begins in %v", c.watch), "units", len(m.Units), "captures", t.Captures,
				"documents", t.Documents, "rejects", t.Rejects, "bytes_lost", t.BytesLost)
		}
		// Waiting starts after the run, so that slow runs do not overlap.
		wait := time.NewTimer(c.watch)
		select {
		case <-ctx.Done():
			// Nothing is under way between runs, so an interrupt is not an error.
			wait.Stop()
			return code, nil
		case <-wait.C:
		}
	}
}

// exitCodeOf returns the exit code of a failed run, as cli.Main does.
func exitCodeOf(err error) int {
	var usage *cli.UsageError
	if errors.As(err, &usage) {
		return cli.ExitUsage
	}
	return cli.ExitFailed
}

// once plans and does a run and prints its summary. The manifest is nil if there was nothing to do.
func once(ctx context.Context, c config) (code int, done *schemas.Manifest, err error) {
	// The counters belong to the process and would continue from the last run.
	cli.Live.Reset()
	err = unreadRules(ctx, &c.request)
	var p *plan.Plan
	if err == nil {
		p, err = plan.Make(ctx, c.request)
	}
	if err != nil {
		// cli.Main takes the exit code from the error if it has one.
		return cli.ExitUsage, nil, err
	}
	if c.planOnly {
		return cli.ExitDone, nil, job.Print(ctx, p, os.Stdout)
	}
	if run.DryRun() {
		return cli.ExitDone, nil, job.DryRun(ctx, p)
	}
	// The speed in the summary does not include planning.
	begin := time.Now()
	m, err := job.Run(ctx, p)
	// This process will not learn how the job ends, so it says how to continue.
	if errors.Is(err, job.ErrHandedOver) {
		slog.Info(fmt.Sprintf("not waiting for the job, whose last deed is %s/%s; run the same command again to go on "+
			"where it ended, or to see what it did", c.request.Output, holdings.ManifestFile))
		return cli.ExitDone, &schemas.Manifest{}, nil
	}
	if err != nil {
		return cli.ExitFailed, nil, err
	}
	// Even if there was nothing to do: an earlier run may have had no --page.
	if c.page {
		if err := job.SavePage(ctx, p); err != nil {
			return cli.ExitFailed, nil, err
		}
	}
	// A watcher would fill the terminal with equal summaries.
	if c.watch > 0 && p.Todo == 0 {
		return exitCode(m), nil, nil
	}
	elapsed := time.Since(begin)
	if cli.Live.Captures.Load() < m.Totals.Captures {
		elapsed = 0 // an earlier run or another process did a part, so the speed is unknown
	}
	err = cli.Summary(c.said, m, elapsed, cli.PeakMemory())
	return exitCode(m), &m, cmp.Or(err, job.PrintAdded(ctx, p, c.said), p.PrintKept(c.said))
}

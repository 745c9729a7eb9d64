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
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// watch runs again and again. Interrupted between two runs, it ends with the exit code of the last one.
// A run that fails ends nothing, because the next one goes on where it was; the log has every failure.
func watch(ctx context.Context, c config) (int, error) {
	for {
		// Each round plans again: that is how new archives are found.
		code, m, err := once(ctx, c)
		// An interrupt within a run is that run's error, and told as such.
		if ctx.Err() != nil {
			return code, err
		}
		switch {
		// An inbox is empty before the first archive comes, and may be emptied: what the folder has stays.
		case errors.Is(err, job.ErrNothingThere):
			slog.Info(fmt.Sprintf("nothing is there; the next run begins in %v", c.watch), "input", err)
			code = cli.ExitDone
		case err != nil:
			code = exitCodeOf(err)
			slog.Error(fmt.Sprintf("this run failed; the next one begins in %v", c.watch), "error", err)
		// It says so each time, so that a log shows that the watcher is alive.
		case m == nil:
			slog.Info(fmt.Sprintf("nothing to do; the next run begins in %v", c.watch))
		default:
			t := m.Totals
			slog.Info(fmt.Sprintf("done; the next run begins in %v", c.watch), "units", len(m.Units), "captures", t.Captures,
				"documents", t.Documents, "rejects", t.Rejects, "bytes_lost", t.BytesLost)
		}
		// The time begins when a run has ended, so that slow runs do not overlap.
		wait := time.NewTimer(c.watch)
		select {
		case <-ctx.Done():
			// Between two runs nothing is under way, and an interrupt is the usual way to end.
			wait.Stop()
			return code, nil
		case <-wait.C:
		}
	}
}

// exitCodeOf is the exit code of a run that failed.
// It is what the command would have ended with, had it not been told to go on.
func exitCodeOf(err error) int {
	// The same rule as that of cli.Main.
	var usage *cli.UsageError
	if errors.As(err, &usage) {
		return cli.ExitUsage
	}
	return cli.ExitFailed
}

// once plans and does a run, and shows its summary. The manifest is nil if there was nothing to do.
// It is also the whole of a command without --watch.
func once(ctx context.Context, c config) (code int, done *schemas.Manifest, err error) {
	// Counters are those of the process, and would go on from the last run.
	cli.Live.Reset()
	p, err := job.MakePlan(ctx, c.request)
	if err != nil {
		// Main finds the code by the error where it has one of its own.
		return cli.ExitUsage, nil, err
	}
	// The plan is shown and nothing is locked.
	if c.planOnly {
		return cli.ExitDone, nil, p.Print(ctx, os.Stdout)
	}
	// A dry run sends nothing, and makes the job that would be sent.
	if run.DryRun() {
		return cli.ExitDone, nil, p.DryRun(ctx)
	}
	// Planning is not in the time that the summary divides by.
	begin := time.Now()
	m, err := p.Run(ctx)
	// It says how to come back: nobody here learns how the job ended.
	if errors.Is(err, job.ErrHandedOver) {
		slog.Info(fmt.Sprintf("not waiting for the job, whose last deed is %s/%s; run the same command again to go on "+
			"where it ended, or to see what it did", c.request.Options.Output, holdings.ManifestFile))
		return cli.ExitDone, &schemas.Manifest{}, nil
	}
	if err != nil {
		return cli.ExitFailed, nil, err
	}
	// Also where nothing was left to do: it may not have been asked for before.
	if c.page {
		if err := p.SavePage(ctx); err != nil {
			return cli.ExitFailed, nil, err
		}
	}
	// A watcher that finds nothing new would fill the terminal with equal summaries.
	if c.watch > 0 && p.Todo() == 0 {
		return exitCode(m), nil, nil
	}
	elapsed := time.Since(begin)
	if cli.Live.Captures.Load() < m.Totals.Captures {
		elapsed = 0 // an earlier run, or another process, did a part: there is no speed to tell
	}
	// The exit code is that of the collection also when the summary could not be printed.
	err = cli.Summary(os.Stdout, m, elapsed, cli.PeakMemory())
	return exitCode(m), &m, cmp.Or(err, p.PrintKept(os.Stdout))
}

package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// watch runs again and again. Interrupted between two runs, it ends with the exit code of the last one.
func watch(ctx context.Context, c config) (int, error) {
	for {
		code, did, err := once(ctx, c)
		if ctx.Err() != nil {
			return code, err
		}
		switch {
		case err != nil:
			code = exitCodeOf(err)
			slog.Error(fmt.Sprintf("this run failed; the next one begins in %v", c.watch), "error", err)
		case !did:
			slog.Info(fmt.Sprintf("nothing to do; the next run begins in %v", c.watch))
		default:
			slog.Info(fmt.Sprintf("done; the next run begins in %v", c.watch))
		}
		wait := time.NewTimer(c.watch)
		select {
		case <-ctx.Done():
			wait.Stop()
			return code, nil
		case <-wait.C:
		}
	}
}

// exitCodeOf is the exit code of a run that failed.
func exitCodeOf(err error) int {
	var usage *cli.UsageError
	if errors.As(err, &usage) {
		return cli.ExitUsage
	}
	return cli.ExitFailed
}

// once plans and does a run, and shows its summary. It tells whether there was anything to do.
func once(ctx context.Context, c config) (code int, did bool, err error) {
	cli.Live.Reset()
	p, err := job.MakePlan(ctx, c.request)
	if err != nil {
		return cli.ExitUsage, false, err
	}
	if c.planOnly {
		return cli.ExitDone, false, p.Print(ctx, os.Stdout)
	}
	if run.DryRun() {
		return cli.ExitDone, false, p.DryRun(ctx)
	}
	begin := time.Now()
	m, err := p.Run(ctx)
	if errors.Is(err, job.ErrHandedOver) {
		slog.Info(fmt.Sprintf("not waiting for the job, whose last deed is %s/%s; run the same command again to go on "+
			"where it ended, or to see what it did", c.request.Options.Output, collection.ManifestFile))
		return cli.ExitDone, true, nil
	}
	if err != nil {
		return cli.ExitFailed, false, err
	}
	if c.watch > 0 && p.Todo() == 0 {
		return exitCode(m), false, nil
	}
	elapsed := time.Since(begin)
	if cli.Live.Captures.Load() < m.Totals.Captures {
		elapsed = 0 // an earlier run, or another process, did a part: there is no speed to tell
	}
	err = cli.Summary(os.Stdout, m, elapsed, cli.PeakMemory())
	return exitCode(m), true, cmp.Or(err, p.PrintKept(os.Stdout))
}

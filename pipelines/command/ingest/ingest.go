// Package ingest is the command that reads web archives, says of every capture what it is, and writes documents,
// rejects and an index.
//
// It is the command line: what that asks for is done by package job. See docs/design.md.
package ingest

import (
	"context"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"

	// The buckets that archives are read from and folders written to.
	_ "github.com/gleaner-web/gleaner/io/storage/gs"
	_ "github.com/gleaner-web/gleaner/io/storage/s3"
)

// Verb is the command.
var Verb = cli.Verb{Name: "ingest", Brief: "read web archives, write documents, an index and more", Do: ingest}

// config is the command line.
type config struct {
	request  job.Request
	planOnly bool
	watch    time.Duration // run again this long after a run has ended; 0: run once
}

func ingest(ctx context.Context, args []string) (int, error) {
	c, err := parse(args)
	if err != nil {
		return cli.ExitUsage, err
	}
	r := &c.request
	if err := run.CheckEndpoint(r.Runner); err != nil && !c.planOnly {
		return cli.ExitUsage, err
	}
	cli.SetMemoryLimit(r.Options.MemoryLimit())
	list, release, err := run.Stdin(ctx, r.Inputs, r.Runner, &r.Options.Remote)
	if err != nil {
		return cli.ExitFailed, err
	}
	defer release()
	r.Stdin = list
	if c.watch > 0 {
		return watch(ctx, c)
	}
	code, _, err := once(ctx, c)
	return code, err
}

// exitCode is ExitLosses when something of the archives could not be read, or may have been read wrong (bytes that no
// record holds, a record with a flag that tells of damage, a file that the system does not give), or when a server did
// not take what it was to have.
func exitCode(m schemas.Manifest) int {
	for _, s := range m.Totals.Sinks {
		if s.Refused > 0 {
			return cli.ExitLosses
		}
	}
	lost := m.Totals.BytesLost + m.Totals.ByReject[string(schemas.KindUnreadable)]
	if lost > 0 || m.Totals.HasDamage() {
		return cli.ExitLosses
	}
	return cli.ExitDone
}

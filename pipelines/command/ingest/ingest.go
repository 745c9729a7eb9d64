// Package ingest is the command that reads web archives, says of every capture what it is, and writes documents,
// rejects and an index.
//
// It is the command line: what that asks for is done by package job. See docs/design.md.
package ingest

import (
	"context"
	"os"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"

	// The buckets that archives are read from and folders written to.
	_ "github.com/gleaner-web/gleaner/io/storage/buckets"
)

// Verb is the command.
// It has no Flags of its own: they are made when it is called, since each verb parses the whole command line.
var Verb = Patient(blob.Patience{})

// Patient is the command with another patience with servers; zero has the defaults. Tests of servers that fail use it.
func Patient(with blob.Patience) cli.Verb {
	return cli.Verb{
		Name: "ingest", Brief: "read web archives, write documents, an index and more",
		Do: func(ctx context.Context, args []string) (int, error) { return ingest(ctx, args, with) },
	}
}

// config is the command line.
// The request is what a plan is made of, once or, with --watch, again before each run.
type config struct {
	request  job.Request
	planOnly bool
	page     bool          // write the run as a page, too
	watch    time.Duration // run again this long after a run has ended; 0: run once
}

// ingest is the command: it returns the exit code, and an error that is shown.
func ingest(ctx context.Context, args []string, with blob.Patience) (int, error) {
	c, err := parse(args)
	c.request.Options.Remote.Patience = with
	if err != nil {
		return cli.ExitUsage, err
	}
	r := &c.request
	// A plan asks no runner, so that it may be made before there is one.
	if err := run.CheckEndpoint(r.Runner); err != nil && !c.planOnly {
		return cli.ExitUsage, err
	}
	// It is set before any archive is read. Workers on other machines set their own.
	cli.SetMemoryLimit(r.Options.MemoryLimit())
	// Standard input can be read once, and by this process alone: an archive
	// that comes there is kept in a file, and only a list is left in list.
	list, release, err := run.Stdin(ctx, r.Inputs, r.Runner, &r.Options.Remote)
	if err != nil {
		return cli.ExitFailed, err
	}
	defer release()
	// An index, too, may be on standard input.
	if r.Stdin = list; list == nil {
		r.Stdin = os.Stdin
	}
	// Standard input and --watch exclude each other: see checkWatch.
	if c.watch > 0 {
		return watch(ctx, c)
	}
	// Whether there was anything to do is of no interest to a command that runs once.
	code, _, err := once(ctx, c)
	return code, err
}

// exitCode is ExitLosses when something of the archives could not be read, or may have been read wrong (bytes that no
// record holds, a record with a flag that tells of damage, a file that the system does not give), or when a server did
// not take what it was to have.
// Sinks come first, since what a server refused is lost for it even where the folder has it.
func exitCode(m schemas.Manifest) int {
	for _, s := range m.Totals.Sinks {
		if s.Refused > 0 {
			return cli.ExitLosses
		}
	}
	// Rejects of other kinds are of bytes that were read, and say what is wrong with them.
	lost := m.Totals.BytesLost + m.Totals.ByReject[string(schemas.KindUnreadable)]
	if lost > 0 || m.Totals.HasDamage() {
		return cli.ExitLosses
	}
	return cli.ExitDone
}

// Package ingest is the command that reads web archives and writes documents, rejects and an index.
//
// It is only the command line; package job does the work. See docs/design.md.
package ingest

import (
	"context"
	"flag"
	"io"
	"os"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/job/plan"

	"github.com/gleaner-web/gleaner/io/child/plug"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/tokenfile"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/schemas"

	// The buckets that archives are read from and folders written to.
	_ "github.com/gleaner-web/gleaner/io/storage/buckets"
)

// Verb is the command.
var Verb = Patient(blob.Patience{})

// Patient returns the command with other retry settings for servers; the zero value has the defaults. Tests of
// failing servers use it.
func Patient(with blob.Patience) cli.Verb {
	return cli.Verb{
		Name: "ingest", Brief: "read web archives, write documents, an index and more",
		Flags: func(set *flag.FlagSet) *cli.Flags { return newFlags(set, new(config)).Flags },
		Do:    func(ctx context.Context, args []string) (int, error) { return ingest(ctx, args, with) },
	}
}

// config is the command line. With --watch each run makes a plan from the request.
type config struct {
	request  plan.Request
	planOnly bool
	page     bool          // write the run as a page, too
	watch    time.Duration // run again this long after a run has ended; 0: run once
	template bool          // print the metadata of a Flex Template and exit
	piped    bool          // write documents to standard output, and no folder
	arrow    bool          // as an Arrow stream
	said     io.Writer     // for the summary

	sinks *sinks.Flags

	// Flags that read parses: --where, --sample, --extractors, --watch, --report and --input.
	where, sample, triggers, every string
	reports, named                 []string
}

// ingest is the command. It returns the exit code and an error to show.
func ingest(ctx context.Context, args []string, with blob.Patience) (int, error) {
	c, err := parse(args)
	defer plug.CloseAll()
	defer tokenfile.Close()
	c.request.Remote.Patience = with
	if err != nil {
		return cli.ExitUsage, err
	}
	r := &c.request
	// A plan needs no running cluster.
	if err := run.CheckEndpoint(r.Runner); err != nil && !c.planOnly {
		return cli.ExitUsage, err
	}
	// Set before any archive is read. Workers on other machines set their own.
	r.LimitMemory()
	// Only this process can read standard input, once: an archive there is saved to a file, and a list stays in list.
	list, release, err := run.Stdin(ctx, r.Inputs, r.Runner, &r.Remote)
	if err != nil {
		return cli.ExitFailed, err
	}
	defer release()
	// An index may also be on standard input.
	if r.Stdin = list; list == nil {
		r.Stdin = os.Stdin
	}
	switch {
	case c.piped:
		return piped(ctx, c)
	case c.watch > 0:
		return watch(ctx, c)
	}
	code, _, err := once(ctx, c)
	return code, err
}

// exitCode returns ExitLosses if something of the archives could not be read or may have been read wrong, or if a
// sink refused documents. The folder may have documents that a sink has refused.
func exitCode(m schemas.Manifest) int {
	for _, s := range m.Totals.Sinks {
		if s.Refused > 0 {
			return cli.ExitLosses
		}
	}
	// Rejects of other kinds are about bytes that were read.
	lost := m.Totals.BytesLost + m.Totals.ByReject[string(schemas.KindUnreadable)]
	if lost > 0 || m.Totals.HasDamage() {
		return cli.ExitLosses
	}
	return cli.ExitDone
}

package job

import (
	"context"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// checkCloud finds what cannot work where workers are machines of a service.
func (c *Request) checkCloud() error {
	// Templates and detached jobs are one graph that is handed over, and nobody would be there to send the second.
	if c.Options.SiteTemplates && (run.Detached() || run.DryRun()) {
		return cli.Usagef("--site_templates takes two jobs, of which the second follows from the first: leave out --async, " +
			"--dry_run and templates of jobs")
	}
	if c.Runner != run.Dataflow {
		return nil
	}
	if !blob.IsRemote(c.Options.Output) {
		return cli.Usagef("--runner=%s needs an output that its workers reach: --output=gs://bucket/folder", c.Runner)
	}
	// The project's archives are on this machine.
	if len(c.Inputs)+len(c.Indexes) == 0 {
		return cli.Usagef("--runner=%s needs archives that its workers reach, such as gs://bucket/folder/", c.Runner)
	}
	// What is in a list, or comes on standard input, is checked when it was read: see checkReach.
	for _, name := range slices.Concat(c.Inputs, c.Indexes) {
		if strings.HasPrefix(name, "@") || name == "-" {
			continue
		}
		if err := run.CheckReach(c.Runner, name); err != nil {
			return err
		}
	}
	return nil
}

// checkReach is checkCloud of what the plan has found, after lists and indexes.
func (c *Request) checkReach(p *Plan) error {
	if c.Runner != run.Dataflow {
		return nil
	}
	// Units that stay are not read, wherever their archives are.
	for _, u := range p.own() {
		for _, r := range u.Inputs {
			if err := run.CheckReach(c.Runner, r.File); err != nil {
				return err
			}
		}
	}
	return nil
}

// progress shows what the counters count, until it is stopped. What other machines survey is not counted here.
func (c *Request) progress(live *cli.Counters, bytes int64) (stop func()) {
	if c.Options.Elsewhere || c.Progress == nil {
		return func() {}
	}
	return c.Progress(live, bytes)
}

// openCollection opens the output, unless another run is at work there, be it a job that its command has left.
// Rows were read by the plan and need not be read again, if they still hold: see stillHolds.
func (c *Request) openCollection(ctx context.Context, f folder.Folder, p *Plan) (*collection.Collection, error) {
	return collection.Open(f, collection.OpenOptions{
		Anew:     c.Fresh,
		Rows:     p.held.rows,
		Waiting:  p.keeper.waiting,
		JobEnded: func(note []byte) error { return run.JobEnded(ctx, note, c.Fresh) },
	})
}

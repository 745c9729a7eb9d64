package plan

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// checkCloud finds settings that cannot work when the workers are machines of a service.
func (c *Request) checkCloud() error {
	// Templates and detached jobs hand over one graph, and no process stays to send the second one.
	if c.SiteTemplates && (run.Detached() || run.DryRun()) {
		return cli.Usagef("--site_templates takes two jobs, of which the second follows from the first: leave out --async, " +
			"--dry_run and templates of jobs")
	}
	if c.Runner != run.Dataflow {
		return nil
	}
	if !blob.IsRemote(c.Output) {
		return cli.Usagef("--runner=%s needs an output that its workers reach: --output=gs://bucket/folder", c.Runner)
	}
	// Without names the command would read the project's own archives, which are on this machine.
	if len(c.Inputs)+len(c.Indexes) == 0 {
		return cli.Usagef("--runner=%s needs archives that its workers reach, such as gs://bucket/folder/", c.Runner)
	}
	// checkReach checks the names from lists and standard input after they have been read.
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

// checkReach is checkCloud for the files in the plan, which include those from lists and indexes.
func (c *Request) checkReach(units []schemas.Unit) error {
	if c.Runner != run.Dataflow {
		return nil
	}
	for _, u := range units {
		for _, r := range u.Inputs {
			if err := run.CheckReach(c.Runner, r.File); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkSources finds settings that conflict with a database of sources.
func (c *Request) checkSources() error {
	switch {
	case c.Sources == "":
		return nil
	case !c.HasRecords():
		return cli.Usagef("--sources fills the source_* fields of Datastreamer's records, and none are written: add " +
			"--format=content")
	case c.Runner == run.Dataflow:
		return cli.Usagef("--sources=%s is out of reach for the workers of --runner=%s", c.Sources, c.Runner)
	}
	return nil
}

// checkSecrets finds secrets that workers in other processes would need. Jobs are readable where they are sent, so no
// secret travels with them.
func (c *Request) checkSecrets() error {
	if run.InProcess(c.Runner) {
		return nil
	}
	if err := c.Sinks.Elsewhere(); err != nil {
		return cli.Usagef("--runner=%s: %v", c.Runner, err)
	}
	if secret.Hides(c.Lookup.Base) {
		return c.secretURL(c.Lookup.Base)
	}
	return nil
}

// checkURLs is checkSecrets for the files in the plan, which include those from lists and indexes.
func (c *Request) checkURLs(units []schemas.Unit) error {
	if run.InProcess(c.Runner) {
		return nil
	}
	for _, u := range units {
		for _, in := range u.Inputs {
			if secret.Hides(in.File) {
				return c.secretURL(in.File)
			}
		}
	}
	return nil
}

// The fragment would only repeat the secret.
func (c *Request) secretURL(name string) error {
	name, _, _ = strings.Cut(name, "#")
	return cli.Usagef("%s: the user or query of its URL would travel with the job, to be read by whoever sees jobs: "+
		"name the archive in gs:// or s3://, "+
		"whose credentials workers have of their own, or run with --runner=local, where workers are this process", name)
}

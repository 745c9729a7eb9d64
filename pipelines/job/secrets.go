package job

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// checkSecrets finds what workers in other processes would need and not get: a job can be read where it is sent to, so
// that no secret goes with it.
// Where workers are this process, nothing is sent anywhere.
func (c *Request) checkSecrets() error {
	if run.InProcess(c.Runner) {
		return nil
	}
	if err := c.Options.Sinks.Elsewhere(); err != nil {
		return cli.Usagef("--runner=%s: %v", c.Runner, err)
	}
	// Hides reports whether a URL has a user, a password or a query that is kept out of what is shown.
	if secret.Hides(c.Lookup.Base) {
		return c.secretURL(c.Lookup.Base)
	}
	return nil
}

// checkSinks finds what is asked of sinks and cannot be.
func (c *Request) checkSinks() error {
	to := c.Options.Sinks
	// These two are about flags that would have no effect, which is better said than ignored.
	switch name := to.First(); {
	case name == "" && len(to.KafkaProperties()) > 0 && !slices.ContainsFunc(c.Inputs, isTopic):
		return cli.Usagef("--kafka_property is about --kafka and inputs that are topics, and there is neither")
	case name != "" && c.Options.indexOnly():
		return cli.Usagef("--%s takes documents, and --format=cdxj alone makes none: write documents too, as with "+
			"--format=jsonl,cdxj", name)
	}
	return nil
}

// checkURLs is checkSecrets of what the plan has found.
// The names in a list or an index are known only now.
func (c *Request) checkURLs(p *Plan) error {
	if run.InProcess(c.Runner) {
		return nil
	}
	for _, u := range p.Units {
		for _, in := range u.Inputs {
			if secret.Hides(in.File) {
				return c.secretURL(in.File)
			}
		}
	}
	return nil
}

// The fragment only says which secret is meant.
func (c *Request) secretURL(name string) error {
	name, _, _ = strings.Cut(name, "#")
	return cli.Usagef("%s: the user or query of its URL would travel with the job, to be read by whoever sees jobs: "+
		"name the archive in gs:// or s3://, "+
		"whose credentials workers have of their own, or run with --runner=local, where workers are this process", name)
}

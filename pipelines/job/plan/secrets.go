package plan

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

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

// checkSinks finds flags that would have no effect on sinks, or none without documents.
func (c *Request) checkSinks() error {
	to := c.Sinks
	switch name := to.First(); {
	case name == "" && len(to.KafkaProperties()) > 0 && !slices.ContainsFunc(c.Inputs, standing.IsTopic):
		return cli.Usagef("--kafka_property is about --kafka and inputs that are topics, and there is neither")
	case name != "" && c.IndexOnly():
		return cli.Usagef("--%s takes documents, and --format=cdxj alone makes none: write documents too, as with "+
			"--format=jsonl,cdxj", name)
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

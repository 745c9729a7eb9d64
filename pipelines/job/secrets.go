package job

import (
	"strings"

	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// checkSecrets finds what workers in other processes would need and not get: a job can be read where it is sent to, so
// that no secret goes with it.
func (c *Request) checkSecrets() error {
	if run.InProcess(c.Runner) {
		return nil
	}
	o := c.Options
	for _, h := range o.Elastic.Hosts {
		if secret.Hides(h) {
			return cli.Usagef("--elastic: the user in %s would travel with the job, to be read by whoever sees jobs: "+
				"name it by --elastic_user, and have %s in the environment of the workers of --runner=%s", h, PasswordVariable,
				c.Runner)
		}
	}
	for _, name := range o.Kafka.Secrets() {
		return cli.Usagef("--kafka_property: %s would travel with the job, to be read by whoever sees jobs: "+
			"have it in the environment of this command and of the workers of --runner=%s instead, as %s", name, c.Runner,
			kafka.Variable(name))
	}
	if secret.Hides(c.Lookup.Base) {
		return c.secretURL(c.Lookup.Base)
	}
	return nil
}

// checkURLs is checkSecrets of what the plan has found.
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

func (c *Request) secretURL(name string) error {
	name, _, _ = strings.Cut(name, "#")
	return cli.Usagef("%s: the user or query of its URL would travel with the job, to be read by whoever sees jobs: name the archive in gs:// or s3://, "+
		"whose credentials workers have of their own, or run with --runner=direct, where workers are this process", name)
}

package main

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// checkSecrets finds what workers in other processes would need and not get: a job can be read where it is sent to, so
// that no secret goes with it.
func (c *config) checkSecrets() error {
	if run.InProcess(c.runner) {
		return nil
	}
	if err := c.options.Sinks.Elsewhere(); err != nil {
		return cli.Usagef("--runner=%s: %v", c.runner, err)
	}
	if secret.Hides(c.lookup.Base) {
		return c.secretURL(c.lookup.Base)
	}
	return nil
}

// checkSinks finds what is asked of sinks and cannot be.
func (c *config) checkSinks() error {
	to := c.options.Sinks
	switch name := to.First(); {
	case name == "" && len(to.KafkaProperties()) > 0 && !slices.ContainsFunc(c.inputs, kafka.IsURL):
		return cli.Usagef("--kafka_property is about --kafka and inputs that are topics, and there is neither")
	case name != "" && c.options.indexOnly():
		return cli.Usagef("--%s takes documents, and --format=cdxj alone makes none: write documents too, as with "+
			"--format=jsonl,cdxj", name)
	}
	return nil
}

// checkURLs is checkSecrets of what the plan has found.
func (c *config) checkURLs(p *plan) error {
	if run.InProcess(c.runner) {
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

func (c *config) secretURL(name string) error {
	name, _, _ = strings.Cut(name, "#")
	return cli.Usagef("%s: the user or query of its URL would travel with the job, to be read by whoever sees jobs: name the archive in gs:// or s3://, "+
		"whose credentials workers have of their own, or run with --runner=direct, where workers are this process", name)
}

package fileset

import (
	"slices"

	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// checkElsewhere finds what other processes cannot have: secrets, which anyone who sees jobs could read, and on
// machines of a service, local files.
func (c config) checkElsewhere() error {
	if run.InProcess(c.runner) {
		return nil
	}
	o := c.options
	// This process reads the requests before the job begins, so they may come from anywhere.
	named := slices.Concat(c.archives, nonEmpty(c.base, o.Server))
	for _, name := range named {
		if secret.Hides(name) {
			return cli.Usagef("%s: the user or query of its URL would travel with the job, to be read by whoever sees jobs: "+
				"name what is in gs:// or s3://, or run with --runner=local", name)
		}
	}
	if err := o.Servers.elsewhere(); err != nil {
		return cli.Usagef("%v", err)
	}
	if o.Items.Key != "" && o.Items.Upload {
		return cli.Usagef("--upload: the key of archive.org would travel with the job; run with --runner=local")
	}
	return run.CheckReach(c.runner, slices.Concat(named, nonEmpty(o.Items.Dir), []string{o.Output})...)
}

func nonEmpty(names ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

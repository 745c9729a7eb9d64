package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// cloud are the flags about running on Dataflow.
type cloud struct {
	inputs    *[]string
	vcpuPrice price
	gbPrice   price
	template  *bool // print what a Flex Template has to know, and stop
}

// addCloud adds the flags to f. They are set when f has parsed the command line.
func addCloud(f *run.Flags) *cloud {
	const money = "price of 1 hour of 1 %s of Dataflow's workers, as you were quoted, for the costs in --plan"
	c := &cloud{}
	c.inputs = f.Strings(cli.Flag{Name: "input", Help: "archives, beside those that arguments name and in the same way: for launchers of templates, which give no arguments", Example: "gs://bucket/crawl-2026/", Group: input})
	f.Var(&c.vcpuPrice, cli.Flag{Name: "price_vcpu_hour", Help: fmt.Sprintf(money, "vCPU"), Example: "0.05", Group: resource})
	f.Var(&c.gbPrice, cli.Flag{Name: "price_gb_hour", Help: fmt.Sprintf(money, "GB of memory"), Example: "0.004", Group: resource})
	c.template = f.Bool(cli.Flag{Name: "template_metadata", Default: "false", Help: "print the parameters of a Flex Template of Dataflow, as JSON, and stop", Example: "true", Group: resource})
	return c
}

// printTemplate prints what a Flex Template has to know of the flags.
func printTemplate(w io.Writer, f *run.Flags) error {
	data, err := f.TemplateMetadata(run.Template{
		Name:     "Gleaner ingest",
		Required: map[string]string{"output": `^(gs|s3)://[^/]+/.+`},
		Skip:     []string{"runner", "plan", "template_metadata", "price_vcpu_hour", "price_gb_hour"},
	})
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// checkCloud finds what cannot work where workers are machines of a service.
func (c *config) checkCloud() error {
	if run.DryRun() && c.runner != run.Dataflow {
		return cli.Usagef("--dry_run is for --runner=%s; --plan shows the units on every runner", run.Dataflow)
	}
	if c.options.SiteTemplates && (run.Detached() || run.DryRun()) {
		return cli.Usagef("--site_templates takes two jobs, of which the second follows from the first: leave out --async, --dry_run and templates of jobs")
	}
	if c.runner != run.Dataflow {
		return nil
	}
	if !blob.IsRemote(c.options.Output) {
		return cli.Usagef("--runner=%s needs an output that its workers reach: --output=gs://bucket/folder", c.runner)
	}
	if len(c.inputs)+len(c.indexes) == 0 {
		return cli.Usagef("--runner=%s needs archives that its workers reach, such as gs://bucket/folder/", c.runner)
	}
	for _, name := range slices.Concat(c.inputs, c.indexes) {
		if !strings.HasPrefix(name, "@") && name != "-" && !blob.IsRemote(name) {
			return c.outOfReach(name)
		}
	}
	return nil
}

// checkReach is checkCloud of what the plan has found, behind lists and indexes.
func (c *config) checkReach(p *plan) error {
	if c.runner != run.Dataflow {
		return nil
	}
	for _, u := range p.own() {
		for _, r := range u.Inputs {
			if !blob.IsRemote(r.File) {
				return c.outOfReach(r.File)
			}
		}
	}
	return nil
}

func (c *config) outOfReach(name string) error {
	return cli.Usagef("%s is out of reach for the workers of --runner=%s: name what lies in gs://, s3:// or https://", name, c.runner)
}

// pipeline runs p. The folder has a note of a job that would outlive this process.
func (c *config) pipeline(ctx context.Context, f folder.Folder, p *beam.Pipeline) error {
	if job := run.NewJob("ingest", c.runner); job != nil {
		if err := collection.NoteJob(f, job.Encode()); err != nil {
			return err
		}
	}
	_, err := run.Pipeline(ctx, p, c.runner)
	return err
}

// progress shows what the counters count, until it is stopped. What other machines do is not counted here.
func (c *config) progress(live *cli.Counters, bytes int64) (stop func()) {
	if c.options.Elsewhere {
		return func() {}
	}
	return cli.StartProgress(live, bytes).Stop
}

// dryRun prints the job that would do all units, and touches nothing.
func (c *config) dryRun(ctx context.Context, p *plan) error {
	o, err := c.planned(p)
	if err != nil {
		return err
	}
	p.setKeys(&o)
	pipeline, s := beam.NewPipelineWithRoot()
	if err := Build(s, o, p.tasks(p.own()), nil); err != nil {
		return err
	}
	_, err = run.Pipeline(ctx, pipeline, c.runner)
	return err
}

// openCollection opens the output, unless another run is at work there, be it a job that its command has left.
func (c *config) openCollection(ctx context.Context, f outputFolder, p *plan) (*collection.Collection, error) {
	return collection.Open(f, collection.OpenOptions{
		Fresh:    c.fresh,
		Rows:     p.held.rows,
		JobEnded: func(note []byte) error { return run.JobEnded(ctx, note) },
	})
}

// price is an amount of money, 0 when it is not known.
type price float64

// String shows the amount.
func (p *price) String() string { return strconv.FormatFloat(float64(*p), 'f', -1, 64) }

// Set reads an amount.
func (p *price) Set(s string) error {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0 && v < 1e6) {
		return errors.New("not a price: write 0.05")
	}
	*p = price(v)
	return nil
}

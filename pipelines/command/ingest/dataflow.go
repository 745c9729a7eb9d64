package ingest

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// cloud are the flags about running on Dataflow.
// They are apart from the others because templates need them: a launcher gives every parameter by a name.
type cloud struct {
	inputs    *[]string
	vcpuPrice price
	gbPrice   price
	template  *bool // print what a Flex Template has to know, and stop
}

// addCloud adds the flags to f. They are set when f has parsed the command line.
// Prices have no default: a list price would be wrong for most who ask.
func addCloud(f *run.Flags) *cloud {
	const money = "price of 1 hour of 1 %s of Dataflow's workers, as you were quoted, for the costs in --plan"
	c := &cloud{}
	c.inputs = f.Strings(cli.Flag{Name: "input", Help: "archives, beside those that arguments name and in the same way: " +
		"for launchers of templates, which give no arguments", Example: "gs://bucket/crawl-2026/", Group: input})
	f.Var(&c.vcpuPrice, cli.Flag{
		// Both prices are needed for a sum; with one of them only its part is shown.
		Name: "price_vcpu_hour", Help: fmt.Sprintf(money, "vCPU"), Example: "0.05",
		Group: resource,
	})
	f.Var(&c.gbPrice, cli.Flag{
		Name: "price_gb_hour", Help: fmt.Sprintf(money, "GB of memory"), Example: "0.004",
		Group: resource,
	})
	c.template = f.Bool(cli.Flag{Name: "template_metadata", Default: "false", Help: "print the parameters of a Flex " +
		"Template of Dataflow, as JSON, and stop", Example: "true", Group: resource})
	return c
}

// printTemplate prints what a Flex Template has to know of the flags.
// The parameters come from the flags themselves, so that a new flag is in the template at once.
func printTemplate(w io.Writer, f *run.Flags) error {
	data, err := f.TemplateMetadata(run.Template{
		Name: "Gleaner ingest",
		// On Dataflow the output has to be in a bucket; the pattern is checked by the launcher's form.
		Required: map[string]string{"output": `^(gs|s3)://[^/]+/.+`},
		// These make no sense for a job that is launched. The runner is given, and there is nobody to print to. The launcher
		// submits one job and ends: nobody is there to watch folders, to send the second job of templates, to be asked for
		// metrics or to write a page. And no file is on its machine but the program.
		Skip: []string{
			"runner", "plan", "template_metadata", "price_vcpu_hour", "price_gb_hour", "cancel_on_exit", "flink_rest", "watch",
			"site_templates", "metrics_port", "pprof_port", "report", "ache_config", "elastic_ca",
			"sources",
		},
	})
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// price is an amount of money, 0 when it is not known.
type price float64

// String shows the amount.
// Without an exponent, as people write prices.
func (p *price) String() string { return strconv.FormatFloat(float64(*p), 'f', -1, 64) }

// Set reads an amount.
// An amount of 0 means that nobody has said.
func (p *price) Set(s string) error {
	// Written as a condition that NaN fails. The bound keeps costs printable.
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0 && v < 1e6) {
		return errors.New("not a price: write 0.05")
	}
	*p = price(v)
	return nil
}

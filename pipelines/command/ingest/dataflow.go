package ingest

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// launchSettings are the flags for Dataflow. Launchers pass every parameter by name, archives too. Prices have no
// default, because list prices would be wrong for most users.
func (c *config) launchSettings() []setting.Setting {
	const money = "price of 1 hour of 1 %s of Dataflow's workers, as you were quoted, for the costs in --plan"
	return slices.Concat(setting.Under(input, []setting.Setting{{
		Name: "input", Value: &c.named, Example: "gs://bucket/crawl-2026/",
		Help: "archives, beside those that arguments name and in the same way: for launchers of templates, which give no " +
			"arguments",
	}}), setting.Under(resource, []setting.Setting{
		{
			Name: "price_vcpu_hour", Value: (*price)(&c.request.Prices.VCPUHour), Example: "0.05",
			Help: fmt.Sprintf(money, "vCPU"),
		},
		{
			Name: "price_gb_hour", Value: (*price)(&c.request.Prices.GBHour), Example: "0.004",
			Help: fmt.Sprintf(money, "GB of memory"),
		},
		{
			Name: "template_metadata", Value: &c.template, Default: "false", Example: "true",
			Help: "print the parameters of a Flex Template of Dataflow, as JSON, and stop",
		},
	}))
}

// printTemplate prints the metadata of a Flex Template. It takes the parameters from the flags, so that none is
// missing.
func printTemplate(w io.Writer, f *run.Flags) error {
	data, err := f.TemplateMetadata(run.Template{
		Name: "Gleaner ingest",
		// The launcher's form checks this pattern: the output must be in a bucket.
		Required: map[string]string{"output": `^(gs|s3)://[^/]+/.+`},
		// These make no sense for launched jobs. The launcher submits one job and exits, so it cannot watch folders,
		// submit a second job, serve metrics, write a page or ask for output. Its machine has no files but the
		// program.
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

// price is an amount of money; 0 means unknown.
type price float64

// String formats the price without an exponent.
func (p *price) String() string { return strconv.FormatFloat(float64(*p), 'f', -1, 64) }

// Set parses a price.
func (p *price) Set(s string) error {
	// NaN fails this condition. The bound keeps costs printable.
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0 && v < 1e6) {
		return errors.New("not a price: write 0.05")
	}
	*p = price(v)
	return nil
}

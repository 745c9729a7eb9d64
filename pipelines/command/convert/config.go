package convert

import (
	"cmp"
	"flag"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/derived/conversion"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// config is the command line. Options travel to the workers; the rest is for this process.
type config struct {
	options  Options
	inputs   []string
	runner   string
	unitSize int64
	// memory is in bytes; 0 means the default.
	memory int64
	fresh  bool
	shard  plan.Shard
	table  bool // the only input is an HBase table
	// Flags that parse reads further: --to, --ache_config, --compress, --stamp, --input and those for WARC.
	formats, named        []string
	ache, compress, stamp string
	warc                  warcFlags
	// writing applies to all formats of --to; a format ignores options that it does not have.
	writing dump.WriteOptions
}

// command describes the command for --help. Its table of formats comes from trying them: see table.
func command() cli.Command {
	return cli.Command{
		Name: "convert", Args: "archive ...",
		Summary: "Read web archives in any supported format, detected by content, and write them in another format.\n" +
			"An archive is a file, a folder (with all beneath it), a pattern (** crosses folders), @list.txt, - for an " +
			"archive or a list on standard input (detected by content), or a URL: gs://bucket/name, s3://bucket/name (folders " +
			"and patterns too), https://host/file. Or it is a table of HBase that ingest wrote with bodies: " +
			"hbase://host:port/table.\n" +
			"Fields that a format cannot carry are dropped and counted. Unreadable bytes, and captures that a format cannot " +
			"hold, are in rejects-*. To continue a killed or interrupted run, run the same command again.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage or input, 3 done and something of the archives is not in the output (see " +
			"rejects-* and the summary).",
		Examples: []string{
			"go run ./pipelines/convert --to=ache-warc --output=/data/warc /data/crawl/data_pages",
			"go run ./pipelines/convert --from=warc --to=ache-json,ache-html --output=/data/pages '/data/warcs/**/*.warc.gz'",
			"go run ./pipelines/convert --ache_config=ache.yml --output=/data/crawl shelf/",
		},
		Table:    table(),
		Versions: versions(),
	}
}

// newFlags makes the flags on set. Parsing them fills c.
func newFlags(set *flag.FlagSet, c *config) *run.Flags {
	f := run.NewFlags(set, command())
	f.Add(c.outputSettings(), c.warc.settings(), c.moreOutputSettings(), c.inputSettings(), c.runSettings())
	return f
}

func parse(args []string) (config, error) {
	var c config
	f := newFlags(flag.CommandLine, &c)
	if err := f.Parse(args); err != nil {
		return config{}, err
	}
	c.runner, c.options.Remote.UserAgent = f.Runner(), "gleaner"
	// shown removes secrets from URLs before anything is printed or sent.
	c.inputs = shown(slices.Concat(f.Args(), c.named))
	// A table is checked before formats, because --from does not apply to it.
	if err := c.checkTable(); err != nil {
		return config{}, err
	}
	if err := c.readWriting(); err != nil {
		return config{}, err
	}
	if err := c.target(f); err != nil {
		return config{}, err
	}
	return c, c.check()
}

// target sets the output formats, from --to with the same options for each, or from a configuration.
func (c *config) target(f *run.Flags) error {
	if c.ache == "" {
		for _, name := range c.formats {
			c.options.To = append(c.options.To, conversion.Target{Format: name, Options: c.writing})
		}
		return c.warc.apply(f, c.options.To)
	}
	// A flag could contradict the configuration.
	for _, name := range append([]string{"to", "compress", "hash_names", "max_file"}, warcOnly...) {
		if f.Set(name) {
			return cli.Usagef("--%s and --ache_config: the configuration says that", name)
		}
	}
	return c.configure(c.ache, c.writing)
}

// readWriting parses the options that are texts: a switch with three values, and a stamp that may be absent.
func (c *config) readWriting() (err error) {
	// Default is not off: each format has its own default.
	switches := map[string]dump.Switch{"default": dump.Default, "on": dump.On, "off": dump.Off}
	known := false
	if c.writing.Compress, known = switches[c.compress]; !known {
		return cli.Usagef("--compress=%s: there are on, off and default", c.compress)
	}
	if c.stamp == "" {
		return nil
	}
	// A fixed stamp instead of the clock makes the output reproducible.
	if c.writing.Stamp, err = time.Parse(time.RFC3339, c.stamp); err != nil {
		return cli.Usagef("--stamp: %v", err)
	}
	return nil
}

// configure takes formats and options from an ache.yml, and other options from w.
func (c *config) configure(name string, w dump.WriteOptions) error {
	said, err := ache.ReadConfig(name)
	if err != nil {
		return cli.Usagef("--ache_config: %v", err)
	}
	list, err := said.Outputs()
	// Some outputs of ACHE, such as Elasticsearch, are not files: these only cause a warning.
	if err != nil && len(list) > 0 {
		slog.Warn(fmt.Sprintf("%s: %v", name, err))
	} else if err != nil {
		return cli.Usagef("--ache_config: %s: %v", name, err)
	}
	for _, o := range list {
		// ACHE has no option for these two, so the flags set them.
		o.Options.Stamp, o.Options.StatusLine = w.Stamp, w.StatusLine
		c.options.To = append(c.options.To, conversion.Target{Format: o.Name, Options: o.Options})
	}
	return nil
}

// minUnit is the least size of a unit, as in ingest. The chain rule can hardly tell smaller ranges apart.
const minUnit = 64 << 10

// check finds mistakes on the command line before any work begins, in the order in which a user would correct them.
func (c *config) check() error {
	o := c.options
	if len(c.inputs) == 0 {
		return cli.Usagef("no archives named; name files, folders or patterns")
	}
	if len(o.To) == 0 {
		return cli.Usagef("--to is missing: there are %s", strings.Join(archive.Outputs(), ", "))
	}
	for i, t := range o.To {
		if !slices.Contains(archive.Outputs(), t.Format) {
			return cli.Usagef("--to=%s: there are %s", t.Format, strings.Join(archive.Outputs(), ", "))
		}
		// Each format has a folder of its name.
		if slices.ContainsFunc(o.To[:i], func(other conversion.Target) bool { return other.Format == t.Format }) {
			return cli.Usagef("--to: %s is there twice", t.Format)
		}
	}
	for _, name := range o.From {
		if !slices.Contains(archive.Inputs(), name) {
			return cli.Usagef("--from=%s: there are %s", name, strings.Join(archive.Inputs(), ", "))
		}
	}
	if err := folder.Check(o.Output); err != nil {
		return cli.Usagef("--output: %v", err)
	}
	if c.runner == run.Dataflow && !blob.IsRemote(o.Output) {
		return cli.Usagef("--runner=%s needs an output that its workers reach, which no local folder is; name a bucket: "+
			"--output=gs://bucket/folder", c.runner)
	}
	// Archives are hostile, so every limit must be positive: no value means unlimited.
	if o.MaxBody <= 0 || o.MaxHead <= 0 || o.MaxRatio <= 0 || c.unitSize < minUnit {
		return cli.Usagef("--max_body, --max_header and --max_ratio must be positive, and --unit_size at least 64KiB")
	}
	if c.shard.N > 0 && !run.InProcess(c.runner) {
		return cli.Usagef("--shard=%s: shards are for machines that no runner joins; leave out --runner", &c.shard)
	}
	return cmp.Or(run.CheckRunner(c.runner), run.CheckEndpoint(c.runner), c.checkSources())
}

// checkReach finds archives that the workers of a service cannot read, and secrets that would travel with the job.
func (c *config) checkReach(in *work.Inputs) error {
	for _, u := range in.Units {
		for _, r := range u.Inputs {
			if secret.Hides(r.File) && !run.InProcess(c.runner) {
				return cli.Usagef("%s: the user or query of its URL would travel with the job, to be read by whoever sees jobs: "+
					"name the archive in gs:// or s3://, or run with --runner=local", r.File)
			}
			if err := run.CheckReach(c.runner, r.File); err != nil {
				return err
			}
		}
	}
	return nil
}

package sources

import (
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/rowstore/hbase"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/transforms/source"
)

func about() cli.Command {
	return cli.Command{
		Name: "sources", Args: "[collection ...]",
		Summary: "Make the Source DB of collections: each feed that they hold or announce, whether it is valid and why, " +
			"its class, language and entities, how often it publishes, when to visit it next, whether it is alive, and its " +
			"newest pages.\n" +
			"It grows: run it for each crawl with the same --output. The order of crawls and repeats make no difference. A " +
			"killed run leaves what was there, and running it again goes on.\n" +
			"Sources are sources-*.jsonl.zst in --output, a JSON object a line; links-*.jsonl.zst says of each captured page " +
			"which source it is of.\n" +
			"What cannot be read is in rejects-*.jsonl.zst, with its file and place, and the run goes on.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage or input, 3 done, but parts of the collections could not be read.",
		Examples: []string{
			"go run ./pipelines/sources --collection=out --output=out-sourcedb",
			"go run ./pipelines/sources --collection=crawl-2026-11 --output=/data/sources --opml=valid.opml",
			"go run ./pipelines/sources --collection=out --frontier=frontier.jsonl --delay=1h --as_of=2026-11-23",
		},
		Versions: map[string]string{"source": source.Version},
	}
}

// newFlags makes the flags on set. Parsing them fills c.
func newFlags(set *flag.FlagSet, c *config) *run.Flags {
	f := run.NewFlags(set, about())
	f.Add(c.settings(), c.crawling.settings())
	return f
}

func parse(args []string) (config, error) {
	var c config
	f := newFlags(flag.CommandLine, &c)
	if err := f.Parse(args); err != nil {
		return config{}, err
	}
	c.runner, c.page, c.options.Remote.UserAgent = f.Runner(), len(c.reports) > 0, "gleaner"
	c.collections = f.Collections(c.named)
	// Mistakes are reported in the order of the help.
	badCrawl := c.crawling.read()
	err := cmp.Or(
		c.setTimes(), run.CheckRunner(c.runner), run.CheckWaits(), run.CheckEndpoint(c.runner), badCrawl,
		c.check(), run.CheckReach(c.runner, append(slices.Clone(c.collections), c.options.Output)...),
	)
	return c, err
}

// setTimes parses --delay and --as_of.
func (c *config) setTimes() (err error) {
	if c.options.Policy.Delay, err = time.ParseDuration(c.delay); err != nil || c.options.Policy.Delay <= 0 {
		return cli.Usagef("--delay=%s: name a time, such as 4h or 30m", c.delay)
	}
	if c.asOf == "" {
		return nil
	}
	// A date means its first moment, in UTC.
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if c.options.AsOf, err = time.Parse(layout, c.asOf); err == nil {
			return nil
		}
	}
	return cli.Usagef("--as_of=%s: name a date (2026-11-23) or a time (2026-11-23T12:00:00Z)", c.asOf)
}

func (c *config) check() error {
	if c.options.Output == "" {
		return cli.Usagef("--output is empty: name a folder")
	}
	// A collection and a Source DB cannot share a folder: each has a manifest.json.
	if slices.Contains(c.collections, c.options.Output) {
		return cli.Usagef("--output=%s is one of the collections: name another folder", c.options.Output)
	}
	// The crawl reads its archives from this machine.
	if c.crawling.on && (len(c.collections) != 1 || !run.InProcess(c.runner)) {
		return cli.Usagef("--crawl adds to one collection, with --runner=local, direct or prism: name one with --collection")
	}
	// A state may have 200 KB, so a sorter with less would hold only a few.
	if c.options.Memory < 1<<20 {
		return cli.Usagef("--memory: 1MiB is the least")
	}
	return c.checkExports()
}

// checkExports checks the exports before anything is read.
func (c *config) checkExports() error {
	if err := c.postgres.Complete(); err != nil {
		return cli.Usagef("%v", err)
	}
	if _, _, err := hbase.ParseURL(c.hbase); c.hbase != "" && err != nil {
		return cli.Usagef("--hbase: %v", err)
	}
	// Now, rather than after hours of reading. The order of several mistakes does not matter.
	for name, file := range map[string]string{
		"opml": c.opml, "frontier": c.frontier, "cover": c.cover, "sqlite": c.sqlite, "datastreamer": c.datastreamer,
	} {
		if _, err := os.Stat(filepath.Dir(file)); file != "" && err != nil {
			return cli.Usagef("--%s: the file's folder is not there: %v", name, err)
		}
	}
	if _, stream, err := dump.Target(c.sqlite); c.sqlite != "" && (stream || err != nil) {
		return cli.Usagef("--sqlite=%s: a database is a file, and this is none", c.sqlite)
	}
	return nil
}

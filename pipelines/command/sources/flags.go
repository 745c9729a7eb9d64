package sources

import (
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/rowstore/hbase"
	"github.com/gleaner-web/gleaner/io/sink/postgres"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// The headings of --help.
const (
	input  = "Input"
	output = "Output"
	timing = "When to visit"
	doing  = "Running"
)

// flagTable describes the command's flags; parse says what kind of value each takes.
var flagTable = []cli.Flag{
	{
		Name: "collection", Default: "out", Group: input, Example: "crawl-2026-10,crawl-2026-11",
		Help: "folders that ingest wrote, with feeds and documents; arguments name more", Brief: "folders that ingest wrote",
	},
	{
		Name: "output", Default: "out-sourcedb", Group: output, Example: "/data/sources",
		Help:  "folder of the Source DB: it is made when it is not there, and grows when it is",
		Brief: "folder of the Source DB",
	},
	{
		Name: "opml", Group: output, Example: "valid.opml",
		Help: "file for the valid main sources as OPML, which feed readers take", Brief: "file for the valid sources as OPML",
	},
	{
		Name: "frontier", Group: output, Example: "frontier.jsonl",
		Help: "file for a crawler: a line for each source that is not rejected, with url, next visit and priority, " +
			"ascending by visit",
		Brief: "file for a crawler: what to visit when",
	},
	{
		Name: "cover", Group: output, Example: "cover.jsonl",
		Help: "file for what to follow to see all of a site: a line for each site, with the fewest of its feeds that lead " +
			"to all captured pages that any of them leads to, and what share of its pages that is",
		Brief: "file for the fewest feeds of each site that lead to its pages",
	},
	{
		Name: "sqlite", Group: output, Example: "sources.sqlite",
		Help: "file for a database of SQLite: tables source and detail, with what is due, by rate, by site", Brief: "SQLite",
	},
	{
		Name: "datastreamer", Group: output, Example: "sources.jsonl",
		Help: "file for the sources in the source_* fields of Datastreamer's records, a JSON object a line",
	},
	{
		Name: "postgres", Group: output, Example: "postgres://writer@127.0.0.1/crawl",
		Help: "database of PostgreSQL, in which a table becomes the sources, in one transaction; the password is best in " +
			"$GLEANER_POSTGRES_PASSWORD",
		Brief: "database of PostgreSQL",
	},
	{
		Name: "postgres_table", Default: "sources", Group: output, Example: "crawl.sources",
		Help: "table of --postgres: one that is not there, or that an earlier run has made",
	},
	{
		Name: "hbase", Group: output, Example: "hbase://127.0.0.1:16000/sources",
		Help: "table of HBase that gets a version of each source, in D8.1's columns; it is made when it is not there",
	},
	{
		Name: "delay", Default: "4h5m", Group: timing, Example: "1h",
		Help: "what a visit is worth, as the time that a new item may wait: sources are visited each " +
			"sqrt(delay/rate). 1h is for a news desk, 64h for an archive",
		Brief: "what a visit is worth, as the time an item may wait",
	},
	{
		Name: "as_of", Group: timing, Example: "2026-11-23",
		Help:  "the moment at which rates, health and next visits hold (RFC 3339, or a date); the last capture by default",
		Brief: "the moment at which all is told",
	},
	{
		Name: "plan", Default: "false", Group: doing, Example: "true",
		Help: "show the input and the known state, and do nothing",
	},
	{
		Name: "report", Group: doing, Example: "html", Values: []string{"html"},
		Help: "html: write report.html into --output, too: what is known, what could not be read and what the run cost, as " +
			"one page for a browser that can be mailed and printed. report.json is always written",
	},
	{
		Name: "workers", Default: "0", Group: doing, Example: "4",
		Help: "units that a process reads at once; 0 for as many as there are processors",
	},
	{
		Name: "memory", Default: "256MiB", Group: doing, Example: "1GiB",
		Help: "what sorting holds in memory, of each unit that is read and of the merge",
	},
}

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

func parse(args []string) (config, error) {
	row := cli.Rows(flagTable)
	// The flags of runners are added here; those of the table are read by name, in any order.
	f := run.NewFlags(flag.CommandLine, about())
	collections := f.Strings(row("collection"))
	out := f.String(row("output"))
	opml := f.String(row("opml"))
	frontier := f.String(row("frontier"))
	cover := f.String(row("cover"))
	sqlite := f.String(row("sqlite"))
	content := f.String(row("datastreamer"))
	database := f.String(row("postgres"))
	table := f.String(row("postgres_table"))
	rows := f.String(row("hbase"))
	delay := f.String(row("delay"))
	asOf := f.String(row("as_of"))
	planOnly := f.Bool(row("plan"))
	reports := f.Strings(row("report"))
	workers := f.Int(row("workers"))
	memory := f.Bytes(row("memory"))
	readCrawl := crawlFlags(f)
	if err := f.Parse(args); err != nil {
		return config{}, err
	}
	c := config{collections: f.Args(), runner: f.Runner(), opml: *opml, frontier: *frontier, cover: *cover}
	c.sqlite, c.datastreamer, c.hbase, c.planOnly = *sqlite, *content, *rows, *planOnly
	c.page = len(*reports) > 0
	c.postgres = &postgres.Config{URL: *database, Table: *table}
	// Arguments replace the default of --collection, and are added to what it names.
	if f.Set("collection") || len(c.collections) == 0 {
		c.collections = slices.Concat(*collections, c.collections)
	}
	c.options = Options{Output: *out, Workers: *workers, Memory: *memory, Remote: blob.Options{UserAgent: "gleaner"}}
	// The error is held back: mistakes in the flags above it in the help are told first.
	var badCrawl error
	c.crawling, badCrawl = readCrawl()
	return c, cmp.Or(
		c.setTimes(*delay, *asOf), run.CheckRunner(c.runner), run.CheckWaits(), run.CheckEndpoint(c.runner), badCrawl,
		c.check(), run.CheckReach(c.runner, append(slices.Clone(c.collections), c.options.Output)...),
	)
}

// setTimes reads the two flags that are times.
func (c *config) setTimes(delay, asOf string) (err error) {
	if c.options.Policy.Delay, err = time.ParseDuration(delay); err != nil || c.options.Policy.Delay <= 0 {
		return cli.Usagef("--delay=%s: name a time, such as 4h or 30m", delay)
	}
	if asOf == "" {
		return nil
	}
	// A date alone is its first moment, in UTC.
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if c.options.AsOf, err = time.Parse(layout, asOf); err == nil {
			return nil
		}
	}
	return cli.Usagef("--as_of=%s: name a date (2026-11-23) or a time (2026-11-23T12:00:00Z)", asOf)
}

func (c config) check() error {
	if c.options.Output == "" {
		return cli.Usagef("--output is empty: name a folder")
	}
	// A folder is a collection or a Source DB and never both: each has a manifest.json.
	if slices.Contains(c.collections, c.options.Output) {
		return cli.Usagef("--output=%s is one of the collections: name another folder", c.options.Output)
	}
	// The crawl ingests into its collection and then reads the folder of archives, which is on this machine.
	if c.crawling.on && (len(c.collections) != 1 || !run.InProcess(c.runner)) {
		return cli.Usagef("--crawl adds to one collection, with --runner=local, direct or prism: name one with --collection")
	}
	// A state may have 200 KB: with less, a sorter would hold but a few of them at a time.
	if c.options.Memory < 1<<20 {
		return cli.Usagef("--memory: 1MiB is the least")
	}
	return c.checkExports()
}

// checkExports finds what is wrong about what is written beside the Source DB, before anything is read.
func (c config) checkExports() error {
	if err := c.postgres.Complete(); err != nil {
		return cli.Usagef("%v", err)
	}
	if _, _, err := hbase.ParseURL(c.hbase); c.hbase != "" && err != nil {
		return cli.Usagef("--hbase: %v", err)
	}
	// Now, and not after hours of reading. Which of two mistakes is told first does not matter, so a map will do.
	for name, file := range map[string]string{
		"opml": c.opml, "frontier": c.frontier, "cover": c.cover, "sqlite": c.sqlite, "datastreamer": c.datastreamer,
	} {
		if _, err := os.Stat(filepath.Dir(file)); file != "" && err != nil {
			return cli.Usagef("--%s: the file's folder is not there: %v", name, err)
		}
	}
	return nil
}

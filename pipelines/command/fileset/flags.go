package fileset

import (
	"cmp"
	"flag"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	core "github.com/gleaner-web/gleaner/transforms/fileset"
)

// The headings of --help.
const (
	input  = "Input"
	output = "Output"
	limits = "Limits"
	doing  = "Running"
)

// Without flags the command does the requests of testdata.
const (
	ownRequests = "testdata/datasets/requests.jsonl"
	ownArchives = "testdata/datasets/captures.warc.gz"
)

// flagTable describes the command's flags; parse says what kind of value each takes.
var flagTable = []cli.Flag{
	{
		Name: "requests", Group: input, Example: "requests.jsonl",
		Help: "ingest requests: files of JSON lines, plain or compressed, - for standard input, a topic of Kafka " +
			"(kafka://host:9092/sandcrawler-qa.ingest-file-requests-daily) up to its end at the start, or a database " +
			"(postgres://reader@host/sandcrawler) whose ingest_request has some without a result; " + ownRequests +
			" when neither this nor --discover is given",
		Brief: "ingest requests, as JSON lines",
	},
	{
		Name: "archives", Group: input, Example: "/data/warcs/",
		Help: "where captures are: archives of any format that ingest reads, folders of them, collections that ingest " +
			"wrote, " +
			"capture indexes (.cdx, .cdxj); arguments name more; " + ownArchives + " when nothing is named",
		Brief: "archives, collections, capture indexes",
	},
	{
		Name: "warc_base", Group: input, Example: "/data/warcs",
		Help:  "the folder that the names in capture indexes are below; by default that of each index",
		Brief: "folder that names in indexes are below",
	},
	{
		Name: "cdx_server", Group: input, Example: "https://example.org/web/cdx",
		Help: "address of a CDX server, in place of --archives; archives are below --warc_base",
	},
	{
		Name: "discover", Group: input,
		Help: "find datasets in the archives themselves: landing pages of platforms, pages that describe a dataset in " +
			"JSON-LD or " +
			"by signposting links",
		Brief: "find datasets in the archives themselves",
	},
	{
		Name: "output", Default: "out-filesets", Group: output, Example: "/data/filesets",
		Help:  "folder for results; a killed run continues there when it is started again",
		Brief: "folder for results",
	},
	{
		Name: "add", Group: output,
		Help: "keep the results of other requests that are in the folder; requests that are among them are not done again",
	},
	{Name: "fresh", Group: output, Help: "start over: remove the results that are in the folder"},
	{
		Name: "strategy", Group: limits, Values: core.Strategies(),
		Help: "archive all datasets by this strategy; by default their number of files and sizes choose one of the four " +
			"that are " +
			"not bundled",
		Brief: "strategy for all datasets",
	},
	{
		Name: "max_total_size", Default: "64GiB", Group: limits,
		Help: "largest dataset; of a larger one the status is too-large-size",
	},
	{
		Name: "max_file_count", Default: "200", Group: limits,
		Help: "most files of a dataset; of more the status is too-many-files",
	},
	{Name: "max_web_file", Default: "64MiB", Group: limits, Help: "a file of this size makes the strategy archiveorg-*"},
	{Name: "max_web_total", Default: "128GiB", Group: limits, Help: "files of this size together likewise"},
	{
		Name: "plan", Group: doing,
		Help: "show what would be done, and do nothing",
	},
	{
		Name: "watch", Group: doing, Example: "10m",
		Help: "run again this long after each run, and do only new requests",
	},
	{Name: "unit_requests", Default: "250", Group: doing, Help: "requests of a unit, which one worker does"},
	{
		Name: "workers", Default: "0", Group: doing, Example: "4",
		Help: "units that a process does at once; 0 for as many as there are processors",
	},
	{Name: "memory", Default: "64MiB", Group: doing, Help: "what sorting the index of captures holds in memory"},
}

func about() cli.Command {
	return cli.Command{
		Name: "fileset", Args: "[archive ...]",
		Summary: "Do requests for published datasets, as Sandcrawler's fileset ingest does.\n" +
			"It finds the landing page of each in archives, tells the platform (Dataverse, figshare, Zenodo, archive.org, " +
			"Dryad, OSF, Mendeley Data, Hugging Face, GitHub, CKAN, schema.org), reads which files there are, and verifies " +
			"that each is in the archives with the size and the hashes that the platform states. Nothing is fetched without " +
			"--live.\n" +
			"Results are fileset-results-*.jsonl.zst in --output, file-results-* for datasets of one file, and " +
			"needs-capture-*.jsonl " +
			"has the URLs that no archive has, for a crawler. docs/fileset.md says what each status means.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage or input, 3 done, and lines were no requests or archives are damaged.",
		Examples: []string{
			"go run ./pipelines/fileset",
			"go run ./pipelines/fileset --requests=requests.jsonl --archives=shelf/ --output=out-filesets",
			"go run ./pipelines/fileset --discover --archives=out --output=out-filesets",
		},
		Versions: versions(),
	}
}

func parse(args []string) (config, error) {
	// row finds a flag's description by its name.
	row := cli.Rows(flagTable)
	f := run.NewFlags(flag.CommandLine, about())
	requests, archives := f.Strings(row("requests")), f.Strings(row("archives"))
	base, server := f.String(row("warc_base")), f.String(row("cdx_server"))
	discover := f.Bool(row("discover"))
	out := f.String(row("output"))
	add, fresh := f.Bool(row("add")), f.Bool(row("fresh"))
	strategy := f.String(row("strategy"))
	maxTotal, maxFiles := f.Bytes(row("max_total_size")), f.Int(row("max_file_count"))
	maxFile, maxWeb := f.Bytes(row("max_web_file")), f.Bytes(row("max_web_total"))
	planOnly, every := f.Bool(row("plan")), f.String(row("watch"))
	size, workers, memory := f.Int(row("unit_requests")), f.Int(row("workers")), f.Bytes(row("memory"))
	format := f.String(formatFlag)
	servers, live, kept := addServers(f.Flags), addLive(f.Flags), addItems(f.Flags)
	if err := f.Parse(args); err != nil {
		return config{}, err
	}
	to, err := servers()
	web, err2 := live()
	items, err3 := kept()
	// All three are made before any is looked at: the first error in this order is told.
	if err := cmp.Or(err, err2, err3); err != nil {
		return config{}, err
	}
	c := config{
		requests: *requests, archives: blob.Shown(slices.Concat(f.Args(), *archives)), discover: *discover, fresh: *fresh,
		add: *add, planOnly: *planOnly, runner: f.Runner(), base: *base, format: *format,
		options: Options{
			Output: *out, Server: secret.Hide(*server), Strategy: *strategy, MaxTotal: *maxTotal, MaxFiles: int64(*maxFiles),
			MaxWebFile: *maxFile, MaxWebTotal: *maxWeb, UnitSize: *size, Workers: *workers, Memory: *memory,
			Remote: blob.Options{UserAgent: "gleaner", PrivateHosts: web.Private}, Servers: to, Live: web, Items: items,
		},
	}
	// Before the checks, which see what is really done.
	c.defaults()
	return c, cmp.Or(c.setWatch(*every), c.check(), run.CheckShown(), web.check(c.options.Output, c.runner),
		run.CheckRunner(c.runner), run.CheckEndpoint(c.runner), c.checkElsewhere())
}

func (c *config) setWatch(every string) (err error) {
	if every == "" {
		return nil
	}
	if c.watch, err = time.ParseDuration(every); err != nil || c.watch <= 0 {
		return cli.Usagef("--watch=%s: name a time, such as 10m", every)
	}
	return nil
}

// defaults fills in what was not named, from testdata.
func (c *config) defaults() {
	if len(c.requests) == 0 && !c.discover {
		c.requests = []string{ownRequests}
	}
	// The live web needs no archives.
	if len(c.archives) == 0 && c.options.Server == "" && !c.options.Live.Is {
		c.archives = []string{ownArchives}
	}
}

func (c config) check() error {
	o := c.options
	if err := folder.Check(o.Output); err != nil {
		return cli.Usagef("--output: %v", err)
	}
	switch {
	case o.Strategy != "" && !slices.Contains(core.Strategies(), o.Strategy):
		return cli.Usagef("--strategy=%s: there are %s", o.Strategy, strings.Join(core.Strategies(), ", "))
	case c.format != "" && !slices.Contains(formatNames(), c.format):
		return cli.Usagef("--format=%s: there are %s", c.format, strings.Join(formatNames(), ", "))
	case o.Server != "" && len(c.archives) > 0:
		return cli.Usagef("--cdx_server and --archives: captures are looked up in one of the two")
	case o.Server != "" && c.base == "":
		return cli.Usagef("--cdx_server needs --warc_base, the folder that its archives are below")
	case c.discover && o.Server != "":
		return cli.Usagef("--discover reads archives: name them by --archives")
	case c.add && c.fresh:
		return cli.Usagef("--add keeps what is there, and --fresh removes it")
	// 0 would mean the default further down, which nobody asks for by writing 0.
	case o.MaxTotal <= 0 || o.MaxFiles <= 0 || o.MaxWebFile <= 0 || o.MaxWebTotal <= 0 || o.UnitSize <= 0:
		return cli.Usagef("limits and --unit_requests must be positive")
	case o.Memory < 1<<20:
		return cli.Usagef("--memory: 1MiB is the least")
	}
	return nil
}

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

// Without flags the command processes the requests of testdata.
const (
	ownRequests = "testdata/datasets/requests.jsonl"
	ownArchives = "testdata/datasets/captures.warc.gz"
)

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
			"Exit codes: 0 done, 1 failed, 2 usage or input, 3 done, but some lines are not requests or archives are damaged.",
		Examples: []string{
			"go run ./pipelines/fileset",
			"go run ./pipelines/fileset --requests=requests.jsonl --archives=shelf/ --output=out-filesets",
			"go run ./pipelines/fileset --discover --archives=out --output=out-filesets",
		},
		Versions: versions(),
	}
}

// newFlags makes the flags on set. Parsing them fills c.
func newFlags(set *flag.FlagSet, c *config) *run.Flags {
	o := &c.options
	f := run.NewFlags(set, about())
	f.Add(c.inputSettings(), c.outputSettings(), c.limitSettings(), c.runSettings(),
		o.Servers.settings(), o.Live.settings(), o.Items.settings())
	return f
}

func parse(args []string) (config, error) {
	var c config
	o := &c.options
	f := newFlags(flag.CommandLine, &c)
	if err := f.Parse(args); err != nil {
		return config{}, err
	}
	if err := cmp.Or(o.Servers.read(), o.Live.read(), o.Items.read()); err != nil {
		return config{}, err
	}
	c.runner, c.archives = f.Runner(), blob.Shown(slices.Concat(f.Args(), c.named))
	o.Server = secret.Hide(o.Server)
	o.Remote = blob.Options{UserAgent: "gleaner", PrivateHosts: o.Live.Private}
	c.defaults()
	return c, cmp.Or(c.setWatch(), c.check(), run.CheckShown(), o.Live.check(o.Output, c.runner),
		run.CheckRunner(c.runner), run.CheckEndpoint(c.runner), c.checkElsewhere())
}

func (c *config) setWatch() (err error) {
	if c.every == "" {
		return nil
	}
	if c.watch, err = time.ParseDuration(c.every); err != nil || c.watch <= 0 {
		return cli.Usagef("--watch=%s: name a time, such as 10m", c.every)
	}
	return nil
}

// defaults uses testdata for inputs that are not named.
func (c *config) defaults() {
	if len(c.requests) == 0 && !c.discover {
		c.requests = []string{ownRequests}
	}
	// With the live web, archives are optional.
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
	// Later, 0 would mean the default, which a user who writes 0 does not expect.
	case o.MaxTotal <= 0 || o.MaxFiles <= 0 || o.MaxWebFile <= 0 || o.MaxWebTotal <= 0 || o.UnitSize <= 0:
		return cli.Usagef("limits and --unit_requests must be positive")
	case o.MaxFiles > core.MaxListed:
		return cli.Usagef("--max_file_count=%d: at most %d files are listed", o.MaxFiles, core.MaxListed)
	case o.Memory < 1<<20:
		return cli.Usagef("--memory: 1MiB is the least")
	}
	return nil
}

package query

import (
	"cmp"
	"flag"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/gleaner-web/gleaner/io/lake/catalogue"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// about describes the command for --help.
func about() cli.Command {
	return cli.Command{
		Name: "query",
		Summary: "Ask a collection for captures: by language, type, time, site, words, or a filter over all fields.\n" +
			"The answer is the newest version of each page that matches; --all_versions gives every one, and --at the archive " +
			"as it stood at a moment. It is a table on a terminal, JSON lines elsewhere, or what --format says. The index " +
			"that makes this quick is brought up to date first; without it (--no_index) the shards are read.\n" +
			"Exit codes: 0 done, also when nothing matches; 1 failed; 2 usage; 3 done, and some records are missing since " +
			"their archives are not there.",
		Examples: []string{
			"go run ./pipelines/query --lang=fr --mime=application/pdf --from=2026-03 --to=2026-03",
			"go run ./pipelines/query --text='\"climate change\"' --host=example.org --limit=20",
			"go run ./pipelines/query --collection=gs://bucket/out --by=lang,month",
			"go run ./pipelines/query --trends='climate, \"sea level\", language = fr' --by=month --format=csv",
			"go run ./pipelines/query --url='https://example.org/docs/*' --all_versions --format=csv --output=docs.csv",
			"go run ./pipelines/query --where='status = 200 AND entities.text = \"UNESCO\"' --format=warc " +
				"--output=unesco.warc.gz",
			"go run ./pipelines/query --sql=\"select host, count(*) from documents('lang = fr') group by host order by 2 desc\"",
		},
	}
}

// newFlags makes the flags on set. Parsing them fills c.
func newFlags(set *flag.FlagSet, c *config) *run.Flags {
	f := run.NewOptionalFlags(set, about(), "ask by a pipeline over the shards, on many machines: flink, "+
		"dataflow, universal (any other portable runner), or direct and prism (this process: a check); without it, and with "+
		"local, this process answers, by the index")
	f.Add(c.settings())
	return f
}

func parse(args []string) (c config, err error) {
	f := newFlags(flag.CommandLine, &c)
	if err := f.Parse(args); err != nil {
		return c, err
	}
	// Most often these are words of a question without quotes.
	if len(f.Args()) > 0 {
		return c, cli.Usagef("%q is no flag: name the collection by --collection, and words by --text", f.Args()[0])
	}
	if c.runner = f.Runner(); c.runner == run.Local {
		c.runner = ""
	}
	if err := c.readQuery(); err != nil {
		return c, err
	}
	return c, c.settle()
}

// readQuery parses flags with a syntax of their own.
func (c *config) readQuery() (err error) {
	if c.catalogue != "" {
		if c.snapshot == "" {
			return cli.Usagef("--catalogue is for --snapshot: without it no Iceberg table is looked at")
		}
		if c.lake, err = catalogue.Read(c.catalogue); err != nil {
			return cli.Usagef("--catalogue: %v", err)
		}
	}
	limit := c.query.Limit
	if c.query, err = c.common.Query(); err != nil {
		return cli.Usagef("%v", err)
	}
	c.query.Limit = limit
	if c.query.Order, err = query.ParseOrder(c.order); err != nil {
		return cli.Usagef("--order: %v", err)
	}
	if c.sample != "" {
		if c.query.Sample, err = query.ParseShare(c.sample); err != nil {
			return cli.Usagef("--sample: %v", err)
		}
	}
	return nil
}

// settle completes the request, and returns an error for flags that contradict each other.
func (c *config) settle() error {
	if err := c.settleTrends(); err != nil {
		return err
	}
	// Programs read files and pipes, so these get JSON lines; people get a table.
	terminal := c.output == "" && term.IsTerminal(int(os.Stdout.Fd()))
	switch {
	case c.format == "" && len(c.by) > 0:
		c.format = formatFacets
	case c.format == "" && terminal:
		c.format = formatTable
	case c.format == "":
		c.format = formatJSONL
	}
	if c.sql != "" {
		if err := c.checkSQL(); err != nil {
			return err
		}
	}
	if err := c.settleFields(); err != nil {
		return err
	}
	if c.isTable() {
		if err := c.checkTable(); err != nil {
			return err
		}
	} else if err := folder.Check(c.collection); err != nil {
		return cli.Usagef("--collection: %v", err)
	}
	switch {
	case c.format == formatArrays && c.sql == "":
		return cli.Usagef("--format=%s is for the rows of --sql", c.format)
	case blob.IsRemote(c.output):
		return cli.Usagef("--output: name a local file")
	// Bytes of archives could control the terminal.
	case terminal && slices.Contains(binary, c.format):
		return cli.Usagef("--format=%s is not for a terminal: name a file by --output, or pipe it", c.format)
	case len(c.columns) > 0 && slices.Contains(noFields, c.format):
		return cli.Usagef("--fields=%s: --format=%s has none", strings.Join(c.columns, ","), c.format)
	}
	if err := checkOutput(c.output); err != nil {
		return err
	}
	if len(c.columns) == 0 {
		// Writers distinguish nil from an empty list: see orDefault.
		c.columns = nil
	}
	if err := c.query.Check(); err != nil {
		return cli.Usagef("%v", err)
	}
	return cmp.Or(c.checkRunner(), c.checkAbout(), c.checkGroups(), c.checkRelevance())
}

// settleFields replaces short names of fields by names of columns.
func (c *config) settleFields() (err error) {
	if c.columns, err = contentdb.ChosenColumns(c.columns); err != nil {
		return cli.Usagef("--fields: %v", err)
	}
	return nil
}

// checkRelevance refuses the order of the index where the index is not asked.
func (c *config) checkRelevance() error {
	if c.query.Order != query.Relevance || c.byMeaning() {
		return nil
	}
	without := ""
	switch {
	case c.runner != "":
		without = "--runner=" + c.runner
	case c.noIndex:
		without = "--no_index"
	case c.snapshot != "":
		without = "--snapshot"
	case c.isTable():
		without = "a table"
	case c.sources != "" && !c.chosenBefore():
		without = "--sources beside other fields in an OR or NOT"
	default:
		return nil
	}
	return cli.Usagef("--order=relevance needs the index, which %s does without", without)
}

// checkRunner returns an error for flags that a pipeline does not support.
func (c *config) checkRunner() error {
	if err := run.CheckShown(); err != nil {
		return err
	}
	switch {
	case c.runner == "":
		return nil
	case c.isTable():
		return cli.Usagef("--runner=%s asks the shards of a collection, which a table has none of", c.runner)
	case c.snapshot != "":
		return cli.Usagef("--runner=%s asks the collection as it is now, and not --snapshot", c.runner)
	}
	// The runner comes first, because the form of an endpoint depends on it.
	return cmp.Or(run.CheckRunner(c.runner), run.CheckEndpoint(c.runner),
		run.CheckReach(c.runner, c.collection))
}

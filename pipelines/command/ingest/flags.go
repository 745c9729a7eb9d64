package ingest

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// userAgent identifies us in the logs of servers.
const userAgent = "gleaner"

// about describes the command for --help. -h shows the second example.
func about() cli.Command {
	return cli.Command{
		// Each line is a paragraph; -h shows the first.
		Name: "ingest", Args: "[archive ...]",
		Summary: "Read web archives (WARC and ARC, plain, gzip, zstd or lz4; all that ACHE writes to files; CDR), say of " +
			"every capture what it is, and write documents, rejects, an index and a manifest.\n" +
			"An archive is a file, a folder (with all beneath it), a pattern (** crosses folders), @list.txt, - for an " +
			"archive or a list on standard input (told by content), or a URL: gs://bucket/name, s3://bucket/name (folders " +
			"and patterns too), https://host/file. Without one, testdata/archives is read.\n" +
			"Killed or interrupted runs go on where they were: run the same command again. No run removes what another made " +
			"unless it is asked to: into a folder with other archives one is refused without --add or --fresh, formats are " +
			"added beside each other, and what came from archives that are gone stays without --prune.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage or input, 3 done, and some bytes of the archives could not be read or a " +
			"server did not take a document (see rejects-*).",
		Examples: []string{
			"go run ./pipelines/ingest",
			"go run ./pipelines/ingest --output=/data/out '/data/warcs/**/*.warc.gz'",
			"go run ./pipelines/ingest --extract=text,language --format=parquet shelf/",
			"go run ./pipelines/ingest --format=cdxj shelf/",
			"go run ./pipelines/ingest --cdx=shelf/index.cdxj --cdx_filter='mime=application/pdf status=200 2014..2015'",
			"go run ./pipelines/ingest --output=/data/out --watch=15m /data/warcs/",
			"go run ./pipelines/ingest --output=/data/out --add /data/warcs/2026-11-23/",
			"go run ./pipelines/ingest --plan gs://bucket/crawl-2026/",
		},
		Versions: recipe.Versions(),
	}
}

// newFlags makes the flags on set. Parsing them fills c.
func newFlags(set *flag.FlagSet, c *config) *run.Flags {
	f := run.NewFlags(set, about())
	f.Add(c.settings())
	c.sinks = sinks.NewFlags(f.Flags)
	f.Add(c.launchSettings())
	return f
}

func parse(args []string) (config, error) {
	var c config
	f := newFlags(flag.CommandLine, &c)
	if err := f.Parse(args); err != nil {
		return config{}, err
	}
	// flag.ErrHelp ends the program with success, as after --help.
	if c.template {
		return config{}, cmp.Or(printTemplate(os.Stdout, f), flag.ErrHelp)
	}
	if err := c.read(f); err != nil {
		return config{}, err
	}
	return newConfig(c)
}

// read completes the request after parsing.
func (c *config) read(f *run.Flags) (err error) {
	r := &c.request
	badWatch := c.readWatch()
	var badSinks error
	r.Sinks, badSinks = c.sinks.Read()
	if err := cmp.Or(badWatch, badSinks, c.readChoice()); err != nil {
		return err
	}
	if err := c.readPiped(f); err != nil {
		return err
	}
	r.Extract, r.Formats = extracted(r.Extract, r.Formats, f.Given("extract"))
	plugs, err := r.OpenPlugs()
	if err != nil {
		return cli.Usagef("--plug or --tokens: %v", err)
	}
	r.Extract = append(r.Extract, plugs...)
	if r.Triggers, err = readTriggers(c.triggers, r.Output, onlyIndex(r.Formats)); err != nil {
		return err
	}
	// Lists are put in order, so that two spellings of a request have one key.
	r.Formats, r.Extract, r.Without = unique(r.Formats), ordered(r.Extract), unique(r.Without)
	r.Remote.UserAgent = userAgent
	// From here on URLs have names without secrets, so that no message or manifest has a secret.
	r.Inputs = blob.Shown(slices.Concat(f.Args(), c.named))
	r.Indexes, r.Lookup.Base = blob.Shown(r.Indexes), baseName(secret.Hide(r.Lookup.Base))
	r.Runner, r.Shown, c.page = f.Runner(), c.planOnly, len(c.reports) > 0
	// The folder's compression replaces the default, but not a value that the user chose.
	r.Keep.Compression = f.Given("compression")
	// On other machines, 0 lets each worker count its own CPUs.
	if r.Elsewhere = !run.InProcess(r.Runner); !r.Elsewhere {
		r.Workers = cli.Workers(r.Workers)
	}
	return nil
}

// extracted returns the extractors and formats; chosen reports whether the user chose the extractors.
func extracted(extract, formats []string, chosen bool) (extractors, written []string) {
	switch {
	// An index alone refuses extractors, so it must not get the default ones.
	case onlyIndex(formats) && !chosen:
		return nil, formats
	case !chosen || onlyIndex(formats):
		return extract, formats
	}
	// Counting links costs little. Listing them takes an eighth of a run, so only users who name links get it.
	for _, format := range []string{holdings.FormatLinks, holdings.FormatData} {
		switch {
		case slices.Contains(extract, format):
			formats = append(formats, format)
		case slices.Contains(extract, enrich.All) && !slices.Contains(formats, format):
			slog.Info(fmt.Sprintf("--extract=all counts %s and makes no table of them: for %s-*.parquet add --format=%s",
				format, format, strings.Join(slices.Concat(formats, []string{format}), ",")))
		}
	}
	return extract, formats
}

// readChoice parses the flags that choose the captures for documents. Other captures are read and counted.
func (c *config) readChoice() error {
	// Parsed here, so that the message can mark the mistake in the filter.
	where, err := query.Parse(c.where)
	if err != nil {
		return cli.Usagef("--where: %v%s", err, mark(err, c.where))
	}
	if where != nil {
		c.request.Where = where.String() // equal for filters that differ only in spelling
	}
	if c.request.Sample, err = query.ParseShare(c.sample); err != nil {
		return cli.Usagef("--sample: %v", err)
	}
	return nil
}

// mark shows the offset of a syntax error in a filter; it returns "" for other errors.
func mark(err error, filter string) string {
	var syntax *query.SyntaxError
	if !errors.As(err, &syntax) {
		return ""
	}
	return "\n" + syntax.Excerpt(filter)
}

// onlyIndex reports whether only an index is written. Then no bodies are read.
func onlyIndex(formats []string) bool { return slices.Equal(formats, []string{holdings.FormatCDXJ}) }

// newConfig connects the job to the terminal, and checks the request.
func newConfig(c config) (config, error) {
	r := &c.request
	r.Counters = &cli.Live
	r.Progress = func(c *cli.Counters, bytes int64) func() { return cli.StartProgress(c, bytes).Stop }
	return c, cmp.Or(c.checkWatch(), r.Check())
}

// checkWatch finds flags that contradict --watch.
func (c *config) checkWatch() error {
	r := &c.request
	switch {
	// With --fresh, each run would remove the output of the last one.
	case c.watch > 0 && (r.Fresh || c.planOnly):
		return cli.Usagef("--watch runs again and again, and --fresh and --plan make sense once")
	case c.watch > 0 && (slices.Contains(r.Inputs, "-") || slices.Contains(r.Indexes, "-")):
		return cli.Usagef("--watch reads its lists again each time, and standard input can be read once: put the list in a " +
			"file and name @file")
	}
	return nil
}

// baseName returns the name of a folder as records have it, with slashes, or a URL as it is.
func baseName(arg string) string {
	if blob.IsRemote(arg) {
		return arg
	}
	return schemas.NameOf(arg)
}

// unique returns a sorted copy of the list without duplicates.
func unique(list []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

// ordered puts known extractors in the order in which they run, so that their order on the command line does not
// matter. Unknown names stay, for the error message.
func ordered(names []string) []string {
	// Not nil, because the options' JSON must be [] when nothing is extracted.
	known := []string{}
	names = enrich.Named(names)
	for _, n := range enrich.Extractors() {
		if slices.Contains(names, n) {
			known = append(known, n)
		}
	}
	for _, n := range names {
		// --extract= gives an empty name.
		if n != "" && !slices.Contains(known, n) {
			known = append(known, n)
		}
	}
	return known
}

// fields is the value of --select, which is repeated: each name=css may have commas.
type fields []enrich.Field

// String returns the fields as users write them.
func (f *fields) String() string {
	var list []string
	for _, field := range *f {
		list = append(list, field.Name+"="+field.CSS)
	}
	return strings.Join(list, " ")
}

// Set parses name=css. The request's Check parses the selector.
func (f *fields) Set(s string) error {
	// Only the first = counts: selectors have them, too, as in a[href="x"].
	name, css, ok := strings.Cut(s, "=")
	if name = strings.TrimSpace(name); !ok || name == "" || strings.TrimSpace(css) == "" {
		return errors.New("not of the form name=css, as in price='span.price'")
	}
	// A second field would replace the first in the document.
	for _, other := range *f {
		if other.Name == name {
			return fmt.Errorf("the field %s is there twice", name)
		}
	}
	*f = append(*f, enrich.Field{Name: name, CSS: css})
	return nil
}

// readWatch parses the time between runs, which is empty without the flag.
func (c *config) readWatch() (err error) {
	if c.every == "" {
		return nil
	}
	if c.watch, err = plan.ParseSpan(c.every); err != nil {
		return cli.Usagef("--watch: %v", err)
	}
	return nil
}

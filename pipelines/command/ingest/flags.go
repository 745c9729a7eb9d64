package ingest

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// userAgent tells servers who asks.
// Operators of servers find us by it in their logs.
const userAgent = "gleaner"

// about is what --help begins with.
// The examples are commands that can be copied, and the second is the one that -h shows.
func about() cli.Command {
	return cli.Command{
		// Summary lines are paragraphs of the help, of which -h shows the first.
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
		Versions: job.Versions(),
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
	// The error ends the program with success, as --help does: what was asked for is printed.
	if c.template {
		return config{}, cmp.Or(printTemplate(os.Stdout, f), flag.ErrHelp)
	}
	if err := c.read(f); err != nil {
		return config{}, err
	}
	return newConfig(c)
}

// read completes the request after the command line was parsed.
func (c *config) read(f *run.Flags) (err error) {
	r, o := &c.request, &c.request.Options
	badWatch := c.readWatch()
	var badSinks error
	o.Sinks, badSinks = c.sinks.Read()
	if err := cmp.Or(badWatch, badSinks, c.readChoice()); err != nil {
		return err
	}
	o.Extract, o.Formats = extracted(o.Extract, o.Formats, f.Given("extract"))
	if o.Triggers, err = readTriggers(c.triggers, o.Output, onlyIndex(o.Formats)); err != nil {
		return err
	}
	// Lists are sorted or put in order, since two spellings of one request must have one key.
	o.Formats, o.Extract, o.Without = unique(o.Formats), ordered(o.Extract), unique(o.Without)
	o.Remote.UserAgent = userAgent
	// From here on URLs go by names without their secrets, so that no message or manifest has one.
	r.Inputs = blob.Shown(slices.Concat(f.Args(), c.named))
	r.Indexes, r.Lookup.Base = blob.Shown(r.Indexes), baseName(secret.Hide(r.Lookup.Base))
	r.Runner, r.Shown, c.page = f.Runner(), c.planOnly, len(c.reports) > 0
	// The default compression gives way to that of the folder, and one that was asked for does not.
	r.Keep.Compression = f.Given("compression")
	// The number of CPUs here says nothing of machines there: 0 lets each worker count its own.
	if o.Elsewhere = !run.InProcess(r.Runner); !o.Elsewhere {
		o.Workers = cli.Workers(o.Workers)
	}
	return nil
}

// extracted is what is extracted and written, by what was asked for; chosen reports whether extractors were.
func extracted(extract, formats []string, chosen bool) (extractors, written []string) {
	switch {
	// Extracting is refused for an index alone, and a default must not be what is refused.
	case onlyIndex(formats) && !chosen:
		return nil, formats // the default is for documents
	// By default links are counted, which costs little. To list them takes an eighth of a run, and is to be asked for.
	case chosen && slices.Contains(extract, "links") && !onlyIndex(formats):
		return extract, append(formats, holdings.FormatLinks)
	}
	return extract, formats
}

// readChoice reads the flags that choose captures. Documents are made of those alone; all others are read and counted.
func (c *config) readChoice() error {
	// Parsed here, so that a mistake is shown at its place in the filter.
	where, err := query.Parse(c.where)
	if err != nil {
		return cli.Usagef("--where: %v%s", err, mark(err, c.where))
	}
	if where != nil {
		c.request.Options.Where = where.String() // filters that mean the same in other words are the same option
	}
	if c.request.Options.Sample, err = query.ParseShare(c.sample); err != nil {
		return cli.Usagef("--sample: %v", err)
	}
	return nil
}

// mark shows where in a filter the error is.
// Other errors than those of syntax have no place.
func mark(err error, filter string) string {
	var syntax *query.SyntaxError
	if !errors.As(err, &syntax) {
		return ""
	}
	return "\n" + syntax.Excerpt(filter)
}

// onlyIndex reports whether an index is all that is asked for.
// Then no bodies are read, and flags about documents make no sense.
func onlyIndex(formats []string) bool { return slices.Equal(formats, []string{holdings.FormatCDXJ}) }

// newConfig has the terminal show the job's progress, and finds what contradicts itself.
func newConfig(c config) (config, error) {
	r := &c.request
	// The job knows no terminal; these two are all that it is given of one.
	r.Counters = &cli.Live
	r.Progress = func(c *cli.Counters, bytes int64) func() { return cli.StartProgress(c, bytes).Stop }
	// Both find usage errors; the first in this order is shown.
	return c, cmp.Or(c.checkWatch(), r.Check())
}

// checkWatch finds flags that contradict --watch.
func (c *config) checkWatch() error {
	r := &c.request
	switch {
	// With --fresh each run would remove what the one before has written.
	case c.watch > 0 && (r.Fresh || c.planOnly):
		return cli.Usagef("--watch runs again and again, and --fresh and --plan make sense once")
	// A list in a file may grow between runs, and is read again each time.
	case c.watch > 0 && (slices.Contains(r.Inputs, "-") || slices.Contains(r.Indexes, "-")):
		return cli.Usagef("--watch reads its lists again each time, and standard input can be read once: put the list in a " +
			"file and name @file")
	}
	return nil
}

// baseName is the name of a folder, or a URL.
func baseName(arg string) string {
	// A local name gets slashes and is made as records have it; a URL is one already.
	if blob.IsRemote(arg) {
		return arg
	}
	return schemas.NameOf(arg)
}

// unique is a sorted copy of the list without doubles.
func unique(list []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

// ordered puts known extractors in the order in which they run, so that the order on the command line does not make
// another collection; unknown ones stay, to be complained of.
func ordered(names []string) []string {
	// Not nil: an empty list is an answer, "nothing", and the JSON of the options shows it as [].
	known := []string{}
	for _, n := range enrich.Extractors() {
		if slices.Contains(names, n) {
			known = append(known, n)
		}
	}
	for _, n := range names {
		// An empty name is what --extract= gives, which asks for nothing.
		if n != "" && !slices.Contains(known, n) {
			known = append(known, n)
		}
	}
	return known
}

// fields is the flag --select: one name=css each time that it is given. Commas belong to CSS.
type fields []enrich.Field

// String shows the fields as they would be given.
// It is asked by package flag for the help, also of an empty list.
func (f *fields) String() string {
	var list []string
	for _, field := range *f {
		list = append(list, field.Name+"="+field.CSS)
	}
	return strings.Join(list, " ")
}

// Set reads name=css.
// A selector may have blanks and commas, so that each field needs a flag of its own.
func (f *fields) Set(s string) error {
	// Only the first = counts: selectors have them too, as in a[href="x"].
	name, css, ok := strings.Cut(s, "=")
	if name = strings.TrimSpace(name); !ok || name == "" || strings.TrimSpace(css) == "" {
		return fmt.Errorf("%q is not of the form name=css, as in price='span.price'", s)
	}
	// Names are the keys of a document's custom fields, so that a second one would hide the first.
	for _, other := range *f {
		if other.Name == name {
			return fmt.Errorf("the field %s is there twice", name)
		}
	}
	// Whether the selector can be parsed is found out by the request's Check.
	*f = append(*f, enrich.Field{Name: name, CSS: css})
	return nil
}

// readWatch reads the time between runs; an empty one is the absence of the flag.
func (c *config) readWatch() (err error) {
	if c.every == "" {
		return nil
	}
	if c.watch, err = job.ParseSpan(c.every); err != nil {
		return cli.Usagef("--watch: %v", err)
	}
	return nil
}

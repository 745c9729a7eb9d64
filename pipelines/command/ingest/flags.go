package ingest

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/langid"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// userAgent tells servers who asks.
// Operators of servers find us by it in their logs.
const userAgent = "gleaner"

// The headings of --help.
const (
	// They come in the order in which the first flag of each is added.
	output   = "Output"
	input    = "Input"
	content  = "What is extracted"
	resource = "Running"
)

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

// defaultUnit is some seconds to minutes of work, and a shard that is neither a crumb nor too large to do again.
// Larger units lose more when a machine fails; smaller ones make more files in the output.
const defaultUnit = "64MiB"

// parse reads the command line. Flags are in the order of the help; what they say is known
// only after f.Parse, so that the readers below are functions that are called then.
func parse(args []string) (config, error) {
	row := cli.Rows(flagTable)
	f := run.NewFlags(flag.CommandLine, about())
	out := f.String(row("output"))
	formats, compression, fresh := f.Strings(row("format")), f.String(row("compression")), f.Bool(row("fresh"))
	extract, triggers := f.Strings(withOwn(row("extract"))), f.String(row("extractors"))
	selects := fieldsFlag(f, row("select"))
	readChosen := chosenFlags(f, row)
	accuracy, comments := f.String(row("language_accuracy")), f.String(row("comments"))
	text, profile, without := f.String(row("text")), f.String(row("profile")), f.Strings(row("without"))
	maxBody, maxHead, maxRatio := f.Bytes(row("max_body")), f.Bytes(row("max_header")), f.Int(row("max_ratio"))
	remote := remoteFlags(f, row)
	known, templates, unitSize := f.String(row("sources")), f.Bool(row("site_templates")), f.Bytes(row("unit_size"))
	readIndexes := indexFlags(f, row)
	var again job.Schedule
	readSchedule := scheduleFlags(f, &again)
	readKeeping := keepingFlags(f)
	planOnly, reports := f.Bool(row("plan")), f.Strings(row("report"))
	workers, memory := f.Int(row("workers")), f.Bytes(row("memory"))
	readSinks, cloud := sinks.Flags(f.Flags), addCloud(f)
	if err := f.Parse(args); err != nil {
		return config{}, err
	}
	// The error ends the program with success, as --help does: what was asked for is printed.
	if *cloud.template {
		return config{}, cmp.Or(printTemplate(os.Stdout, f), flag.ErrHelp)
	}
	watch, badSchedule := readSchedule()
	to, badSinks := readSinks()
	where, sample, limit, badChoice := readChosen()
	if err := cmp.Or(badSchedule, badSinks, badChoice); err != nil {
		return config{}, err
	}
	*extract, *formats = extracted(*extract, *formats, f.Set("extract"))
	when, err := readTriggers(*triggers, *out, onlyIndex(*formats))
	if err != nil {
		return config{}, err
	}
	r := job.Request{
		// Lists are sorted or put in order, since two spellings of one request must have one key.
		Options: job.Options{
			Where: where, Sample: sample, Limit: limit, Comments: *comments,
			Output: *out, Formats: unique(*formats), Compression: *compression, Extract: ordered(*extract),
			Accuracy: langid.Accuracy(*accuracy), MaxBody: *maxBody, Select: *selects, Triggers: when, MaxHead: int(*maxHead),
			MaxRatio: int64(*maxRatio), Workers: cli.Workers(*workers), Memory: *memory, SiteTemplates: *templates,
			Sinks: to, Remote: remote(), Text: *text, Profile: *profile, Without: unique(*without), Sources: *known,
		},
		// From here on URLs go by names without their secrets, so that no message or manifest has one.
		Inputs: blob.Shown(slices.Concat(f.Args(), *cloud.inputs)),
		Runner: f.Runner(), UnitSize: *unitSize, Fresh: *fresh, Keep: readKeeping(), Schedule: again,
		Prices: job.Prices{VCPUHour: float64(cloud.vcpuPrice), GBHour: float64(cloud.gbPrice)}, Shown: *planOnly,
	}
	r.Indexes, r.Lookup = readIndexes()
	// The number of CPUs here says nothing of machines there: 0 lets each worker count its own.
	if !run.InProcess(r.Runner) {
		r.Options.Workers, r.Options.Elsewhere = *workers, true
	}
	return newConfig(config{request: r, planOnly: *planOnly, page: len(*reports) > 0, watch: watch})
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

// chosenFlags adds the flags that choose captures; done reads what they say when the command line is parsed.
// Together they decide of which captures documents are made; all others are read and counted.
func chosenFlags(f *run.Flags, row func(string) cli.Flag) (done func() (where string, sample, limit int64, err error)) {
	filter, share, most := f.String(row("where")), f.String(row("sample")), f.Int(row("limit"))
	return func() (string, int64, int64, error) {
		// Parsed here, so that a mistake is shown at its place in the filter.
		where, err := query.Parse(*filter)
		if err != nil {
			return "", 0, 0, cli.Usagef("--where: %v%s", err, mark(err, *filter))
		}
		parts, err := query.ParseShare(*share)
		if err != nil {
			return "", 0, 0, cli.Usagef("--sample: %v", err)
		}
		text := ""
		if where != nil {
			text = where.String() // filters that mean the same in other words are the same option
		}
		return text, parts, int64(*most), nil
	}
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

// fieldsFlag adds a flag that is a list of custom fields.
// It is a value of its own kind and not a list, because selectors have commas.
func fieldsFlag(f *run.Flags, d cli.Flag) *fields {
	v := new(fields)
	f.Var(v, d)
	return v
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

// scheduling is the heading of these flags in --help.
// They are apart from the other headings, as they make sense only for a folder that is there.
const scheduling = "Running again"

// scheduleFlags adds the flags. When the command line is parsed, done reads what they say into s, and the time between
// runs, 0 for one run.
// What they say is not checked here but by the request, together with all else.
func scheduleFlags(f *run.Flags, s *job.Schedule) (done func() (watch time.Duration, err error)) {
	// These descriptions stand here and not in flagTable, beside the function that reads them.
	onlyNew := f.Bool(cli.Flag{
		Name: "only_new", Default: "false", Help: "do archives that the folder does not have " +
			"yet, and those that changed; keep units that earlier versions of the program made as they are", Example: "true",
		Group: scheduling,
	})
	stale := f.Bool(cli.Flag{
		Name: "stale", Default: "false", Help: "do units again that other versions of the program " +
			"made, and those whose archives changed; begin no archive that the folder does not have", Example: "true",
		Group: scheduling,
	})
	since := f.String(cli.Flag{Name: "since", Default: "", Help: "begin only archives that were modified since then, " +
		"and do only units of such archives again because of versions: a date or time in UTC, or how long ago (h, d). What " +
		"the folder has of older archives stays", Example: "7d, 2026-11-01 or 2026-11-01T12:00:00Z", Group: scheduling})
	// As a text, because ParseSpan also knows days.
	watch := f.String(cli.Flag{Name: "watch", Default: "", Help: "do not end, but run again this long after each run " +
		"(s, m, h, d), until interrupted. A run that fails, or finds the folder in use, is told of, and the next one " +
		"tries again", Example: "15m", Group: scheduling})
	return func() (time.Duration, error) {
		s.OnlyNew, s.Stale, s.Since = *onlyNew, *stale, *since
		// An empty value is the absence of the flag.
		if *watch == "" {
			return 0, nil
		}
		span, err := job.ParseSpan(*watch)
		if err != nil {
			return 0, cli.Usagef("--watch: %v", err)
		}
		return span, nil
	}
}

// keepingFlags adds the flags; done reads what they say when the command line is parsed.
// They are about units of archives that the command does not find.
func keepingFlags(f *run.Flags) (done func() job.Keeping) {
	// Both are false by default: without a word from the user a run removes nothing and mixes nothing.
	add := f.Bool(cli.Flag{Name: "add", Default: "false", Help: "add what the archives named hold to a folder that " +
		"has others; nothing of it is removed", Example: "true", Group: output})
	prune := f.Bool(cli.Flag{Name: "prune", Default: "false", Help: "remove from the folder what came from " +
		"archives that are no longer there; with --plan only report them", Example: "true", Group: output})
	return func() job.Keeping {
		// The default compression gives way to that of the folder, and one that was asked for does not.
		return job.Keeping{Add: *add, Prune: *prune, Compression: f.Set("compression")}
	}
}

// indexFlags adds the flags about capture indexes, which say what of archives is read. What it returns is called after
// the command line was read.
func indexFlags(f *run.Flags, row func(string) cli.Flag) (read func() ([]string, schemas.Lookup)) {
	indexes := f.Strings(row("cdx"))
	filter := f.String(row("cdx_filter"))
	warcs := f.String(row("warc_base"))
	return func() ([]string, schemas.Lookup) {
		return blob.Shown(*indexes), schemas.Lookup{Filter: *filter, Base: baseName(secret.Hide(*warcs))}
	}
}

// remoteFlags adds the flags about reaching buckets and the web.
func remoteFlags(f *run.Flags, row func(string) cli.Flag) (read func() blob.Options) {
	payer, private := f.String(row("requester_pays")), f.Bool(row("private_hosts"))
	return func() blob.Options {
		return blob.Options{UserAgent: userAgent, RequesterPays: *payer, PrivateHosts: *private}
	}
}

package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/langid"

	// The buckets that archives are read from and folders written to.
	_ "github.com/gleaner-web/gleaner/io/storage/gs"
	_ "github.com/gleaner-web/gleaner/io/storage/s3"
)

func main() { run.Main("ingest", ingest) }

// config is the command line.
type config struct {
	options  Options
	inputs   []string
	stdin    io.Reader      // a list, where "-" names one
	indexes  []string       // capture indexes, whose lines say what is read
	lookup   schemas.Lookup // of them
	runner   string
	unitSize int64
	fresh    bool
	planOnly bool
	keep     keeping
	schedule schedule
	cloud    cloud
}

func ingest(ctx context.Context) (int, error) {
	c, err := parse(os.Args[1:])
	if err != nil {
		return cli.ExitUsage, err
	}
	if err := run.CheckEndpoint(c.runner); err != nil && !c.planOnly {
		return cli.ExitUsage, err
	}
	cli.SetMemoryLimit(c.options.memory())
	list, release, err := run.Stdin(ctx, c.inputs, c.runner, &c.options.Remote)
	if err != nil {
		return cli.ExitFailed, err
	}
	defer release()
	c.stdin = list
	if c.schedule.watch > 0 {
		return watch(ctx, c)
	}
	code, _, err := once(ctx, c)
	return code, err
}

// exitCode is ExitLosses when something of the archives could not be read, or may have been read wrong (bytes that no
// record holds, a record with a flag that tells of damage, a file that the system does not give), or when a server did
// not take what it was to have.
func exitCode(m schemas.Manifest) int {
	for _, s := range m.Totals.Sinks {
		if s.Refused > 0 {
			return cli.ExitLosses
		}
	}
	lost := m.Totals.BytesLost + m.Totals.ByReject[string(schemas.KindUnreadable)]
	if lost > 0 || m.Totals.HasDamage() {
		return cli.ExitLosses
	}
	return cli.ExitDone
}

// planned are the options of the plan.
func (c *config) planned(p *plan) (Options, error) {
	o := p.options
	o.Units, o.Division, o.Dir = len(p.Units), c.division(), p.asked.Dir
	o.Run = report.Run{Command: "ingest", Runner: c.runner, Started: time.Now().UTC()}
	var err error
	if o.Made, err = o.versions(); err != nil {
		return o, cli.Usagef("%v", err)
	}
	return o, nil
}

// execute does what is not done yet and returns the manifest.
func execute(ctx context.Context, c config, p *plan) (schemas.Manifest, error) {
	o, err := c.planned(p)
	if err != nil {
		return schemas.Manifest{}, err
	}
	if err := o.askKafka(ctx); err != nil {
		return schemas.Manifest{}, cli.Usagef("--kafka: %v", err)
	}
	p.setKeys(&o)
	f := openOutput(ctx, o)
	defer func() { _ = f.Close() }() // what it cannot remove is temporary
	out, err := c.openCollection(ctx, f, p)
	if err != nil {
		return schemas.Manifest{}, outputError(err)
	}
	defer out.Close()
	if err := p.stillHolds(f, c.fresh); err != nil {
		return schemas.Manifest{}, err
	}
	if o, err = prepare(ctx, c, o, p, f, out); err != nil {
		return schemas.Manifest{}, err
	}
	todo, done, err := p.resume(ctx, f, out, &o)
	if err != nil {
		return schemas.Manifest{}, err
	}
	return doUnits(ctx, c, o, f, out, p.tasks(todo), done)
}

// doUnits does the units that are to be done, if there are any, and returns the manifest, of whose units their number may be all.
func doUnits(ctx context.Context, c config, o Options, f folder.Folder, out *collection.Collection, todo []task, done []schemas.UnitResult) (schemas.Manifest, error) {
	if len(todo) == 0 && !collection.NeedsJoin(done, o.Units) {
		return finish(ctx, out, o, done)
	}
	if err := runUnits(ctx, c, o, f, todo, done); err != nil {
		return schemas.Manifest{}, err
	}
	if run.Detached() {
		return schemas.Manifest{}, errHandedOver
	}
	return collection.ReadTotals(f)
}

// outputError tells a folder that cannot be used from a disk that fails.
func outputError(err error) error {
	if errors.Is(err, collection.ErrForeign) || errors.Is(err, collection.ErrBusy) {
		return cli.Usagef("%v", err)
	}
	return cli.OutputError(err)
}

// errHandedOver is a job that goes on without this process.
var errHandedOver = errors.New("handed over")

func runUnits(ctx context.Context, c config, o Options, f folder.Folder, todo []task, done []schemas.UnitResult) error {
	var bytes int64
	for _, t := range todo {
		bytes += t.Unit.Bytes()
	}
	if len(done) > 0 {
		slog.Info(fmt.Sprintf("%d of %d units are done already", len(done), o.Units))
	}
	defer c.progress(&cli.Live, bytes)()
	p, s := beam.NewPipelineWithRoot()
	if err := Build(s, o, todo, done); err != nil {
		return err
	}
	return c.pipeline(ctx, f, p)
}

// userAgent tells servers who asks.
const userAgent = "gleaner"

// The headings of --help.
const (
	output   = "Output"
	input    = "Input"
	content  = "What is extracted"
	resource = "Running"
)

// about is what --help begins with.
func about() cli.Command {
	return cli.Command{
		Name: "ingest", Args: "[archive ...]",
		Summary: "Read web archives (WARC and ARC, plain, gzip, zstd or lz4; all that ACHE writes to files; CDR), say of every capture what it is, and write documents, rejects, an index and a manifest.\n" +
			"An archive is a file, a folder (with all beneath it), a pattern (** crosses folders), @list.txt, - for an archive or a list on standard input (told by content), or a URL: gs://bucket/name, s3://bucket/name (folders and patterns too), https://host/file. Without one, testdata/archives is read.\n" +
			"Killed or interrupted runs go on where they were: run the same command again. No run removes what another made unless it is asked to: into a folder with other archives one is refused without --add or --fresh, formats are added beside each other, and what came from archives that are gone stays without --prune.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage or input, 3 done, and some bytes of the archives could not be read or a server did not take a document (see rejects-*).",
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
		Versions: allVersions(),
	}
}

func parse(args []string) (config, error) {
	f := run.NewFlags(flag.CommandLine, about())
	out := f.String(cli.Flag{
		Name:    "output",
		Default: "out",
		Help: "folder to write to; new, empty, or one that an earlier run wrote; also gs://bucket/name and " +
			"s3://bucket/name",
		Example: "/data/out",
		Group:   output,
		Brief:   "folder to write to (out)",
	})
	formats := f.Strings(cli.Flag{
		Name:    "format",
		Default: "jsonl",
		Help: "what is written: documents as jsonl or parquet; content for Datastreamer's records, which hold the " +
			"pages; wet for the main texts as WARC conversion records, as Common Crawl's WET files have them; " +
			"cdxj for one sorted index of all archives, index.cdxj; or several. cdxj alone writes no documents, " +
			"extracts nothing and is much faster",
		Example: "jsonl,cdxj",
		Group:   output,
		Brief:   "jsonl (the default), parquet, content, wet, cdxj, or several",
		Values:  collection.Formats(),
	})
	compression := f.String(cli.Flag{
		Name:    "compression",
		Default: "zstd",
		Help:    "of JSON lines: zstd, gzip or none",
		Example: "gzip",
		Group:   output,
		Values:  []string{string(jsonl.Zstd), string(jsonl.Gzip), string(jsonl.None)},
	})
	fresh := f.Bool(cli.Flag{
		Name:    "fresh",
		Default: "false",
		Help:    "remove what an earlier run wrote to the folder and start over",
		Example: "true",
		Group:   output,
		Brief:   "remove what an earlier run wrote to the folder",
	})
	extract := f.Strings(cli.Flag{
		Name:    "extract",
		Default: strings.Join(enrich.Extractors(), ","),
		Help: "what to extract; what a chosen one needs is done without being asked; empty for only reading and " +
			"indexing",
		Example: "text,language",
		Group:   content,
		Brief:   "what to extract, as text,language; all by default",
		Values:  enrich.Extractors(),
	})
	var selects fields
	f.Var(&selects, cli.Flag{Name: "select", Help: "custom field by CSS selector, name=css; may be repeated", Example: "price='span.price'", Group: content})
	accuracy := f.String(cli.Flag{
		Name:    "language_accuracy",
		Default: string(langid.Default),
		Help: "of short texts' languages: high asks lingua about those of less than 120 letters, which takes up to " +
			"1.2 GB of memory more and about a millisecond a text",
		Example: string(langid.High),
		Group:   content,
		Values:  []string{string(langid.Default), string(langid.High)},
	})
	maxBody := f.Bytes(cli.Flag{Name: "max_body", Default: "32MiB", Help: "bytes of a decoded body; what is longer is cut and flagged", Example: "8MiB", Group: input})
	maxHead := f.Bytes(cli.Flag{Name: "max_header", Default: "1MiB", Help: "bytes of a record's header; what is longer is cut and flagged", Example: "64KiB", Group: input})
	maxRatio := f.Int(cli.Flag{Name: "max_ratio", Default: "1000", Help: "decoded bytes for one stored byte of a body, above 1 MiB; decoding stops there and the body is flagged", Example: "200", Group: input})
	payer := f.String(cli.Flag{Name: "requester_pays", Default: "", Help: "pay for requests to buckets whose requesters pay: the project that Google bills; Amazon bills the credentials' account, whatever is named", Example: "my-project", Group: input})
	private := f.Bool(cli.Flag{Name: "private_hosts", Default: "false", Help: "also read http and https URLs of hosts in private networks", Example: "true", Group: input})
	templates := f.Bool(cli.Flag{Name: "site_templates", Default: "false", Help: "leave out of the text the paragraphs that stand on many pages of one host; the archives are read twice, and first for these", Example: "true", Group: content})
	unitSize := f.Bytes(cli.Flag{Name: "unit_size", Default: defaultUnit, Help: "compressed bytes that one worker does at a time, and that one shard of the output comes from", Example: "16MiB", Group: input})
	indexes := f.Strings(cli.Flag{
		Name: "cdx",
		Help: "capture indexes, CDX or CDXJ, plain or compressed: only the records that their lines point to are " +
			"read. Files, folders, patterns or URLs, as archives are",
		Example: "index.cdxj",
		Group:   input,
		Brief:   "read only the records that these indexes point to",
	})
	filter := f.String(cli.Flag{
		Name:    "cdx_filter",
		Default: "",
		Help: "which lines of --cdx: terms with blanks between, of which all must hold. field=value (several with " +
			"commas, text/* for what begins so), field!=value, field~regexp, field!~regexp, with the fields url, " +
			"surt, mime, status, digest, filename, timestamp, language; 2014..201506 for dates, both included; " +
			"http://… for what URLs begin with",
		Example: "'mime=application/pdf status=200 2014..2015'",
		Group:   input,
		Brief:   "which of them, as 'mime=application/pdf status=200'",
	})
	warcs := f.String(cli.Flag{Name: "warc_base", Default: "", Help: "folder or URL that the names of archives in --cdx are below; each index's own folder by default", Example: "https://data.commoncrawl.org/", Group: input})
	var again schedule
	readSchedule := again.flags(f)
	var keep keeping
	readKeeping := keep.flags(f)
	planOnly := f.Bool(cli.Flag{
		Name:    "plan",
		Default: "false",
		Help:    "print the units, their bytes and an estimate, and stop",
		Example: "true",
		Group:   resource,
		Brief:   "say what would be done, and how long it would take",
	})
	workers := f.Int(cli.Flag{
		Name:    "workers",
		Default: "0",
		Help:    "captures that a process enriches at once; 0 for one a CPU",
		Example: "4",
		Group:   resource,
		Brief:   "captures that are enriched at once; one a CPU by default",
	})
	memory := f.Bytes(cli.Flag{Name: "memory", Default: "0", Help: "what the heap should keep to: the garbage collector works harder as it comes near; 0 for 256 MiB and 48 MiB a worker", Example: "2GiB", Group: resource})
	var to serverFlags
	to.flags(f)
	cloud := addCloud(f)
	if err := f.Parse(args); err != nil {
		return config{}, err
	}
	if *cloud.template {
		return config{}, cmp.Or(printTemplate(os.Stdout, f), flag.ErrHelp)
	}
	if err := readSchedule(); err != nil {
		return config{}, err
	}
	readKeeping()
	toIndex, toTopic, err := to.options(f)
	if err != nil {
		return config{}, err
	}
	if len(*formats) == 1 && (*formats)[0] == collection.FormatCDXJ && !f.Set("extract") {
		*extract = nil // its default is for documents
	}
	c := config{
		options: Options{
			Output: *out, Formats: unique(*formats), Compression: *compression, Extract: ordered(*extract), Accuracy: langid.Accuracy(*accuracy), MaxBody: *maxBody,
			Select: selects, MaxHead: int(*maxHead), MaxRatio: int64(*maxRatio), Workers: cli.Workers(*workers),
			Memory: *memory, SiteTemplates: *templates, Elastic: toIndex, Kafka: toTopic, Remote: blob.Options{UserAgent: userAgent, RequesterPays: *payer, PrivateHosts: *private},
		},
		inputs: blob.Shown(slices.Concat(f.Args(), *cloud.inputs)), indexes: blob.Shown(*indexes),
		lookup: schemas.Lookup{Filter: *filter, Base: baseName(secret.Hide(*warcs))},
		runner: f.Runner(), unitSize: *unitSize, fresh: *fresh, planOnly: *planOnly,
		keep: keep, schedule: again, cloud: *cloud,
	}
	if c.runner == run.Dataflow {
		c.options.Workers, c.options.Elsewhere = *workers, true
	}
	return c, c.check()
}

// baseName is the name of a folder, or a URL.
func baseName(arg string) string {
	if blob.IsRemote(arg) {
		return arg
	}
	return schemas.NameOf(arg)
}

// check finds what is wrong with the command line before any work is begun.
func (c *config) check() error {
	o := &c.options
	e, err := enrich.New(o.enrich())
	if err != nil {
		return cli.Usagef("%v", err)
	}
	if _, text := e.Versions()["maintext"]; !text {
		if o.SiteTemplates {
			return cli.Usagef("--site_templates is about text, and nothing that --extract asks for needs the text of pages")
		}
		if slices.Contains(o.Formats, collection.FormatWET) {
			return cli.Usagef("--format=wet writes texts, and nothing that --extract asks for needs the text of pages: add text to it")
		}
	}
	if _, err := cdx.ParseFilter(c.lookup.Filter); err != nil {
		return cli.Usagef("--cdx_filter: %v", err)
	}
	if len(c.indexes) == 0 && c.lookup != (schemas.Lookup{}) {
		return cli.Usagef("--cdx_filter and --warc_base are about what --cdx names, which is nothing")
	}
	if err := cmp.Or(c.checkSchedule(), c.checkKeeping()); err != nil {
		return err
	}
	if err := run.CheckRunner(c.runner); err != nil {
		return err
	}
	if err := c.checkCloud(); err != nil {
		return err
	}
	if _, err := jsonl.ParseCompression(o.Compression); err != nil {
		return cli.Usagef("--compression: %v", err)
	}
	if err := o.collection().Check(); err != nil {
		return cli.Usagef("--format: %v", err)
	}
	if o.indexOnly() && len(o.Extract)+len(o.Select) > 0 {
		return cli.Usagef("--format=cdxj writes no documents that could hold what --extract and --select find: leave these out, or write documents too, as with --format=jsonl,cdxj")
	}
	if err := o.Elastic.check(o.indexOnly()); err != nil {
		return err
	}
	if err := folder.Check(o.Output); err != nil {
		return cli.Usagef("--output: %v", err)
	}
	if err := c.checkKafka(); err != nil {
		return err
	}
	if err := c.checkSecrets(); err != nil {
		return err
	}
	if _, err := langid.ParseAccuracy(string(o.Accuracy)); err != nil {
		return cli.Usagef("--language_accuracy: %v", err)
	}
	if o.MaxBody <= 0 || o.MaxHead <= 0 || o.MaxRatio <= 0 || c.unitSize < minUnit {
		return cli.Usagef("--max_body, --max_header and --max_ratio must be positive, and --unit_size at least 64KiB")
	}
	return nil
}

// The sizes of a unit: by default some seconds to minutes of work and a shard that is neither a crumb nor too large to
// do again; at least 64 KiB, since the chain rule tells smaller ranges hardly apart.
const (
	defaultUnit = "64MiB"
	minUnit     = 64 << 10
)

func unique(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// ordered puts known extractors in the order in which they run, so that the order on the command line does not make
// another collection; unknown ones stay, to be complained of.
func ordered(names []string) []string {
	known := []string{}
	for _, n := range enrich.Extractors() {
		if slices.Contains(names, n) {
			known = append(known, n)
		}
	}
	for _, n := range names {
		if n != "" && !slices.Contains(known, n) {
			known = append(known, n)
		}
	}
	return known
}

package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/blob"
	"github.com/gleaner-web/gleaner/io/cdx"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/folder"
	"github.com/gleaner-web/gleaner/io/jsonl"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/langid"
)

func main() { run.Main("ingest", ingest) }

// The heap that a run keeps to by default: the language models and tables, and for each worker a page with its trees.
// The heap grows to it whatever the input's size, and stays there (docs/benchmarks.md).
const (
	baseMemory   = 256 << 20
	workerMemory = 48 << 20
)

// config is the command line.
type config struct {
	options  Options
	inputs   []string
	indexes  []string       // capture indexes, whose lines say what is read
	lookup   schemas.Lookup // of them
	runner   string
	unitSize int64
	memory   int64
	fresh    bool
	planOnly bool
}

func ingest(ctx context.Context) (int, error) {
	c, err := parse(os.Args[1:])
	if err != nil {
		return run.ExitUsage, err
	}
	run.SetMemoryLimit(cmp.Or(c.memory, baseMemory+int64(c.options.Workers)*workerMemory))
	p, err := makePlan(ctx, c)
	if err != nil {
		return run.ExitUsage, err
	}
	if c.planOnly {
		return run.ExitDone, p.print(os.Stdout, c.options)
	}
	begin := time.Now()
	m, err := execute(ctx, c, p)
	if err != nil {
		return run.ExitFailed, err
	}
	elapsed := time.Since(begin)
	if run.Live.Captures.Load() < m.Totals.Captures {
		elapsed = 0 // an earlier run, or another process, did a part: there is no speed to tell
	}
	if err := run.Summary(os.Stdout, m, elapsed, run.PeakMemory()); err != nil {
		return run.ExitFailed, err
	}
	return exitCode(m), nil
}

// exitCode is ExitLosses when something of the archives could not be read: bytes that no record holds, or a record
// that is not whole.
func exitCode(m schemas.Manifest) int {
	flags := m.Totals.ByFlag
	if m.Totals.BytesLost > 0 || flags[string(schemas.FlagPartial)] > 0 || flags[string(schemas.FlagInflate)] > 0 {
		return run.ExitLosses
	}
	return run.ExitDone
}

// execute does what is not done yet and returns the manifest.
func execute(ctx context.Context, c config, p *plan) (schemas.Manifest, error) {
	o := c.options
	o.Units = len(p.Units)
	if err := o.pingKafka(ctx); err != nil {
		return schemas.Manifest{}, run.Usagef("--kafka: %v", err)
	}
	inputs, err := p.fingerprintInputs()
	if err != nil {
		return schemas.Manifest{}, err
	}
	o.Inputs = inputs
	versions, err := o.versions()
	if err != nil {
		return schemas.Manifest{}, run.Usagef("%v", err)
	}
	f := openOutput(ctx, o)
	defer func() { _ = f.Close() }() // what it cannot remove is temporary
	out, err := collection.Open(f, collection.OpenOptions{Fresh: c.fresh})
	if err != nil {
		return schemas.Manifest{}, outputError(err)
	}
	defer out.Close()
	if o, err = prepare(ctx, c, o, p, f, out); err != nil {
		return schemas.Manifest{}, err
	}
	for _, u := range p.Units {
		p.keys = append(p.keys, collection.Key(u, o.unitLasting(), versions))
	}
	o.JoinedKey = collection.JoinedKey(p.keys)
	todo, done, err := out.Resume(p.Units, p.keys, p.fresh(ctx, o))
	if err != nil {
		return schemas.Manifest{}, err
	}
	if len(todo) == 0 && !collection.NeedsJoin(done, o.Units) {
		return finish(out, o, done)
	}
	if err := runUnits(ctx, c, o, p.tasks(todo), done); err != nil {
		return schemas.Manifest{}, err
	}
	return collection.ReadManifest(f)
}

// outputError tells a folder that cannot be used from a disk that fails.
func outputError(err error) error {
	if errors.Is(err, collection.ErrForeign) || errors.Is(err, collection.ErrBusy) {
		return run.Usagef("%v", err)
	}
	return err
}

func runUnits(ctx context.Context, c config, o Options, todo []task, done []schemas.UnitResult) error {
	var bytes int64
	for _, t := range todo {
		bytes += t.Unit.Bytes()
	}
	if len(done) > 0 {
		fmt.Fprintf(os.Stderr, "ingest: %d of %d units are done already\n", len(done), o.Units)
	}
	progress := run.StartProgress(&run.Live, bytes)
	defer progress.Stop()
	p, s := beam.NewPipelineWithRoot()
	if err := Build(s, o, todo, done); err != nil {
		return err
	}
	_, err := run.Pipeline(ctx, p, c.runner)
	return err
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

func parse(args []string) (config, error) {
	f := run.NewFlags(flag.CommandLine, run.Command{
		Name: "ingest", Args: "[archive ...]",
		Summary: "Read web archives (WARC and ARC, plain, gzip, zstd or lz4; all that ACHE writes to files; CDR), say of every capture what it is, and write documents, rejects, an index and a manifest.\n" +
			"An archive is a file, a folder (with all beneath it), a pattern (** crosses folders), @list.txt, - for a list on standard input, or a URL: gs://bucket/name, s3://bucket/name (folders and patterns too), https://host/file. Without one, testdata/archives is read.\n" +
			"Killed or interrupted runs go on where they were: run the same command again.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage or input, 3 done and some bytes of the archives could not be read (see rejects-*).",
		Examples: []string{
			"go run ./pipelines/ingest",
			"go run ./pipelines/ingest --output=/data/out '/data/warcs/**/*.warc.gz'",
			"go run ./pipelines/ingest --extract=text,language --format=parquet shelf/",
			"go run ./pipelines/ingest --format=cdxj shelf/",
			"go run ./pipelines/ingest --cdx=shelf/index.cdxj --cdx_filter='mime=application/pdf status=200 2014..2015'",
			"go run ./pipelines/ingest --plan gs://bucket/crawl-2026/",
		},
	})
	out := f.String(run.Flag{Name: "output", Default: "out", Help: "folder to write to; new, empty, or one that an earlier run wrote; also gs://bucket/name and s3://bucket/name", Example: "/data/out", Group: output})
	formats := f.Strings(run.Flag{Name: "format", Default: "jsonl", Help: "what is written: documents as jsonl or parquet; content for Datastreamer's records, which hold the pages; cdxj for one sorted index of all archives, index.cdxj; or several. cdxj alone writes no documents, extracts nothing and is much faster", Example: "jsonl,cdxj", Group: output})
	compression := f.String(run.Flag{Name: "compression", Default: "zstd", Help: "of JSON lines: zstd, gzip or none", Example: "gzip", Group: output})
	fresh := f.Bool(run.Flag{Name: "fresh", Default: "false", Help: "remove what an earlier run wrote to the folder and start over", Example: "true", Group: output})
	extract := f.Strings(run.Flag{Name: "extract", Default: strings.Join(enrich.Extractors(), ","), Help: "what to extract; what a chosen one needs is done without being asked; empty for only reading and indexing", Example: "text,language", Group: content})
	var selects fields
	f.Var(&selects, run.Flag{Name: "select", Help: "custom field by CSS selector, name=css; may be repeated", Example: "price='span.price'", Group: content})
	accuracy := f.String(run.Flag{Name: "language_accuracy", Default: string(langid.Default), Help: "of short texts' languages: high asks lingua about those of less than 120 letters, which takes up to 1.2 GB of memory more and about a millisecond a text", Example: string(langid.High), Group: content})
	maxBody := f.Bytes(run.Flag{Name: "max_body", Default: "32MiB", Help: "bytes of a decoded body; what is longer is cut and flagged", Example: "8MiB", Group: input})
	maxHead := f.Bytes(run.Flag{Name: "max_header", Default: "1MiB", Help: "bytes of a record's header; what is longer is cut and flagged", Example: "64KiB", Group: input})
	maxRatio := f.Int(run.Flag{Name: "max_ratio", Default: "1000", Help: "decoded bytes for one stored byte of a body, above 1 MiB; decoding stops there and the body is flagged", Example: "200", Group: input})
	payer := f.String(run.Flag{Name: "requester_pays", Default: "", Help: "pay for requests to buckets whose requesters pay: the project that Google bills; Amazon bills the credentials' account, whatever is named", Example: "my-project", Group: input})
	private := f.Bool(run.Flag{Name: "private_hosts", Default: "false", Help: "also read http and https URLs of hosts in private networks", Example: "true", Group: input})
	templates := f.Bool(run.Flag{Name: "site_templates", Default: "false", Help: "leave out of the text the paragraphs that stand on many pages of one host; the archives are read twice, and first for these", Example: "true", Group: content})
	unitSize := f.Bytes(run.Flag{Name: "unit_size", Default: defaultUnit, Help: "compressed bytes that one worker does at a time, and that one shard of the output comes from", Example: "16MiB", Group: input})
	indexes := f.Strings(run.Flag{Name: "cdx", Help: "capture indexes, CDX or CDXJ, plain or compressed: only the records that their lines point to are read. Files, folders, patterns or URLs, as archives are", Example: "index.cdxj", Group: input})
	filter := f.String(run.Flag{Name: "cdx_filter", Default: "", Help: "which lines of --cdx: terms with blanks between, of which all must hold. field=value (several with commas, text/* for what begins so), field!=value, field~regexp, field!~regexp, with the fields url, surt, mime, status, digest, filename, timestamp, language; 2014..201506 for dates, both included; http://… for what URLs begin with", Example: "'mime=application/pdf status=200 2014..2015'", Group: input})
	warcs := f.String(run.Flag{Name: "warc_base", Default: "", Help: "folder or URL that the names of archives in --cdx are below; each index's own folder by default", Example: "https://data.commoncrawl.org/", Group: input})
	planOnly := f.Bool(run.Flag{Name: "plan", Default: "false", Help: "print the units, their bytes and an estimate, and stop", Example: "true", Group: resource})
	workers := f.Int(run.Flag{Name: "workers", Default: "0", Help: "captures that a process enriches at once; 0 for one a CPU", Example: "4", Group: resource})
	memory := f.Bytes(run.Flag{Name: "memory", Default: "0", Help: "what the heap should keep to: the garbage collector works harder as it comes near; 0 for 256 MiB and 48 MiB a worker", Example: "2GiB", Group: resource})
	var k kafkaFlags
	k.flags(f)
	if err := f.Parse(args); err != nil {
		return config{}, err
	}
	if len(*formats) == 1 && (*formats)[0] == collection.FormatCDXJ && !f.Set("extract") {
		*extract = nil // its default is for documents
	}
	c := config{
		options: Options{
			Output: *out, Formats: unique(*formats), Compression: *compression, Extract: ordered(*extract), Accuracy: langid.Accuracy(*accuracy), MaxBody: *maxBody,
			Select: selects, MaxHead: int(*maxHead), MaxRatio: int64(*maxRatio), Workers: run.Workers(*workers),
			SiteTemplates: *templates, Kafka: k.config(), Remote: blob.Options{UserAgent: userAgent, RequesterPays: *payer, PrivateHosts: *private},
		},
		inputs: f.Args(), indexes: *indexes, lookup: schemas.Lookup{Filter: *filter, Base: *warcs}, runner: f.Runner(), unitSize: *unitSize, memory: *memory, fresh: *fresh, planOnly: *planOnly,
	}
	return c, c.check()
}

// check finds what is wrong with the command line before any work is begun.
func (c *config) check() error {
	o := &c.options
	e, err := enrich.New(o.enrich())
	if err != nil {
		return run.Usagef("%v", err)
	}
	if _, text := e.Versions()["maintext"]; o.SiteTemplates && !text {
		return run.Usagef("--site_templates is about text, and nothing that --extract asks for needs the text of pages")
	}
	if _, err := cdx.ParseFilter(c.lookup.Filter); err != nil {
		return run.Usagef("--cdx_filter: %v", err)
	}
	if len(c.indexes) == 0 && c.lookup != (schemas.Lookup{}) {
		return run.Usagef("--cdx_filter and --warc_base are about what --cdx names, which is nothing")
	}
	if err := run.CheckRunner(c.runner); err != nil {
		return err
	}
	if _, err := jsonl.ParseCompression(o.Compression); err != nil {
		return run.Usagef("--compression: %v", err)
	}
	if err := o.collection().Check(); err != nil {
		return run.Usagef("--format: %v", err)
	}
	if o.indexOnly() && len(o.Extract)+len(o.Select) > 0 {
		return run.Usagef("--format=cdxj writes no documents that could hold what --extract and --select find: leave these out, or write documents too, as with --format=jsonl,cdxj")
	}
	if err := folder.Check(o.Output); err != nil {
		return run.Usagef("--output: %v", err)
	}
	if err := c.checkKafka(); err != nil {
		return err
	}
	if _, err := langid.ParseAccuracy(string(o.Accuracy)); err != nil {
		return run.Usagef("--language_accuracy: %v", err)
	}
	if o.MaxBody <= 0 || o.MaxHead <= 0 || o.MaxRatio <= 0 || c.unitSize < minUnit {
		return run.Usagef("--max_body, --max_header and --max_ratio must be positive, and --unit_size at least 64KiB")
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

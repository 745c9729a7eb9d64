package ingest

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/langid"
	"github.com/gleaner-web/gleaner/transforms/maintext"
)

// flagTable describes the command's flags; parse says what kind of value each takes.
// Name, Help, Group and Example are shown by --help; flags with a Brief are
// those that -h has as well. A Default is written as on the command line.
var flagTable = []cli.Flag{
	{
		Name:    "output",
		Default: "out",
		Help: "folder to write to; new, empty, or one that an earlier run wrote; also gs://bucket/name and " +
			"s3://bucket/name",
		Example: "/data/out",
		Group:   output,
		Brief:   "folder to write to (out)",
	},
	{
		// Values are those that can be written, so that a wrong one is found before anything is read.
		Name:    "format",
		Default: "jsonl",
		Help: "what is written: documents as jsonl or parquet; content for Datastreamer's records, which hold the " +
			"pages; wet for the main texts as WARC conversion records, as Common Crawl's WET files have them; " +
			"links for the links of pages, as --extract=links writes them; cdxj for one sorted index of all archives, " +
			"index.cdxj; or several. cdxj alone writes no documents, " +
			"extracts nothing and is much faster",
		Example: "jsonl,cdxj",
		Group:   output,
		Brief:   "jsonl (the default), parquet, content, wet, links, cdxj, or several",
		Values:  holdings.Formats(),
	},
	{
		// Parquet and WET have their own.
		Name:    "compression",
		Default: "zstd",
		Help:    "of JSON lines: zstd, gzip or none",
		Example: "gzip",
		Group:   output,
		Values:  []string{string(jsonl.Zstd), string(jsonl.Gzip), string(jsonl.None)},
	},
	{
		// Everything of an earlier run goes, also what came from archives that are gone.
		Name:    "fresh",
		Default: "false",
		Help:    "remove what an earlier run wrote to the folder and start over",
		Example: "true",
		Group:   output,
		Brief:   "remove what an earlier run wrote to the folder",
	},
	{
		// The default is everything, so that nobody has to read an archive a second time for a field.
		Name:    "extract",
		Default: strings.Join(enrich.Extractors(), ","),
		Help: "what to extract; what a chosen one needs is done without being asked; empty for only reading and " +
			"indexing. links counts the links of pages, and where it is named it lists them, too, in links-*.parquet",
		Example: "text,language",
		Group:   content,
		Brief:   "what to extract, as text,language; all by default",
		Values:  enrich.Extractors(),
	},
	{
		Name: "extractors",
		Help: "YAML file that says which extractors run on which captures; extractors.yaml in the output folder, where " +
			"there is one. Extractors that it does not name run on all",
		Example: "extractors.yaml",
		Group:   content,
		Brief:   "YAML file that says which extractors run on which captures",
	},
	{
		// It is checked by the parser of selectors before any archive is read.
		Name:    "select",
		Help:    "custom field by CSS selector, name=css; may be repeated",
		Example: "price='span.price'",
		Group:   content,
	},
	{
		// The three flags from here choose captures, and all of them change the keys of units.
		Name: "where",
		Help: "make documents only of the captures that this filter takes; the others are read and counted. Fields are " +
			"those of documents, as in 'language = fr AND (mime:pdf OR title:budget)'; docs/query.md has the grammar. What " +
			"url, host, status, mime_declared and timestamp refuse is not enriched at all",
		Example: "'status = 200 AND host = *.example.org'",
		Group:   content,
		Brief:   "only captures that a filter takes, as 'language = fr'",
	},
	{
		// Pages are chosen by a hash of their SURT, so that all captures of a page are in or out together.
		Name:    "sample",
		Default: "100%",
		Help: "make documents only of this share of the pages; the others are read and counted. A page, by its SURT, is " +
			"in the sample or not in all captures and runs, and in all greater samples",
		Example: "1%",
		Group:   content,
	},
	{
		// The order is that of the archives in the plan, and not that in which units are done.
		Name:    "limit",
		Default: "0",
		Help: "make documents only of the first so many captures, of those that --where and --sample leave, in the order " +
			"of the archives; what follows is not read. 0 for all",
		Example: "1000",
		Group:   content,
	},
	{
		// The figures are those of docs/benchmarks.md; the larger model is loaded only when it is asked for.
		Name:    "language_accuracy",
		Default: string(langid.Default),
		Help: "of short texts' languages: high asks lingua about those of less than 120 letters, which takes up to " +
			"1.2 GB of memory more and about a millisecond a text",
		Example: string(langid.High),
		Group:   content,
		Values:  []string{string(langid.Default), string(langid.High)},
	},
	{
		// Offsets, languages and figures are always those of the plain text.
		Name:    "text",
		Default: job.TextPlain,
		Help: "what documents hold of the main text: plain, a line for each paragraph; markdown, with headings, lists, " +
			"tables and links; or none. What is made of the text (languages, names, figures) is the same",
		Example: job.TextMarkdown,
		Group:   content,
		Values:  job.TextForms(),
	},
	{
		// The order is that of ever more text.
		Name:    "profile",
		Default: maintext.Balanced.String(),
		Help: "which mistakes about the main text are worse: precision keeps only what is surely of it, recall all that " +
			"may be",
		Example: maintext.Precision.String(),
		Group:   content,
		Values: []string{
			maintext.Precision.String(), maintext.Balanced.String(), maintext.Recall.String(),
		},
	},
	{
		Name: "comments", Default: maintext.SeparateComments.String(), Values: maintext.CommentModes(), Group: content,
		Help: "readers' comments below a post: separate puts them into a column of their own, keep into the text, drop " +
			"leaves them out. Posts of forums are text whatever it is",
		Example: maintext.KeepComments.String(),
	},
	{
		// Half of a collection's bytes or more are this column's.
		Name:    "without",
		Default: "",
		Help:    "columns that documents do not keep: main_html, the main text as HTML",
		Example: "main_html",
		Group:   content,
		Values:  job.WithoutColumns(),
	},
	{
		// These three bound what a hostile archive can make a worker hold.
		Name:    "max_body",
		Default: "32MiB",
		Help: "bytes of a decoded body; what is longer is " +
			"cut and flagged",
		Example: "8MiB",
		Group:   input,
	},
	{
		Name:    "max_header",
		Default: "1MiB",
		Help: "bytes of a record's header; what is longer " +
			"is cut and flagged",
		Example: "64KiB",
		Group:   input,
	},
	{
		Name:    "max_ratio",
		Default: "1000",
		Help: "decoded bytes for one stored byte of a body, " +
			"above 1 MiB; decoding stops there and the body is flagged",
		Example: "200",
		Group:   input,
	},
	{
		// Such buckets refuse requests that do not say who pays, so there is no default.
		Name:    "requester_pays",
		Default: "",
		Help: "pay for requests to buckets whose requesters " +
			"pay: the project that Google bills; Amazon bills the credentials' account, whatever is named",
		Example: "my-project",
		Group:   input,
	},
	{
		// Off by default, since a list of URLs from elsewhere could make this machine read its own network.
		Name:    "private_hosts",
		Default: "false",
		Help: "also read http and https URLs of hosts " +
			"in private networks",
		Example: "true",
		Group:   input,
	},
	{
		Name: "sources",
		Help: "database of sources (`sources --sqlite`), which fills the source_* fields of --format=content: a page's " +
			"source is the feed that links to it",
		Example: "sources.sqlite",
		Group:   content,
	},
	{
		// Off by default: it reads everything twice and forbids to add archives later.
		Name:    "site_templates",
		Default: "false",
		Help: "leave out of the text the paragraphs " +
			"that stand on many pages of one host; the archives are read twice, and first for these",
		Example: "true",
		Group:   content,
	},
	{
		// It decides how many files there are, and how much is lost when a worker fails.
		Name:    "unit_size",
		Default: defaultUnit,
		Help: "compressed bytes that one worker does " +
			"at a time, and that one shard of the output comes from",
		Example: "16MiB",
		Group:   input,
	},
	{
		// The next three are about indexes in place of archives.
		Name: "cdx",
		Help: "capture indexes, CDX or CDXJ, plain or compressed: only the records that their lines point to are " +
			"read. Files, folders, patterns or URLs, as archives are",
		Example: "index.cdxj",
		Group:   input,
		Brief:   "read only the records that these indexes point to",
	},
	{
		Name:    "cdx_filter",
		Default: "",
		Help: "which lines of --cdx: terms with blanks between, of which all must hold. field=value (several with " +
			"commas, text/* for what begins so), field!=value, field~regexp, field!~regexp, with the fields url, " +
			"surt, mime, status, digest, filename, timestamp, language; 2014..201506 for dates, both included; " +
			"http://… for what URLs begin with",
		Example: "'mime=application/pdf status=200 2014..2015'",
		Group:   input,
		Brief:   "which of them, as 'mime=application/pdf status=200'",
	},
	{
		// An index that ingest wrote itself is followed without it: see job's ownBase.
		Name:    "warc_base",
		Default: "",
		Help: "folder or URL that the names of archives in --cdx " +
			"are below; each index's own folder by default",
		Example: "https://data.commoncrawl.org/",
		Group:   input,
	},
	{
		// It reads a sample of the archives and writes nothing to the output.
		Name:    "plan",
		Default: "false",
		Help:    "print the units, their bytes and an estimate, and stop",
		Example: "true",
		Group:   resource,
		Brief:   "say what would be done, and how long it would take",
	},
	{
		// It is made of the manifest and of report.json, which every run writes.
		Name: "report",
		Help: "html: write report.html beside the manifest, too: what the folder holds, what was lost and what the run " +
			"cost, as one page for a browser that can be mailed and printed. report.json is always written",
		Example: "html",
		Group:   resource,
		Brief:   "html: write report.html, the run as one page",
		Values:  []string{"html"},
	},
	{
		Name:    "workers",
		Default: "0",
		Help:    "captures that a process enriches at once; 0 for one a CPU",
		Example: "4",
		Group:   resource,
		Brief:   "captures that are enriched at once; one a CPU by default",
	},
	{
		// It is a goal of the garbage collector and no hard limit: see debug.SetMemoryLimit.
		Name:    "memory",
		Default: "0",
		Help: "what the heap should keep to: the garbage collector " +
			"works harder as it comes near; 0 for 256 MiB and 48 MiB a worker",
		Example: "2GiB",
		Group:   resource,
	},
}

// Flags describe the flags of the command, except for those of runners, for programs that ask for the same in their own
// way, as the forms of the server do.
func Flags() []cli.Flag { return slices.Clone(flagTable) }

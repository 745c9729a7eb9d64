package query

import (
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// The headings of --help.
const (
	which  = "Which captures"
	form   = "The answer"
	asking = "How it is found"
)

// flagTable describes the command's flags; parse says what kind of value each takes.
var flagTable = []cli.Flag{
	{
		Name: "collection", Default: "out", Group: which, Example: "gs://bucket/out", Brief: "folder that ingest wrote",
		Help: "folder that ingest wrote: a path, gs://bucket/name or s3://bucket/name",
	},
	{
		Name: "lang", Group: which, Example: "fr,de", Brief: "language, ISO 639",
		Help: "language by ISO 639-1 or 639-3, or several with commas between them",
	},
	{
		Name: "mime", Group: which, Example: "application/pdf", Brief: "type that was detected, or a part of its name",
		Help: "media type that was detected, with a star for anything (image/*), a part of its name (pdf), or several",
	},
	{
		Name: "from", Group: which, Example: "2026-03", Brief: "captured since then: a year, month, day or moment",
		Help: "captured since the beginning of this: a year, a month, a day or a moment, in UTC",
	},
	{
		Name: "to", Group: which, Example: "2026-04",
		Help: "captured until the end of this: --from=2026-03 --to=2026-04 is two whole months",
	},
	{
		Name: "host", Group: which, Example: "example.org", Brief: "host, with those below it",
		Help: "host, with all hosts below it; *.example.org for these alone; or several",
	},
	{
		Name: "url", Group: which, Example: "https://example.org/docs/*", Brief: "a URL; with a * at the end, all below",
		Help: "URL with any scheme; with a star at the end, all URLs that begin with it",
	},
	{
		Name: "text", Group: which, Example: "'\"climate change\" budget'", Brief: "words of text and title",
		Help: "words that stand in text or title, all of them, whatever their case and accents; \"…\" for words side by " +
			"side",
	},
	{
		Name: "entity", Group: which, Example: "'Angela Merkel'",
		Help: "text of a person, organisation, place or other entity that is named; stars at its ends stand for anything",
	},
	{Name: "source", Group: which, Example: "feed-12", Help: "id of the source, or several; see --sources"},
	{
		Name: "status", Group: which, Example: "2xx", Help: "HTTP status, a class of them, or several",
	},
	{
		Name: "where", Group: which, Example: "'title:budget AND NOT language = \"en\"'", Brief: "filter: see docs/query.md",
		Help: "filter over all fields of documents: see docs/query.md; with the flags above, both hold",
	},
	{
		Name: "at", Group: which, Example: "2026-03-01",
		Help: "the archive as it stood at the end of this day, month, year or moment: of each page the version of then, " +
			"and of these the ones that match",
	},
	{
		Name: "snapshot", Group: which, Example: "2026-03-01",
		Help: "the collection as its Iceberg table has it: " + newest + ", with what other programs wrote there; the " +
			"number of a snapshot (`collection snapshots`); or a time, at the end of which it was the newest",
	},
	{
		Name: "catalogue", Group: which, Example: "catalogue.yml",
		Help: "with --snapshot: file that names the catalogue which keeps the Iceberg table (docs/iceberg.md); without it " +
			"the folder does",
	},
	{
		Name: "all_versions", Default: "false", Group: which, Example: "true", Brief: "every version, not the newest alone",
		Help: "every capture that matches, not the newest one of each page",
	},
	{
		Name: "sample", Group: which, Example: "1%",
		Help: "this share of the pages alone; a page, by its SURT, is in the sample or not in all captures and " +
			"collections, and in all greater samples, as with ingest's --sample",
	},
	{
		Name: "sql", Group: which, Example: "'select host, count(*) from documents group by host'",
		Help: "a statement of SQLite over the tables documents, which has every capture, entities, links, feeds, hosts and " +
			"sources, in the place of all flags that say which; its rows come as table, jsonl or csv: see docs/query.md",
	},
	{
		Name: "format", Group: form, Example: "csv", Values: formats, Brief: "table, jsonl, csv, parquet, warc, wacz, " +
			"urls, …",
		Help: "table (the default on a terminal), jsonl (elsewhere), csv, parquet, warc or wacz (the records, out of their " +
			"archives), wet (the texts as WARC conversion records), urls, count, or facets (see --by)",
	},
	{
		Name: "fields", Group: form, Example: "url,title,language",
		Help: "fields of the answer, by their names in documents; all in jsonl and parquet, some in tables and csv",
	},
	{
		Name: "by", Group: form, Example: "lang,month", Brief: "count by these",
		Help: "count captures by the values of these: fields, their short names (lang, mime, source, entity), parts of " +
			"lists and objects (entities.type, custom.price), year, month or day; a capture counts for each value of a list. " +
			"As a table, or by --format csv, jsonl or parquet",
	},
	{
		Name: "order", Default: "newest", Group: form, Example: "oldest",
		Values: query.Orders(),
		Help: "order of the answer: newest, oldest, surt (by page), relevance (how well --text fits; it needs the index) " +
			"or length (the longest records first)",
	},
	{
		Name: "limit", Default: "0", Group: form, Example: "20",
		Help: "most answers, of facets most groups; 0 for all",
	},
	{
		Name: "output", Group: form, Example: "answer.csv", Brief: "file to write to",
		Help: "file to write to, which is there when it is whole; standard output without it. An earlier answer there is " +
			"replaced, an archive is not",
	},
	{
		Name: "archives", Group: form, Example: "/data/warcs", Help: "folders, buckets or addresses with commas between " +
			"them: for warc and wacz, archives beneath these are " +
			"opened and no others; without it, where they were when they were read, on this machine",
	},
	{
		Name: "explain", Default: "false", Group: asking, Example: "true", Help: "say on standard error how the answer " +
			"is found",
	},
	{
		Name: "sources", Group: form, Example: "sources.sqlite",
		Help: "database of sources (`sources --sqlite`), by which captures get their source_id: the feed that links to " +
			"the page. --source, --where and --by go by it",
	},
	{
		Name: "no_index", Default: "false", Group: asking, Example: "true",
		Help: "read the shards alone: neither use the index nor bring it up to date",
	},
	{
		Name: "memory", Default: "256MiB", Group: asking, Example: "1GiB",
		Help: "of answers while they are sorted; more is sorted in the folder for temporary files",
	},
}

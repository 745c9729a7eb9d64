package query

import (
	"slices"

	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// The headings of --help.
const (
	which  = "Which captures"
	form   = "The answer"
	asking = "How it is found"
)

// Settings returns the flags of the command, except for flags of runners. Programs that ask for the same in their own
// way use it, such as the forms of the server.
func Settings() []setting.Setting { return new(config).settings() }

func (c *config) settings() []setting.Setting {
	return slices.Concat(c.commonSettings(), c.whichSettings(), c.answerSettings(), c.askingSettings())
}

func (c *config) commonSettings() []setting.Setting {
	return setting.Under(which, []setting.Setting{{
		Name: "collection", Value: &c.collection, Default: "out", Example: "gs://bucket/out",
		Help:  "folder that ingest wrote: a path, gs://bucket/name or s3://bucket/name",
		Brief: "folder that ingest wrote",
	}, {
		Name: "lang", Value: &c.common.Lang, Example: "fr,de",
		Help:  "language by ISO 639-1 or 639-3, or several with commas between them",
		Brief: "language, ISO 639",
	}, {
		Name: "mime", Value: &c.common.MIME, Example: "application/pdf",
		Help:  "media type that was detected, with a star for anything (image/*), a part of its name (pdf), or several",
		Brief: "type that was detected, or a part of its name",
	}, {
		Name: "from", Value: &c.common.From, Example: "2026-03",
		Help:  "captured since the beginning of this: a year, a month, a day or a moment, in UTC",
		Brief: "captured since then: a year, month, day or moment",
	}, {
		Name: "to", Value: &c.common.To, Example: "2026-04",
		Help: "captured until the end of this: --from=2026-03 --to=2026-04 is two whole months",
	}, {
		Name: "host", Value: &c.common.Host, Example: "example.org",
		Help:  "host, with all hosts below it; *.example.org for these alone; or several",
		Brief: "host, with those below it",
	}, {
		Name: "url", Value: &c.common.URL, Example: "https://example.org/docs/*",
		Help:  "URL with any scheme; with a star at the end, all URLs that begin with it",
		Brief: "a URL; with a * at the end, all below",
	}, {
		Name: "text", Value: &c.common.Text, Example: "'\"climate change\" budget'",
		Help:  "words of text or title, all of them, in any case, with any accents; \"…\" for a phrase",
		Brief: "words of text and title",
	}, {
		Name: "about", Value: &c.about, Example: "'masks in hospitals in spring'",
		Help: "what pages are about, in any words and in any of sixteen languages: the best passages first, by their " +
			"meaning and by these words. The other flags say which captures are asked; 20 answers without --limit. The " +
			"first call makes vectors of all texts (docs/meaning.md). With --by=year, month or day, or with --trends: how " +
			"many captures of each period are near to it",
		Brief: "what it is about, in any words",
	}, {
		Name: "like", Value: &c.like, Example: "2020-01-31T12:00:00Z/https://example.org/",
		Help: "pages like a capture, by the meaning of its text: its time, a slash and its URL; not with --about",
	}, {
		Name: "entity", Value: &c.common.Entity, Example: "'Angela Merkel'",
		Help: "text of a person, organisation, place or other entity that is named; stars at its ends stand for anything",
	}, {
		Name: "source", Value: &c.common.Source, Example: "feed-12",
		Help: "id of the source, or several; see --sources",
	}})
}

func (c *config) whichSettings() []setting.Setting {
	return setting.Under(which, []setting.Setting{{
		Name: "status", Value: &c.common.Status, Example: "2xx",
		Help: "HTTP status, a class of them, or several",
	}, {
		Name: "where", Value: &c.common.Where, Example: "'title:budget AND NOT language = \"en\"'",
		Help:  "filter over all fields of documents: see docs/query.md; with the flags above, both hold",
		Brief: "filter: see docs/query.md",
	}, {
		Name: "at", Value: &c.common.At, Example: "2026-03-01",
		Help: "the archive at the end of this day, month, year or moment: the version of each page at that time, if it " +
			"matches",
	}, {
		Name: "all_versions", Value: &c.common.AllVersions, Default: "false", Example: "true",
		Help: "every capture that matches, not the newest one of each page",
	}, {
		Name: "sample", Value: &c.sample, Example: "1%",
		Help: "this share of the pages alone; a page, by its SURT, is in the sample or not in all captures and " +
			"collections, and in all greater samples, as with ingest's --sample",
	}, {
		Name: "snapshot", Value: &c.snapshot, Example: "2026-03-01",
		Help: "the collection as its Iceberg table has it: " + newest + ", with what other programs wrote there; the " +
			"number of a snapshot (`collection snapshots`); or a time, at the end of which it was the newest",
	}, {
		Name: "catalogue", Value: &c.catalogue, Example: "catalogue.yml",
		Help: "with --snapshot: file that names the catalogue which keeps the Iceberg table (docs/iceberg.md); without " +
			"it the folder does",
	}, {
		Name: "sql", Value: &c.sql, Example: "'select host, count(*) from documents group by host'",
		Help: "a statement of SQLite over the tables documents, which has every capture, entities, links, feeds, hosts, " +
			"sources, and data with its views (docs/data.md), instead of the flags that choose captures; its rows " +
			"come as table, jsonl, csv, csv-bom, parquet or " +
			"arrays: see docs/query.md",
	}})
}

func (c *config) answerSettings() []setting.Setting {
	return setting.Under(form, []setting.Setting{{
		Name: "format", Value: &c.format, Example: "csv", Values: formats,
		Help: "table (the default on a terminal), jsonl (elsewhere), csv, csv-bom (for spreadsheets, with a byte order " +
			"mark), parquet, arrow (an IPC stream), warc or wacz (the records, out of their archives), wet (the texts as " +
			"WARC conversion records), urls, records (JSON lines of the records, decoded), recheck (reads their " +
			"archives again, and lists the captures that differ), vectors (Parquet of passages for vector stores, " +
			"docs/meaning.md), count, facets (see --by), or arrays (of --sql: JSON arrays)",
		Brief: "table, jsonl, csv, parquet, warc, wacz, urls, …",
	}, {
		Name: "fields", Value: &c.columns, Example: "url,title,language",
		Help: "fields of the answer, by their names in documents; all in jsonl, parquet and arrow; some in tables and csv",
	}, {
		Name: "by", Value: &c.by, Example: "lang,month",
		Help: "count captures, of each page the newest one unless there is --all_versions, by the values of these: fields, " +
			"their short names (lang, mime, source, entity), parts of lists and objects (entities.type, custom.price), year, " +
			"month or day; a capture counts for each value of a list. As a table, or by --format csv, jsonl or parquet",
		Brief: "count by these",
	}, {
		Name: "trends", Value: &c.trends, Example: "'climate, \"sea level\", language = fr'",
		Help: "count the captures of each of these filters, with commas between them, by year, or by month or day with " +
			"--by; beside the number of all captures that the other flags choose. With --about, the line near comes first",
	}, {
		Name: "near", Value: &c.near, Example: "0.45",
		Help: "with --about over time: from which cosine on a passage is near to the topic, up to 1; 0.35 without " +
			"it, which 1 in 100 passages about other things reach",
	}, {
		Name: "order", Value: &c.order, Default: "newest", Example: "oldest", Values: query.Orders(),
		Help: "order of the answer: newest, oldest, surt (by page), relevance (how well --text fits; it needs the index) " +
			"or length (the longest records first)",
	}, {
		Name: "limit", Value: &c.query.Limit, Default: "0", Example: "20",
		Help: "most answers, of facets most groups; 0 for all",
	}, {
		Name: "output", Value: &c.output, Example: "answer.csv",
		Help: "file to write to, which is there when it is whole; standard output without it. An earlier answer there is " +
			"replaced, an archive is not",
		Brief: "file to write to",
	}, {
		Name: "archives", Value: &c.archives, Example: "/data/warcs",
		Help: "folders, buckets or addresses with commas between them: for warc and wacz, archives beneath these are " +
			"opened and no others; without it, where they were when they were read, on this machine",
	}, {
		Name: "sources", Value: &c.sources, Example: "sources.sqlite",
		Help: "database of sources (`sources --sqlite`), by which captures get their source_id: the feed that links to " +
			"the page. --source, --where and --by go by it",
	}})
}

func (c *config) askingSettings() []setting.Setting {
	return setting.Under(asking, []setting.Setting{{
		Name: "explain", Value: &c.explain, Default: "false", Example: "true",
		Help: "say on standard error how the answer is found",
	}, {
		Name: "no_index", Value: &c.noIndex, Default: "false", Example: "true",
		Help: "read the shards alone: neither use the index nor bring it up to date",
	}, {
		Name: "meaning", Value: &c.meaning, Example: "potion-multilingual/model.safetensors",
		Help: "for --about and --like: another model of meanings, a file in the layout of Model2Vec with tokenizer.json " +
			"beside it; without it, the one that is part of the program",
	}, {
		Name: "memory", Value: &c.memory, Default: "256MiB", Example: "1GiB",
		Help: "of answers while they are sorted; more is sorted in the folder for temporary files",
	}})
}

package ingest

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/child/plug"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/langid"
	"github.com/gleaner-web/gleaner/transforms/maintext"
)

// The headings of --help, in the order in which the first flag of each is added.
const (
	output     = "Output"
	content    = "What is extracted"
	input      = "Input"
	scheduling = "Running again"
	resource   = "Running"
)

// defaultUnit takes some seconds to minutes of work. Larger units lose more when a machine fails; smaller ones make
// more files in the output.
const defaultUnit = "64MiB"

// Settings returns the flags of the command, except for those of runners and servers. They are for programs that ask
// for the same in their own way, such as the forms of the server.
func Settings() []setting.Setting {
	list := new(config).settings()
	for i := range list {
		if list[i].Name == "format" {
			list[i].Values = holdings.Formats() // arrow is for standard output
		}
	}
	return list
}

func (c *config) settings() []setting.Setting {
	return slices.Concat(c.outputSettings(), c.extractSettings(), c.choiceSettings(), c.textSettings(), c.boundSettings(),
		c.sourceSettings(), c.indexSettings(), c.scheduleSettings(), c.keepSettings(), c.runSettings())
}

func (c *config) outputSettings() []setting.Setting {
	return setting.Under(output, []setting.Setting{{
		Name: "output", Value: &c.request.Output, Default: "out", Example: "/data/out",
		Help: "folder to write to; new, empty, or one that an earlier run wrote; also gs://bucket/name and " +
			"s3://bucket/name; or - for documents on standard output, as --format=jsonl or arrow",
		Brief: "folder to write to (out)",
	}, {
		Name: "format", Value: &c.request.Formats, Default: "jsonl", Example: "jsonl,cdxj",
		Values: append(holdings.Formats(), arrow),
		Help: "the output: documents as jsonl or parquet; content for Datastreamer's records, which hold the pages; " +
			"wet for the main texts as WARC conversion records, as Common Crawl's WET files have them; links for the links " +
			"of pages, as --extract=links writes them; data for their structured data, as --extract=data does; arrow for a " +
			"stream, only with --output=-; cdxj for one sorted index " +
			"of all archives, index.cdxj; or several. " +
			"cdxj alone writes no documents, extracts nothing and is much faster",
		Brief: "jsonl (the default), parquet, content, wet, links, data, cdxj, or several",
	}, {
		Name: "compression", Value: &c.request.Compression, Default: "zstd", Example: "gzip",
		Values: []string{string(jsonl.Zstd), string(jsonl.Gzip), string(jsonl.None)},
		Help:   "of JSON lines: zstd, gzip or none",
	}, {
		Name: "fresh", Value: &c.request.Fresh, Default: "false", Example: "true",
		Help:  "remove what an earlier run wrote to the folder and start over",
		Brief: "remove what an earlier run wrote to the folder",
	}})
}

func (c *config) extractSettings() []setting.Setting {
	return setting.Under(content, []setting.Setting{{
		Name: "extract", Value: &c.request.Extract, Default: strings.Join(enrich.Defaults(), ","),
		Example: "text,language", Values: append(enrich.Extractors(), enrich.All),
		Help: "what to extract; what a chosen one needs is done without being asked; empty for only reading and " +
			"indexing. links counts the links of pages, and where it is named it lists them, too, in links-*.parquet. data " +
			"counts the items of structured data, and lists their values in data-*.parquet likewise. images " +
			"describes images, and lists those of pages; it decodes each, which takes time. all stands for everything",
		Brief: "what to extract, as text,language; all but images and data by default",
	}, {
		Name: "image_position", Value: &c.request.ImagePosition, Default: "false", Example: "true",
		Help: "with --extract=images: keep the position where an image was taken, if the camera noted it",
	}, {
		Name: "extractors", Value: &c.triggers, Example: "extractors.yaml",
		Help: "YAML file that chooses the captures for each extractor; default: extractors.yaml in the output folder, if " +
			"it exists and is on a disk. Extractors that it does not name run on all captures",
		Brief: "YAML file that chooses the captures for each extractor",
	}, {
		Name: "plug", Value: (*plug.Commands)(&c.request.Plugs), Example: "'python3 score.py'",
		Help: "command of an extractor of your own, in any language (docs/plugs.md); may be repeated. It gets documents " +
			"on standard input and answers with values",
	}, {
		Name: "plug_timeout", Value: &c.request.PlugTimeout, Default: "1m", Example: "10s",
		Help: "how long a plug may take for a document; a longer one is a reject of the plug",
	}, {
		Name: "tokens", Value: &c.request.Tokens, Example: "tokenizer.json",
		Help: "file of a tokenizer (docs/tokens.md): the column tokens has the number of tokens of the text. Hugging " +
			"Face's tokenizer.json, or cl100k_base.tiktoken and the like",
	}, {
		// The request's Check parses selectors, before any archive is read.
		Name: "select", Value: (*fields)(&c.request.Select), Example: "price='span.price'",
		Help: "custom field by CSS selector, name=css; may be repeated",
	}})
}

func (c *config) choiceSettings() []setting.Setting {
	return setting.Under(content, []setting.Setting{{
		Name: "where", Value: &c.where, Example: "'status = 200 AND host = *.example.org'",
		Help: "make documents only of the captures that this filter takes; the others are read and counted. Fields are " +
			"those of documents, as in 'language = fr AND (mime:pdf OR title:budget)'; docs/query.md has the grammar. What " +
			"url, host, status, mime_declared and timestamp refuse is not enriched at all",
		Brief: "only captures that a filter takes, as 'language = fr'",
	}, {
		// A hash of the SURT decides, so all captures of a page are in the sample, or none.
		Name: "sample", Value: &c.sample, Default: "100%", Example: "1%",
		Help: "make documents only of this share of the pages; the others are read and counted. A page, by its SURT, is " +
			"in the sample or not in all captures and runs, and in all greater samples",
	}, {
		// The plan's order of archives counts, not the order of work.
		Name: "limit", Value: (*setting.Count)(&c.request.Limit), Default: "0", Example: "1000",
		Help: "make documents only of the first so many captures, of those that --where and --sample leave, in the order " +
			"of the archives; what follows is not read. 0 for all",
	}})
}

func (c *config) textSettings() []setting.Setting {
	return setting.Under(content, []setting.Setting{{
		Name: "language_accuracy", Value: (*string)(&c.request.Accuracy), Default: string(langid.Default),
		Example: string(langid.High), Values: []string{string(langid.Default), string(langid.High)},
		Help: "of short texts' languages: high asks lingua about those of less than 120 letters, which takes up to 1.2 " +
			"GB of memory more and about a millisecond a text",
	}, {
		Name: "comments", Value: &c.request.Comments, Default: maintext.SeparateComments.String(),
		Example: maintext.KeepComments.String(), Values: maintext.CommentModes(),
		Help: "readers' comments below a post: separate puts them into a column of their own, keep into the text, drop " +
			"leaves them out. Posts of forums are text whatever it is",
	}, {
		Name: "text", Value: &c.request.Text, Default: recipe.TextPlain, Example: recipe.TextMarkdown,
		Values: recipe.TextForms(),
		Help: "the form of the main text in documents: plain, a line for each paragraph; markdown, with headings, lists, " +
			"tables and links; or none. Fields made from the text (languages, names, figures) are the same",
	}, {
		Name: "profile", Value: &c.request.Profile, Default: maintext.Balanced.String(),
		Example: maintext.Precision.String(),
		Values:  []string{maintext.Precision.String(), maintext.Balanced.String(), maintext.Recall.String()},
		Help: "which faults of the main text are worse: precision keeps only text that is surely part of it, recall also " +
			"text that may be",
	}, {
		Name: "without", Value: &c.request.Without, Example: "main_html", Values: recipe.WithoutColumns(),
		Help: "columns that documents do not keep: main_html, the main text as HTML",
	}})
}

// boundSettings limit what a hostile archive or list can make a worker hold and read.
func (c *config) boundSettings() []setting.Setting {
	return setting.Under(input, []setting.Setting{{
		Name: "max_body", Value: &c.request.MaxBody, Default: "32MiB", Example: "8MiB",
		Help: "bytes of a decoded body; longer ones are truncated and flagged",
	}, {
		Name: "max_header", Value: (*setting.Length)(&c.request.MaxHead), Default: "1MiB", Example: "64KiB",
		Help: "bytes of a record's header; longer ones are truncated and flagged",
	}, {
		Name: "max_ratio", Value: (*setting.Count)(&c.request.MaxRatio), Default: "1000", Example: "200",
		Help: "decoded bytes for one stored byte of a body, above 1 MiB; decoding stops there and the body is flagged",
	}, {
		Name: "requester_pays", Value: &c.request.Remote.RequesterPays, Example: "my-project",
		Help: "pay for requests to buckets whose requesters pay: the project that Google bills; Amazon bills the " +
			"credentials' account instead",
	}, {
		// A foreign list of URLs could make this machine read its own network.
		Name: "private_hosts", Value: &c.request.Remote.PrivateHosts, Default: "false", Example: "true",
		Help: "also read http and https URLs of hosts in private networks",
	}})
}

func (c *config) sourceSettings() []setting.Setting {
	return setting.Under(content, []setting.Setting{{
		Name: "sources", Value: &c.request.Sources, Example: "sources.sqlite",
		Help: "database of sources (`sources --sqlite`), which fills the source_* fields of --format=content: a page's " +
			"source is the feed that links to it",
	}, {
		// Archives are read twice, and none can be added later.
		Name: "site_templates", Value: &c.request.SiteTemplates, Default: "false", Example: "true",
		Help: "leave out of the text the paragraphs that stand on many pages of one host; the archives are read twice, " +
			"and first for these",
	}})
}

func (c *config) indexSettings() []setting.Setting {
	return setting.Under(input, []setting.Setting{{
		Name: "unit_size", Value: &c.request.UnitSize, Default: defaultUnit, Example: "16MiB",
		Help: "compressed bytes that one worker does at a time, and that one shard of the output comes from",
	}, {
		Name: "shard", Value: &c.request.Shard, Example: "2/7",
		Help: "do only this part of the archives, into a folder of its own: for a cluster without Beam, whose parts " +
			"`collection merge` joins (docs/clusters/slurm.md)",
	}, {
		Name: "cdx", Value: &c.request.Indexes, Example: "index.cdxj",
		Help: "capture indexes, CDX or CDXJ, plain or compressed: only the records that their lines point to are read. " +
			"Files, folders, patterns or URLs, as archives are",
		Brief: "read only the records that these indexes point to",
	}, {
		Name: "cdx_filter", Value: &c.request.Lookup.Filter, Example: "'mime=application/pdf status=200 2014..2015'",
		Help: "which lines of --cdx: terms with blanks between, of which all must hold. field=value (several with " +
			"commas, text/* for what begins so), field!=value, field~regexp, field!~regexp, with the fields url, surt, " +
			"mime, status, digest, filename, timestamp, language; 2014..201506 for dates, both included; http://… for what " +
			"URLs begin with",
		Brief: "which of them, as 'mime=application/pdf status=200'",
	}, {
		// An index that ingest wrote itself needs no base: see job's ownBase.
		Name: "warc_base", Value: &c.request.Lookup.Base, Example: "https://data.commoncrawl.org/",
		Help: "folder or URL that the names of archives in --cdx are below; each index's own folder by default",
	}})
}

func (c *config) scheduleSettings() []setting.Setting {
	return setting.Under(scheduling, []setting.Setting{{
		Name: "only_new", Value: &c.request.Schedule.OnlyNew, Default: "false", Example: "true",
		Help: "do only archives that are new or changed; keep units of earlier versions of the program unchanged",
	}, {
		Name: "stale", Value: &c.request.Schedule.Stale, Default: "false", Example: "true",
		Help: "do units again that other versions of the program made, and those whose archives changed; begin no " +
			"archive that the folder does not have",
	}, {
		Name: "since", Value: &c.request.Schedule.Since, Example: "7d, 2026-11-01 or 2026-11-01T12:00:00Z",
		Help: "do only archives modified since then, also if units are done again because of versions: a date or time in " +
			"UTC, or how long ago (h, d). Documents of older archives stay",
	}, {
		// job.ParseSpan parses it: it knows days.
		Name: "watch", Value: &c.every, Example: "15m",
		Help: "do not end, but run again this long after each run (s, m, h, d), until interrupted. If a run fails, or " +
			"finds the folder in use, a message says so and the next run tries again",
	}})
}

// keepSettings are about units of archives that the command does not find. Without them a run removes nothing and adds
// nothing to what other archives gave.
func (c *config) keepSettings() []setting.Setting {
	return setting.Under(output, []setting.Setting{{
		Name: "add", Value: &c.request.Keep.Add, Default: "false", Example: "true",
		Help: "add what the archives named hold to a folder that has others; nothing of it is removed",
	}, {
		Name: "prune", Value: &c.request.Keep.Prune, Default: "false", Example: "true",
		Help: "remove documents of archives that no longer exist; with --plan only report them",
	}})
}

func (c *config) runSettings() []setting.Setting {
	return setting.Under(resource, []setting.Setting{{
		Name: "plan", Value: &c.planOnly, Default: "false", Example: "true",
		Help:  "print the units, their bytes and an estimate, and stop",
		Brief: "say what would be done, and how long it would take",
	}, {
		Name: "report", Value: &c.reports, Example: "html", Values: []string{"html"},
		Help: "html: write report.html beside the manifest, too: the content of the folder, losses and the cost of the " +
			"run, as one page for a browser that can be mailed and printed. report.json is always written",
		Brief: "html: write report.html, the run as one page",
	}, {
		Name: "workers", Value: &c.request.Workers, Default: "0", Example: "4",
		Help:  "captures that a process enriches at once; 0 for one a CPU",
		Brief: "captures that are enriched at once; one a CPU by default",
	}, {
		// It is a goal of the garbage collector: see debug.SetMemoryLimit.
		Name: "memory", Value: &c.request.Memory, Default: "0", Example: "2GiB",
		Help: "what the heap should keep to: the garbage collector works harder as it comes near; 0 for 32 MiB and 32 " +
			"MiB a worker, and more while large pages need it",
	}})
}

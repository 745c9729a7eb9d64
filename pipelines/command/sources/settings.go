package sources

import (
	"slices"

	"github.com/gleaner-web/gleaner/io/storage/setting"
)

// The headings of --help.
const (
	input  = "Input"
	output = "Output"
	timing = "When to visit"
	doing  = "Running"
)

// Settings returns the flags of the command, except for flags of runners and of --crawl. Programs that ask for the same
// in their own way use it, such as the forms of the server.
func Settings() []setting.Setting { return new(config).settings() }

func (c *config) settings() []setting.Setting {
	return slices.Concat(c.inputSettings(), c.outputSettings(), c.timeSettings(), c.runSettings())
}

func (c *config) inputSettings() []setting.Setting {
	return setting.Under(input, []setting.Setting{{
		Name: "collection", Value: &c.named, Default: "out", Example: "crawl-2026-10,crawl-2026-11",
		Help:  "folders that ingest wrote, with feeds and documents; arguments name more",
		Brief: "folders that ingest wrote",
	}})
}

func (c *config) outputSettings() []setting.Setting {
	return setting.Under(output, []setting.Setting{{
		Name: "output", Value: &c.options.Output, Default: "out-sourcedb", Example: "/data/sources",
		Help:  "folder of the Source DB: it is made when it is not there, and grows when it is",
		Brief: "folder of the Source DB",
	}, {
		Name: "opml", Value: &c.opml, Example: "valid.opml",
		Help:  "file for the valid main sources as OPML, which feed readers take",
		Brief: "file for the valid sources as OPML",
	}, {
		Name: "frontier", Value: &c.frontier, Example: "frontier.jsonl",
		Help: "file for a crawler: a line for each source that is not rejected, with url, next visit and priority, " +
			"ascending by visit",
		Brief: "file for a crawler: what to visit when",
	}, {
		Name: "cover", Value: &c.cover, Example: "cover.jsonl",
		Help: "file for what to follow to see all of a site: a line for each site, with the fewest of its feeds that " +
			"lead to all captured pages that any of them leads to, and what share of its pages that is",
		Brief: "file for the fewest feeds of each site that lead to its pages",
	}, {
		Name: "sqlite", Value: &c.sqlite, Example: "sources.sqlite",
		Help:  "SQLite file: tables source and detail, with due sources, by rate, by site",
		Brief: "SQLite",
	}, {
		Name: "datastreamer", Value: &c.datastreamer, Example: "sources.jsonl",
		Help: "file for the sources in the source_* fields of Datastreamer's records, a JSON object a line",
	}, {
		Name: "postgres", Value: &c.postgres.URL, Example: "postgres://writer@127.0.0.1/crawl",
		Help: "database of PostgreSQL, in which a table becomes the sources, in one transaction; the password is best in " +
			"$GLEANER_POSTGRES_PASSWORD",
		Brief: "database of PostgreSQL",
	}, {
		Name: "postgres_table", Value: &c.postgres.Table, Default: "sources", Example: "crawl.sources",
		Help: "table of --postgres: one that is not there, or that an earlier run has made",
	}, {
		Name: "hbase", Value: &c.hbase, Example: "hbase://127.0.0.1:16000/sources",
		Help: "table of HBase that gets a version of each source, in D8.1's columns; it is made when it is not there",
	}})
}

func (c *config) timeSettings() []setting.Setting {
	return setting.Under(timing, []setting.Setting{{
		Name: "delay", Value: &c.delay, Default: "4h5m", Example: "1h",
		Help: "what a visit is worth, as the time that a new item may wait: sources are visited each sqrt(delay/rate). " +
			"1h is for a news desk, 64h for an archive",
		Brief: "what a visit is worth, as the time an item may wait",
	}, {
		Name: "as_of", Value: &c.asOf, Example: "2026-11-23",
		Help:  "the moment at which rates, health and next visits hold (RFC 3339, or a date); the last capture by default",
		Brief: "the time of rates, health and next visits",
	}})
}

func (c *config) runSettings() []setting.Setting {
	return setting.Under(doing, []setting.Setting{{
		Name: "plan", Value: &c.planOnly, Default: "false", Example: "true",
		Help: "show the input and the known state, and do nothing",
	}, {
		Name: "report", Value: &c.reports, Example: "html", Values: []string{"html"},
		Help: "html: write report.html into --output, too: the sources, unreadable input and the cost of the run, " +
			"as one page for a browser that can be mailed and printed. report.json is always written",
	}, {
		Name: "workers", Value: &c.options.Workers, Default: "0", Example: "4",
		Help: "units that a process reads at once; 0 for as many as there are processors",
	}, {
		Name: "memory", Value: &c.options.Memory, Default: "256MiB", Example: "1GiB",
		Help: "what sorting holds in memory, of each unit that is read and of the merge",
	}})
}

package moremeta

import "github.com/gleaner-web/gleaner/io/storage/setting"

// The headings of --help.
const (
	source = "Facts about pages"
	change = "Changes"
)

func (c *config) pageSettings() []setting.Setting {
	return setting.Under(source, []setting.Setting{{
		Name: "pages", Value: &c.options.Pages, Example: "pages.csv",
		Help:  "table of pages: CSV with the columns url, id, kind, language, or JSON lines with these names",
		Brief: "table of pages, CSV or JSON lines",
	}, {
		Name: "detect", Value: &c.options.Detect, Default: "false", Example: "true",
		Help:  "find kind and language from the pages' contents, for pages that the table lacks; their id is 0",
		Brief: "find kind and language from the pages themselves",
	}, {
		Name: "input", Value: &c.inputs, Example: "/data/pagestore",
		Help: "stores, beside those that arguments name and in the same way",
	}})
}

func (c *config) changeSettings() []setting.Setting {
	return setting.Under(change, []setting.Setting{{
		Name: "dry_run", Value: &c.options.DryRun, Default: "false", Example: "true",
		Help:  "change nothing, and say what would be done",
		Brief: "change nothing, and say what would be done",
	}, {
		// Without it, unknown lines stay as they are.
		Name: "strict", Value: &c.options.Strict, Default: "false", Example: "true",
		Help:  "leave out lines of unknown pages and lines that cannot be read, as swarm_moremeta does",
		Brief: "leave out lines of unknown pages",
	}, {
		Name: "report", Value: &c.options.Report, Example: "report.jsonl",
		Help:  "log file with a JSON line for each day",
		Brief: "log file",
	}})
}

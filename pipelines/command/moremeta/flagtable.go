package moremeta

import (
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// flagTable describes the command's flags; parse says what kind of value each takes.
// Name, Help, Group and Example are shown by --help; flags with a Brief are those that -h has as well.
var flagTable = []cli.Flag{
	{
		Name:    "pages",
		Help:    "table of pages: CSV with the columns url, id, kind, language, or JSON lines with these names",
		Example: "pages.csv",
		Group:   source,
		Brief:   "table of pages, CSV or JSON lines",
	},
	{
		Name:    "detect",
		Default: "false",
		Help:    "find kind and language from the pages' contents, for pages that the table lacks; their id is 0",
		Example: "true",
		Group:   source,
		Brief:   "find kind and language from the pages themselves",
	},
	{
		Name:    "dry_run",
		Default: "false",
		Help:    "change nothing, and say what would be done",
		Example: "true",
		Group:   change,
		Brief:   "change nothing, and say what would be done",
	},
	{
		// Without it nothing is left out: what is not understood stays as it is.
		Name:    "strict",
		Default: "false",
		Help:    "leave out lines of unknown pages and lines that cannot be read, as swarm_moremeta does",
		Example: "true",
		Group:   change,
		Brief:   "leave out lines of unknown pages",
	},
	{
		Name:    "report",
		Help:    "log file with a JSON line for each day",
		Example: "report.jsonl",
		Group:   change,
		Brief:   "file to write what was done to",
	},
	{
		Name:    "input",
		Help:    "stores, beside those that arguments name and in the same way",
		Example: "/data/pagestore",
		Group:   source,
	},
}

package mcp

import (
	"os"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/command/query"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// Main is the program with this command alone. Its statements of SQL run the same program as the command query.
func Main() {
	if os.Getenv(cli.AsJob) != "" {
		run.MainOf(cli.Program{Name: "gleaner", Verbs: []cli.Verb{query.Verb}})
	}
	run.Main(Verb)
}

package serve

import (
	"os"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/command/ingest"
	"github.com/gleaner-web/gleaner/pipelines/command/query"
	"github.com/gleaner-web/gleaner/pipelines/command/sources"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/pipelines/server/form"
)

// Main is the program with this command alone. Its jobs run the same program with the command of the job.
func Main() {
	// A job's arguments are those of the other command, so the environment marks it.
	if os.Getenv(cli.AsJob) != "" {
		run.MainOf(cli.Program{Name: "gleaner", Verbs: []cli.Verb{ingest.Verb, query.Verb, sources.Verb}})
	}
	run.Main(Verb)
}

// forms returns the flags of the commands that users may run as jobs. The server itself knows no commands.
func forms() form.Set {
	return form.New(form.Tables{Ingest: ingest.Settings(), Query: query.Settings(), Sources: sources.Settings()})
}

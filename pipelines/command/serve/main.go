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

// Main is the program that is this command alone. Its jobs are the same program, which then does the command that a job
// is of.
func Main() {
	// The environment tells it, as a job's arguments are those of the other command.
	if os.Getenv(asJob) != "" {
		run.MainOf(cli.Program{Name: "gleaner", Verbs: []cli.Verb{ingest.Verb, query.Verb, sources.Verb}})
	}
	run.Main(Verb)
}

// forms are what people may ask of jobs: the server knows no command, so their flags are handed to it.
func forms() form.Set {
	return form.New(form.Tables{Ingest: ingest.Flags(), Query: query.Flags(), Sources: sources.Flags()})
}

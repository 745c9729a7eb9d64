package collection

import (
	"context"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// describe sets the title and the description that people see. It changes no data, so the collection is not locked.
func describe(_ context.Context, j *job) (int, error) {
	if len(j.args) > 2 {
		return cli.ExitUsage, cli.Usagef("describe takes a title and a text: put each in quotation marks")
	}
	if _, err := holdings.ReadTotals(j.f); err != nil {
		return cli.ExitFailed, err
	}
	a := holdings.About{Title: j.args[0]}
	if len(j.args) == 2 {
		a.Description = j.args[1]
	}
	if err := a.Check(); err != nil {
		return cli.ExitUsage, cli.Usagef("%v", err)
	}
	if err := holdings.SaveAbout(j.f, a); err != nil {
		return cli.ExitFailed, err
	}
	j.say("title      %s", a.Title)
	return cli.ExitDone, nil
}

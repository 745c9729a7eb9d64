package collection

import (
	"context"
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/lake"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// check reads everything, lists problems and changes nothing. It takes no lock, so that read-only collections can be
// checked. Problems found during a run may be the run's.
func check(ctx context.Context, j *job) (int, error) {
	m, err := holdings.ReadManifest(j.f)
	if err != nil {
		return cli.ExitFailed, err
	}
	// err means that reading failed; problems are defects of the files.
	problems, err := care.Verify(ctx, j.f)
	if err != nil {
		return cli.ExitFailed, err
	}
	list := make([]string, 0, len(problems))
	for _, p := range problems {
		list = append(list, p.Error())
	}
	tabled, err := j.checkTable(ctx)
	if err != nil {
		return cli.ExitFailed, err
	}
	list = append(list, tabled...)
	taken, err := takedown.Read(j.f)
	if err != nil {
		return cli.ExitFailed, err
	}
	for _, e := range taken.Entries {
		if e.Unfinished {
			list = append(list, fmt.Sprintf("the takedown of %s (%s) has not ended: repeat it, or the merge that brought it",
				e.Time, e.Reason))
		}
	}
	if j.columns {
		wrong, err := j.checkColumns(ctx, m)
		if err != nil {
			return cli.ExitFailed, err
		}
		list = append(list, wrong...)
	}
	if len(problems) == 0 { // an index cannot be compared with damaged shards
		indexed, err := contentdb.CheckIndex(ctx, j.f)
		if err != nil {
			return cli.ExitFailed, err
		}
		for _, p := range indexed.Problems {
			list = append(list, "index: "+p+"; `collection index --rebuild` makes it again")
		}
	}
	if err := j.sayWaiting(); err != nil {
		return cli.ExitFailed, err
	}
	for _, line := range list {
		j.say("%s", schemas.Printable(line))
	}
	if len(list) > 0 {
		j.say("%s found", cli.Plural(len(list), "problem"))
		// Its own exit code lets scripts tell damage from a check that failed.
		return cli.ExitLosses, nil
	}
	j.say("all is well: %s in %s", cli.Plural(m.Totals.Documents, "document"), cli.Plural(len(m.Units), "unit"))
	return cli.ExitDone, nil
}

// sayWaiting reports a run that is under way or was interrupted. This is not a problem: the collection is unchanged.
func (j *job) sayWaiting() error {
	unfinished, err := ledger.Unfinished(j.f)
	if err != nil {
		return err
	}
	rows, err := ledger.Rows(j.f)
	if err != nil {
		return err
	}
	waiting, err := ledger.Waiting(j.f, rows)
	if err != nil {
		return err
	}
	if unfinished {
		command := "its command"
		// Without the note the command is unknown.
		if asked, err := holdings.ReadLastRun(j.f); err == nil {
			command += " (" + asked.Command() + ")"
		}
		j.say("a run has not ended; if it was interrupted, %s continues it", schemas.Printable(command))
	}
	if len(waiting) > 0 {
		j.say("waiting    %s that the collection does not have yet", cli.Plural(len(waiting), "unit"))
	}
	return nil
}

// checkTable lists problems of the Iceberg table, if there is one.
func (j *job) checkTable(ctx context.Context) (list []string, err error) {
	t, err := lake.Open(ctx, j.f, j.lake)
	if errors.Is(err, lake.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return []string{err.Error()}, nil
	}
	problems, err := t.Check(ctx)
	if err != nil {
		return nil, err
	}
	left, err := j.leftInTable(ctx, t)
	if err != nil {
		return nil, err
	}
	for _, p := range append(problems, left...) {
		list = append(list, fmt.Sprintf("table: %s: %s", p.Name, p.Message))
	}
	return list, nil
}

package collection

import (
	"context"
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/lake"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// check reads everything and lists what is wrong; nothing is changed. It takes no lock, so that a collection that is
// only read can be checked; while a run goes on, what it finds may be the run's.
func check(ctx context.Context, j *job) (int, error) {
	// Read once more than Verify does: its totals are what is said when all is well.
	m, err := holdings.ReadManifest(j.f)
	if err != nil {
		return cli.ExitFailed, err
	}
	// An error is that reading was not possible; what is wrong with the files is a problem, and no error.
	problems, err := collection.Verify(ctx, j.f)
	if err != nil {
		return cli.ExitFailed, err
	}
	// Problems are collected, and not told one by one: reading goes on after each.
	list := make([]string, 0, len(problems))
	for _, p := range problems {
		list = append(list, p.Error())
	}
	tabled, err := j.checkTable(ctx)
	if err != nil {
		return cli.ExitFailed, err
	}
	list = append(list, tabled...)
	if j.columns {
		wrong, err := j.checkColumns(ctx, m)
		if err != nil {
			return cli.ExitFailed, err
		}
		list = append(list, wrong...)
	}
	if len(problems) == 0 { // an index cannot be compared with shards that are not as they were
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
	// Names come from the collection, which may be anybody's.
	for _, line := range list {
		j.say("%s", schemas.Printable(line))
	}
	if len(list) > 0 {
		j.say("%s found", plural(len(list), "problem"))
		// A code of its own, so that a script can tell damage from a check that failed.
		return cli.ExitLosses, nil
	}
	j.say("all is well: %s in %s", plural(m.Totals.Documents, "document"), plural(len(m.Units), "unit"))
	return cli.ExitDone, nil
}

// sayWaiting tells of a run that is under way or was interrupted. It is nothing wrong: the collection is as it was.
func (j *job) sayWaiting() error {
	unfinished, err := collection.Unfinished(j.f)
	if err != nil {
		return err
	}
	rows, err := collection.Rows(j.f)
	if err != nil {
		return err
	}
	waiting, err := collection.Waiting(j.f, rows)
	if err != nil {
		return err
	}
	if unfinished {
		command := "its command"
		// Without the note nobody knows what it was asked for.
		if asked, err := holdings.ReadAsked(j.f); err == nil {
			command += " (" + asked.Command() + ")"
		}
		j.say("a run has not ended; if it was interrupted, %s goes on with it", schemas.Printable(command))
	}
	if len(waiting) > 0 {
		j.say("waiting    %s that the collection does not have yet", plural(len(waiting), "unit"))
	}
	return nil
}

// checkTable lists what is wrong with the Iceberg table, if there is one.
func (j *job) checkTable(ctx context.Context) (list []string, err error) {
	// A collection need not have a table: that is nothing wrong.
	t, err := lake.Open(ctx, j.f, j.lake)
	if errors.Is(err, lake.ErrNone) {
		return nil, nil
	}
	if err != nil {
		// A table that cannot be opened is a finding like others.
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

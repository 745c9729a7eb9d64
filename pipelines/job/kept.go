package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
)

// kept returns what a collection keeps of a run: what it read and added, and the captures before and after it.
func kept(
	o unit.Job, f holdings.Folder, r *report.Report, rows []report.Row, before, after int64,
) holdings.KeptRun {
	k := holdings.KeptRun{
		Command: r.Command, Release: cli.Release, Runner: r.Runner, Started: r.Started.UTC().Format(time.RFC3339Nano),
		Seconds: r.Seconds, CPUSeconds: r.CPUSeconds, PeakMemory: r.PeakMemory, Units: r.Units.Done, Kept: r.Units.Before,
		Added: r.Counts, Before: before, After: after, Options: o.Note(), Versions: o.Made,
	}
	// The first refused document of each server has a URL.
	k.Added.Sinks = nil
	var done []schemas.UnitResult
	for _, row := range rows {
		if row.Measures != nil {
			done = append(done, row.UnitResult)
		}
	}
	k.Archives = holdings.Archives(done)
	// Without the note, the page of the run shows no command.
	if a, err := holdings.ReadLastRun(f); err == nil {
		k.Asked = a.Command()
	}
	return k
}

// added is what a run added to a collection that had captures.
type added struct {
	Archives int64 `json:"archives"`
	Captures int64 `json:"captures"`
	Rejects  int64 `json:"rejects"`
	Before   int64 `json:"captures_before"`
	Replaced int64 `json:"captures_replaced"`
}

// PrintAdded ends a summary with what the run added, if the collection had captures before.
func PrintAdded(ctx context.Context, p *plan.Plan, w io.Writer) (err error) {
	if p.Todo == 0 {
		return nil
	}
	f := p.Request.OpenFolder(ctx, "")
	defer func() { err = errors.Join(err, f.Close()) }()
	list, err := holdings.ReadRuns(f)
	if err != nil || len(list) == 0 || list[len(list)-1].Before == 0 {
		return err
	}
	r := list[len(list)-1]
	a := added{r.Archives, r.Added.Captures, r.Added.Rejects, r.Before, r.Replaced()}
	return cli.Answer(w, "added", a, a.text())
}

func (a added) text() string {
	text := fmt.Sprintf("\nAdded by this run\n  %s of %s, %s; %s before\n", cli.Plural(a.Captures, "capture"),
		cli.Plural(a.Archives, "archive"), cli.Plural(a.Rejects, "reject"), cli.Plural(a.Before, "capture"))
	if a.Replaced > 0 {
		text += "  replaced or removed: " + cli.Plural(a.Replaced, "capture") + "\n"
	}
	return text
}

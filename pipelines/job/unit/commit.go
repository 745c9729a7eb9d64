package unit

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
)

// commit notes the state of the inputs and makes the unit's shards final. Sinks commit first, so a repeated unit
// sends again. Units that only index note no fingerprints. These would read the archive a second time, at a tenth to
// a half of the cost of indexing it again.
func (e *Engine) commit(ctx context.Context, t Task, u *unitRun) (report.Row, error) {
	if err := u.sinks.Commit(); err != nil {
		return report.Row{}, err
	}
	for i, in := range u.inputs {
		print := ""
		// Groups have only stamps: opening a million files again would cost more.
		if !e.o.IndexOnly() && in.Kind() != schemas.KindGroup && in.Unreadable == "" && in.Kind() != schemas.KindTopic {
			var err error
			print, err = standing.Fingerprint(ctx, e.store.At(t.Stamps), in, t.Stamps[in.File])
			why, bad := blob.Unreadable(err)
			switch {
			case bad:
				in.Unreadable = why // it has become unreadable
			// With the stamp of the plan and without a fingerprint, the next run reads it again.
			case errors.Is(err, blob.ErrChanged):
				slog.Warn("the archive changed while it was read: the next run reads it again", "archive", in.File)
			case err != nil:
				return report.Row{}, err
			}
		}
		u.w.SetInput(i, print, in.Next)
		u.w.SetUnreadable(i, in.Unreadable)
	}
	result, err := u.w.Commit(u.counts, ledger.Note{
		Stamps: t.Stamps, Options: e.o.UnitKey(e.o.Templates.SHA256), Dir: e.o.Dir,
		Division: e.o.Division,
	})
	if err != nil {
		return report.Row{}, err
	}
	u.points.write(e.out, u.log)
	u.live.Bytes.Add(u.left)
	u.live.Units.Add(1)
	u.measures.End(time.Since(u.began), cli.PeakMemory())
	if e.done != nil {
		err = e.done(ctx, e.out, result)
	}
	return report.Row{UnitResult: result, Measures: &u.measures}, err
}

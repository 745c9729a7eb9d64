package unit

import (
	"context"
	"log/slog"
	"sync"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// session is what the functions of one job share in a process and must not be sent. Jobs in one process share
// nothing.
type session struct {
	live     *cli.Counters // progress for display only; exact counts are in the units' rows
	surveyed cli.Counters  // the same for the first pass of --site_templates
	log      *slog.Logger
	done     Done // may be nil
	// pool limits the captures and units that are under way.
	pool *pool
}

// sessions are those of this process, by Run.ID. Beam serializes functions even for workers in the same process,
// so they find the rest here.
var sessions sync.Map

// Done takes the result of a unit that is committed to out. Several goroutines may call it. An error fails the unit.
type Done func(ctx context.Context, out folder.Folder, r schemas.UnitResult) error

// Begin makes the session of a job in this process; end removes it. live gets the job's progress. done may be nil.
func Begin(o Job, live *cli.Counters, log *slog.Logger, done Done) (end func()) {
	sessions.Store(o.ID, &session{live: live, log: log, done: done, pool: newPool(cli.Workers(o.Workers))})
	return func() { sessions.Delete(o.ID) }
}

// sessionOf returns the session of the job with these options. A worker process, which gets only the options, makes
// one on the first call. All functions and bundles of the job there share it.
func sessionOf(o Job) *session {
	if s, ok := sessions.Load(o.ID); ok {
		return s.(*session)
	}
	s, _ := sessions.LoadOrStore(o.ID, &session{
		live: &cli.Live, log: slog.Default(), pool: newPool(cli.Workers(o.Workers)),
	})
	return s.(*session)
}

// SurveyCounters returns the progress of the first pass of --site_templates. It does not count in that of the second.
func SurveyCounters(o Job) *cli.Counters { return &sessionOf(o).surveyed }

// pool limits the work of a job in a process, whatever its number of functions and bundles. Dataflow runs as many
// bundles as the machine has CPUs.
type pool struct {
	captures chan struct{} // enriched at the same time
	units    chan struct{} // under way
}

// newPool makes a pool for n units, each with its own reading goroutine, that together enrich n captures at the same
// time.
func newPool(n int) *pool { return &pool{make(chan struct{}, n), make(chan struct{}, n)} }

// begin waits until a unit may begin. It returns the cause of an interrupt, which says more than context.Canceled.
func (p *pool) begin(ctx context.Context) error {
	select {
	case p.units <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *pool) end() { <-p.units }

// full reports whether as many units are under way as may be.
func (p *pool) full() bool { return len(p.units) == cap(p.units) }

package job

import (
	"context"
	"log/slog"
	"sync"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// session is what a job has of its own in a process that works for it. Two jobs in one process have nothing in common.
// It has what all functions of one job share in a process, and what must not be sent anywhere.
type session struct {
	live     *cli.Counters // how far it is, for the eyes only: what must be right is counted in the units' rows
	surveyed cli.Counters  // likewise, of the first pass of --site_templates
	log      *slog.Logger
	// of captures and units that the process works on at once
	pool *pool
}

// sessions are those of this process by Options.Job. Beam sends functions to workers as text, also when the worker is
// the process that sends them: so what cannot be written down is found here.
var sessions sync.Map

// begin makes the session of a job that this process runs. It is there until end is called.
func begin(o Options, live *cli.Counters, log *slog.Logger) (s *session, end func()) {
	// Counters are the command's, so that its display counts what the functions do.
	s = &session{live: live, log: log, pool: newPool(cli.Workers(o.Workers))}
	sessions.Store(o.Job, s)
	return s, func() { sessions.Delete(o.Job) }
}

// sessionOf finds the session of the job that the options are of. The process of a worker, which was sent nothing but
// the options, makes one when it is first asked, and all functions and bundles that it has of the job share that.
func sessionOf(o Options) *session {
	if s, ok := sessions.Load(o.Job); ok {
		return s.(*session)
	}
	// Two functions may ask at once; LoadOrStore gives both the same session.
	s, _ := sessions.LoadOrStore(o.Job, &session{
		live: &cli.Live, log: slog.Default(), pool: newPool(cli.Workers(o.Workers)),
	})
	return s.(*session)
}

// pool is what a job does at once in a process, however many functions and bundles its runner has made of the graph:
// Dataflow has as many bundles under way as the machine has CPUs, and each would have as many units.
type pool struct {
	captures chan struct{} // that are enriched
	units    chan struct{} // that are under way
}

// Both have room for n: a unit has always one goroutine of its own,
// which reads, and n captures are enriched at once for all of them.
func newPool(n int) *pool { return &pool{make(chan struct{}, n), make(chan struct{}, n)} }

// begin waits until a unit may begin.
// The error is the cause of the interrupt, so that the user reads why and not only that it was interrupted.
func (p *pool) begin(ctx context.Context) error {
	select {
	case p.units <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// end lets another unit begin.
func (p *pool) end() { <-p.units }

package view

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// longTurn is how long a query makes others wait at most. A longer query continues while others run.
const longTurn = time.Second

// turns limits the number of queries that run at the same time. If two hundred ran at once, each would have a
// hundredth of a processor, and all would need memory. One after the other, in the order of arrival, they take the
// same total time, but the memory of a few.
type turns chan struct{}

// newTurns has two places for each processor: one query reads while another computes.
func newTurns() turns { return make(turns, 2*runtime.GOMAXPROCS(0)) }

// wait waits for a place, which is held until release is called. The error is that of a context that has ended before.
func (t turns) wait(ctx context.Context) (release func(), err error) {
	select {
	case t <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	leave := sync.OnceFunc(func() { <-t })
	late := time.AfterFunc(longTurn, leave)
	return func() {
		late.Stop()
		leave()
	}, nil
}

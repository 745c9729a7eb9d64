package view

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// longTurn is how long a question keeps others waiting at most: one that takes longer goes on beside them.
const longTurn = time.Second

// turns are the places of questions that are answered at the same time. Of two hundred that come at once each would
// have a hundredth of a processor and all of its memory; one after the other, in the order in which they came, they
// take as long in all, and the memory of a few.
type turns chan struct{}

// newTurns has two places a processor: one question reads while another computes.
func newTurns() turns { return make(turns, 2*runtime.GOMAXPROCS(0)) }

// wait waits for a place, until release is called. The error is that of a context that has ended before.
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

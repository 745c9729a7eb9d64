package blob

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// leastBytes is what a server has to give in each time of Patience.Stall, by default a minute: a kilobyte a second. One
// that drips would hold a worker for days and never be silent.
const leastBytes = 64 << 10

// errStalled ends a request that shows too little life for too long.
var errStalled = fmt.Errorf("the server sent less than %d KiB for too long", leastBytes>>10)

// watchdog ends a request, by cancelling its context, when the server stalls.
// It is used by one goroutine, except for its timer, which only calls cancel.
type watchdog struct {
	ctx    context.Context // of the request
	cancel context.CancelCauseFunc
	timer  *time.Timer
	stall  time.Duration
	since  time.Time     // when the timer was set; zero while it rests
	left   time.Duration // of the time that it was set to
}

// newWatchdog begins to wait.
func newWatchdog(ctx context.Context, stall time.Duration) *watchdog {
	w := &watchdog{stall: stall, left: stall, since: time.Now()}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	// With a cause, so that why can tell this end from that of the caller's context.
	w.timer = time.AfterFunc(stall, func() { w.cancel(errStalled) })
	return w
}

// alive begins to wait again.
func (w *watchdog) alive() {
	w.left, w.since = w.stall, time.Now()
	// A timer that has fired in the meantime has cancelled already, and setting it again changes nothing.
	w.timer.Reset(w.left)
}

// rest stops waiting: nothing is asked of the server.
func (w *watchdog) rest() {
	// Twice in a row does nothing more.
	w.timer.Stop()
	if !w.since.IsZero() {
		w.left -= time.Since(w.since)
		w.since = time.Time{}
	}
}

// resume goes on waiting, for as long as was left.
func (w *watchdog) resume() {
	w.since = time.Now()
	// Nothing left means that it fires at once.
	w.timer.Reset(max(w.left, 0))
}

// end ends the request.
func (w *watchdog) end() {
	w.timer.Stop()
	// Releases what the context holds; a cause that is there stays.
	w.cancel(nil)
}

// why gives the reason for an error that is only the request's being cancelled.
func (w *watchdog) why(err error) error {
	if err != nil && errors.Is(context.Cause(w.ctx), errStalled) {
		return errStalled
	}
	return err
}

// tooSlow reports whether n bytes in that time are fewer than a server has to give.
// n/d < leastBytes/Stall, multiplied out so that nothing is divided by zero.
func (p Patience) tooSlow(n int, d time.Duration) bool {
	return float64(n)*float64(p.Stall) < leastBytes*float64(d)
}

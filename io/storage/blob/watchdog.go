package blob

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// leastBytes is the minimum that a server has to send in each Patience.Stall, by default a minute: a kilobyte a second.
// A dripping server would otherwise hold a worker for days without ever being silent.
const leastBytes = 64 << 10

// errStalled ends a request that receives too little for too long.
var errStalled = fmt.Errorf("the server sent less than %d KiB for too long", leastBytes>>10)

// watchdog ends a request, by canceling its context, when the server stalls. One goroutine uses it; only its timer,
// which calls cancel, runs elsewhere.
type watchdog struct {
	ctx    context.Context // of the request
	cancel context.CancelCauseFunc
	timer  *time.Timer
	stall  time.Duration
	since  time.Time     // time when the timer was set; zero while it rests
	left   time.Duration // remaining time at that moment
}

// newWatchdog begins to wait.
func newWatchdog(ctx context.Context, stall time.Duration) *watchdog {
	w := &watchdog{stall: stall, left: stall, since: time.Now()}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	// The cause distinguishes this end from that of the caller's context.
	w.timer = time.AfterFunc(stall, func() { w.cancel(errStalled) })
	return w
}

// alive restarts the timer.
func (w *watchdog) alive() {
	w.left, w.since = w.stall, time.Now()
	// A timer that fired in the meantime has already canceled, and restarting it changes nothing.
	w.timer.Reset(w.left)
}

// rest stops the timer while nothing is requested from the server.
func (w *watchdog) rest() {
	// A second call does nothing more.
	w.timer.Stop()
	if !w.since.IsZero() {
		w.left -= time.Since(w.since)
		w.since = time.Time{}
	}
}

// resume continues the timer with the remaining time.
func (w *watchdog) resume() {
	w.since = time.Now()
	// Without remaining time it fires at once.
	w.timer.Reset(max(w.left, 0))
}

// end ends the request.
func (w *watchdog) end() {
	w.timer.Stop()
	// Releases the context's resources; an earlier cause stays.
	w.cancel(nil)
}

// why returns the reason for an error that only says that the request was canceled.
func (w *watchdog) why(err error) error {
	if err != nil && errors.Is(context.Cause(w.ctx), errStalled) {
		return errStalled
	}
	return err
}

// tooSlow reports whether n bytes in that time are less than a server has to send. It tests n/d < leastBytes/Stall,
// multiplied out to avoid a division by zero.
func (p Patience) tooSlow(n int, d time.Duration) bool {
	return float64(n)*float64(p.Stall) < leastBytes*float64(d)
}

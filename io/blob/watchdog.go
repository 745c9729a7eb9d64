package blob

import (
	"context"
	"errors"
	"time"
)

// errStalled ends a request that shows no life for too long.
var errStalled = errors.New("the server sent nothing for too long")

// watchdog ends a request, by cancelling its context, when the server stalls.
type watchdog struct {
	ctx    context.Context // of the request
	cancel context.CancelCauseFunc
	timer  *time.Timer
	stall  time.Duration
}

// newWatchdog begins to wait.
func newWatchdog(ctx context.Context, stall time.Duration) *watchdog {
	w := &watchdog{stall: stall}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.timer = time.AfterFunc(stall, func() { w.cancel(errStalled) })
	return w
}

// alive begins to wait anew.
func (w *watchdog) alive() { w.timer.Reset(w.stall) }

// rest stops waiting: nothing is asked of the server.
func (w *watchdog) rest() { w.timer.Stop() }

// end ends the request.
func (w *watchdog) end() {
	w.timer.Stop()
	w.cancel(nil)
}

// why gives the reason for an error that is only the request's being cancelled.
func (w *watchdog) why(err error) error {
	if err != nil && errors.Is(context.Cause(w.ctx), errStalled) {
		return errStalled
	}
	return err
}

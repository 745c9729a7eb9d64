package fetch

import (
	"context"
	"time"
)

// Clock is a client's source of time and pauses. With it, tests let months pass in seconds. Time-outs of connections do
// not use it, since the network does not go faster for it.
type Clock interface {
	Now() time.Time
	// Sleep returns when d has passed, or with the context's error.
	Sleep(ctx context.Context, d time.Duration) error
}

// System is the clock of the machine.
var System Clock = system{}

type system struct{}

func (system) Now() time.Time { return time.Now() }

func (system) Sleep(ctx context.Context, d time.Duration) error {
	// Unlike time.After, the timer can be stopped: a pause may be minutes, and must not outlive its context.
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

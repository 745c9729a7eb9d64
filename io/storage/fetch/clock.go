package fetch

import (
	"context"
	"time"
)

// Clock is where a client takes the time from, and how it waits: tests let months pass in seconds. Time-outs of
// connections are not of this clock, since the network does not go faster for it.
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
	// A timer that is stopped, and not time.After: pauses may be minutes, and a context that ends need
	// not leave one after.
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

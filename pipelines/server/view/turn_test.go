package view

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := make(turns, 1)
		first, err := all.wait(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		// A request that stops waiting gets no place.
		soon, cancel := context.WithTimeout(t.Context(), longTurn/2)
		defer cancel()
		if _, err := all.wait(soon); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a second turn at the same time: %v", err)
		}
		// A long query lets others in, and takes no place from them when it ends.
		start := time.Now()
		second, err := all.wait(t.Context())
		if waited := time.Since(start); err != nil || waited != longTurn/2 {
			t.Errorf("the second waited %v, want %v; %v", waited, longTurn/2, err)
		}
		first()
		if len(all) != 1 {
			t.Errorf("%d questions have a place, want 1", len(all))
		}
		second()
		if len(all) != 0 {
			t.Errorf("%d questions have a place behind all, want none", len(all))
		}
	})
}

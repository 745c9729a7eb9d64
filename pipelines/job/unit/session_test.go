package unit

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
)

// TestPool: the units of all bundles of a job share its slots.
func TestPool(t *testing.T) {
	p := newPool(3)
	for range 3 {
		if err := p.begin(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.begin(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("begin = %v while all places are taken, want %v", err, context.Canceled)
	}
	for range 3 {
		p.end()
	}
}

// TestSessionOf: a worker without the job makes one session for it, and one with the job uses the job's session.
func TestSessionOf(t *testing.T) {
	first := Job{Run: Run{ID: t.Name() + "1"}, Machine: recipe.Machine{Workers: 2}}
	other := Job{Run: Run{ID: t.Name() + "2"}}
	if s := sessionOf(first); s != sessionOf(first) || s == sessionOf(other) || cap(s.pool.units) != 2 {
		t.Error("a job has not one session in a process, or two have the same")
	}
	ours := Job{Run: Run{ID: t.Name() + "3"}}
	live := &cli.Counters{}
	end := Begin(ours, live, slog.Default(), nil)
	if sessionOf(ours).live != live {
		t.Error("the session of a job that this process runs was not found")
	}
	if end(); sessionOf(ours).live == live {
		t.Error("the session is there when the job has ended")
	}
}

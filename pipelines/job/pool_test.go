package job

import (
	"context"
	"errors"
	"testing"
)

// TestPool: the units of all bundles of a process share its places.
func TestPool(t *testing.T) {
	p := workers(3)
	if p != workers(3) || p == workers(4) || cap(workers(0).captures) == 0 {
		t.Fatal("there is one pool of a size, and 0 is as many as CPUs")
	}
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

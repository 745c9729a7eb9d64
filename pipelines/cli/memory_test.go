package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// limits returns the limit now, and restores the settings when the test ends.
func limits(t *testing.T) func() int64 {
	t.Helper()
	limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(100)
	t.Cleanup(func() { following.Store(nil); debug.SetMemoryLimit(limit); debug.SetGCPercent(percent) })
	return func() int64 { return debug.SetMemoryLimit(-1) }
}

// TestGrowMemory_followsTheHeap: the limit is twice the heap in use, and falls again.
func TestGrowMemory_followsTheHeap(t *testing.T) {
	const least, held = 16 << 20, 48 << 20
	limit := limits(t)
	GrowMemory(least)
	if got := limit(); got != least {
		t.Fatalf("the limit is %d at the beginning, want %d", got, least)
	}
	page := make([]byte, held)
	await(t, "twice what is held", func() bool { return limit() >= 2*held })
	runtime.KeepAlive(page)
	await(t, "the least", func() bool { return limit() == least })
}

// await collects garbage until a limit is reached. Cleanups run some time after a collection.
func await(t *testing.T, what string, reached func() bool) {
	t.Helper()
	for range 500 {
		runtime.GC()
		if reached() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("the limit is %d, want %s", debug.SetMemoryLimit(-1), what)
}

// TestSetMemoryLimit_endsGrowth: a limit that the user sets stays.
func TestSetMemoryLimit_endsGrowth(t *testing.T) {
	const least, firm, held = 16 << 20, 24 << 20, 48 << 20
	limit := limits(t)
	GrowMemory(least)
	SetMemoryLimit(firm)
	page := make([]byte, held)
	for range 5 {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	runtime.KeepAlive(page)
	if got := limit(); got != firm {
		t.Errorf("the limit is %d, want %d", got, firm)
	}
}

func TestFollower_follow(t *testing.T) {
	const least = 64 << 20
	limit := limits(t)
	f := follower{least: least, limit: least}
	for _, tt := range []struct {
		name       string
		left, want int64
	}{
		{"little in use", 10 << 20, least},
		{"slightly more than half", 33 << 20, least},
		{"much", 100 << 20, 200 << 20},
		{"a small change", 102 << 20, 200 << 20},
		{"less", 50 << 20, 100 << 20},
		{"little again", 1 << 20, least},
	} {
		SetMemoryLimit(f.limit)
		if f.follow(tt.left); limit() != tt.want {
			t.Errorf("%s: with %d bytes in use the limit is %d, want %d", tt.name, tt.left, limit(), tt.want)
		}
	}
}

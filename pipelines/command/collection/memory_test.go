package collection

import (
	"math"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// TestLimitMemory: the heap has half of what index and takedown may take, or what compact sorts and some more.
func TestLimitMemory(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	for _, x := range []struct {
		task         string
		memory, want int64
	}{
		{"stats", 0, math.MaxInt64},
		{"check", 0, math.MaxInt64},
		{"index", 768 << 20, 384 << 20},
		{"takedown", 256 << 20, 128 << 20},
		{"compact", 256 << 20, 384 << 20},
	} {
		debug.SetMemoryLimit(math.MaxInt64)
		limitMemory(x.task, x.memory)
		if got := debug.SetMemoryLimit(-1); got != x.want {
			t.Errorf("%s: the heap's limit is %d, want %d", x.task, got, x.want)
		}
	}
}

// TestMemory_anyTask: each task with --memory works with the least that it takes.
func TestMemory_anyTask(t *testing.T) {
	root := t.TempDir()
	out := filepath.Join(root, "out")
	at, little := "--collection="+out, "--memory=128MiB"
	must(t, "ingest", "--output="+out, "--format=parquet", month(t, root, 0), month(t, root, 1))
	must(t, "collection", "index", at, little)
	must(t, "collection", "compact", at, "--memory=1MiB")
	must(t, "collection", "index", at, little)
	must(t, "collection", "takedown", at, little, secretHost)
	must(t, "collection", "check", at)
}

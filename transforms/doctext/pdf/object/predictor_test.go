package object

import (
	"runtime"
	"testing"
)

// TestUnPNG_rowsAreNotLongerThanTheData: a page may refer hundreds of times to one short stream with very long rows.
func TestUnPNG_rowsAreNotLongerThanTheData(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { unPNG([]byte{2, 'a', 'b'}, 64<<20, 4) }); n > 1 {
		t.Errorf("%v allocations", n)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		unPNG([]byte{2, 'a', 'b'}, 64<<20, 4)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("100 times three bytes take %d bytes", n)
	}
}

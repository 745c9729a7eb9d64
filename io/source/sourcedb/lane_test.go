package sourcedb

import (
	"errors"
	"testing"
)

// TestLane: batches are written in order. After an error none is written, and put and close return the error.
func TestLane(t *testing.T) {
	full := errors.New("disk full")
	for _, fails := range []int{-1, 0, 3, 9} {
		var wrote []int
		l := newLane(func(b *batch) error {
			if b.size == fails {
				return full
			}
			wrote = append(wrote, b.size)
			return nil
		})
		for n := range 10 {
			if err := l.put(&batch{size: n}); err != nil && (!errors.Is(err, full) || fails < 0) {
				t.Errorf("put: %v", err)
			}
		}
		for range 2 {
			if err := l.close(); fails < 0 && err != nil || fails >= 0 && !errors.Is(err, full) {
				t.Errorf("%d fails: close: %v", fails, err)
			}
		}
		want := 10
		if fails >= 0 {
			want = fails
		}
		if len(wrote) != want {
			t.Errorf("%d fails: wrote %v", fails, wrote)
		}
		for i, n := range wrote {
			if i != n {
				t.Errorf("wrote %v", wrote)
			}
		}
	}
}

package crawl

import (
	"testing"
	"time"
)

// TestBackOff: waits double up to their bound, and stay there after any number of failures.
func TestBackOff(t *testing.T) {
	const day = 24 * time.Hour
	for _, test := range []struct {
		base  time.Duration
		fails int
		most  time.Duration
		want  time.Duration
	}{
		{time.Minute, 0, day, time.Minute},
		{time.Minute, 1, day, time.Minute},
		{time.Minute, 4, day, 8 * time.Minute},
		{time.Minute, 100, day, day},
		{6 * time.Hour, 20, 30 * day, 30 * day},
		{day, 18, 30 * day, 30 * day},
		{day, 1_000_000, 30 * day, 30 * day},
		{2 * day, 1, day, day},
	} {
		if got := backOff(test.base, test.fails, test.most); got != test.want {
			t.Errorf("backOff(%v, %d, %v) = %v, want %v", test.base, test.fails, test.most, got, test.want)
		}
	}
}

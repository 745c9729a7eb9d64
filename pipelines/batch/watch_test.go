package batch

import (
	"errors"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestWatch: units count once, as soon as their rows exist. Other rows and errors do not count.
func TestWatch(t *testing.T) {
	var live cli.Counters
	ticks := make(chan time.Time)
	looks := []struct {
		keys []string
		err  error
	}{{nil, nil}, {[]string{"a", "other"}, nil}, {nil, errors.New("later")}, {[]string{"a", "b"}, nil}}
	stop := watch(&live, map[string]int64{"a": 10, "b": 5, "c": 1}, func() ([]string, error) {
		l := looks[0]
		looks = looks[1:]
		return l.keys, l.err
	}, ticks)
	for range 4 {
		ticks <- time.Now()
	}
	stop()
	if live.Units.Load() != 2 || live.Bytes.Load() != 15 {
		t.Errorf("%d units of %d bytes, want 2 of 15", live.Units.Load(), live.Bytes.Load())
	}
}

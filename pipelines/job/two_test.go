package job

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
)

// said is a log with its output.
type said struct {
	log  *slog.Logger
	text *strings.Builder
}

func newSaid() said {
	var b strings.Builder
	return said{slog.New(slog.NewTextHandler(&b, nil)), &b}
}

// TestRun_twoInOneProcess: two jobs in one process are independent. One is cancelled midway, and later continues; the
// other ends as if it were alone.
func TestRun_twoInOneProcess(t *testing.T) {
	d := newDays(t)
	var names []string
	for _, n := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		names = append(names, "one/"+n, "two/"+n)
	}
	d.put(names...)
	whole, broken := dayConfig(d, "one"), dayConfig(d, "two")
	whole.Output, broken.Output = d.out+"1", d.out+"2"
	one, two := newSaid(), newSaid()
	counted := cli.Live.Units.Load()
	whole.Log, whole.Counters = one.log, &cli.Counters{}
	broken.Log, broken.Counters = two.log, &cli.Counters{}
	ctx, cancel := context.WithCancel(t.Context())
	broken.Progress = func(c *cli.Counters, _ int64) func() {
		done := make(chan struct{})
		go func() {
			for ctx.Err() == nil && c.Units.Load() < 3 {
				time.Sleep(time.Millisecond)
			}
			cancel()
			close(done)
		}()
		return func() { cancel(); <-done }
	}
	cancelled := make(chan error, 1)
	go func() {
		p, err := plan.Make(ctx, broken)
		if err == nil {
			_, err = Run(ctx, p)
		}
		cancelled <- err
	}()
	m := makeRun(t, whole)
	if err := <-cancelled; !errors.Is(err, context.Canceled) {
		t.Fatalf("the other job ended with %v, want %v", err, context.Canceled)
	}
	if m.Totals.Documents != 26 || whole.Counters.Units.Load() != 26 || whole.Counters.Captures.Load() != 26 {
		t.Errorf("%d documents; %d units, %d captures were counted; want 26 of each", m.Totals.Documents,
			whole.Counters.Units.Load(), whole.Counters.Captures.Load())
	}
	if n := broken.Counters.Units.Load(); n < 3 || n >= 26 {
		t.Errorf("%d units of the cancelled job were done; want some and not all", n)
	}
	if n := cli.Live.Units.Load() - counted; n != 0 {
		t.Errorf("%d units were counted for the process", n)
	}

	broken.Progress = nil
	again := newSaid()
	broken.Log = again.log
	if m := makeRun(t, broken); m.Totals.Documents != 26 {
		t.Errorf("%d documents of the job that was cancelled and run again, want 26", m.Totals.Documents)
	}
	if !strings.Contains(again.text.String(), "of 26 units are done already") ||
		strings.Contains(one.text.String(), "done already") {
		t.Errorf("the logs say %q and %q", again.text, one.text)
	}
	clean := dayConfig(d, "two")
	makeRun(t, clean)
	sameFiles(t, contents(t, broken.Output), contents(t, clean.Output))
}

package batch

import (
	"log/slog"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// Workers elsewhere have their own counters, which no runner reports before the job's end. The output shows progress
// on every runner: finished units have rows there.
const (
	// Each look lists the hidden folder: in a bucket, a request for each thousand units.
	watchEvery = 10 * time.Second
	// Units take seconds to minutes. Without rows for this long, workers wait or keep restarting.
	watchQuiet = 10 * time.Minute
)

// Watch adds units that finish elsewhere, and their bytes, to live until stop is called. The map bytes has the sizes
// of the units to do; done returns the keys of finished units.
func Watch(live *cli.Counters, bytes map[string]int64, done func() ([]string, error)) (stop func()) {
	return watch(live, bytes, done, time.Tick(watchEvery))
}

func watch(live *cli.Counters, bytes map[string]int64, done func() ([]string, error),
	ticks <-chan time.Time,
) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	w := watcher{live: live, bytes: bytes, seen: map[string]bool{}}
	go func() {
		defer close(ended)
		for {
			select {
			case <-end:
				return
			case now := <-ticks:
				w.look(now, done)
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

type watcher struct {
	live  *cli.Counters
	bytes map[string]int64
	seen  map[string]bool
	last  time.Time // time of the last new row or warning
}

// look counts new rows. It ignores errors, since the next look may succeed.
func (w *watcher) look(now time.Time, done func() ([]string, error)) {
	keys, err := done()
	if err != nil {
		slog.Debug("progress is not known", "error", err)
		return
	}
	for _, key := range keys {
		// Other keys are of earlier units or of another plan.
		n, ours := w.bytes[key]
		if !ours || w.seen[key] {
			continue
		}
		w.seen[key], w.last = true, now
		w.live.Bytes.Add(n)
		w.live.Units.Add(1)
	}
	switch {
	case w.last.IsZero():
		w.last = now
	case now.Sub(w.last) >= watchQuiet && len(w.seen) < len(w.bytes):
		slog.Warn("no unit was finished for a while: look at the runner whether workers wait or are started again",
			"units", len(w.bytes), "done", len(w.seen), "minutes", int(watchQuiet.Minutes()))
		w.last = now
	}
}

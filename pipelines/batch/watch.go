package batch

import (
	"log/slog"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// Workers elsewhere count for themselves, and no runner tells the submitter what they count before the job has ended.
// What tells it on every runner is the output: a unit that is done has a row there.
const (
	// A look is a listing of the hidden folder: in a bucket, a request for each thousand of units.
	watchEvery = 10 * time.Second
	// A unit takes seconds to minutes. When no row comes for so long, workers wait, or are started again and again.
	watchQuiet = 10 * time.Minute
)

// Watch counts units of a job in live as they are done elsewhere, and what they have read, until it is stopped. bytes
// are those of the units that are to be done, by their keys; done are the keys of units that have been.
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
	last  time.Time // when a row was seen that had not been there, or silence was told of
}

// look counts what is new. An error is of no consequence: the next look may have none.
func (w *watcher) look(now time.Time, done func() ([]string, error)) {
	keys, err := done()
	if err != nil {
		slog.Debug("progress is not known", "error", err)
		return
	}
	for _, key := range keys {
		// Others are of units that were done before, or that another plan had.
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

package unit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// TestQueue_boundsRejects: while a capture is slow, rejects wait like captures: in order, and within limits of number
// and bytes.
func TestQueue_boundsRejects(t *testing.T) {
	const slots = 2
	for _, tt := range []struct {
		name    string
		message string
		most    int // items
	}{
		{"many", "a line that cannot be read", slots * windowPerWorker},
		{"large", strings.Repeat("x", 4<<20), windowBytes / slots / (4 << 20)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			release := make(chan struct{})
			written := int64(-1)
			q := &queue{
				slots: make(chan struct{}, slots),
				live:  &cli.Counters{},
				work:  func(*item) error { <-release; return nil },
				write: func(it *item) error {
					if at := place(it); at != written+1 {
						t.Errorf("item %d is written behind item %d", at, written)
					}
					written++
					return nil
				},
			}
			if err := q.take(archive.Item{Capture: &schemas.Capture{}}); err != nil {
				t.Fatal(err)
			}
			const rejects = 10_000
			most := 0
			for n := range int64(rejects) {
				if len(q.fifo) == tt.most && written < 0 { // the next one must wait for the capture
					time.AfterFunc(time.Millisecond, func() { close(release) })
				}
				if err := q.take(archive.Item{Reject: &schemas.Reject{Offset: n + 1, Message: tt.message}}); err != nil {
					t.Fatal(err)
				}
				most = max(most, len(q.fifo))
			}
			if err := q.drain(); err != nil || written != rejects || most > tt.most+1 {
				t.Errorf("%d items were written and up to %d waited, error %v; want %d and %d", written, most, err, rejects,
					tt.most)
			}
		})
	}
}

// place returns the position of an item in the test's input.
func place(it *item) int64 {
	if it.reject != nil {
		return it.reject.Offset
	}
	return it.cap.Origin.Offset
}

// TestQueue_apart: with a unit for each worker, the reader works on a capture before it reads the next one.
func TestQueue_apart(t *testing.T) {
	p := newPool(2)
	worked, written := 0, 0 // not locked, so that the race detector finds another goroutine
	q := &queue{
		slots: p.captures, apart: p.full, live: &cli.Counters{},
		work:  func(*item) error { worked++; return nil },
		write: func(*item) error { written++; return nil },
	}
	take := func() {
		if err := q.take(archive.Item{Capture: &schemas.Capture{}}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := p.begin(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for n := 1; n <= 3; n++ {
		if take(); worked != n || written != n {
			t.Errorf("after %d captures, %d are enriched and %d written", n, worked, written)
		}
	}
	// The other unit ends, and leaves a worker without one.
	p.end()
	release := make(chan struct{})
	q.work = func(*item) error { <-release; return nil }
	take()
	close(release)
	if err := q.drain(); err != nil {
		t.Fatal(err)
	}
}

// TestQueue_borrowed: the payload of a capture is its own until work is done, and also in finish if work keeps it. A
// payload that work drops is not copied for a group.
func TestQueue_borrowed(t *testing.T) {
	for _, tt := range []struct {
		name  string
		batch int
		later bool // work leaves something to finish
		drops bool
	}{
		{"alone", 0, false, false},
		{"alone, finished", 1, true, false},
		{"in groups", 7, true, false},
		{"in groups, dropped", 7, true, true},
		{"in groups, nothing to finish", 7, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			memory := make([]byte, 4) // of the reader
			apart := true
			var lock sync.Mutex
			var worked, finished, written int
			check := func(it *item, n *int) {
				lock.Lock()
				defer lock.Unlock()
				*n++
				if want := fmt.Sprintf("%04d", place(it)); string(it.cap.Body) != want {
					t.Errorf("the payload of capture %s is %q", want, it.cap.Body)
				}
			}
			q := &queue{
				slots: make(chan struct{}, 2), borrowed: true, live: &cli.Counters{}, batch: tt.batch, most: 1 << 20,
				apart: func() bool { return apart },
				work: func(it *item) error {
					check(it, &worked)
					if tt.later {
						it.rest = &enrich.Rest{}
					}
					if tt.drops {
						it.cap.Body = nil
					}
					return nil
				},
				finish: func(list []*item) {
					for _, it := range list {
						if it.rest != nil && !tt.drops {
							check(it, &finished)
						} else if it.cap.Body != nil {
							t.Error("a payload is kept")
						}
					}
				},
				write: func(*item) error { written++; return nil },
			}
			const captures = 300
			for n := range captures {
				apart = rand.IntN(3) > 0
				copy(memory, fmt.Sprintf("%04d", n))
				c := &schemas.Capture{Body: memory, Origin: schemas.Origin{Offset: int64(n)}}
				if err := q.take(archive.Item{Capture: c}); err != nil {
					t.Fatal(err)
				}
			}
			if err := q.drain(); err != nil || worked != captures || written != captures {
				t.Errorf("%d captures are worked on, %d written, error %v", worked, written, err)
			}
			if want := tt.later && !tt.drops; want != (finished == captures) {
				t.Errorf("%d captures are finished", finished)
			}
		})
	}
}

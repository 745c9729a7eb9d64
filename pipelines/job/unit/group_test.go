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

var large = make([]byte, 3<<20)

// groupsOf returns the groups in which a queue finishes the captures of a unit, by their offsets. In unit, r is a
// reject, l is a capture of 3 MB, and other letters are small captures. It checks that all are written in order.
func groupsOf(t *testing.T, unit string, slots, batch int) string {
	t.Helper()
	var lock sync.Mutex
	groups := map[int64]string{}
	written := int64(0)
	q := &queue{
		slots: make(chan struct{}, slots), live: &cli.Counters{}, batch: batch, most: 4 << 20,
		apart: func() bool { return rand.IntN(2) == 0 }, // other units begin and end at any time
		work: func(it *item) error {
			time.Sleep(time.Duration(rand.IntN(200)) * time.Microsecond)
			it.rest = &enrich.Rest{}
			return nil
		},
		finish: func(list []*item) {
			lock.Lock()
			defer lock.Unlock()
			for _, it := range list {
				groups[place(list[0])] += fmt.Sprint(place(it), " ")
			}
		},
		write: func(it *item) error {
			if place(it) != written {
				t.Errorf("item %d is written after %d items", place(it), written)
			}
			written++
			return nil
		},
	}
	for i, kind := range unit {
		read := archive.Item{Capture: &schemas.Capture{Origin: schemas.Origin{Offset: int64(i)}}}
		switch kind {
		case 'l':
			read.Capture.Body = large
		case 'r':
			read = archive.Item{Reject: &schemas.Reject{Offset: int64(i)}}
		}
		if err := q.take(read); err != nil {
			t.Fatal(err)
		}
		if len(q.fifo) > max(2*batch, windowPerWorker*slots)+1 {
			t.Fatalf("%d items wait", len(q.fifo))
		}
	}
	if err := q.drain(); err != nil || written != int64(len(unit)) {
		t.Errorf("%d of %d items are written, error %v", written, len(unit), err)
	}
	return fmt.Sprint(groups)
}

// TestQueue_groups: which captures are finished together depends on the unit and on the size of groups alone. Rejects
// and large captures close a group early.
func TestQueue_groups(t *testing.T) {
	for _, tt := range []struct {
		unit  string
		batch int
		want  string
	}{
		{"", 4, "map[]"},
		{"c", 4, "map[0:0 ]"},
		{"ccccc", 2, "map[0:0 1  2:2 3  4:4 ]"},
		{"ccccc", 1, "map[0:0  1:1  2:2  3:3  4:4 ]"},
		{"crrrccrc", 4, "map[0:0  4:4 5 7 ]"},
		{"rrrcrc", 4, "map[3:3 5 ]"},
		{"llcccc", 4, "map[0:0  1:1 2 3 4  5:5 ]"},
		{"lclc", 4, "map[0:0 1  2:2 3 ]"},
	} {
		for _, slots := range []int{1, 2, 4} {
			if got := groupsOf(t, tt.unit, slots, tt.batch); got != tt.want {
				t.Errorf("%q, groups of %d, %d workers: %s, want %s", tt.unit, tt.batch, slots, got, tt.want)
			}
		}
	}
	long := strings.Repeat("ccrclcc", 50)
	for _, batch := range []int{2, 64, 1000} {
		first := groupsOf(t, long, 1, batch)
		for _, slots := range []int{2, 4} {
			if groupsOf(t, long, slots, batch) != first {
				t.Errorf("groups of %d: %d workers make others", batch, slots)
			}
		}
	}
}

// TestQueue_abandonsGroups: after an error nobody waits for a plug, and no item is left without an end.
func TestQueue_abandonsGroups(t *testing.T) {
	q := &queue{
		slots: make(chan struct{}, 2), live: &cli.Counters{}, batch: 8,
		work:   func(it *item) error { it.rest = &enrich.Rest{}; return nil },
		finish: func([]*item) { t.Error("an abandoned group is finished") },
		write:  func(*item) error { return nil },
	}
	for range 5 {
		if err := q.take(archive.Item{Capture: &schemas.Capture{}}); err != nil {
			t.Fatal(err)
		}
	}
	q.abandon()
	if q.live.Queued.Load() != 0 {
		t.Error(q.live.Queued.Load(), "items are under way")
	}
}

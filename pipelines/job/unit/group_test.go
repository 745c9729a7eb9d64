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
// reject, l is a capture of 3 MiB, and h is an HTML page of 3 MiB. Other letters are small captures. It checks that all
// are written in order.
func groupsOf(t *testing.T, unit string, slots, batch int) string {
	t.Helper()
	var lock sync.Mutex
	groups := map[int64]string{}
	written := int64(0)
	q := &queue{
		slots: make(chan struct{}, slots), live: &cli.Counters{}, batch: batch, most: groupBytes, weigh: textWeight,
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
		case 'h':
			read.Capture.Body, read.Capture.MIMEDeclared = large, "text/html"
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
		{"hhhhhh", 8, "map[0:0 1 2 3 4  5:5 ]"},
		{"hlhh", 8, "map[0:0 1  2:2 3 ]"},
		{"chrhhhl", 8, "map[0:0 1 3 4 5  6:6 ]"},
	} {
		for _, slots := range []int{1, 2, 4} {
			if got := groupsOf(t, tt.unit, slots, tt.batch); got != tt.want {
				t.Errorf("%q, groups of %d, %d workers: %s, want %s", tt.unit, tt.batch, slots, got, tt.want)
			}
		}
	}
	long := strings.Repeat("ccrclcchh", 40)
	for _, batch := range []int{2, 64, 1000} {
		first := groupsOf(t, long, 1, batch)
		for _, slots := range []int{2, 4} {
			if groupsOf(t, long, slots, batch) != first {
				t.Errorf("groups of %d: %d workers make others", batch, slots)
			}
		}
	}
}

// TestEngine_weigher: a payload weighs four times if as many bytes may wait with a group. These are texts that are not
// of HTML, and what formats and sinks add.
func TestEngine_weigher(t *testing.T) {
	for _, tt := range []struct {
		formats  string
		sinks    bool
		declared string
		want     int64
	}{
		{"jsonl", false, "text/html", 1},
		{"jsonl", false, "Text/HTML ; charset=utf-8", 1},
		{"jsonl", false, "application/xhtml+xml", 1},
		{"jsonl", false, "text/plain", heavy},
		{"jsonl", false, "application/json", heavy},
		{"jsonl", false, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", heavy},
		{"jsonl", false, "application/pdf", heavy},
		{"jsonl", false, "text/htmlx", heavy},
		{"jsonl", false, "", heavy},
		{"parquet,cdxj", false, "text/html", 1},
		{"jsonl,links", false, "text/html", heavy},
		{"jsonl,data", false, "text/html", heavy},
		{"content", false, "text/html", heavy},
		{"jsonl", true, "text/html", heavy},
	} {
		e, _ := engineFor(t, func() error { return nil })
		if e.o.Formats = strings.Split(tt.formats, ","); !tt.sinks {
			e.sinks = nil
		}
		q := e.documentsQueue(nil)
		it := &item{cap: &schemas.Capture{MIMEDeclared: tt.declared}, bytes: 1000}
		if got := q.weight(it); got != 1000*tt.want {
			t.Errorf("%+v: 1000 bytes weigh %d", tt, got)
		}
		if got := q.weight(&item{reject: &schemas.Reject{}, bytes: 1000}); got != 1000 {
			t.Errorf("%+v: a reject of 1000 bytes weighs %d", tt, got)
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

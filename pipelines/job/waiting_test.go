package job

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/storage/folder/foldertest"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
)

// interrupted returns a collection of day1 to which an interrupted run has added some units of day2.
func interrupted(t *testing.T) (d days, before []string) {
	t.Helper()
	d = newDays(t)
	d.put("day1/a", "day1/b", "day2/e", "day2/f", "day2/g", "day3/h")
	makeRun(t, dayConfig(d, "day1"))
	before = documents(t, d.out)
	add := dayConfig(d, "day2")
	add.Keep.Add, add.Workers = true, 1
	for at := int64(20); ; at += 3 {
		if _, err := disturbed(t.Context(), add, &foldertest.Fault{At: at, Rest: true}); err == nil {
			t.Fatal("the run has ended, and has not been interrupted in between")
		}
		rows, err := ledger.Rows(local(d.out))
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) > 2 {
			return d, before
		}
	}
}

// TestInterruptedAdd: units of an interrupted run wait for any later run. The collection is unchanged, and no command
// needs --prune to continue, though the new archives are gone.
func TestInterruptedAdd(t *testing.T) {
	added := func(c *plan.Request) { c.Keep.Add = true }
	for _, tt := range []struct {
		name   string
		gone   []string
		change func(c *plan.Request)
		inputs []string
		want   string // hosts of the collection's documents
		refuse string // expected in the error
	}{
		{"the same again", nil, added, []string{"day2"}, "day1-a day1-b day2-e day2-f day2-g", ""},
		{"the first command", nil, func(*plan.Request) {}, []string{"day1"}, "day1-a day1-b", ""},
		{"the first command, all gone", []string{"day2"}, func(*plan.Request) {}, []string{"day1"}, "day1-a day1-b", ""},
		{"another, all gone", []string{"day2"}, added, []string{"day3"}, "day1-a day1-b day3-h", ""},
		{"another", nil, added, []string{"day3"}, "day1-a day1-b", "Finish it first"},
		{
			"prune, all gone",
			[]string{"day2"},
			func(c *plan.Request) { c.Keep.Prune = true },
			[]string{"day1"},
			"day1-a day1-b",
			"",
		},
		{"the rest is gone", []string{"day2/f.warc", "day2/g.warc"}, added, []string{"day2"}, "day1-a day1-b day2-e", ""},
		{
			"more fields",
			[]string{"day2"},
			func(c *plan.Request) { c.Extract = []string{"mime", "charset"} },
			[]string{"day1"},
			"day1-a day1-b", "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, before := interrupted(t)
			if now := documents(t, d.out); !slices.Equal(now, before) {
				t.Errorf("after the interrupt readers find %q, want %q", now, before)
			}
			d.remove(tt.gone...)
			c := dayConfig(d, tt.inputs...)
			tt.change(&c)
			p, err := plan.Make(t.Context(), c)
			if err == nil {
				_, err = Run(t.Context(), p)
			}
			if (err == nil) != (tt.refuse == "") || err != nil && !strings.Contains(err.Error(), tt.refuse) {
				t.Errorf("the next run: %v, want %q", err, tt.refuse)
			}
			if got := strings.Join(hosts(t, d.out), " "); got != tt.want {
				t.Errorf("the collection has %q, want %q", got, tt.want)
			}
			problems, err := care.Verify(t.Context(), local(d.out))
			if err != nil || len(problems) > 0 {
				t.Errorf("check: %v, %v", problems, err)
			}
		})
	}
}

// hosts returns the hosts of the collection's documents without their last labels.
func hosts(t *testing.T, dir string) (list []string) {
	t.Helper()
	for _, d := range documents(t, dir) {
		host, _, _ := strings.Cut(strings.TrimPrefix(d, "http://"), ".")
		list = append(list, host)
	}
	return list
}

// TestInterruptedAdd_care: maintenance tasks leave an interrupted run as it is. Pages that are taken down meanwhile
// do not come back when it continues.
func TestInterruptedAdd_care(t *testing.T) {
	d, before := interrupted(t)
	c, err := collection.Open(local(d.out), collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := care.Compact(t.Context(), c, care.CompactOptions{}); err != nil {
		t.Error(err)
	}
	if now := documents(t, d.out); !slices.Equal(now, before) {
		t.Errorf("compacted, readers find %q, want %q", now, before)
	}
	e, err := takedown.Parse("day2-e.example")
	if err == nil {
		_, err = care.TakeDown(t.Context(), c, []takedown.Entry{e}, nil)
	}
	if err != nil {
		t.Error(err)
	}
	closeFile(t, c)
	if unfinished, err := ledger.Unfinished(local(d.out)); err != nil || !unfinished {
		t.Errorf("unfinished is %v, %v: nobody knows of the interrupted run any more", unfinished, err)
	}
	add := dayConfig(d, "day2")
	add.Keep.Add = true
	makeRun(t, add)
	if got := strings.Join(hosts(t, d.out), " "); got != "day1-a day1-b day2-f day2-g" {
		t.Errorf("the collection has %q, want all but what was taken down", got)
	}
	if unfinished, err := ledger.Unfinished(local(d.out)); err != nil || unfinished {
		t.Errorf("unfinished is %v, %v after the run has ended", unfinished, err)
	}
}

// TestInterruptedAdd_readersMeanwhile: during a run, the whole collection is readable.
func TestInterruptedAdd_readersMeanwhile(t *testing.T) {
	d := newDays(t)
	d.put("day1/a")
	makeRun(t, dayConfig(d, "day1"))
	before := documents(t, d.out)
	for i := range 20 {
		shelftest.Put(t, d.root+"/day2/"+string(rune('a'+i))+".warc", "more", "another page")
	}
	done, looks := make(chan struct{}), 0
	add := dayConfig(d, "day2")
	add.Keep.Add = true
	go func() {
		defer close(done)
		if p, err := plan.Make(t.Context(), add); err != nil {
			t.Error(err)
		} else if _, err := Run(t.Context(), p); err != nil {
			t.Error(err)
		}
	}()
	for {
		if now := documents(t, d.out); len(now) != len(before) && len(now) != 21 {
			t.Fatalf("readers find %d documents", len(now))
		}
		looks++
		select {
		case <-done:
			if looks < 10 {
				t.Errorf("looked only %d times", looks)
			}
			return
		default:
		}
	}
}

// TestMakePlan_runAtWork: while a run is at work, no command is refused because of what the folder holds meanwhile. A
// usage error would tell schedulers not to try again.
func TestMakePlan_runAtWork(t *testing.T) {
	for name, change := range map[string]func(c *plan.Request){
		"others to add":    func(*plan.Request) {},
		"fewer extractors": func(c *plan.Request) { c.Extract = nil },
		"other texts":      func(c *plan.Request) { c.Extract = []string{"mime", "text"} },
	} {
		t.Run(name, func(t *testing.T) {
			d, _ := interrupted(t)
			c := dayConfig(d, "day3")
			c.Keep.Add = true
			change(&c)
			_, free := plan.Make(t.Context(), c)
			other, err := collection.Open(local(d.out), collection.OpenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			_, busy := plan.Make(t.Context(), c)
			if free != nil && !errors.Is(busy, claim.ErrBusy) {
				t.Errorf("while a run is at work: %v, want ErrBusy", busy)
			}
			closeFile(t, other)
			if _, again := plan.Make(t.Context(), c); fmt.Sprint(again) != fmt.Sprint(free) {
				t.Errorf("after the run: %v, want as before %v", again, free)
			}
		})
	}
}

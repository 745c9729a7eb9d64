// Package sinktest tests the contract of [sink.Sink], against a fake server or the real one. Every sink has to pass it.
//
//	func TestSink_contract(t *testing.T) {
//		sinktest.Test(t, sinktest.Kit{Start: start, Open: open, Refused: tooLong})
//	}
package sinktest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/schemas"
)

// Kit connects the tests with a sink and its server.
type Kit struct {
	// Start starts an empty server, which ends with the test.
	Start func(t *testing.T) Server
	// Open connects to the server at an address, with retries that end within a second or so. There may be several
	// connections. It is also called in other processes.
	Open func(ctx context.Context, address string) (sink.Sink, error)
	// Refused changes a page so that the sink refuses it.
	Refused func(p *sink.Page)
	// Adds is true if the server keeps the messages of an unfinished unit, and both of repeated ones. Content then
	// returns one entry for each id.
	Adds bool
}

// Server is a running server.
type Server struct {
	Address string
	// Content returns the stored pages: URL and title, separated by a blank, in any order.
	Content func(t *testing.T) []string
	// Fail makes the server fail from the n-th request on, counted from now, for requests of any kind. With 0 it works
	// again.
	Fail func(n int)
}

// pages is the number of pages in a unit of the tests.
const pages = 50

// killed is the variable that makes the test's own program the process to be killed.
const killed = "SINKTEST_KILLED"

// IsChild reports whether this process is the one that Test kills. It needs no server of its own.
func IsChild() bool { return os.Getenv(killed) != "" }

// Test checks that the sink keeps the contract.
func Test(t *testing.T, k Kit) {
	t.Helper()
	if address := os.Getenv(killed); address != "" {
		k.hang(t, address)
		return
	}
	t.Run("content", k.testContent)
	t.Run("repeated", k.testRepeated)
	t.Run("side by side", k.testSideBySide)
	t.Run("refused", k.testRefused)
	t.Run("failing", k.testFailing)
	t.Run("aborted", k.testAborted)
	t.Run("cancelled", k.testCancelled)
	t.Run("killed", k.testKilled)
}

// page returns the n-th page of a unit, with a title.
func page(unit, n int, title string) *sink.Page {
	url := fmt.Sprintf("http://example.com/%d/%03d", unit, n)
	body := "<title>" + title + "</title>"
	at := schemas.Origin{File: fmt.Sprintf("unit-%d.warc", unit), Offset: int64(n) * 100, Length: 100}
	return &sink.Page{
		Capture: &schemas.Capture{
			URL: url, RecordType: schemas.TypeResponse, Timestamp: time.Unix(1.7e9, 0).UTC(), MIMEDeclared: "text/html",
			Status: 200, Body: []byte(body), Origin: at,
		},
		Document: &schemas.Document{
			URL: url, Title: title, Text: "The text of " + title, Timestamp: "2023-11-14T22:13:20Z", Status: 200,
			RecordType: schemas.TypeResponse, Filename: at.File, Offset: at.Offset, Length: at.Length,
			CustomIntegers: map[string][]int64{"stars": {int64(n), 1<<63 - 1}},
			CustomFloats:   map[string][]schemas.Float{"score": {.1, 2}},
			CustomBooleans: map[string][]bool{"sold": {true, false}},
			CustomTimes:    map[string][]string{"seen": {"2026-03-04T10:30:00.123456Z"}},
		},
		HTML: func() []byte { return []byte(body) },
	}
}

// content returns the content of a server with a unit.
func content(unit int, title string) (all []string) {
	for n := range pages {
		all = append(all, page(unit, n, title).Document.URL+" "+title)
	}
	return all
}

// check compares the server's content.
func check(t *testing.T, s Server, want ...[]string) {
	t.Helper()
	got := s.Content(t)
	slices.Sort(got)
	if diff := cmp.Diff(slices.Concat(want...), got); diff != "" {
		t.Errorf("the server has (-want +got):\n%.2000s", diff)
	}
}

// run is one attempt at a unit.
type run struct {
	d      *sink.Delivery
	set    sink.Set
	counts schemas.Counts
	told   []schemas.Reject
}

func (k Kit) open(t *testing.T, address string) sink.Set {
	t.Helper()
	s, err := k.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return sink.Set{{Name: "test", Sink: s}}
}

// begin begins a unit.
func begin(ctx context.Context, set sink.Set) (*run, error) {
	r := &run{set: set}
	var err error
	r.d, err = set.Begin(ctx, &r.counts, func(x schemas.Reject) error { r.told = append(r.told, x); return nil })
	return r, err
}

// write writes the pages of a unit.
func (r *run) write(unit int, title string) error {
	for n := range pages {
		if err := r.page(page(unit, n, title)); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) page(p *sink.Page) error {
	m, err := r.set.Encode(p)
	if err != nil {
		return err
	}
	return r.d.Write(m)
}

// do processes a unit.
func do(ctx context.Context, set sink.Set, unit int, title string) error {
	r, err := begin(ctx, set)
	if err != nil {
		return err
	}
	defer r.d.Abort()
	if err := r.write(unit, title); err != nil {
		return err
	}
	return r.d.Commit()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (k Kit) testContent(t *testing.T) {
	s := k.Start(t)
	set := k.open(t, s.Address)
	must(t, do(t.Context(), set, 1, "first"))
	must(t, do(t.Context(), set, 2, "second"))
	check(t, s, content(1, "first"), content(2, "second"))
}

// testRepeated tests that a repeated unit replaces its first messages, also over another connection.
func (k Kit) testRepeated(t *testing.T) {
	s := k.Start(t)
	for _, title := range []string{"first", "second", "second"} {
		must(t, do(t.Context(), k.open(t, s.Address), 1, title))
	}
	check(t, s, content(1, "second"))
}

// testSideBySide processes the same units in several goroutines, as runners do that repeat slow work.
func (k Kit) testSideBySide(t *testing.T) {
	s := k.Start(t)
	set, again := k.open(t, s.Address), k.open(t, s.Address)
	ends := make(chan error)
	const units = 4
	for unit := range units {
		go func() { ends <- do(t.Context(), set, unit, "same") }()
		go func() { ends <- do(t.Context(), again, unit, "same") }()
	}
	for range 2 * units {
		if err := <-ends; err != nil {
			t.Error(err)
		}
	}
	check(t, s, content(0, "same"), content(1, "same"), content(2, "same"), content(3, "same"))
}

// testRefused tests that refused messages are reported with their reason in the unit's order, and counted. The others
// are written.
func (k Kit) testRefused(t *testing.T) {
	s := k.Start(t)
	r, err := begin(t.Context(), k.open(t, s.Address))
	must(t, err)
	var urls []string
	for n := range pages {
		p := page(1, n, "good")
		if n%20 == 7 {
			k.Refused(p)
			urls = append(urls, p.Document.URL)
		}
		must(t, r.page(p))
	}
	must(t, r.d.Commit())
	var told []string
	for _, x := range r.told {
		told = append(told, x.URL)
		if x.Stage == "" || x.Message == "" || x.Kind != schemas.KindRefused && x.Kind != schemas.KindLimit {
			t.Errorf("told %+v; want stage, kind and message", x)
		}
	}
	if diff := cmp.Diff(urls, told); diff != "" {
		t.Errorf("refused (-want +got):\n%s", diff)
	}
	c := r.counts.Sinks["test"]
	if c.Offered != pages || c.Refused != int64(len(urls)) || c.First == nil || c.First.URL != urls[0] {
		t.Errorf("counted %+v", c)
	}
	check(t, s, slices.DeleteFunc(content(1, "good"), func(c string) bool {
		return slices.ContainsFunc(urls, func(u string) bool { return strings.HasPrefix(c, u+" ") })
	}))
}

// testFailing makes the server fail at its first request, its second and so on, until a unit sends fewer requests. Each
// time the unit is repeated with a working server, and must then be complete.
func (k Kit) testFailing(t *testing.T) {
	s := k.Start(t)
	failed := 0
	for n := 1; ; n++ {
		set := k.open(t, s.Address)
		title := fmt.Sprint("try", n)
		s.Fail(n)
		err := do(t.Context(), set, 1, title)
		s.Fail(0)
		if err == nil {
			check(t, s, content(1, title))
			break
		}
		failed++
		must(t, do(t.Context(), k.open(t, s.Address), 1, title)) // a connection that failed may rest for a while
		check(t, s, content(1, title))
	}
	if failed == 0 {
		t.Error("no request of a unit failed it")
	}
}

// testAborted tests that nothing of an aborted unit is stored, unless the sink only adds.
func (k Kit) testAborted(t *testing.T) {
	s := k.Start(t)
	set := k.open(t, s.Address)
	must(t, do(t.Context(), set, 1, "first"))
	r, err := begin(t.Context(), set)
	must(t, err)
	must(t, r.write(1, "aborted"))
	r.d.Abort()
	r.d.Abort()
	if !k.Adds {
		check(t, s, content(1, "first"))
	}
	must(t, do(t.Context(), set, 1, "second"))
	check(t, s, content(1, "second"))
}

// testCancelled tests that the methods of writers return with an error when the run ends.
func (k Kit) testCancelled(t *testing.T) {
	s := k.Start(t)
	set := k.open(t, s.Address)
	ctx, cancel := context.WithCancel(t.Context())
	r, err := begin(ctx, set)
	must(t, err)
	must(t, r.write(1, "cancelled"))
	s.Fail(1) // so that it would wait
	cancel()
	began := time.Now()
	if err = errors.Join(r.write(2, "cancelled"), r.d.Commit()); err == nil {
		t.Error("a unit that was cancelled is done")
	}
	r.d.Abort()
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v to end", took)
	}
	s.Fail(0)
	set = k.open(t, s.Address)
	must(t, do(t.Context(), set, 1, "second"))
	must(t, do(t.Context(), set, 2, "second"))
	check(t, s, content(1, "second"), content(2, "second"))
}

// testKilled kills a process that has written a unit without a commit, and repeats the unit.
func (k Kit) testKilled(t *testing.T) {
	s := k.Start(t)
	must(t, do(t.Context(), k.open(t, s.Address), 1, "first"))
	top, _, _ := strings.Cut(t.Name(), "/")
	child := exec.Command(os.Args[0], "-test.run=^"+top+"$")
	child.Env = append(os.Environ(), killed+"="+s.Address)
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() != "written" {
	}
	written := lines.Text() == "written"
	must(t, child.Process.Kill())
	_ = child.Wait() // it was killed
	if !written {
		t.Fatal("the process that was to be killed has ended by itself")
	}
	if !k.Adds {
		check(t, s, content(1, "first"))
	}
	must(t, do(t.Context(), k.open(t, s.Address), 1, "second"))
	check(t, s, content(1, "second"))
}

// hang writes a unit, reports it, and waits to be killed.
func (k Kit) hang(t *testing.T, address string) {
	r, err := begin(t.Context(), k.open(t, address))
	must(t, err)
	must(t, r.write(1, "killed"))
	fmt.Println("written")
	time.Sleep(time.Minute)
}

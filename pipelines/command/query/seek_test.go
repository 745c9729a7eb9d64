package query

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// oneMember is a collection of an archive with one long gzip member.
type oneMember struct {
	archive, dir string
	seek         string // the folder of points
	points       string // the file in it
	content      []byte // of points
	want         string // all records
}

func newOneMember(t *testing.T) *oneMember {
	t.Helper()
	shelf := t.TempDir()
	c := &oneMember{archive: filepath.Join(shelf, "one.warc.gz")}
	shelftest.OneMember(t, c.archive, 110)
	c.dir = collect(t, shelf)
	c.seek = filepath.Join(c.dir, ".gleaner", "seek")
	c.want, _ = c.ask(t, cli.ExitDone) // makes the points
	points, err := filepath.Glob(filepath.Join(c.seek, "*"))
	if err != nil || len(points) != 1 {
		t.Fatalf("files of points: %v, %v", points, err)
	}
	c.points = points[0]
	if c.content, err = os.ReadFile(c.points); err != nil {
		t.Fatal(err)
	}
	return c
}

// ask returns all records, and the log.
func (c *oneMember) ask(t *testing.T, want int) (answer, errs string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cut.warc.gz")
	code, _, errs := command(t, "--collection="+c.dir, "--order=surt", "--format=warc", "--output="+file)
	b, err := os.ReadFile(file)
	if code != want || err != nil {
		t.Fatalf("exit code %d, %v\n%s", code, err, errs)
	}
	return string(b), errs
}

// put writes the file of points, in a new folder.
func (c *oneMember) put(t *testing.T, content []byte) {
	t.Helper()
	c.clear(t)
	if err := os.Mkdir(c.seek, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, c.points, content)
}

func (c *oneMember) clear(t *testing.T) {
	t.Helper()
	if err := os.RemoveAll(c.seek); err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.WriteFile(file, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

const fromStart = "read from the start"

// TestQuery_recordsOfOneMember: records out of a long gzip member are the same by seek points, without them, and if
// these are damaged.
func TestQuery_recordsOfOneMember(t *testing.T) {
	c := newOneMember(t)
	if got, errs := c.ask(t, cli.ExitDone); got != c.want || strings.Contains(errs, fromStart) {
		t.Errorf("by points: %d bytes, want %d\n%s", len(got), len(c.want), errs)
	}
	for name, content := range map[string][]byte{
		"window": append(bytes.Clone(c.content[:len(c.content)-1]), c.content[len(c.content)-1]^1),
		"empty":  nil,
		"row":    append(append(bytes.Clone(c.content[:80]), 0xff), c.content[81:]...),
	} {
		c.put(t, content)
		got, errs := c.ask(t, cli.ExitDone)
		if got != c.want || strings.Contains(errs, fromStart) != (name == "window") {
			t.Errorf("damaged points, %s: %d bytes, want %d\n%s", name, len(got), len(c.want), errs)
		}
	}
	c.clear(t)
	put(t, c.seek, nil) // in the place of the folder
	if got, errs := c.ask(t, cli.ExitDone); got != c.want {
		t.Errorf("nowhere to write: %d bytes, want %d\n%s", len(got), len(c.want), errs)
	}
}

// TestQuery_recordsOfOneMemberTwice makes the points in two processes at once.
func TestQuery_recordsOfOneMemberTwice(t *testing.T) {
	c := newOneMember(t)
	c.clear(t)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if got, errs := c.ask(t, cli.ExitDone); got != c.want {
				t.Errorf("%d bytes, want %d\n%s", len(got), len(c.want), errs)
			}
		})
	}
	wg.Wait()
	if again, err := os.ReadFile(c.points); err != nil || !bytes.Equal(again, c.content) {
		t.Errorf("other points: %d bytes, want %d: %v", len(again), len(c.content), err)
	}
}

// TestQuery_recordsOfDamage: records that were damaged when their archives were read are cut out as they are now. It is
// a loss if one is damaged since.
func TestQuery_recordsOfDamage(t *testing.T) {
	shelf := t.TempDir()
	if err := os.CopyFS(shelf, os.DirFS("../../../testdata/damaged")); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile("../../../testdata/archives/site.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(shelf, "whole.warc.gz"), whole)
	c := &oneMember{dir: collect(t, shelf)}
	if _, errs := c.ask(t, cli.ExitDone); strings.Contains(errs, "damaged") {
		t.Errorf("as they were read:\n%s", errs)
	}
	broken := bytes.Clone(whole)
	for i := range 8 {
		copy(broken[(2*i+1)*len(broken)/16:], "damage")
	}
	put(t, filepath.Join(shelf, "whole.warc.gz"), broken)
	if _, errs := c.ask(t, cli.ExitLosses); !strings.Contains(errs, "records are damaged or truncated") {
		t.Errorf("damaged since:\n%s", errs)
	}
}

// TestQuery_recordsOfOneMemberChanged: a changed archive gives the same by its old points as without them.
func TestQuery_recordsOfOneMemberChanged(t *testing.T) {
	c := newOneMember(t)
	data, err := os.ReadFile(c.archive)
	if err != nil {
		t.Fatal(err)
	}
	copy(data[len(data)*3/4:], bytes.Repeat([]byte("damage"), 1000))
	put(t, c.archive, data)
	c.clear(t)
	put(t, c.seek, nil)
	without, _ := c.ask(t, cli.ExitLosses)
	c.put(t, c.content)
	if got, errs := c.ask(t, cli.ExitLosses); got != without || !strings.Contains(errs, fromStart) {
		t.Errorf("%d bytes, want %d\n%s", len(got), len(without), errs)
	}
}

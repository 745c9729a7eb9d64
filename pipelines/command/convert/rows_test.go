package convert

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/hbase"
	"github.com/gleaner-web/gleaner/io/rowstore/webtable"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// hbaseMaster returns the address of the cluster in $GLEANER_TEST_HBASE, or of a new one.
func hbaseMaster(t *testing.T) string {
	if m := os.Getenv("GLEANER_TEST_HBASE"); m != "" {
		return m
	}
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("starts a cluster, as the test of io/rowstore/hbase does: GLEANER_SLOW=1 has it run")
	}
	return servertest.StartHBase(t).Master
}

// readAll returns the captures of archives.
func readAll(t *testing.T, dir string) (list []*schemas.Capture) {
	t.Helper()
	store := blob.New(blob.Options{})
	defer func() { _ = store.Close() }() // the test is over by then
	in, err := work.Find(t.Context(), store, []string{dir}, nil, work.FindOptions{UnitSize: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range in.Units {
		for item, err := range work.NewReader(store, u, archive.Options{}).All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if item.Capture != nil {
				list = append(list, item.Capture)
			}
		}
	}
	return list
}

// described returns captures as sorted text. It omits their positions, and ids that the writer derives from these.
func described(list []*schemas.Capture) (all []string) {
	for _, c := range list {
		all = append(all, fmt.Sprintf("%s %v %s %d %q %s %s %v %q", c.URL, c.Timestamp, c.RecordType, c.Status, c.Header,
			c.Digest, c.Truncated, c.RefersTo, c.Body))
	}
	slices.Sort(all)
	return all
}

// TestConvert_table: archives that were written to a table of HBase, in both layouts, have the same captures as when
// they are converted directly.
func TestConvert_table(t *testing.T) {
	t.Parallel() // it mostly waits
	master := hbaseMaster(t)
	source, err := filepath.Abs("../../../testdata/archives")
	if err != nil {
		t.Fatal(err)
	}
	direct := t.TempDir()
	mustRun(t, "--to=warc", "--output="+direct, source)
	want := described(readAll(t, direct+"/warc"))
	for _, more := range []string{"", "?row_key=url"} {
		name := fmt.Sprintf("hbase://%s/convert%d", master, time.Now().UnixNano())
		fillTable(t, name, webtable.Layout{ByURL: more != "", Inline: true}, readAll(t, source))
		out := t.TempDir()
		mustRun(t, "--from=hbase", "--to=warc", "--output="+out, name+more)
		if diff := cmp.Diff(want, described(readAll(t, out+"/warc"))); diff != "" {
			t.Errorf("captures differ (-direct +table):\n%.3000s", diff)
		}
		before := contents(t, out)
		mustRun(t, "--from=hbase", "--to=warc", "--output="+out, name+more)
		mustRun(t, "--from=hbase", "--to=warc", "--output="+out, "--fresh", name+more)
		if diff := cmp.Diff(before, contents(t, out)); diff != "" {
			t.Errorf("another run writes other bytes:\n%.1000s", diff)
		}
	}
	code, text := runCommand(t, "--to=warc", "--output="+t.TempDir(), "hbase://"+master+"/nowhere")
	if code != 2 || !strings.Contains(text, "no such table") {
		t.Errorf("a table that is not there: %d: %s", code, text)
	}
	code, text = runCommand(t, "--from=hbase", "--to=warc", "--output="+t.TempDir(), "hbase://"+master+"/t", source)
	if code != 2 || !strings.Contains(text, "alone") {
		t.Errorf("a table and archives: %d: %s", code, text)
	}
}

// fillTable writes captures as rows into a table of three regions, and finds them.
func fillTable(t *testing.T, address string, l webtable.Layout, list []*schemas.Capture) {
	t.Helper()
	o, _, err := hbase.ParseURL(address)
	if err != nil {
		t.Fatal(err)
	}
	s, err := hbase.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // the test is over by then
	if err := s.Prepare(t.Context(), l.Families(), []string{"example,", "http://www.", "o"}); err != nil {
		t.Fatal(err)
	}
	var rows []rowstore.Row
	for _, c := range list {
		d := &schemas.Document{
			URL: c.URL, SURT: urlkey.SURT(c.URL), Timestamp: c.Timestamp.Format(time.RFC3339Nano), Filename: c.Origin.File,
			Offset: c.Origin.Offset, Sequence: c.Origin.Sequence, RecordType: c.RecordType, Status: c.Status,
		}
		row, err := l.Row(d, c)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	for range 2 { // writing twice changes nothing
		if err := s.Put(t.Context(), rows); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for _, err := range webtable.Find(t.Context(), s, l, query.Query{AllVersions: true}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != len(list) {
		t.Errorf("%d documents are found, want %d", n, len(list))
	}
}

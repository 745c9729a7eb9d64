package collection

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/hbase"
	"github.com/gleaner-web/gleaner/io/rowstore/memory"
	"github.com/gleaner-web/gleaner/io/rowstore/webtable"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// bytesIn returns the files below a folder that contain a text, as in an uncompressed table. It ignores write-ahead
// logs and archives, which servers remove after some minutes.
func bytesIn(t *testing.T, dir, text string) (list []string) {
	t.Helper()
	for _, name := range found(t, dir, text) {
		if strings.Contains(name, "/data/default/") && !strings.Contains(name, "/archive/") {
			list = append(list, name)
		}
	}
	return list
}

// TestTakedown_hbase: a takedown removes documents from the table that the manifest names: the rows, and the bytes in
// the files of the servers.
func TestTakedown_hbase(t *testing.T) {
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("starts a cluster of HBase: GLEANER_SLOW=1 has it run")
	}
	cluster := servertest.StartHBase(t)
	root := t.TempDir()
	out := filepath.Join(root, "out")
	url := "hbase://" + cluster.Master + "/pages"
	must(t, "ingest", "--output="+out, "--hbase="+url, "--hbase_content=inline", "--hbase_compression=none",
		month(t, root, 0))
	o, _, err := hbase.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	o.RetryTimeout = time.Minute
	s, err := hbase.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // the cluster ends with the test
	count := func() (rows, taken int) {
		t.Helper()
		for row, err := range s.Scan(t.Context(), rowstore.Range{}) {
			if err != nil {
				t.Fatal(err)
			}
			rows++
			if strings.Contains(row.Key, marker) || strings.Contains(row.Key, hostMarker) {
				taken++
			}
		}
		return rows, taken
	}
	if err := s.Purge(t.Context(), []rowstore.Span{{}}); err != nil { // flushes the rows to files
		t.Fatal(err)
	}
	if rows, taken := count(); rows != 7 || taken != 2 || len(bytesIn(t, cluster.Dir, hostMarker)) == 0 {
		t.Fatalf("%d rows, of which %d are taken down later; in %d files", rows, taken,
			len(bytesIn(t, cluster.Dir, hostMarker)))
	}
	for range 2 {
		text := must(t, "collection", "takedown", "--collection="+out, secretURL, secretHost)
		if !strings.Contains(text, "of hbase://") {
			t.Errorf("nothing is said of the table:\n%s", text)
		}
		if rows, taken := count(); rows != 5 || taken != 0 {
			t.Errorf("%d rows are left, %d of what was taken down; want 5 and 0", rows, taken)
		}
		for _, text := range []string{marker, hostMarker} {
			// Servers regularly move compacted files away, here every second.
			list := bytesIn(t, cluster.Dir, text)
			for range 100 {
				if len(list) > 0 {
					time.Sleep(200 * time.Millisecond)
					list = bytesIn(t, cluster.Dir, text)
				}
			}
			if len(list) > 0 {
				t.Errorf("%s is in %d files, %s among them", text, len(list), list[0])
			}
		}
	}
}

// TestTables: the manifest has the tables of a collection's documents. An unreachable table gives a message.
func TestTables(t *testing.T) {
	noted := func(table string) map[string]any {
		return map[string]any{"hbase": map[string]any{"masters": []any{"a:1", "b:2"}, "table": table, "row_key": "url"}}
	}
	m := schemas.Manifest{Options: noted("one"), Units: []schemas.UnitResult{
		{MadeWith: noted("two")}, {MadeWith: noted("one")}, {MadeWith: map[string]any{"hbase": "nonsense", "kafka": "x"}},
	}}
	list, err := tables(m, nil)
	if err != nil || len(list) != 2 || list[0].name() != "hbase://a:1,b:2/one" || !list[1].layout.ByURL {
		t.Errorf("tables: %v, %v", list, err)
	}
	if names := elsewhere(m); len(names) != 1 || names[0] != schemas.SinkKafka {
		t.Errorf("elsewhere: %v", names)
	}
	root := t.TempDir()
	out := filepath.Join(root, "out")
	must(t, "ingest", "--output="+out, month(t, root, 0))
	if code, text := command(t, "collection", "takedown", "--collection="+out, "--hbase=hbase://nowhere",
		secretURL); code != cli.ExitUsage {
		t.Errorf("no address of a table: exit code %d\n%s", code, text)
	}
}

// TestRemove: in both layouts, it removes a page by its URL, or a host with its subdomains, and no other row.
func TestRemove(t *testing.T) {
	urls := []string{
		"http://example.org/a", "https://example.org/a", "http://example.org/ab", "http://www.example.org/b",
		"http://sub.example.org/",
		"http://example.orgx/a", "http://examples.org/a", "http://example.org:8080/c", "http://other.example/",
		"dns:www.example.org", "urn:pageinfo:http://example.org/a", "dns:other.example",
	}
	for _, l := range []webtable.Layout{{}, {ByURL: true}} {
		for what, left := range map[string]int{
			"http://example.org/a": 9, "example.org": 4, "sub.example.org": 11, "nowhere.example": 12,
		} {
			s := memory.New()
			for i, u := range urls {
				d := &schemas.Document{URL: u, SURT: webtable.Layout{}.Key(u), Filename: "a.warc", Offset: int64(i)}
				row, err := l.Row(d, nil)
				if err == nil {
					err = s.Put(t.Context(), []rowstore.Row{row})
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			host := !strings.Contains(what, "/")
			if _, err := webtable.Remove(t.Context(), s, l.SpansOf(what, host), goneOf(t, what)); err != nil {
				t.Fatal(err)
			}
			n := 0
			for row, err := range s.Scan(t.Context(), rowstore.Range{Versions: -1}) {
				docs, errRow := webtable.Documents(row)
				if err != nil || errRow != nil {
					t.Fatal(err, errRow)
				}
				n += len(docs)
			}
			if n != left {
				t.Errorf("%+v: %d documents are left without %s, want %d", l, n, what, left)
			}
		}
	}
}

// TestToPurge: in both layouts, a repeated takedown rewrites the regions that the previous one did not reach.
func TestToPurge(t *testing.T) {
	for _, l := range []webtable.Layout{{}, {ByURL: true}} {
		key := l.Key("http://example.org/a")
		if !slices.ContainsFunc(toPurge(l.SpansOf("http://example.org/a", false)), func(s rowstore.Span) bool {
			return s.From <= key && (s.To == "" || key < s.To)
		}) {
			t.Errorf("%+v: nothing is written anew where no row is found", l)
		}
	}
}

// goneOf returns a function that reports whether a list with one takedown covers a URL.
func goneOf(t *testing.T, what string) func(string) bool {
	t.Helper()
	e, err := takedown.Parse(what)
	if err != nil {
		t.Fatal(err)
	}
	f := folder.Open(t.Context(), t.TempDir(), nil)
	data, err := json.Marshal(takedown.List{Entries: []takedown.Entry{e}})
	if err == nil {
		err = errors.Join(f.Make(".gleaner"), f.Write(".gleaner/takedowns.json", data))
	}
	if err != nil {
		t.Fatal(err)
	}
	list, err := takedown.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return list.Has
}

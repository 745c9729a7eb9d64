package collection

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/lake"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/parquetscan"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestTakedown_outlines: a takedown removes outlines of shards, which contain the least and greatest URLs. Later
// outlines have nothing of the page.
func TestTakedown_outlines(t *testing.T) {
	root := t.TempDir()
	out := filepath.Join(root, "out")
	must(t, "ingest", "--output="+out, "--format=parquet", month(t, root, 0))
	where, err := query.Parse(`url = "` + secretURL + `"`)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(want int64) {
		t.Helper()
		db, err := contentdb.Open(t.Context(), folder.Open(t.Context(), out, nil), contentdb.Options{NoIndex: true})
		if err != nil {
			t.Fatal(err)
		}
		if n, err := db.Count(t.Context(), query.Query{Where: where}); err != nil || n != want {
			t.Errorf("%d captures, %v, want %d", n, err, want)
		}
	}
	ask(1)
	outlines := filepath.Join(out, filepath.FromSlash(parquetscan.OutlinesFile))
	bound := base64.StdEncoding.EncodeToString([]byte("example,site3)/zanzibarquagga.html")) // found would not see it
	if b, err := os.ReadFile(outlines); err != nil || !strings.Contains(string(b), bound) {
		t.Fatalf("the page is not in the outlines before it is taken down, so there is nothing to test: %v\n%s", err, b)
	}
	left := filepath.Join(out, ".gleaner", "query-killed") // what a query by a runner was killed over
	if err := errors.Join(os.Mkdir(left, 0o755), os.WriteFile(filepath.Join(left, "part-00.jsonl"), []byte(marker),
		0o644)); err != nil {
		t.Fatal(err)
	}
	must(t, "collection", "takedown", "--collection="+out, secretURL)
	if _, err := os.Stat(outlines); !os.IsNotExist(err) {
		t.Errorf("%v, want %v", err, fs.ErrNotExist)
	}
	ask(0)
	if b, err := os.ReadFile(outlines); err != nil || strings.Contains(string(b), bound) {
		t.Errorf("the page is in the outlines that were made since: %v\n%s", err, b)
	}
	if list := found(t, out, marker); len(list) > 0 {
		t.Errorf("it is in %v", list)
	}
}

// TestTakedown_rowsOfOthers: check finds rows of a taken-down page that another program wrote into the table, and
// notes of crawlers about its host. The same takedown again removes them.
func TestTakedown_rowsOfOthers(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	out := filepath.Join(root, "out")
	at := "--collection=" + out
	must(t, "ingest", "--output="+out, "--format=parquet,jsonl", month(t, root, 0), dnsArchive(t, root))
	must(t, "collection", "lake", at)
	f := folder.Open(t.Context(), out, nil)
	const other = "data/timestamp_month=2024-01/part-0.parquet"
	data, err := os.ReadFile(parquetOf(t, out, "documents")[0])
	if err == nil {
		err = errors.Join(f.Make(filepath.Dir(other)), f.Write(other, data))
	}
	if err != nil {
		t.Fatal(err)
	}
	table, err := lake.Open(t.Context(), f, lake.Options{})
	if err == nil {
		_, err = table.Commit(t.Context(), lake.Change{Add: []schemas.Shard{{Name: other, Bytes: int64(len(data))}}})
	}
	if err != nil {
		t.Fatal(err)
	}
	takeFromShards(t, f)
	must(t, "collection", "lake", at)
	code, text := command(t, "collection", "check", at)
	if code != cli.ExitLosses || !strings.Contains(text, other+": has 4 rows of pages that were taken down") {
		t.Errorf("check before the table is clean: exit code %d\n%s", code, text)
	}
	text = must(t, "collection", "takedown", at, secretURL, secretHost)
	if !strings.Contains(text, "4 rows removed that other programs wrote") {
		t.Errorf("takedown says %s", text)
	}
	must(t, "collection", "check", at)
	for _, text := range []string{marker, hostMarker, secretHost} {
		if list := found(t, out, text); len(list) > 0 {
			t.Errorf("%s is in %v", text, list)
		}
	}
	if list, err := filepath.Glob(filepath.Join(out, "data", "*", "*")); err != nil || len(list) != 1 {
		t.Errorf("files of others: %v, %v, want one", list, err)
	}
}

// takeFromShards removes the pages only from the shards, as earlier versions did.
func takeFromShards(t *testing.T, f folder.Folder) {
	t.Helper()
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var entries []takedown.Entry
	for _, what := range []string{secretURL, secretHost} {
		e, err := takedown.Parse(what)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	_, err = care.TakeDown(t.Context(), c, entries, nil)
	if err = errors.Join(err, c.Close()); err != nil {
		t.Fatal(err)
	}
}

// dnsArchive returns an archive with the notes of Heritrix and Browsertrix about the host and page of the takedown,
// and about another host.
func dnsArchive(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	for i, r := range [][4]string{
		{"dns:www." + secretHost, "20260101000000\nwww." + secretHost + ". 300 IN A 192.0.2.1\n", "response", "text/dns"},
		{"urn:pageinfo:" + secretURL, `{"urls":{"` + secretURL + `":200}}`, "resource", "application/json"},
		{"dns:stays.example", "20260101000000\nstays.example. 300 IN A 192.0.2.2\n", "response", "text/dns"},
	} {
		fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-01-03T00:00:00Z\r\n"+
			"WARC-Record-ID: <urn:dns:%d>\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			r[2], r[0], i, r[3], len(r[1]), r[1])
	}
	name := filepath.Join(dir, "dns.warc")
	if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestTakedown_feeds: a feed that was taken down stays away when its pages are read again, and check finds none.
func TestTakedown_feeds(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out")
	at, archive := "--collection="+out, "../../../testdata/archives/site.warc.gz"
	feeds := func() map[string]bool {
		all := map[string]bool{}
		p, _, err := holdings.Whole(folder.Open(t.Context(), out, nil))
		if err != nil {
			t.Fatal(err)
		}
		for f, err := range p.Feeds(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			all[f.URL] = true
		}
		return all
	}
	read := func(more ...string) {
		must(t, "ingest", append(more, "--output="+out, "--format=jsonl,content", archive)...)
	}
	read()
	before := feeds()
	if len(before) < 2 {
		t.Fatalf("feeds %v", before)
	}
	gone := slices.Sorted(maps.Keys(before))[0]
	must(t, "collection", "takedown", at, gone)
	for _, again := range [][]string{nil, {"--fresh"}, {"--add"}} {
		read(again...)
		if now := feeds(); now[gone] || len(now) != len(before)-1 {
			t.Errorf("%q: %v, want all of %v but %s", again, now, before, gone)
		}
		must(t, "collection", "check", at)
	}
}

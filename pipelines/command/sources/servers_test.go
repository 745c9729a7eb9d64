package sources

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/rowstore/hbase"
	"github.com/gleaner-web/gleaner/io/rowstore/sourcerow"
	"github.com/gleaner-web/gleaner/io/source/sourceindex"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestSources_files: SQLite and Datastreamer's records have each source.
func TestSources_files(t *testing.T) {
	dir := t.TempDir()
	db, sqlite, content := filepath.Join(dir, "sources"), filepath.Join(dir, "s.sqlite"), filepath.Join(dir, "c.jsonl")
	mustRun(t, "--output="+db, "--sqlite="+sqlite, "--datastreamer="+content, crawl(t, 0), crawl(t, 1))
	x, err := sourceindex.Open(t.Context(), folder.Open(t.Context(), db, nil), sqlite)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }() // it is only read
	p, err := x.List(t.Context(), sourceindex.Query{Filter: sourceindex.Filter{Verdict: "valid"}})
	if err != nil || p.Total != 24 {
		t.Errorf("SQLite has %d valid sources, want 24: %v", p.Total, err)
	}
	file, err := os.Open(content)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }() // likewise
	n := 0
	for lines := bufio.NewScanner(file); lines.Scan(); n++ {
		var r datastreamer.Content
		err := json.Unmarshal(lines.Bytes(), &r)
		if err != nil || r.SourceFeedFormat != "RSS" || r.SourceUpdateInterval == nil || len(r.SourceHashcode) != 27 ||
			!strings.HasPrefix(r.SourceFeedHref, "https://site") || r.SourceLastPosted == "" || r.SourceLastPublished == "" {
			t.Errorf("%v: %s", err, lines.Text())
		}
	}
	if n != 24 {
		t.Errorf("%d records, want 24", n)
	}
}

// TestSources_query: results of query have the sources that link to them.
func TestSources_query(t *testing.T) {
	one := crawl(t, 1)
	sqlite := filepath.Join(t.TempDir(), "s.sqlite")
	mustRun(t, "--output="+filepath.Join(t.TempDir(), "sources"), "--sqlite="+sqlite, one, crawl(t, 0))
	for _, more := range [][]string{{"--format=jsonl"}, {"--format=jsonl", "--fields=source_id,title"}, {"--no_index"}} {
		args := append([]string{"--collection=" + one, "--limit=1000", "--sources=" + sqlite}, more...)
		out, err := commandtest.Command(t.Context(), "query", args...).Output()
		if err != nil {
			t.Fatal(err)
		}
		with := 0
		for line := range strings.Lines(string(out)) {
			var d schemas.Document
			if err := json.Unmarshal([]byte(line), &d); err != nil {
				t.Fatal(err)
			}
			if len(d.SourceID) == 16 {
				with++
			}
		}
		// This crawl's feed does not link to all captured pages.
		if with == 0 || with == strings.Count(string(out), "\n") {
			t.Errorf("%q: %d of the answers have a source\n%s", more, with, out)
		}
	}
}

// TestSources_postgres: the table has the sources of each generation. A table of another program is kept.
func TestSources_postgres(t *testing.T) {
	t.Parallel() // it mostly waits
	server := servertest.StartPostgres(t)
	ask := func(sql string) string {
		c, err := pgconn.Connect(t.Context(), server.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close(t.Context()) }() // it is only asked
		results, err := c.Exec(t.Context(), sql).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var text []string
		for _, r := range results {
			for _, row := range r.Rows {
				for _, value := range row {
					text = append(text, string(value))
				}
			}
		}
		return strings.Join(text, " ")
	}
	db := filepath.Join(t.TempDir(), "sources")
	args := []string{"--output=" + db, "--postgres=" + server.URL}
	mustRun(t, append(args, crawl(t, 0))...)
	const counts = `SELECT count(*), count(next), count(*) FILTER (WHERE source->>'url' = url) FROM sources`
	if got := ask(counts); got != "24 24 24" {
		t.Errorf("%q rows, want 24", got)
	}
	before := ask("SELECT max(last_refresh) FROM sources")
	mustRun(t, append(args, crawl(t, 1))...)
	if got := ask(counts); got != "24 24 24" || ask("SELECT max(last_refresh) FROM sources") <= before {
		t.Errorf("%q rows of the second generation", got)
	}
	ask("CREATE TABLE mine (x int); INSERT INTO mine VALUES (1)")
	code, _, errs := command(t, append(args, "--postgres_table=mine", crawl(t, 0))...)
	if code != 1 || !strings.Contains(errs, "name another one") || ask("SELECT x FROM mine") != "1" {
		t.Errorf("another table: exit code %d\n%s", code, errs)
	}
}

// TestSources_hbase: each generation is a version of the rows.
func TestSources_hbase(t *testing.T) {
	master := os.Getenv("GLEANER_TEST_HBASE")
	if master == "" {
		if os.Getenv("GLEANER_SLOW") == "" {
			t.Skip("starts a cluster, as the test of io/rowstore/hbase does: GLEANER_SLOW=1 has it run")
		}
		master = servertest.StartHBase(t).Master
	}
	table := fmt.Sprintf("sources%d", os.Getpid())
	db := filepath.Join(t.TempDir(), "sources")
	for i := range 2 {
		mustRun(t, "--output="+db, fmt.Sprintf("--hbase=hbase://%s/%s", master, table), crawl(t, i))
	}
	o, _, err := hbase.ParseURL("hbase://" + master + "/" + table)
	if err != nil {
		t.Fatal(err)
	}
	tables := &hbase.Database{Options: o}
	defer func() { _ = tables.Close() }() // it is only read
	sources := sourcerow.New(tables)
	if err := sources.UseTable(t.Context(), table); err != nil {
		t.Fatal(err)
	}
	n := 0
	for row, err := range sources.All(t.Context(), "", "") {
		if err != nil {
			t.Fatal(err)
		}
		n++
		s, err := row.Versions[0].Row()
		if err != nil || len(row.Versions) != 2 || row.Versions[0].URL() != s.URL || s.Verdict != "valid" {
			t.Errorf("%s: %d versions, %v, %+v", row.Key, len(row.Versions), err, s)
		}
	}
	if n != 24 {
		t.Errorf("%d rows, want 24", n)
	}
}

package sandcrawler

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/io/sink/postgres"
	"github.com/gleaner-web/gleaner/schemas"
)

// ask returns what a query answers, a line a row, with a bar between columns.
func ask(t testing.TB, address, sql string) (lines []string) {
	t.Helper()
	c, err := pgconn.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(t.Context()) }() // only asked
	results, err := c.Exec(t.Context(), sql).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	for _, r := range results {
		for _, row := range r.Rows {
			var cells []string
			for _, cell := range row {
				cells = append(cells, string(cell))
			}
			lines = append(lines, strings.Join(cells, "|"))
		}
	}
	return lines
}

// dump is all rows of all tables, except for the times at which they were written.
func dump(t testing.TB, address string) (all []string) {
	t.Helper()
	for _, table := range tables {
		names := table.names(table.columns)
		for _, line := range ask(t, address, "SELECT "+names+" FROM "+table.name+" ORDER BY "+names) {
			all = append(all, table.name+": "+line)
		}
	}
	return all
}

func config(address string) postgres.Config {
	return postgres.Config{URL: address, RetryTimeout: 300 * time.Millisecond}
}

func open(t testing.TB, address string) *Tables {
	t.Helper()
	to, err := OpenTables(t.Context(), config(address))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = to.Close() })
	return to
}

// example is a result in which everything is there.
func example(t testing.TB) (*schemas.FilesetResult, *schemas.FileResult) {
	t.Helper()
	var request schemas.FilesetRequest
	const text = `{"ingest_type": "dataset", "base_url": "https://doi.org/10.5281/zenodo.1", "link_source": "doi",
		"link_source_id": "10.5281/zenodo.1", "ingest_request_source": "fatcat-changelog", "release_stage": "published",
		"ext_ids": {"doi": "10.5281/zenodo.1"}, "oa_status": "gold\u0000", "odd": [1, 2.50]}`
	if err := json.Unmarshal([]byte(text), &request); err != nil {
		t.Fatal(err)
	}
	hex := func(digit string, n int) string { return strings.Repeat(digit, n) }
	size, count := int64(12), int64(1)
	file := &schemas.FilesetFile{
		FileMeta: &schemas.FileMeta{Size: 12, SHA1: hex("b", 40), SHA256: hex("b", 64), MD5: hex("b", 32), MIME: "text/csv"},
		Terminal: &schemas.FilesetTerminal{
			URL: "https://zenodo.org/a.csv", DT: "20260101000001", Status: 200,
			SHA1: hex("b", 40),
		},
		CDX: &schemas.CDXRow{
			URL: "https://zenodo.org/a.csv", Datetime: "20260101000001", MIME: "warc/revisit", SHA1: hex("c", 40),
			Path:   "item/b.warc.gz",
			Length: 3, Offset: 4,
		},
		RevisitCDX: &schemas.CDXRow{
			URL: "https://zenodo.org/a.csv", Datetime: "20250101000001", SHA1: hex("c", 40),
			Path: "local.warc.gz",
		},
	}
	result := &schemas.FilesetResult{
		Hit: true, Status: "success-file", Request: request, Platform: "zenodo", Domain: "zenodo.org", ID: "1",
		Terminal: &schemas.FilesetTerminal{
			URL: "https://zenodo.org/records/1", DT: "20260101000000", Status: 200,
			SHA1: hex("a", 40),
		},
		FileMeta: &schemas.FileMeta{Size: 99, SHA1: hex("a", 40), SHA256: hex("a", 64), MD5: hex("a", 32), MIME: "text/html"},
		CDX: &schemas.CDXRow{
			URL: "https://zenodo.org/records/1", Datetime: "20260101000000", SHA1: hex("a", 40),
			Path: "item/a.warc.gz", Length: 1, Offset: 2,
		},
		Manifest:  []schemas.ManifestFile{{Path: "a\x00.csv", Size: &size, MD5: hex("b", 32), Status: "success"}},
		FileCount: &count, TotalSize: &size,
		Strategy: "web-file", File: file,
	}
	single, err := request.WithType("dataset-file")
	if err != nil {
		t.Fatal(err)
	}
	return result, &schemas.FileResult{
		Hit: true, Status: "success", Request: single, Terminal: file.Terminal, FileMeta: file.FileMeta, CDX: file.CDX,
	}
}

// deliver writes results as one unit.
func deliver(t testing.TB, to *Tables, results ...*schemas.FilesetResult) {
	t.Helper()
	w, err := to.Begin(t.Context(), "unit")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, r := range results {
		if err := w.Write(r, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}

func TestTables(t *testing.T) {
	t.Parallel() // it mostly waits
	server := servertest.StartPostgres(t)
	databases := 0
	database := func(t *testing.T) string {
		databases++
		name := fmt.Sprintf("d%d", databases)
		ask(t, server.URL, "CREATE DATABASE "+name)
		return strings.Replace(server.URL, "/postgres", "/"+name, 1)
	}
	t.Run("rows", func(t *testing.T) { testRows(t, database(t)) })
	t.Run("rules", func(t *testing.T) { testRules(t, database(t)) })
	t.Run("again", func(t *testing.T) { testAgain(t, database(t)) })
	t.Run("known", func(t *testing.T) { testKnown(t, database(t)) })
	t.Run("requests", func(t *testing.T) { testRequests(t, database(t)) })
	t.Run("migrations", func(t *testing.T) { testMigrations(t, database(t)) })
	t.Run("others' tables", func(t *testing.T) { testOthersTables(t, database(t)) })
	t.Run("units at once", func(t *testing.T) { testAtOnce(t, database(t)) })
	t.Run("given up", func(t *testing.T) { testGivenUp(t, server, database(t)) })
}

func testRows(t *testing.T, address string) {
	to := open(t, address)
	result, file := example(t)
	w, err := to.Begin(t.Context(), "1")
	if err == nil {
		err = w.Write(result, file)
	}
	if err == nil {
		err = w.Commit()
	}
	if err != nil {
		t.Fatal(err)
	}
	a, b, c := strings.Repeat("a", 40), strings.Repeat("b", 40), strings.Repeat("c", 40)
	const rest = `{"odd": [1, 2.50], "ext_ids": {"doi": "10.5281/zenodo.1"}, "oa_status": "gold` + "\uFFFD" + `"}`
	want := []string{
		"ingest_request: doi|10.5281/zenodo.1|dataset|https://doi.org/10.5281/zenodo.1|fatcat-changelog|published|" + rest,
		"ingest_request: doi|10.5281/zenodo.1|dataset-file|https://doi.org/10.5281/zenodo.1|fatcat-changelog|published|" +
			rest,
		"ingest_file_result: " +
			"dataset|https://doi.org/10.5281/zenodo.1|t|success-file|https://zenodo.org/records/1|20260101000000|200|" + a,
		"ingest_file_result: " +
			"dataset-file|https://doi.org/10.5281/zenodo.1|t|success|https://zenodo.org/a.csv|20260101000001|200|" + b,
		"ingest_fileset_platform: " +
			"dataset|https://doi.org/10.5281/zenodo.1|t|success-file|zenodo|zenodo.org|1|web-file|12|1|||||" +
			`[{"md5": "` + strings.Repeat("b", 32) + `", "path": "a` + "\uFFFD" + `.csv", "size": 12, "status": "success"}]`,
		"file_meta: " + a + "|" + strings.Repeat("a", 64) + "|" + strings.Repeat("a", 32) + "|99|text/html",
		"file_meta: " + b + "|" + strings.Repeat("b", 64) + "|" + strings.Repeat("b", 32) + "|12|text/csv",
		// The one whose path has no slash is in no item that others could read.
		"cdx: https://zenodo.org/a.csv|20260101000001|" + b + "|" + c + "|warc/revisit|item/b.warc.gz|3|4",
		"cdx: https://zenodo.org/records/1|20260101000000|" + a + "|" + a + "||item/a.warc.gz|1|2",
	}
	if got := dump(t, address); !slices.Equal(got, want) {
		t.Errorf("rows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// testRules: what the tables cannot hold is not written, and everything else is.
func testRules(t *testing.T, address string) {
	to := open(t, address)
	change := func(do func(*schemas.FilesetResult)) *schemas.FilesetResult {
		r, _ := example(t)
		r.Request = schemas.FilesetRequest{Type: "dataset", BaseURL: "https://example.com/", LinkSource: "x", LinkID: "1"}
		do(r)
		return r
	}
	at := func(url string) func(*schemas.FilesetResult) {
		return func(r *schemas.FilesetResult) { r.Request.BaseURL = url }
	}
	deliver(t, to,
		change(at("https://example.com/"+strings.Repeat("x", 1481))),
		change(func(r *schemas.FilesetResult) { r.Terminal.URL = strings.Repeat("ü", 2049) }),
		change(func(r *schemas.FilesetResult) { r.Request.BaseURL = "https://b/"; r.Status = "existing" }),
		change(func(r *schemas.FilesetResult) { r.Request.BaseURL = "https://c/"; r.Platform = "" }),
		change(func(r *schemas.FilesetResult) { r.Request.BaseURL = "https://d/"; r.ID = "" }),
		change(func(r *schemas.FilesetResult) { r.Request.BaseURL = "https://e/"; r.Request.LinkID = "" }),
		change(func(r *schemas.FilesetResult) {
			r.Request.BaseURL, r.Request.LinkID = "https://f/", strings.Repeat("1", 2600)
		}),
		change(func(r *schemas.FilesetResult) {
			r.Request.BaseURL = "https://g/"
			r.CDX.SHA1 = "x"
			r.FileMeta.SHA1 = "x"
		}),
		change(func(r *schemas.FilesetResult) {
			r.Request.BaseURL, r.Terminal.DT, r.Terminal.SHA1, r.FileMeta.MD5 = "https://h/", "2026", "x", "y"
		}),
		change(func(r *schemas.FilesetResult) { r.Request.BaseURL = "https://i/\xff\x00" }),
	)
	got := ask(t, address, `SELECT 'p', base_url FROM ingest_fileset_platform UNION ALL SELECT 'r', base_url FROM ingest_request
		UNION ALL SELECT 'f', base_url FROM ingest_file_result WHERE terminal_dt IS NOT NULL ORDER BY 1, 2`)
	want := strings.Fields(`f|https://b/ f|https://c/ f|https://d/ f|https://e/ f|https://f/ f|https://g/ f|https://i/` +
		"\uFFFD\uFFFD" + `
		p|https://e/ p|https://example.com/ p|https://f/ p|https://g/ p|https://h/ p|https://i/` + "\uFFFD\uFFFD" + `
		r|https://b/ r|https://c/ r|https://d/ r|https://example.com/ r|https://g/ r|https://h/ r|https://i/` + "\uFFFD\uFFFD")
	if !slices.Equal(got, want) {
		t.Errorf("rows\n%q\nwant\n%q", got, want)
	}
	skipped := map[string]int64{
		"base_url": 1, "terminal_url": 1, "platform_id": 1, "request without link_source_id": 1, "link_source_id": 1,
		"cdx": 1,
	}
	if got := to.Skipped(); fmt.Sprint(got) != fmt.Sprint(skipped) {
		t.Errorf("skipped %v, want %v", got, skipped)
	}
}

// testAgain: of several results of one request the last counts, in a unit and in units one after the other.
func testAgain(t *testing.T, address string) {
	to := open(t, address)
	with := func(status string) *schemas.FilesetResult {
		r, _ := example(t)
		r.Status, r.Request.Stage = status, status
		return r
	}
	deliver(t, to, with("one"), with("two"))
	before := dump(t, address)
	deliver(t, to, with("one"), with("two"))
	if after := dump(t, address); !slices.Equal(before, after) {
		t.Errorf("the unit again changed\n%q to\n%q", before, after)
	}
	deliver(t, to, with("three"))
	got := ask(t, address, "SELECT status FROM ingest_fileset_platform UNION ALL SELECT status FROM ingest_file_result")
	if want := []string{"three", "three"}; !slices.Equal(got, want) {
		t.Errorf("status %q, want %q", got, want)
	}
}

// testKnown: known values of a body stay known, within a unit and in later units.
func testKnown(t *testing.T, address string) {
	to := open(t, address)
	less := func() *schemas.FilesetResult {
		r, _ := example(t)
		r.FileMeta.SHA256, r.FileMeta.MD5, r.FileMeta.MIME = "", "", ""
		return r
	}
	whole, _ := example(t)
	all := []string{fmt.Sprintf("%s|%s|99|text/html", whole.FileMeta.SHA256, whole.FileMeta.MD5)}
	for _, units := range [][][]*schemas.FilesetResult{
		{{whole}, {less()}},
		{{less()}, {whole}},
		{{whole, less()}},
		{{less(), whole}},
	} {
		ask(t, address, "DELETE FROM file_meta")
		for _, unit := range units {
			deliver(t, to, unit...)
		}
		got := ask(t, address, "SELECT sha256hex, md5hex, size_bytes, mimetype FROM file_meta WHERE size_bytes = 99")
		if !slices.Equal(got, all) {
			t.Errorf("%d units: %q, want %q", len(units), got, all)
		}
	}
}

// TestMaker_firstError: an error of one row is not lost after a later row that is right.
func TestMaker_firstError(t *testing.T) {
	r, _ := example(t)
	m := &maker{}
	if m.json(func() {}) != nil {
		t.Error("a function is JSON")
	}
	if m.platform(r); m.err == nil {
		t.Error("the error is lost")
	}
}

func testRequests(t *testing.T, address string) {
	to := open(t, address)
	ask(t, address, `INSERT INTO ingest_request (link_source, link_source_id, ingest_type, base_url, release_stage, request)
		SELECT 'doi', n, 'dataset', 'https://example.com/' || n, 'x', '{"odd": 1, "base_url": "no"}' FROM generate_series(1, 2500) n;
		INSERT INTO ingest_request VALUES ('doi', '0', 'pdf', 'https://example.com/0');
		INSERT INTO ingest_file_result (ingest_type, base_url, hit) SELECT 'dataset', 'https://example.com/' || n, false
		FROM generate_series(1, 100) n`)
	seen := map[string]bool{}
	for b, err := range to.Requests(t.Context(), "dataset") {
		if err != nil {
			t.Fatal(err)
		}
		var r schemas.FilesetRequest
		if err := json.Unmarshal(b, &r); err != nil || r.Type != "dataset" || r.Stage != "x" ||
			!strings.Contains(string(b), `"odd": 1`) {
			t.Fatalf("%s, %v", b, err)
		}
		seen[r.BaseURL] = true
	}
	if len(seen) != 2400 || seen["https://example.com/100"] || !seen["https://example.com/101"] {
		t.Errorf("%d requests", len(seen))
	}
}

func testMigrations(t *testing.T, address string) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			to, err := OpenTables(t.Context(), config(address))
			if err != nil {
				t.Error(err)
				return
			}
			_ = to.Close()
		})
	}
	all.Wait()
	ask(t, address, "INSERT INTO gleaner_migration VALUES (1000)")
	if _, err := OpenTables(t.Context(), config(address)); err == nil || !strings.Contains(err.Error(), "later version") {
		t.Errorf("tables of a later version: %v", err)
	}
}

// testOthersTables: tables of Sandcrawler itself are taken as they are, others are not touched.
func testOthersTables(t *testing.T, address string) {
	ask(t, address, `CREATE TABLE file_meta (sha1hex text PRIMARY KEY CHECK (octet_length(sha1hex) = 40), sha256hex text,
		md5hex text, size_bytes bigint, mimetype text, extra text DEFAULT 'theirs')`)
	result, _ := example(t)
	deliver(t, open(t, address), result)
	if got := ask(t, address, "SELECT extra FROM file_meta"); !slices.Equal(got, []string{"theirs", "theirs"}) {
		t.Errorf("their column is %q", got)
	}
	ask(t, address, "DROP TABLE cdx; CREATE TABLE cdx (path text)")
	if _, err := OpenTables(t.Context(), config(address)); err == nil ||
		!strings.Contains(err.Error(), "cdx is not Sandcrawler's") {
		t.Errorf("a table of somebody else's: %v", err)
	}
	if got := ask(t, address, "SELECT count(*) FROM cdx"); got[0] != "0" {
		t.Errorf("it has %s rows", got)
	}
}

// testAtOnce: units that have rows in common, in opposite orders, do not fail each other.
func testAtOnce(t *testing.T, address string) {
	to := open(t, address)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for range 5 {
				var results []*schemas.FilesetResult
				for n := range 200 {
					r, _ := example(t)
					r.Request = schemas.FilesetRequest{
						Type: "dataset", LinkSource: "x", LinkID: "y",
						BaseURL: fmt.Sprint("https://a/", n),
					}
					results = append(results, r)
				}
				if i%2 == 1 {
					slices.Reverse(results)
				}
				w, err := to.Begin(t.Context(), "")
				for _, r := range results {
					if err == nil {
						err = w.Write(r, nil)
					}
				}
				if err == nil {
					err = w.Commit()
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got := ask(t, address, "SELECT count(*) FROM ingest_fileset_platform"); got[0] != "200" {
		t.Errorf("%s rows", got)
	}
}

// testGivenUp: a unit that was not committed leaves no rows, and a clear message reports a server that died.
func testGivenUp(t *testing.T, server *servertest.Postgres, address string) {
	to := open(t, address)
	w, err := to.Begin(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	result, file := example(t)
	for range 3000 { // more than is kept in memory
		if err := w.Write(result, file); err != nil {
			t.Fatal(err)
		}
	}
	server.Kill()
	if err := w.Commit(); err == nil || !strings.Contains(err.Error(), "postgres: given up after") {
		t.Errorf("with the server killed: %v", err)
	}
	server.Restart()
	if got := dump(t, address); len(got) > 0 {
		t.Errorf("left behind: %d rows", len(got))
	}
	deliver(t, to, result)
	if got := dump(t, address); len(got) == 0 {
		t.Error("nothing was written after the restart")
	}
}

func TestSpill(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var s spill
	part := []byte(strings.Repeat("0123456789", 30000))
	var want []byte
	for range 10 {
		if _, err := s.Write(part); err != nil {
			t.Fatal(err)
		}
		want = append(want, part...)
	}
	for range 2 {
		got := make([]byte, len(want)+1)
		n := 0
		for r := s.reader(); ; {
			k, err := r.Read(got[n:])
			if n += k; err != nil {
				break
			}
		}
		if !slices.Equal(got[:n], want) {
			t.Fatalf("%d bytes, want %d", n, len(want))
		}
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

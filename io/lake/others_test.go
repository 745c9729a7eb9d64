//go:build !noiceberg && !local

package lake

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// filters are ten filters as Gleaner has them and as SQL, in the part that Spark and pyiceberg share.
var filters = []struct{ ours, sql string }{
	{``, `true`},
	{`language = fr AND mime = "application/pdf"`, `language = 'fr' and mime_detected = 'application/pdf'`},
	{
		`language = fr AND timestamp >= 2025-02-01 AND timestamp < 2025-03-01`,
		`language = 'fr' and timestamp >= '2025-02-01T00:00:00+00:00' and timestamp < '2025-03-01T00:00:00+00:00'`,
	},
	{`timestamp = 2025-01-15`, `timestamp >= '2025-01-15T00:00:00+00:00' and timestamp < '2025-01-16T00:00:00+00:00'`},
	{`status = 200`, `status = 200`},
	{`status > 300 AND status <= 404`, `status > 300 and status <= 404`},
	{`surt = "example,site3)/*"`, `surt like 'example,site3)/%'`},
	{`surt >= "example,site2)/" AND surt < "example,site4)/"`, `surt >= 'example,site2)/' and surt < 'example,site4)/'`},
	{`NOT language:*`, `language is null`},
	{
		`(language = de OR language = en) AND mime != "text/html"`,
		`(language = 'de' or language = 'en') and mime_detected != 'text/html'`,
	},
	{`host = site1.example`, `host = 'site1.example'`},
}

// counts are what the filters take of a snapshot, and how many files they leave in all.
func counts(t testing.TB, f folder.Folder, p Point) (list []int, planned int) {
	t.Helper()
	table := opened(t, f)
	for _, filter := range filters {
		where, err := query.Parse(filter.ours)
		if err != nil {
			t.Fatal(err)
		}
		files, err := table.Plan(t.Context(), p, query.Query{Where: where})
		if err != nil {
			t.Fatal(err)
		}
		planned += len(files)
		n := 0
		for _, file := range files {
			n += countIn(t, f, file, where)
		}
		list = append(list, n)
	}
	return list, planned
}

func countIn(t testing.TB, f folder.Folder, file File, where query.Expr) (n int) {
	t.Helper()
	r, err := f.Open(file.Name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }() // only read
	rows := int64(0)
	for d, err := range parquetfile.Read(r, r.Size()) {
		if err != nil {
			t.Fatalf("%s: %v", file.Name, err)
		}
		rows++
		if query.Match(where, d) {
			n++
		}
	}
	if rows != file.Records {
		t.Errorf("%s has %d rows, and the table says %d", file.Name, rows, file.Records)
	}
	return n
}

// TestPlan_counts: for any filter, the planned files hold all matching rows, and few of them hold no such row.
func TestPlan_counts(t *testing.T) {
	f := local(filepath.Join(t.TempDir(), "out"))
	made(t, f, 0, 1, 2, 3)
	synced(t, f)
	got, planned := counts(t, f, Point{})
	all, err := opened(t, f).Plan(t.Context(), Point{}, query.Query{})
	if err != nil || len(all) != 4 {
		t.Fatalf("Plan = %v, %v", all, err)
	}
	for i, filter := range filters {
		where, err := query.Parse(filter.ours)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, file := range all {
			want += countIn(t, f, file, where)
		}
		if got[i] != want || want == 0 {
			t.Errorf("%s: %d rows in the planned files, want %d (and some)", filter.ours, got[i], want)
		}
	}
	if planned != 9*4+2 { // one file each for the two that ask for a month or a day
		t.Errorf("%d files were planned, want 38", planned)
	}
}

// history of two snapshots, with a shard that went.
func twoSnapshots(t testing.TB, dir string) (first Snapshot) {
	t.Helper()
	made(t, local(dir), 0, 1)
	first = synced(t, local(dir))
	made(t, local(dir), 1, 2)
	synced(t, local(dir))
	return first
}

// TestTable_pyiceberg: pyiceberg counts the same rows, also of an earlier snapshot.
func TestTable_pyiceberg(t *testing.T) {
	python := pyiceberg(t)
	dir := filepath.Join(t.TempDir(), "a=b,c", "out")
	first := twoSnapshots(t, dir)
	for _, id := range []int64{0, first.ID} {
		cmd := exec.Command(python, "testdata/count.py", dir, fmt.Sprint(id))
		cmd.Stdin = strings.NewReader(sqlOf("%s"))
		checkCounts(t, cmd, dir, Point{ID: id})
	}
}

// pyiceberg is a Python that has it, in the environment that parquetfile's tests share.
func pyiceberg(t testing.TB) string {
	t.Helper()
	return pythontest.Interpreter(t, "import pyiceberg.io.pyarrow, duckdb",
		"pyiceberg[pyarrow]==0.12.0", "duckdb==2.0.0", "pytz")
}

// sqlOf are statements with the filters in the place of %s.
func sqlOf(form string) string {
	var b strings.Builder
	for _, filter := range filters {
		b.WriteString(strings.ReplaceAll(form, "%s", filter.sql) + "\n")
	}
	return b.String()
}

// checkCounts compares the numbers that a program prints with those of a snapshot.
func checkCounts(t testing.TB, cmd *exec.Cmd, dir string, p Point) {
	t.Helper()
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	want, _ := counts(t, local(dir), p)
	compareCounts(t, strings.Fields(string(out)), want)
}

func compareCounts(t testing.TB, got []string, want []int) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d answers, want %d: %q", len(got), len(want), got)
	}
	for i, text := range got {
		if n, err := strconv.Atoi(text); err != nil || n != want[i] {
			t.Errorf("%s: %s rows, want %d", filters[i].sql, text, want[i])
		}
	}
}

// TestTable_spark: Spark counts the same rows, also of an earlier snapshot. Rows that it inserts are planned and read
// here, and stay when the collection grows. Rows that it deletes do not come back.
func TestTable_spark(t *testing.T) {
	if !slow() {
		t.Skip("Spark takes a minute: GLEANER_SLOW=1 runs it")
	}
	warehouse := t.TempDir()
	dir := filepath.Join(warehouse, "out")
	first := twoSnapshots(t, dir)
	now := strings.Fields(strings.ReplaceAll(sqlOf("SELECT count(*) FROM g.out WHERE %s"), " ", "\x00"))
	then := strings.Fields(strings.ReplaceAll(sqlOf(fmt.Sprintf(
		"SELECT count(*) FROM g.out VERSION AS OF %d WHERE %%s", first.ID)), " ", "\x00"))
	statements := append(now, then...)
	for i, s := range statements {
		statements[i] = strings.ReplaceAll(s, "\x00", " ")
	}
	before, _ := counts(t, local(dir), Point{ID: first.ID})
	want, _ := counts(t, local(dir), Point{})
	statements = append(statements,
		"SELECT count(*) FROM g.out TIMESTAMP AS OF '"+first.Time.Format("2006-01-02 15:04:05.000")+"'",
		"SELECT count(*) FROM g.out WHERE entities[0].mentions[0].end = 3 AND map_from_entries(custom)['price'][1] = '2'",
		insertion(t),
		"SELECT count(*) FROM g.out",
		"DELETE FROM g.out WHERE host = 'site1.example' AND language = 'fr'",
		"SELECT count(*) FROM g.out",
	)
	got := servertest.Spark(t, warehouse, statements...)
	n := len(filters)
	if len(got) != 2*n+6 {
		t.Fatalf("%d answers: %q", len(got), got)
	}
	compareCounts(t, got[:n], want)
	compareCounts(t, got[n:2*n], before)
	if all := fmt.Sprint(2 * pages); got[2*n] != all || got[2*n+1] != all || got[2*n+3] != fmt.Sprint(2*pages+1) {
		t.Errorf("at a time, nested and after INSERT: %q", got[2*n:])
	}
	afterSpark(t, dir, got[2*n+5])
}

// insertion is a statement that inserts a row: one that is there, of another page and time.
func insertion(t testing.TB) string {
	t.Helper()
	schema, err := today()
	if err != nil {
		t.Fatal(err)
	}
	other := map[string]string{
		"url": "'http://spark.example/'", "surt": "'example,spark)/'", "host": "'spark.example'", "filename": "'spark.warc'",
		"timestamp": "timestamp '2025-03-05 01:02:03.456789'",
	}
	var columns []string
	for _, f := range schema.Fields() {
		value, ok := other[f.Name]
		if !ok {
			value = "`" + f.Name + "`"
		}
		columns = append(columns, value+" AS `"+f.Name+"`")
	}
	return "INSERT INTO g.out SELECT " + strings.Join(columns, ", ") +
		" FROM g.out WHERE url = 'http://site1.example/1' LIMIT 1"
}

// afterSpark looks at a table that Spark has changed.
func afterSpark(t *testing.T, dir, total string) {
	t.Helper()
	now, _ := counts(t, local(dir), Point{})
	if fmt.Sprint(now[0]) != total {
		t.Errorf("%d rows are read here, and Spark has %s", now[0], total)
	}
	where, err := query.Parse(`host = spark.example AND timestamp >= 2025-03-05`)
	if err != nil {
		t.Fatal(err)
	}
	files, err := opened(t, local(dir)).Plan(t.Context(), Point{}, query.Query{Where: where})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range files {
		found += countIn(t, local(dir), file, where)
	}
	if found != 1 {
		t.Errorf("%d of Spark's rows are found, want 1", found)
	}
	made(t, local(dir), 1, 2, 3) // one more shard, beside what Spark has done
	s := synced(t, local(dir))
	if s.Records != int64(now[0]+pages) {
		t.Errorf("with one more: %d rows, want %d", s.Records, now[0]+pages)
	}
	whole(t, local(dir))
}

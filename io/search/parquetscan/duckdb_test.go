package parquetscan

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// askDuckDB answers conditions on a file: the numbers of the rows, in order.
const askDuckDB = `
import json, sys
import duckdb

duck = duckdb.connect()
duck.execute("SET TimeZone = 'UTC'")
print(json.dumps([
    [n for n, in duck.execute(f"""
        SELECT file_row_number FROM read_parquet('{sys.argv[1]}', file_row_number=true)
        WHERE {where} ORDER BY 1""").fetchall()]
    for where in json.load(sys.stdin)]))
`

// TestFile_sameAsDuckDB asks both: by feature, URL, SURT, host, time, number, text, entity, and what combines them.
func TestFile_sameAsDuckDB(t *testing.T) {
	python := pythontest.Interpreter(
		t, "import pyarrow, duckdb, pytz", "pyiceberg[pyarrow]==0.12.0", "duckdb==2.0.0", "pytz")
	file, docs := written(t, made(1500), parquetfile.Options{RowGroupRows: 400})
	path := filepath.Join(t.TempDir(), "documents.parquet")
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	march := "timestamp >= '2025-03-01' AND timestamp < '2025-04-01'"
	asked := [][2]string{
		{
			`language = fr AND mime = "application/pdf" AND timestamp = 2025-03`,
			"language = 'fr' AND mime_detected = 'application/pdf' AND " + march,
		},
		{`url = "` + docs[77].URL + `"`, "url = '" + docs[77].URL + "'"},
		{`surt = "` + docs[99].SURT + `"`, "surt = '" + docs[99].SURT + "'"},
		{`surt = "example,site-11)*"`, "starts_with(surt, 'example,site-11)')"},
		{"host:site-11 AND timestamp <= 2025-06", "contains(host, 'site-11') AND timestamp < '2025-07-01'"},
		{"status = 404 AND timestamp = 2025-03", "status = 404 AND " + march},
		{"NOT status = 200", "status IS DISTINCT FROM 200"},
		{"(lang = fr OR lang = th) AND mime != text/html", "language IN ('fr', 'th') AND mime_detected <> 'text/html'"},
		{
			`entities.text = "Place 7" AND lang = de`,
			"list_contains(list_transform(entities, lambda e: e.text), 'Place 7') AND language = 'de'",
		},
		{"entities.count > 1", "len(list_filter(entities, lambda e: e.count > 1)) > 0"},
		{"quality.words >= 800 AND damaged = false", "quality.words >= 800 AND NOT coalesce(damaged, false)"},
		{`title:"TITLE 4"`, "contains(lower(title), 'title 4')"},
		{"parlement 12", `text LIKE '% Parlement %' AND (regexp_matches(text, '\b12\b') OR regexp_matches(title, '\b12\b'))`},
		{"custom.price = 3", "list_contains(map_from_entries(custom)['price'], '3')"},
		{"links_internal:* AND NOT language:*", "links_internal IS NOT NULL AND language IS NULL"},
		{"published < 2024-05-18", "published < '2024-05-18'"},
	}
	var conditions []string
	for _, x := range asked {
		conditions = append(conditions, x[1])
	}
	input, err := json.Marshal(conditions)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-c", askDuckDB, path)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = stdin.Write(input); _ = stdin.Close() }() // the program says what it misses
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("DuckDB: %v", err)
	}
	var want [][]int64
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	f := opened(t, file)
	for i, x := range asked {
		got := []int64{}
		for r, err := range f.Rows(t.Context(), parse(t, x[0]), []string{"url"}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.Number)
		}
		if !reflect.DeepEqual(got, want[i]) {
			t.Errorf("%q takes %d rows, DuckDB's %q %d", x[0], len(got), x[1], len(want[i]))
		}
		if len(got) == 0 {
			t.Errorf("%q takes nothing, and so compares nothing", x[0])
		}
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// wholeThenBroken is an archive of 150 pages whose quality has only whole numbers, of 20 with fractions, and of one
// with an invalid year. Polars infers types from the first 100 lines.
func wholeThenBroken(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	page := func(host string, i int, text string) {
		writeRecord(&b, fmt.Sprintf("http://%s/%d.html", host, i), []byte("<!DOCTYPE html><title>A page</title><article><p>"+
			text+"</p></article>"))
	}
	for i := range 150 {
		page(fmt.Sprintf("www.host%d.example.co.uk", i%7), i, strings.Repeat("Abcd ", 12))
	}
	for i := range 20 {
		page("192.0.2.7", i, strings.Repeat("This # is a longer sentence, and it … ", 6)+"</p><p>"+
			strings.Repeat("again and ", 8))
	}
	page("bücher.example", 0, "A text of its own.</p><meta property='article:published_time' content='12023-01-01'><p>"+
		"More of it.")
	name := filepath.Join(t.TempDir(), "pages.warc")
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestAttack16_polarsReadsWhatIsWritten: Polars reads documents and feeds as JSON lines without a schema. It also
// reads documents as Parquet, with dates as timestamps. The test includes the project's own archives.
func TestAttack16_polarsReadsWhatIsWritten(t *testing.T) {
	t.Parallel()
	python := pythontest.Interpreter(t, "import polars, duckdb", "polars==2.1.0", "duckdb==2.0.0", "pytz")
	const script = `
import sys, glob, polars as pl, duckdb
dir, rows = sys.argv[1], int(sys.argv[2])
for kind in "documents", "feeds":
    for name in sorted(glob.glob(dir + "/" + kind + "-*.jsonl.zst")):
        lines = duckdb.sql(f"SELECT count(*) FROM read_json('{name}', format='newline_delimited')").fetchall()[0][0]
        if lines:
            df = pl.scan_ndjson(name).collect()
            assert df.height == lines, (name, df.height, lines)
df = pl.read_parquet(dir + "/documents-*.parquet")
assert df.height == rows, df.height
assert str(df.schema["published"]) == "Datetime(time_unit='us', time_zone='UTC')", df.schema["published"]
assert str(df.schema["modified"]) == "Datetime(time_unit='us', time_zone='UTC')", df.schema["modified"]
for column in "host", "domain", "published_text", "modified_text":
    assert str(df.schema[column]) == "String", column
got = duckdb.sql(f"SELECT count(DISTINCT host), min(published) FROM '{dir}/documents-*.parquet'").fetchall()
`
	for _, input := range []string{wholeThenBroken(t), archives} {
		dir := filepath.Join(t.TempDir(), "out")
		mustRun(t, "--output="+dir, "--format=jsonl,parquet", input)
		rows := fmt.Sprint(len(documents(t, dir)))
		if out, err := exec.Command(python, "-c", script, dir, rows).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", input, err, out)
		}
	}
}

// TestAttack16_floatsHaveAPointInAllThatIsWritten: if one value of a field has a point or an exponent, all have one.
func TestAttack16_floatsHaveAPointInAllThatIsWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	mustRun(t, "--output="+dir, "--format=jsonl,content", wholeThenBroken(t))
	for _, pattern := range []string{"documents-*.jsonl*", "content-*.jsonl*"} {
		floats, whole := map[string]bool{}, map[string]string{}
		for _, line := range lines(t, dir, pattern) {
			d := json.NewDecoder(strings.NewReader(line))
			d.UseNumber()
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatal(err)
			}
			numbers("", v, func(path, number string) {
				if strings.ContainsAny(number, ".eE") {
					floats[path] = true
				} else {
					whole[path] = number
				}
			})
		}
		for path := range floats {
			if whole[path] != "" {
				t.Errorf("%s: %s is %s, and elsewhere it has a point", pattern, path, whole[path])
			}
		}
		if pattern[0] == 'd' && len(floats) < 5 {
			t.Errorf("%s: floats %v only", pattern, floats)
		}
	}
	for _, name := range []string{"report.json", "manifest.json"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if bad := regexp.MustCompile(`"(cpu_)?seconds": \d+[,\n}]`).Find(data); bad != nil {
			t.Errorf("%s has %s", name, bad)
		}
	}
}

// numbers calls each with every number in v and its path, without list indexes.
func numbers(path string, v any, each func(path, number string)) {
	switch v := v.(type) {
	case json.Number:
		each(path, v.String())
	case []any:
		for _, e := range v {
			numbers(path+"[]", e, each)
		}
	case map[string]any:
		for k, e := range v {
			numbers(path+"."+k, e, each)
		}
	}
}

// TestAttack16_hostsAreCounted: documents have host and domain. Manifest and summary have the most frequent hosts,
// for any division of the archive.
func TestAttack16_hostsAreCounted(t *testing.T) {
	input := wholeThenBroken(t)
	var first *schemas.Hosts
	for _, size := range []string{"64MiB", "64KiB"} {
		dir := filepath.Join(t.TempDir(), "out")
		got := mustRun(t, "--output="+dir, "--unit_size="+size, "--extract=text", input)
		for _, want := range []string{"Hosts        9\n", "\nHosts\n  www.host0.example.co.uk ", "  192.0.2.7 "} {
			if !strings.Contains(got.stdout, want) {
				t.Errorf("the summary lacks %q:\n%s", want, got.stdout)
			}
		}
		var m schemas.Manifest
		data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		if err != nil || m.Hosts == nil {
			t.Fatalf("the manifest's hosts: %v, %v", m.Hosts, err)
		}
		if want := (schemas.HostCount{Host: "www.host0.example.co.uk", Documents: 22}); m.Hosts.Distinct != 9 ||
			m.Hosts.Top[0] != want {
			t.Errorf("%+v, want 9 hosts, first %v", m.Hosts, want)
		}
		if first == nil {
			first = m.Hosts
		} else if fmt.Sprint(*first) != fmt.Sprint(*m.Hosts) {
			t.Errorf("%+v in small units, %+v in one", *m.Hosts, *first)
		}
		for _, want := range []string{
			`"host":"www.host3.example.co.uk","domain":"example.co.uk"`,
			`"host":"192.0.2.7","domain":"192.0.2.7"`, `"host":"xn--bcher-kva.example","domain":"xn--bcher-kva.example"`,
		} {
			if !strings.Contains(strings.Join(documents(t, dir), ""), want) {
				t.Errorf("no document has %s", want)
			}
		}
	}
}

//go:build !noiceberg && !local

package lake

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/iceberg-go"
	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// typed is a document with values of all types, some of them at the ends of their types.
func typed(month, i int) *schemas.Document {
	d := document(month, i)
	if i%2 == 0 {
		d.Custom = nil
	}
	if i%3 > 0 {
		d.CustomIntegers = map[string][]int64{"stars": {int64(i), -1 << 63}, fmt.Sprint("only", i): {1<<63 - 1}}
		d.CustomBooleans = map[string][]bool{"sold": {i%2 == 0, false}}
	}
	if i%4 > 0 {
		d.CustomFloats = map[string][]schemas.Float{"score": {.1, schemas.Float(i), -1e300}}
		d.CustomTimes = map[string][]string{"seen": {"1678-01-01T00:00:00Z", "2026-03-04T10:30:00.123456Z"}}
	}
	return d
}

// typedLine is what typed.py prints of a document.
func typedLine(t *testing.T, d *schemas.Document) string {
	t.Helper()
	times := map[string][]string{}
	for key, list := range d.CustomTimes {
		for _, s := range list {
			at, err := time.Parse(time.RFC3339, s)
			if err != nil {
				t.Fatal(err)
			}
			times[key] = append(times[key], at.Format("2006-01-02T15:04:05.000000Z"))
		}
	}
	return normal(t, []any{
		d.Filename, d.Offset, orEmpty(d.Custom), orEmpty(d.CustomIntegers), orEmpty(d.CustomFloats),
		orEmpty(d.CustomBooleans), times,
	})
}

func orEmpty[T any](m map[string][]T) map[string][]T {
	if m == nil {
		return map[string][]T{}
	}
	return m
}

// normal is a value as JSON, with numbers as Python writes them.
func normal(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("e+300", "e300", ".0]", "]", ".0,", ",").Replace(string(b))
}

// typedRows compares what programs that nobody here wrote read of a collection with its documents.
func typedRows(t *testing.T, dir, what string, docs []*schemas.Document) {
	t.Helper()
	python := pythontest.Interpreter(t, "import pyiceberg.io.pyarrow, polars, duckdb",
		"pyiceberg[pyarrow]==0.12.0", "polars==2.1.0", "duckdb==2.0.0", "pytz")
	var want []string
	for _, d := range docs {
		want = append(want, typedLine(t, d))
	}
	slices.Sort(want)
	cmd := exec.Command(python, "testdata/typed.py", dir)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", what, err, said.String())
	}
	got := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		program, text, _ := strings.Cut(line, " ")
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		var row []any
		if err := decoder.Decode(&row); err != nil {
			t.Fatal(err)
		}
		got[program] = append(got[program], normal(t, row))
	}
	for _, program := range []string{"duckdb", "polars", "pyiceberg"} {
		slices.Sort(got[program])
		if diff := cmp.Diff(want, got[program]); diff != "" {
			t.Errorf("%s, %s: -documents +rows:\n%.3000s", what, program, diff)
		}
	}
}

// forget takes the typed columns out of the metadata of a table, as it was when an earlier version made it.
func forget(t *testing.T, dir string) {
	t.Helper()
	hint, err := os.ReadFile(filepath.Join(dir, "metadata", "version-hint.text"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "metadata", "v"+strings.TrimSpace(string(hint))+".metadata.json")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	for _, s := range m["schemas"].([]any) {
		schema := s.(map[string]any)
		schema["fields"] = slices.DeleteFunc(schema["fields"].([]any), func(f any) bool {
			return strings.HasPrefix(f.(map[string]any)["name"].(string), "custom_")
		})
	}
	if data, err = json.Marshal(m); err == nil {
		err = os.WriteFile(name, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestTyped_everyTask: DuckDB, Polars and pyiceberg read typed values as they were extracted, after each task. This
// includes a table that is older than typed values.
func TestTyped_everyTask(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	f := local(dir)
	o := shard.Options{Formats: []string{holdings.FormatParquet}}
	docs := func(keep func(*schemas.Document) bool) (list []*schemas.Document) {
		for i := range pages {
			list = append(list, document(0, i), typed(1, i), typed(2, i))
		}
		return slices.DeleteFunc(list, func(d *schemas.Document) bool { return keep != nil && !keep(d) })
	}
	doc := func(month, i int) *schemas.Document {
		if month == 0 {
			return document(0, i)
		}
		return typed(month, i)
	}
	if _, err := makeWith(f, o, "options", doc, 0); err != nil {
		t.Fatal(err)
	}
	synced(t, f)
	forget(t, dir)
	if _, ok := fields(t, f)["custom_integers"]; ok {
		t.Fatal("the older table has the column")
	}
	if _, err := makeWith(f, o, "options", doc, 0, 1, 2); err != nil {
		t.Fatal(err)
	}
	synced(t, f)
	if now, err := today(); err != nil || fields(t, f)["custom_integers"] != ids(now)["custom_integers"] {
		t.Fatal("the table lacks the column")
	}
	healthy(t, f)
	typedRows(t, dir, "add", docs(nil))
	change := func(what string, f folder.Folder, do func(c *collection.Collection) error) {
		t.Helper()
		c, err := collection.Open(f, collection.OpenOptions{})
		if err == nil {
			err = do(c)
		}
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		synced(t, f)
	}
	other := local(filepath.Join(t.TempDir(), "merged"))
	change("merge", other, func(c *collection.Collection) error {
		_, err := care.Merge(t.Context(), c, f, nil)
		return err
	})
	typedRows(t, other.Path(""), "merge", docs(nil))
	change("compact", f, func(c *collection.Collection) error {
		_, err := care.Compact(t.Context(), c, care.CompactOptions{})
		return err
	})
	typedRows(t, dir, "compact", docs(nil))
	change("takedown", f, func(c *collection.Collection) error {
		gone, err := takedown.Parse("site1.example")
		if err != nil {
			return err
		}
		_, err = care.TakeDown(t.Context(), c, []takedown.Entry{gone}, nil)
		return err
	})
	typedRows(t, dir, "takedown", docs(func(d *schemas.Document) bool { return d.Host != "site1.example" }))
	healthy(t, f)
}

// fields are the ids of the columns of a table.
func fields(t *testing.T, f folder.Folder) map[string]int {
	t.Helper()
	now, err := opened(t, f).load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return ids(now.Schema())
}

func ids(s *iceberg.Schema) map[string]int {
	all := map[string]int{}
	for _, field := range s.Fields() {
		all[field.Name] = field.ID
	}
	return all
}

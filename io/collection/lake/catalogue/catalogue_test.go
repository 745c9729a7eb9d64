package catalogue_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/lake"
	_ "github.com/gleaner-web/gleaner/io/collection/lake/catalogue"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// grow makes a collection of n units of ten pages each, as a run does.
func grow(t *testing.T, f folder.Folder, n int) {
	t.Helper()
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // it is read before it is opened again
	var units []schemas.Unit
	var keys []string
	for i := range n {
		u := schemas.Unit{ID: i, Inputs: []schemas.Range{{File: fmt.Sprintf("%d.warc", i), End: 1}}}
		units, keys = append(units, u), append(keys, collection.Key(u, "options", "versions"))
	}
	todo, done, err := c.Resume(units, keys, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range todo {
		w, err := collection.NewWriter(f, u, keys[u.ID], collection.Options{Formats: []string{collection.FormatParquet}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 10 {
			language := []string{"fr", "de"}[i%2]
			err = errors.Join(err, w.Document(&schemas.Document{
				URL: fmt.Sprintf("http://example.org/%d", i), Timestamp: "2025-01-01T00:00:00Z", Language: language,
				RecordType: schemas.TypeResponse, Filename: u.Inputs[0].File, Offset: int64(i),
			}))
		}
		r, errCommit := w.Commit(schemas.Counts{Documents: 10}, collection.Note{})
		if err = errors.Join(err, errCommit); err != nil {
			t.Fatal(err)
		}
		done = append(done, r)
	}
	if _, err := c.Finish(done, collection.Run{Units: n, Options: map[string]any{"x": 1}}); err != nil {
		t.Fatal(err)
	}
}

// TestSQL: a catalogue in a file of SQLite keeps the table: it is made, grows, is read at both snapshots, is found by others
// that know the catalogue, and of several that bring it up to date at once none does it twice. pyiceberg reads it by its own
// client for such catalogues.
func TestSQL(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "catalogue.db")
	o := lake.Options{Name: "web.documents", Catalogue: map[string]string{
		"type": "sql", "sql.driver": "sqlite", "sql.dialect": "sqlite", "uri": "file:" + file + "?_pragma=busy_timeout(10000)",
		"init_catalog_tables": "true",
	}}
	f := folder.Open(t.Context(), filepath.Join(root, "out"), nil)
	grow(t, f, 1)
	if _, err := lake.Open(t.Context(), f, o); !errors.Is(err, lake.ErrNone) {
		t.Fatalf("a table before it was made: %v", err)
	}
	first, err := lake.Sync(t.Context(), f, o)
	if err != nil || first.Records != 10 {
		t.Fatalf("first: %+v, %v", first, err)
	}
	grow(t, f, 3)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if _, err := lake.Sync(t.Context(), f, o); err != nil {
				t.Errorf("beside others: %v", err)
			}
		})
	}
	all.Wait()
	table, err := lake.Open(t.Context(), f, o)
	if err != nil {
		t.Fatal(err)
	}
	list, err := table.Snapshots(t.Context())
	if err != nil || len(list) != 2 || list[1].Records != 30 || list[1].Files != 3 {
		t.Errorf("snapshots: %+v, %v", list, err)
	}
	for point, want := range map[lake.Point]int{{}: 3, {ID: first.ID}: 1} {
		if files, err := table.Plan(t.Context(), point, query.Query{}); err != nil || len(files) != want {
			t.Errorf("%+v: %d files, %v; want %d", point, len(files), err, want)
		}
	}
	if problems, err := table.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v, %v", problems, err)
	}
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Log("without GLEANER_SLOW=1 pyiceberg, which takes an environment of its own for this, is left out")
		return
	}
	python := pythontest.Interpreter(t, "import pyiceberg.io.pyarrow, pyiceberg.catalog.sql, sqlalchemy",
		"pyiceberg[pyarrow,sql-sqlite]==0.12.0")
	out, err := exec.CommandContext(t.Context(), python, "-c", `
import sys
from pyiceberg.catalog.sql import SqlCatalog
table = SqlCatalog("gleaner", uri="sqlite:///" + sys.argv[1]).load_table("web.documents")
print(table.scan("language = 'fr'").to_arrow().num_rows, table.scan(snapshot_id=int(sys.argv[2])).to_arrow().num_rows)
`, file, fmt.Sprint(first.ID)).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "15 10" {
		t.Errorf("pyiceberg: %v\n%s", err, out)
	}
}

//go:build !noiceberg && !local

package catalogue_test

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/lake"
	"github.com/gleaner-web/gleaner/io/lake/catalogue"
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
		units, keys = append(units, u), append(keys, ledger.Key(u, "options", "versions"))
	}
	todo, done, err := c.Resume(units, keys, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range todo {
		w, err := shard.NewWriter(f, u, keys[u.ID], shard.Options{Formats: []string{holdings.FormatParquet}})
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
		r, errCommit := w.Commit(schemas.Counts{Documents: 10}, ledger.Note{})
		if err = errors.Join(err, errCommit); err != nil {
			t.Fatal(err)
		}
		done = append(done, r)
	}
	if _, err := c.Finish(done, collection.Run{Units: n, Options: map[string]any{"x": 1}}); err != nil {
		t.Fatal(err)
	}
}

// keeps has a catalogue keep a table. The table is made, grows, is read at both snapshots, and is found by others that
// know the catalogue. If several bring it up to date at once, no snapshot is made twice. Without the catalogue, the
// table must not be taken as missing. keeps returns the first of two snapshots, with 10 rows; the second has 30.
func keeps(t *testing.T, f folder.Folder, o lake.Options) (first lake.Snapshot) {
	t.Helper()
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
	other := o
	other.Name = "web.other"
	for _, o := range []lake.Options{{}, other} {
		if _, err := lake.Sync(t.Context(), f, o); !errors.Is(err, lake.ErrCatalogue) {
			t.Errorf("asked for elsewhere: %v", err)
		}
	}
	return first
}

// TestSQL: a catalogue in a file of SQLite keeps the table, and pyiceberg reads it by its own client for such
// catalogues.
func TestSQL(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "catalogue.db")
	o := lake.Options{Name: "web.documents", Catalogue: map[string]string{
		"type": "sql", "sql.driver": "sqlite", "sql.dialect": "sqlite", "uri": "file:" + file +
			"?_pragma=busy_timeout(10000)",
		"init_catalog_tables": "true",
	}}
	first := keeps(t, folder.Open(t.Context(), filepath.Join(root, "out"), nil), o)
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

// Iceberg's own REST catalogue 1.10.1, as its tests have it.
var (
	//go:embed testdata/rest.xml
	restPOM string
	//go:embed testdata/rest.sha256
	restSums string
)

// TestREST: a REST catalogue keeps the table, and pyiceberg reads it there.
func TestREST(t *testing.T) {
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("the server takes a while to start: GLEANER_SLOW=1 runs it")
	}
	servertest.Need(t, "java", "mvn")
	root, port := t.TempDir(), servertest.FreePort(t)
	jars := servertest.Maven(t, "iceberg-rest-1.10.1", restPOM, restSums)
	server := servertest.Start(t, exec.Command("java", "-cp", filepath.Join(jars, "*"), "testdata/Rest.java",
		fmt.Sprint(port),
		filepath.Join(root, "catalogue.db"), "file://"+root))
	server.AwaitLine("ready", time.Minute)
	uri := fmt.Sprintf("http://127.0.0.1:%d", port)
	first := keeps(t, folder.Open(t.Context(), filepath.Join(root, "out"), nil),
		lake.Options{Name: "web.documents", Catalogue: map[string]string{"type": "rest", "uri": uri}})
	python := pythontest.Interpreter(t, "import pyiceberg.io.pyarrow, pyiceberg.catalog.sql, sqlalchemy",
		"pyiceberg[pyarrow,sql-sqlite]==0.12.0")
	out, err := exec.CommandContext(t.Context(), python, "-c", `
import sys
from pyiceberg.catalog import load_catalog
table = load_catalog("gleaner", type="rest", uri=sys.argv[1]).load_table("web.documents")
print(table.scan("language = 'fr'").to_arrow().num_rows, table.scan(snapshot_id=int(sys.argv[2])).to_arrow().num_rows)
`, uri, fmt.Sprint(first.ID)).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "15 10" {
		t.Errorf("pyiceberg: %v\n%s", err, out)
	}
}

func TestRead(t *testing.T) {
	t.Setenv("GLEANER_TEST_CREDENTIAL", "id:secret")
	name := filepath.Join(t.TempDir(), "catalogue.yml")
	for text, want := range map[string]string{
		"type: rest\nuri: http://x/\ncredential: $GLEANER_TEST_CREDENTIAL\ntable: web.documents\n": "",
		"type: sql\ninit_catalog_tables: true\n":                                                   "",
		"type: hive\n":                                                                             "rest, sql",
		"":                                                                                         "rest, sql",
		"type: rest\ntoken: $GLEANER_NO\n": "no environment " +
			"variable GLEANER_NO",
		"type: rest\ntoken: [secret]\n":  "not lines",
		"#" + strings.Repeat("x", 1<<16): "longer",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		o, err := catalogue.Read(name)
		if want == "" {
			if err != nil || o.Catalogue["type"] == "rest" &&
				(o.Name != "web.documents" || o.Catalogue["credential"] != "id:secret" || len(o.Catalogue) != 3) {
				t.Errorf("%q: %+v, %v", text, o, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

package query

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/io/lake"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestSnapshot_sparkInsert: rows that Spark inserts into the Iceberg table are in its newest snapshot, and not in the
// one before. They are found by flags, texts and lists.
func TestSnapshot_sparkInsert(t *testing.T) {
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("Spark takes half a minute: GLEANER_SLOW=1 runs it")
	}
	warehouse := t.TempDir()
	dir := filepath.Join(warehouse, "out")
	f := folder.Open(t.Context(), dir, nil)
	fill(t, f, &schemas.Document{
		URL: "http://old.example/", SURT: "example,old)/", Host: "old.example", Language: "de", MIMEDetected: "text/html",
		Timestamp: "2026-01-02T03:04:05Z", Text: "ein Haushalt", Entities: []schemas.Entity{{Type: "place", Text: "Bonn"}},
	})
	before, err := lake.Sync(t.Context(), f, lake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	said := servertest.Spark(t, warehouse, insertion(map[string]string{
		"url": "'http://spark.example/'", "surt": "'example,spark)/'", "host": "'spark.example'", "language": "'fr'",
		"mime_detected": "'application/pdf'", "text": "'le budget'", "timestamp": "timestamp '2026-11-05 01:02:03'",
	}), documented(t))
	if want := []string{"ok", "http://spark.example/"}; !slices.Equal(said, want) {
		t.Errorf("Spark says %q, want %q", said, want)
	}
	newest := []string{"--collection=" + dir, "--snapshot=newest", "--format=urls", "--order=surt"}
	for _, ask := range []struct{ flags, want string }{
		{"", "http://old.example/\nhttp://spark.example/\n"},
		{"--lang=fr --mime=application/pdf --from=2026-11 --to=2026-11", "http://spark.example/\n"},
		{"--text=budget", "http://spark.example/\n"},
		{"--text=haushalt", "http://old.example/\n"},
		{"--url=http://spark.example/", "http://spark.example/\n"},
		{"--entity=Bonn --host=spark.example", "http://spark.example/\n"},
		{"--lang=fr --snapshot=" + before.Time.Format("2006-01-02T15:04:05.000Z07:00"), ""},
	} {
		code, out, errs := command(t, append(slices.Clone(newest), strings.Fields(ask.flags)...)...)
		if code != cli.ExitDone || out != ask.want {
			t.Errorf("%s: exit code %d, %q, want %q\n%s", ask.flags, code, out, ask.want, errs)
		}
	}
	if _, out, errs := command(t, "--collection="+dir, "--snapshot=newest", "--by=lang"); !strings.Contains(out, "fr") {
		t.Errorf("counts: %q\n%s", out, errs)
	}
}

// documented returns the statement of docs/collections.md for French PDFs of a month, on one line.
func documented(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/collections.md")
	if err != nil {
		t.Fatal(err)
	}
	_, behind, found := strings.Cut(string(page), "```sql\nSELECT url FROM g.out")
	rest, _, closed := strings.Cut(behind, ";\n```")
	if !found || !closed {
		t.Fatal("docs/collections.md has no statement for Spark")
	}
	return "SELECT url FROM g.out" + strings.ReplaceAll(rest, "\n", " ")
}

// insertion returns a statement that inserts copies of rows, with other values in some columns.
func insertion(other map[string]string) string {
	var columns []string
	// Two columns of the files are not in documents: see parquetfile.
	for _, name := range append(contentdb.Columns(), "published_text", "modified_text") {
		value, ok := other[name]
		if !ok {
			value = "`" + name + "`"
		}
		columns = append(columns, value+" AS `"+name+"`")
	}
	return "INSERT INTO g.out BY NAME SELECT " + strings.Join(columns, ", ") + " FROM g.out"
}

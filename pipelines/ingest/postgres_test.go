package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestIngest_postgres: all documents are rows, also after a repeated run. A refused row is a loss with its reason. A
// table of another form ends the run before it starts.
func TestIngest_postgres(t *testing.T) {
	t.Parallel() // it mostly waits
	server, out := servertest.StartPostgres(t), t.TempDir()
	args := []string{"--extract=mime", "--unit_size=64KiB", "--output=" + out, "--postgres=" + server.URL, archives}
	mustRun(t, args...)
	var want []string
	for _, line := range documents(t, out) {
		var d schemas.Document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		want = append(want, d.URL)
	}
	slices.Sort(want)
	r := mustRun(t, append([]string{"--fresh"}, args...)...)
	if line := summaryLine(r.stdout, "PostgreSQL"); line != "PostgreSQL   121 of 121 rows" {
		t.Errorf("summary %q", line)
	}
	if diff := cmp.Diff(want, rows(t, server, `SELECT url FROM documents ORDER BY url COLLATE "C"`)); diff != "" {
		t.Errorf("rows (-output +table):\n%.2000s", diff)
	}
	rows(t, server, `DELETE FROM documents; ALTER TABLE documents ADD CONSTRAINT no_images CHECK (mime NOT LIKE 'image/%')`)
	r = runCommand(t, append([]string{"--fresh"}, args...)...)
	line := summaryLine(r.stdout, "PostgreSQL")
	if r.code != 3 || !strings.Contains(line, " refused: ") || !strings.Contains(line, "no_images") {
		t.Errorf("exit code %d, summary %q; want 3 and the constraint's name\n%s", r.code, line, r.stderr)
	}
	rows(t, server, `CREATE TABLE other (url text)`)
	r = runCommand(t, append([]string{"--postgres_table=other", "--fresh"}, args...)...)
	if r.code != 2 || !strings.Contains(r.stderr, "there is no column") {
		t.Errorf("exit code %d, want 2 and what differs\n%s", r.code, r.stderr)
	}
}

// rows returns the first column of a query's results.
func rows(t *testing.T, server *servertest.Postgres, sql string) (all []string) {
	t.Helper()
	c, err := pgconn.Connect(t.Context(), server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(t.Context()) }() // only queried
	results, err := c.Exec(t.Context(), sql).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range results[0].Rows {
		all = append(all, string(row[0]))
	}
	return all
}

package view

import (
	"testing"

	"github.com/gleaner-web/gleaner/io/search/contentsql"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
)

// countRows counts the rows of a statement.
func countRows(t *testing.T, now *shelf.Snapshot, statement string) (n int) {
	t.Helper()
	rows, err := contentsql.Query(t.Context(), now.DB, statement, contentsql.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }() // it was read
	for rows.Next() {
		n++
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}

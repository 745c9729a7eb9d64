package contentsql

import (
	"errors"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
)

// TestQuery_position: a refused statement says where its mistake is.
func TestQuery_position(t *testing.T) {
	db, err := contentdb.Open(t.Context(), build(t, corpus(10), "parquet"), contentdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	for _, c := range []struct {
		statement    string
		line, column int
		message      string
	}{
		{"select hots from documents", 1, 8, "no such column: hots"},
		{"select 'hots' as x,\n  \"hots\" from documents", 2, 3, `no such column: "hots"`},
		{"select host -- hots\n, d.hots from documents d", 2, 3, "no such column: d.hots"},
		{"select host from documets", 1, 18, "no such table: documets"},
		{"select été(host), 'été' from documents", 1, 8, "no such function: été"},
		{"select 'é', lenth(host) from documents", 1, 13, "no such function: lenth"},
		{"select length(host, 2) from documents", 1, 8, "wrong number of arguments"},
		{"select host from documents as host where where 1", 1, 42, `near "where": syntax error`},
		{"select x x, x x\n x from documents", 2, 2, `near "x": syntax error`},
		{"select host from documents where (", 1, 35, "incomplete input"},
		{"select host from documents where host = 'a", 1, 41, "unrecognized token"},
		{"select host from documents, entities", 1, 8, "ambiguous column name: host"},
		{"attach 'x' as y", 0, 0, "not authorized: a statement can only read"},
		{"pragma table_list", 0, 0, "not authorized"},
	} {
		rows, err := Query(t.Context(), db, c.statement, Options{})
		if err == nil {
			t.Errorf("%s: no error", c.statement)
			_ = rows.Close()
			continue
		}
		var mistake *StatementError
		if !errors.Is(err, ErrStatement) || !errors.As(err, &mistake) {
			t.Errorf("%s: %v is not a StatementError", c.statement, err)
			continue
		}
		if mistake.Line != c.line || mistake.Column != c.column || !strings.HasPrefix(mistake.Message, c.message) {
			t.Errorf("%s: %d:%d %q, want %d:%d %q", c.statement, mistake.Line, mistake.Column, mistake.Message, c.line,
				c.column, c.message)
		}
	}
}

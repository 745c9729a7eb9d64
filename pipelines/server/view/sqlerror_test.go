package view

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/statement"
)

// TestSQLError: a statement without an answer keeps its text, and says where the mistake is or what to do.
func TestSQLError(t *testing.T) {
	v := &Views{o: Options{Statements: statement.New(statement.Options{})}}
	for want, err := range map[string]error{
		"invalid: Line 2, column 7: no such column: x.": &statement.Failure{
			Kind: statement.Mistake, Line: 2, Column: 7, Message: "no such column: x",
		},
		"invalid: incomplete input.":          &statement.Failure{Kind: statement.Mistake, Message: "incomplete input."},
		"invalid: It took longer than 20 sec": fmt.Errorf("run: %w", &statement.Failure{Kind: statement.Late}),
		"invalid: It needs more than ":        &statement.Failure{Kind: statement.Large, Message: "out of memory"},
		"invalid: One row has more than":      errWide,
		"not ready: Other statements":         statement.ErrBusy,
		"not ready: The server's log":         &statement.Failure{Kind: statement.Broken, Message: "/secret/path"},
	} {
		var e *Error
		if !errors.As(v.sqlError(t.Context(), "select 1", 20*time.Second, err), &e) {
			t.Errorf("%v: no error for readers", err)
			continue
		}
		kind := "invalid"
		if e.Kind == NotReady {
			kind = "not ready"
		} else if e.Param != "sql" || e.Value != "select 1" {
			t.Errorf("%v: the statement is lost: %+v", err, e)
		}
		if got := kind + ": " + e.Detail; !strings.HasPrefix(got, want) || strings.Contains(got, "secret") {
			t.Errorf("%q, want %q", got, want)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	other := errors.New("other")
	if err := v.sqlError(gone, "", time.Second, other); !errors.Is(err, other) {
		t.Errorf("a client that has left: %v", err)
	}
}

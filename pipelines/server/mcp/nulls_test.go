package mcp_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/server/mcp"
)

// TestTools_nulls: null is a missing argument, also of one that a tool needs.
func TestTools_nulls(t *testing.T) {
	v := viewsOf(t, deposit(t, "out", harbour))
	s := mcp.New(v, mcp.Options{Version: "test"})
	for name, c := range map[string]*client{"pipes": overPipes(t, s), "http": overHTTP(t, v, s)} {
		for _, tt := range []struct {
			tool string
			args map[string]any
			want string // of a mistake
		}{
			{"search", map[string]any{"query": "ferry", "limit": nil, "cursor": nil}, ""},
			{"page", map[string]any{"url": ferry, "collection": nil, "hidden": nil}, ""},
			{"versions", map[string]any{"url": ferry, "limit": nil}, ""},
			{"page", map[string]any{"url": nil}, "url"},
			{"search", map[string]any{"query": "ferry", "limit": "3"}, "limit"},
			{"search", nil, ""},
		} {
			text, failed := c.call(tt.tool, tt.args, nil)
			if failed != (tt.want != "") || !strings.Contains(text, tt.want) {
				t.Errorf("%s: %s %v: a mistake: %v, without %q: %.300s", name, tt.tool, tt.args, failed, tt.want, text)
			}
		}
	}
}

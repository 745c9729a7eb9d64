package mcp_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/pipelines/server"
	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/mcp"
)

// These are the official programs that test servers, pinned.
const (
	suite     = "@modelcontextprotocol/conformance@0.1.16"
	inspector = "@modelcontextprotocol/inspector@2.12.0"
)

// without are the scenarios of features that the server does not have: it asks an assistant nothing, and sends it no
// messages beside answers. These need a session, and so the suite expects their failure.
const without = `server:
  - server-sse-multiple-streams
  - tools-call-with-logging
  - tools-call-with-progress
  - tools-call-sampling
  - tools-call-elicitation
  - elicitation-sep1034-defaults
  - elicitation-sep1330-enums
  - resources-subscribe
  - resources-unsubscribe
`

// served starts a server as serve has it, with the suite's own tools beside ours.
func served(t *testing.T) (url string) {
	t.Helper()
	v := viewsOf(t, deposit(t, "out", harbour))
	s := mcp.New(v, mcp.Options{Version: "test"})
	addFixture(s.SDK())
	h := httptest.NewServer(server.New(server.Options{
		Views: v, Open: true, Others: map[string]http.Handler{mcp.Path: s.Handler(api.Base)},
	}))
	t.Cleanup(h.Close)
	return h.URL + mcp.Path
}

// TestConformance: the official suite passes over HTTP, except features that the server does not have.
func TestConformance(t *testing.T) {
	modules, node := servertest.Npm(t, suite)
	url := served(t)
	expected := filepath.Join(t.TempDir(), "expected.yml")
	if err := os.WriteFile(expected, []byte(without), 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(modules, "@modelcontextprotocol/conformance/dist/index.js")
	cmd := exec.CommandContext(t.Context(), node, program, "server", "--url", url, "--expected-failures", expected)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	_, summary, _ := strings.Cut(string(out), "=== SUMMARY ===")
	t.Log(summary)
	if err != nil || strings.Count(string(out), "=== Running scenario") < 25 {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestInspector: the official inspector lists and calls over HTTP what the server has.
func TestInspector(t *testing.T) {
	modules, node := servertest.Npm(t, inspector)
	url := served(t)
	inspect := func(args ...string) string {
		t.Helper()
		program := filepath.Join(modules, "@modelcontextprotocol/inspector/clients/launcher/build/index.js")
		args = append([]string{program, "--cli", url, "--transport", "http"}, args...)
		cmd := exec.CommandContext(t.Context(), node, args...)
		var said strings.Builder
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil || !json.Valid(out) {
			t.Errorf("%v: %v\n%s\n%s", args, err, out, said.String())
		}
		return string(out)
	}
	for want, args := range map[string][]string{
		`"name": "compare"`:              {"--method", "tools/list"},
		`gleaner://{collection}/{time}/`: {"--method", "resources/templates/list"},
		`what_was_said`:                  {"--method", "prompts/list"},
		`Masks in the clinic`: {
			"--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=masks", "--tool-arg", "limit=5",
		},
		`Tickets cost three crowns`: {
			"--method", "resources/read", "--uri", "gleaner://out/newest/http://board.example/ferry",
		},
		`How did the page http://board.example/ferry change`: {
			"--method", "prompts/get", "--prompt-name", "how_it_changed", "--prompt-args", "url=http://board.example/ferry",
		},
	} {
		if got := inspect(args...); !strings.Contains(got, want) {
			t.Errorf("%v: without %q: %.500s", args, want, got)
		}
	}
}

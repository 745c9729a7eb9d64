package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// say sends a message of the Model Context Protocol.
func (g *guarded) say(who asker, body string, head ...string) (*http.Response, string) {
	g.t.Helper()
	head = append([]string{"Accept", "application/json, text/event-stream", "body", body}, head...)
	return g.ask(who, "POST /mcp", head...)
}

// tool calls a tool, and returns the answer without what differs between two equal ones.
func (g *guarded) tool(who asker, name, args string) (status int, answer string) {
	g.t.Helper()
	r, body := g.say(who, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`,
		name, args))
	return r.StatusCode, body
}

// differing are the random keys of fences, and places in archives, of which one has fewer captures.
var differing = regexp.MustCompile(`(archived|end) [A-Z0-9]{16}\b|cursor=\S+|"next_cursor":"[^"]*"|` +
	`"(offset|length)":\d+|offset \d+, length \d+|"at":"~[^"]*"`)

// calls are questions about what the rules deny, by all tools.
var calls = [][2]string{
	{"collections", `{}`},
	{"search", `{"query":"harbour"}`},
	{"search", `{"query":"SECRET","all_versions":true}`},
	{"search", `{"all_versions":true,"limit":50}`},
	{"search", `{"query":"NOT harbour","all_versions":true,"limit":50}`},
	{"search", `{"host":"closed.example"}`},
	{"search", `{"query":"record_type:revisit","all_versions":true}`},
	{"page", `{"url":"http://closed.example/secret-a"}`},
	{"page", `{"url":"http://open.example/private/secret-e","hidden":true}`},
	{"page", `{"url":"http://new.example/old"}`},
	{"page", `{"url":"http://open.example/"}`},
	{"page", `{"url":"http://open.example/secret.pdf"}`},
	{"versions", `{"url":"http://new.example/old"}`},
	{"versions", `{"url":"http://closed.example/secret-a"}`},
	{"compare", `{"url":"http://open.example/"}`},
	{"compare", `{"url":"http://new.example/old"}`},
	{"links", `{"url":"http://open.example/"}`},
	{"links", `{"url":"http://closed.example/secret-a","way":"out"}`},
	{"links", `{"to_host":"only.example"}`},
	{"links", `{"from_host":"closed.example"}`},
	{"facets", `{"by":"host"}`},
	{"facets", `{"by":"tags"}`},
	{"trends", `{"field":"host","unit":"year"}`},
	{"trends", `{"terms":"harbour,SECRET","unit":"year"}`},
	{"trends", `{"about":"SECRET plans","terms":"SECRET","unit":"year","near":"0.01"}`},
	{"trends", `{"about":"harbour","field":"host","unit":"day","near":"0.01"}`},
	{"search", `{"collection":"vault","query":"harbour"}`},
	{"page", `{"collection":"vault","url":"http://vault.example/secret-v"}`},
	{"sources", `{}`},
}

// TestMCP_denied: for each reader, the answer of each tool is that of a server that never had the denied captures.
func TestMCP_denied(t *testing.T) {
	g := launch(t, rules, map[string][]held{"out": slices.Concat(openPages, deniedPages), "vault": vaultPages})
	twin := launch(t, "default: allow\nanonymous: yes", map[string][]held{"out": openPages})
	readers := []asker{{"", "", ""}, {"viewer", "", ""}, {"editor", "", ""}, {"viewer", "192.0.2.7:999", ""}}
	for _, who := range readers {
		g.settled(who, "/api/v1/overview", "/api/v1/entities")
	}
	twin.settled(asker{}, "/api/v1/overview", "/api/v1/entities")
	for _, call := range calls {
		_, want := twin.tool(asker{"viewer", "", ""}, call[0], call[1])
		for _, who := range readers {
			status, body := g.tool(who, call[0], call[1])
			if leaks(body) && !leaks(call[1]) {
				t.Errorf("%+v %v shows a secret: %s", who, call, around(body))
			}
			got, want := differing.ReplaceAllString(body, ""), differing.ReplaceAllString(want, "")
			if status != http.StatusOK || got != want && !isWhole(call[0]) {
				t.Errorf("%+v %v: %d, and without the captures: %s", who, call, status, difference(got, want))
			}
		}
		if status, _ := g.tool(asker{"admin", "", ""}, call[0], call[1]); status != http.StatusOK {
			t.Errorf("an admin gets %d for %v", status, call)
		}
	}
	// An admin sees what others do not.
	if _, body := g.tool(asker{"admin", "", ""}, "search", `{"collection":"vault"}`); !leaks(body) {
		t.Errorf("an admin does not see the vault: %s", body)
	}
	for _, uri := range []string{
		"gleaner://vault/newest/http://vault.example/secret-v", "gleaner://out/newest/http://closed.example/secret-a",
		"gleaner://out/20261102100000/http://new.example/old",
	} {
		_, body := g.say(readers[1], fmt.Sprintf(
			`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":%q}}`, uri))
		if strings.Contains(body, "SECRET") {
			t.Errorf("%s: %s", uri, body)
		}
	}
}

// isWhole reports whether a tool tells readers of a part less than others.
func isWhole(tool string) bool { return tool == "sources" || tool == "collections" }

// TestMCP_byAddressAndTime: rules by address and time hold for each call, and change with the file.
func TestMCP_byAddressAndTime(t *testing.T) {
	g := launch(t, rules, map[string][]held{"out": slices.Concat(openPages, roomPages)})
	room := `{"url":"http://room.example/a"}`
	for _, test := range []struct {
		name  string
		who   asker
		reads bool
	}{
		{"outside", asker{"viewer", "203.0.113.9:1", ""}, false},
		{"inside", asker{"viewer", "192.0.2.7:1", ""}, true},
		{"inside by a proxy", asker{"viewer", "10.0.0.1:1", "192.0.2.7"}, true},
		{"address that a client made up", asker{"viewer", "203.0.113.9:1", "192.0.2.7"}, false},
		{"address made up before a proxy", asker{"viewer", "10.0.0.1:1", "192.0.2.7, 203.0.113.9"}, false},
		{"visitor outside", asker{"", "203.0.113.9:1", ""}, false},
	} {
		for _, tool := range []string{"page", "compare"} {
			_, body := g.tool(test.who, tool, room)
			if strings.Contains(body, "quokka") != test.reads && tool == "page" ||
				strings.Contains(body, "wombat") && !test.reads {
				t.Errorf("%s, %s: %s", test.name, tool, body)
			}
			if !test.reads && !strings.Contains(body, "Only in the reading room.") {
				t.Errorf("%s, %s: without the reason: %s", test.name, tool, body)
			}
		}
		_, body := g.tool(test.who, "search", `{"host":"room.example","all_versions":true}`)
		if strings.Contains(body, "quokka") != test.reads {
			t.Errorf("%s, search: %s", test.name, body)
		}
	}
	young := launch(t, rules, map[string][]held{"out": {
		{url: "http://new.example/x", date: "2026-11-01T10:00:00Z", title: "Young", text: "numbat"},
	}})
	who := asker{"viewer", "", ""}
	if _, body := young.tool(who, "page", `{"url":"http://new.example/x"}`); strings.Contains(body, "numbat") {
		t.Errorf("an embargo does not hold: %s", body)
	}
	young.now = young.now.Add(120 * 24 * time.Hour)
	if _, body := young.tool(who, "page", `{"url":"http://new.example/x"}`); !strings.Contains(body, "numbat") {
		t.Errorf("an embargo does not end: %s", body)
	}
}

// hello begins a conversation.
const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// TestAttack_MCPRequests: requests without a token, of other sites, with others' sessions, batches and large bodies get
// nothing.
func TestAttack_MCPRequests(t *testing.T) {
	g := launch(t, "default: allow", map[string][]held{"out": openPages})
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
	viewer := asker{"viewer", "", ""}
	for _, test := range []struct {
		name string
		who  asker
		body string
		head []string
		want int
	}{
		{"good", viewer, hello, nil, 200},
		{"no token", asker{}, hello, nil, 401},
		{"wrong token", asker{}, hello, []string{"Authorization", "Bearer gleaner_x"}, 401},
		{"token as basic", asker{}, hello, []string{"Authorization", "Basic " + g.tokens["viewer"]}, 401},
		{"cookie without proof", asker{}, hello, []string{"Cookie", "gleaner=" + g.tokens["viewer"]}, 401},
		{"other origin", viewer, hello, []string{"Origin", "https://mallory.example"}, 403},
		{"no origin of a frame", viewer, hello, []string{"Origin", "null"}, 403},
		{"our origin", viewer, hello, []string{"Origin", "http://archive.example"}, 200},
		{"other site", viewer, hello, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"form", viewer, hello, []string{"Content-Type", "application/x-www-form-urlencoded"}, 415},
		{"plain text", viewer, hello, []string{"Content-Type", "text/plain"}, 415},
		{"another's session", viewer, list, []string{"Mcp-Session-Id", "0123456789abcdef"}, 200},
		{"batch", viewer, "[" + strings.Repeat(list+",", 1000) + list + "]", nil, 400},
		{"batch after blanks", viewer, " \n[" + list + "]", nil, 400},
		{"not JSON", viewer, "{", nil, 400},
		{"large", viewer, `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 2<<20) + `"}`, nil, 413},
		{"deep", viewer, strings.Repeat(`{"a":`, 20_000), nil, 400},
		{"empty", viewer, "", nil, 400},
	} {
		r, body := g.say(test.who, test.body, test.head...)
		if r.StatusCode != test.want || test.want != 200 && strings.Contains(body, `"result"`) {
			t.Errorf("%s: %d, want %d: %.300s", test.name, r.StatusCode, test.want, body)
		}
		if r.Header.Get("Mcp-Session-Id") != "" {
			t.Errorf("%s: it has a session", test.name)
		}
		if c := r.Header.Get("Cache-Control"); test.want == 200 && !strings.HasPrefix(c, "no-") {
			t.Errorf("%s: caches may keep it: %q", test.name, c)
		}
	}
	for _, method := range []string{"GET", "DELETE", "PUT"} {
		r, _ := g.ask(viewer, method+" /mcp", "Accept", "text/event-stream", "Mcp-Session-Id", "x")
		if r.StatusCode != http.StatusMethodNotAllowed && r.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %d", method, r.StatusCode)
		}
	}
	r := newRequestTo(t, "rebound.mallory.example", hello, g.tokens["viewer"])
	if status := g.status(r); status != http.StatusForbidden {
		t.Errorf("a rebound name gets %d", status)
	}
}

// TestAttack_MCPSessions: after a thousand beginnings nothing is left, since there are no sessions.
func TestAttack_MCPSessions(t *testing.T) {
	g := launch(t, "default: allow", map[string][]held{"out": openPages})
	admin := asker{"admin", "", ""}
	g.say(admin, hello)
	before := runtime.NumGoroutine()
	refused := 0
	for range 1000 {
		if r, _ := g.say(admin, hello); r.StatusCode == http.StatusTooManyRequests {
			refused++
		}
	}
	for range 100 {
		if runtime.NumGoroutine() <= before+10 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before+10 {
		t.Errorf("%d goroutines, and %d before", n, before)
	}
	t.Logf("%d of 1000 were refused by the limit of requests", refused)
}

// TestMCP_links: citations lead to pages and replay of the server, by the name that the client uses.
func TestMCP_links(t *testing.T) {
	g := launch(t, "default: allow", map[string][]held{"out": openPages})
	_, body := g.tool(asker{"viewer", "", ""}, "page", `{"url":"http://open.example/","at":"2015"}`)
	var answer struct {
		Result struct{ StructuredContent map[string]any }
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatal(err)
	}
	out := answer.Result.StructuredContent
	if out["replay"] != "http://archive.example/replay/20150301100000/http://open.example/" ||
		!strings.HasPrefix(fmt.Sprint(out["page"]), "http://archive.example/out/resource?at=20150301100000") {
		t.Errorf("%v", out)
	}
	path := strings.TrimPrefix(fmt.Sprint(out["page"]), "http://archive.example")
	if r, page := g.ask(asker{"viewer", "", ""}, path); r.StatusCode != 200 || !strings.Contains(page, "zebra") {
		t.Errorf("%s: %d", path, r.StatusCode)
	}
}

// newRequestTo makes a request for another host.
func newRequestTo(t *testing.T, host, body, token string) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+host+"/mcp", strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	return r
}

// status sends a request and returns the answer's status.
func (g *guarded) status(r *http.Request) int {
	w := httptest.NewRecorder()
	g.main.ServeHTTP(w, r)
	return w.Code
}

package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/pipelines/server/account"
	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
)

// client sends requests as one user.
type client struct {
	t     *testing.T
	h     http.Handler
	actor view.Actor
}

// newClient returns a user of a server with a collection and accounts.
func newClient(t *testing.T, actor view.Actor) client {
	t.Helper()
	var list []*schemas.Document
	for i := range 5 {
		list = append(list, &schemas.Document{
			URL: fmt.Sprintf("http://a.example/%d", i), SURT: fmt.Sprintf("example,a)/%d", i), Host: "a.example", Text: "fish",
			Timestamp: "2026-01-02T03:04:05Z", Filename: "a.warc", Offset: int64(i), Title: `<script>alert("x")</script>`,
		})
	}
	s, err := shelf.Open(t.Context(), []string{collectiontest.Make(t, "a.warc", list...)}, nil,
		shelf.Options{Poll: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // it is only read
	accounts, err := account.Open(t.Context(), filepath.Join(t.TempDir(), "accounts.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = accounts.Close() }) // the test is over
	if err := accounts.AddUser(t.Context(), "ada", "a long enough password", int(view.Editor)); err != nil {
		t.Fatal(err)
	}
	return client{t, api.New(view.New(s, view.Options{}), api.Options{Accounts: accounts}), actor}
}

// do sends a request, and returns the answer with its JSON.
func (c client) do(method, path, body string) (w *httptest.ResponseRecorder, got map[string]any) {
	c.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w = httptest.NewRecorder()
	c.h.ServeHTTP(w, r.WithContext(view.WithActor(r.Context(), c.actor)))
	if media := w.Header().Get("Content-Type"); strings.HasSuffix(media, "json") {
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			c.t.Errorf("%s %s: %v, %s", method, path, err, w.Body)
		}
	}
	return w, got
}

// TestAPI_reads: resources answer with JSON or a file, and take empty parameters of forms as missing.
func TestAPI_reads(t *testing.T) {
	c := newClient(t, view.Actor{Name: "ada", Role: view.Viewer})
	for path, want := range map[string]string{
		"/me":                           `"name":"ada"`,
		"/collections":                  `"captures":5`,
		"/overview?unit=":               `"captures":5`,
		"/search?query=fish":            `"captures":5`,
		"/search?query=&lang=&order=":   `"captures":5`,
		"/facets?by=host":               `"a.example"`,
		"/values?field=host":            `"a.example"`,
		"/resources?url=a.example/1":    `"versions"`,
		"/hosts":                        `"a.example"`,
		"/hosts/a.example":              `"captures":5`,
		"/entities":                     `"entities":[]`,
		"/runs":                         `"number":1`,
		"/runs/1":                       `"units"`,
		"/tokens":                       `"tokens":[]`,
		"/export?format=urls&limit=2":   "http://a.example/4\n",
		"/export?format=&query=nothing": "",
		"/help":                         `"examples"`,
	} {
		w, _ := c.do(http.MethodGet, "/api/v1"+path, "")
		if w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d, %.200s; want %s", path, w.Code, w.Body, want)
		}
		if strings.Contains(path, "export") && !strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment") {
			t.Errorf("%s is not an attachment: %v", path, w.Header())
		}
		if w, _ := c.do(http.MethodPost, "/api/v1"+path, "{}"); w.Code == 200 {
			t.Errorf("POST %s: 200", path)
		}
	}
}

// TestAPI_refuses: each refusal is a problem with its status, and repeats no more than the beginning of a value.
func TestAPI_refuses(t *testing.T) {
	c := newClient(t, view.Actor{Name: "ada", Role: view.Viewer})
	long := strings.Repeat("x", 5000)
	for _, tt := range []struct {
		method, path, body string
		status             int
	}{
		{"GET", "/none", "", 404},
		{"GET", "/", "", 404},
		{"GET", "/search/", "", 404},
		{"GET", "/hosts/none.example", "", 404},
		{"GET", "/runs/2", "", 404},
		{"GET", "/runs/one", "", 422},
		{"GET", "/runs/0", "", 422},
		{"GET", "/resources?url=b.example/", "", 404},
		{"GET", "/resources", "", 422},
		{"GET", "/search?query=(", "", 400},
		{"GET", "/search?query=nofield%3D1", "", 400},
		{"GET", "/search?nofield=1", "", 422},
		{"GET", "/search?Query=fish", "", 422},
		{"GET", "/search?limit=", "", 422},
		{"GET", "/search?limit=x", "", 422},
		{"GET", "/search?limit=0", "", 422},
		{"GET", "/search?limit=1000000000000", "", 422},
		{"GET", "/search?order=best", "", 422},
		{"GET", "/search?cursor=x", "", 400},
		{"GET", "/search?collection=" + long, "", 422},
		{"GET", "/search?collection=other", "", 404},
		{"GET", "/search?month=2026-13", "", 400},
		{"GET", "/overview?unit=year,month", "", 422},
		{"GET", "/export?format=jsonl,csv", "", 422},
		{"GET", "/export?format=warc&fields=url", "", 400},
		{"GET", "/export?fields=nofield", "", 400},
		{"GET", "/facets", "", 422},
		{"GET", "/facets?by=a,b,c,d", "", 400},
		{"GET", "/values?field=title", "", 422},
		{"GET", "/sources", "", 404},
		{"GET", "/jobs", "", 404},
		{"GET", "/audit", "", 403},
		{"POST", "/jobs", `{"verb":"ingest","values":{}}`, 403},
		{"POST", "/jobs", `{"verb":"rm","values":{}}`, 422},
		{"POST", "/jobs", `{`, 400},
		{"POST", "/tokens", `{"label":"","role":"viewer"}`, 422},
		{"POST", "/tokens", `{"label":"x","role":"nobody"}`, 422},
		{"POST", "/tokens", `{"label":"x","role":"viewer","days":-1}`, 422},
		{"POST", "/tokens", `{"label":"x","role":"viewer","Days":1}`, 422},
		{"POST", "/tokens", `{"label":"x","role":"viewer","more":1}`, 422},
		{"POST", "/tokens", `{"label":"` + long + `","role":"viewer"}`, 422},
		{"POST", "/tokens", `{"label":"x","role":"admin"}`, 403},
		{"DELETE", "/tokens/99", "", 404},
		{"DELETE", "/sessions/99", "", 404},
		{"PUT", "/search", "", 405},
		{"DELETE", "/search", "", 405},
		{"PATCH", "/tokens", "", 405},
	} {
		w, got := c.do(tt.method, "/api/v1"+tt.path, tt.body)
		if w.Code != tt.status || w.Header().Get("Content-Type") != "application/problem+json" || got["title"] == "" ||
			got["status"] != float64(tt.status) {
			t.Errorf("%s %.60s: %d, %s, %.300s; want %d", tt.method, tt.path, w.Code, w.Header().Get("Content-Type"), w.Body,
				tt.status)
		}
		if w.Body.Len() > 2000 {
			t.Errorf("%s %.60s answers with %d bytes", tt.method, tt.path, w.Body.Len())
		}
		if (tt.status == 405) != (w.Header().Get("Allow") != "") {
			t.Errorf("%s %.60s allows %q", tt.method, tt.path, w.Header().Get("Allow"))
		}
	}
}

// TestAPI_tokens: a user makes, lists and revokes tokens; a token can only revoke itself.
func TestAPI_tokens(t *testing.T) {
	c := newClient(t, view.Actor{Name: "ada", Role: view.Editor})
	var ids []int64
	for _, label := range []string{"first", "second"} {
		w, got := c.do(http.MethodPost, "/api/v1/tokens", `{"label":"`+label+`","role":"viewer","days":0.5}`)
		if text, _ := got["token"].(string); w.Code != 200 || len(text) < 20 {
			t.Fatalf("%d, %s", w.Code, w.Body)
		}
		ids = append(ids, int64(got["id"].(float64)))
	}
	w, got := c.do(http.MethodGet, "/api/v1/tokens", "")
	if list, _ := got["tokens"].([]any); len(list) != 2 || !strings.Contains(w.Body.String(), `"expires":"`) ||
		strings.Contains(w.Body.String(), `"token"`) {
		t.Errorf("the list: %s", w.Body)
	}
	token := c
	token.actor.Token = ids[1]
	for path, status := range map[string]int{
		fmt.Sprintf("DELETE /tokens/%d", ids[0]): 403, "DELETE /sessions/1": 403, "POST /tokens": 403, "GET /tokens": 200,
	} {
		method, path, _ := strings.Cut(path, " ")
		body := ""
		if method == http.MethodPost {
			body = `{"label":"third","role":"viewer"}`
		}
		if w, _ := token.do(method, "/api/v1"+path, body); w.Code != status {
			t.Errorf("a token: %s %s is %d, want %d: %s", method, path, w.Code, status, w.Body)
		}
	}
	if w, _ := token.do(http.MethodDelete, fmt.Sprintf("/api/v1/tokens/%d", ids[1]), ""); w.Code != 200 {
		t.Errorf("a token cannot revoke itself: %d, %s", w.Code, w.Body)
	}
	other := c
	other.actor.Name = "bob"
	if w, _ := other.do(http.MethodDelete, fmt.Sprintf("/api/v1/tokens/%d", ids[0]), ""); w.Code != 404 {
		t.Errorf("somebody else's token: %d", w.Code)
	}
	admin := c
	admin.actor.Role = view.Admin
	w, _ = admin.do(http.MethodGet, "/api/v1/audit", "")
	for _, what := range []string{"token made", "first", "second", "token revoked"} {
		if !strings.Contains(w.Body.String(), what) {
			t.Errorf("the audit log lacks %q: %s", what, w.Body)
		}
	}
}

// TestAPI_nobody: without an account nothing is answered but the description.
func TestAPI_nobody(t *testing.T) {
	c := newClient(t, view.Actor{})
	_, described := c.do(http.MethodGet, "/openapi.json", "")
	paths, _ := described["paths"].(map[string]any)
	if len(paths) < 20 {
		t.Fatalf("%d paths", len(paths))
	}
	fill := strings.NewReplacer("{number}", "1", "{id}", "1", "{host}", "a.example")
	for path, methods := range paths {
		for method := range methods.(map[string]any) {
			body, query := "", ""
			switch {
			case strings.HasSuffix(path, "/tokens") && method == "post":
				body = `{"label":"x","role":"viewer"}`
			case strings.Contains(path, "/saved") && method == "post":
				body = `{"name":"x"}`
				if strings.HasSuffix(path, "/saved") {
					body = `{"name":"x","query":""}`
				}
			case method == "post" && !strings.HasSuffix(path, "cancel"):
				body = `{"verb":"ingest","values":{}}`
			case strings.HasSuffix(path, "/facets"):
				query = "?by=host"
			case strings.HasSuffix(path, "/graph/file"):
				query = "?format=csv"
			case strings.HasSuffix(path, "/values"), strings.HasSuffix(path, "/trends"):
				query = "?field=host"
			case strings.HasSuffix(path, "/resources"):
				query = "?url=a.example/1"
			case strings.HasSuffix(path, "/record"), strings.HasSuffix(path, "/text"):
				query = "?url=a.example/1&place=~1.0.a.warc"
			}
			if w, _ := c.do(strings.ToUpper(method), fill.Replace(path)+query, body); w.Code != 401 {
				t.Errorf("%s %s: %d, %.200s; want 401", method, path, w.Code, w.Body)
			}
		}
	}
}

// TestWriteError: the problem of another interface hides failures, and repeats no long value.
func TestWriteError(t *testing.T) {
	for _, tt := range []struct {
		err    error
		status int
		retry  string
	}{
		{&view.Error{Kind: view.NotReady, Title: "busy", Retry: 7}, 503, "7"},
		{
			&view.Error{Kind: view.Invalid, Title: "bad", Param: "url", Value: strings.Repeat("é", 1<<16), Detail: "no"}, 400,
			"",
		},
		{fmt.Errorf("reading: %w", &view.Error{Kind: view.NotFound, Title: "none"}), 404, ""},
		{os.ErrPermission, 500, ""},
	} {
		w := httptest.NewRecorder()
		api.WriteError(w, tt.err)
		if w.Code != tt.status || w.Header().Get("Retry-After") != tt.retry || w.Body.Len() > 2000 ||
			strings.Contains(w.Body.String(), "permission") || api.Status(tt.err) != tt.status {
			t.Errorf("%v: %d, %v, %d bytes", tt.err, w.Code, w.Header(), w.Body.Len())
		}
	}
}

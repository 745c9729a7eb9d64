package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
)

// call matches a call in the table of docs/api.md: `GET /api/v1/runs/{number}`.
var call = regexp.MustCompile("`(GET|POST|DELETE|PUT|PATCH) (/api/v1/[^`?]*)`")

// TestDocs_nameEveryCall: docs/api.md lists exactly the calls that the server describes.
func TestDocs_nameEveryCall(t *testing.T) {
	text, err := os.ReadFile("../../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, m := range call.FindAllStringSubmatch(string(text), -1) {
		listed[m[1]+" "+m[2]] = true
	}
	answer := httptest.NewRecorder()
	// Only the description is requested, so the views need no collection.
	h := api.New(&view.Views{}, api.Options{})
	h.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	var described struct {
		Paths map[string]map[string]any
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &described); err != nil || len(described.Paths) == 0 {
		t.Fatalf("openapi.json: %v, %d paths", err, len(described.Paths))
	}
	for path, methods := range described.Paths {
		for method := range methods {
			name := strings.ToUpper(method) + " " + path
			if strings.HasPrefix(path, "/api/v1/") && !listed[name] {
				t.Errorf("docs/api.md does not list %s", name)
			}
			delete(listed, name)
		}
	}
	for name := range listed {
		t.Errorf("docs/api.md lists %s, which is no call", name)
	}
}

// TestSchema_describesDocuments: the schema of the API has the description of each field of documents.
func TestSchema_describesDocuments(t *testing.T) {
	answer := httptest.NewRecorder()
	h := api.New(&view.Views{}, api.Options{})
	h.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	for _, c := range schemas.Columns() {
		if !strings.Contains(answer.Body.String(), `"description":"`+c.Text+`"`) {
			t.Errorf("%s has no description", c.Name)
		}
	}
}

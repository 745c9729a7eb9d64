package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestSchema_describesDocuments: the schema of the API has each field of documents, with its description.
func TestSchema_describesDocuments(t *testing.T) {
	answer := httptest.NewRecorder()
	h := api.New(&view.Views{}, api.Options{})
	h.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	var o struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct{ Description string }
			}
		}
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &o); err != nil {
		t.Fatal(err)
	}
	var check func(record string, columns []schemas.Column)
	check = func(record string, columns []schemas.Column) {
		for _, c := range columns {
			if got := o.Components.Schemas[record].Properties[c.Name].Description; got == "" || got != c.Text {
				t.Errorf("%s.%s is described as %q, want %q", record, c.Name, got, c.Text)
			}
			check(schemas.Element(c.Type).Name(), c.Columns)
		}
	}
	check("Document", schemas.Columns())
}

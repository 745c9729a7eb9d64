package elastic_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/io/sink/elastic/elastictest"
)

// TestWriter_again: a document of Gleaner's model replaces the earlier one, and one of ACHE's is merged into it.
func TestWriter_again(t *testing.T) {
	for name, tt := range map[string]struct{ before, now, merged string }{
		"a field less":      {`{"url":"u","language":"fr"}`, `{"url":"u"}`, `{"url":"u","language":"fr"}`},
		"a list less":       {`{"entities":[{"text":"A"}]}`, `{}`, `{"entities":[{"text":"A"}]}`},
		"a shorter list":    {`{"a":[1,2]}`, `{"a":[3]}`, `{"a":[3]}`},
		"a name less":       {`{"custom":{"a":1,"b":2}}`, `{"custom":{"b":3}}`, `{"custom":{"a":1,"b":3}}`},
		"an object less":    {`{"quality":{"words":7}}`, `{"a":1}`, `{"quality":{"words":7},"a":1}`},
		"a field of others": {`{"a":1,"stars":5}`, `{"a":2}`, `{"a":2,"stars":5}`},
		"a field more":      {`{"a":1}`, `{"a":1,"b":2}`, `{"a":1,"b":2}`},
	} {
		t.Run(name, func(t *testing.T) {
			for model, want := range map[elastic.Model]string{elastic.Gleaner: tt.now, elastic.ACHE: tt.merged} {
				s := elastictest.Start(t)
				o := quick(s.URL)
				o.Model = model
				w := open(t, o).NewWriter(t.Context(), nil)
				for _, source := range []string{tt.before, tt.now} {
					if err := w.Write(elastic.Document{ID: "x", Source: []byte(source)}); err != nil {
						t.Fatal(err)
					}
					if err := w.Flush(); err != nil {
						t.Fatal(err)
					}
				}
				if diff := cmp.Diff(decoded(t, want), decoded(t, s.Docs["x"])); diff != "" {
					t.Errorf("%s (-want +got):\n%s", model, diff)
				}
			}
		})
	}
}

func decoded(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

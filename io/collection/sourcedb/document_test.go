package sourcedb

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// told is all that addPage takes from a document.
func told(d *schemas.Document) any {
	return []any{source.FromDocument(d), signalsOf(d), d.Canonical, d.Domain}
}

// FuzzReadDocument: a document as Gleaner writes it tells the same of its source, whether all of it is decoded or what
// is needed; other lines are errors or are read, without a panic.
func FuzzReadDocument(f *testing.F) {
	for _, line := range []string{
		`{"url":"http://a.example/1","title":"A \"piece\"","status":301,"redirect_url":"http://a.example/2","offset":-1}`,
		`{"url":"http://a.example/","text":"lorem ipsum dolor","quality":{"words":3,"lines":1},"authors":["\u00e9","b"]}`,
		`{"entities":[{"type":"place","text":"Bern","count":2,"mentions":[{"start":1,"end":2}]}],"site_signals":["sport"]}`,
		`{"text":"Hello world, two words and more","page_type":"article","text_path":"div p","language":"en"}`,
		`{"quality":null,"entities":null,"url":null,"status":null}`, `{"url":7}`, `{"authors":{}}`, `{`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		_, _ = readDocument(line)
		var d schemas.Document
		if json.Unmarshal(line, &d) != nil {
			return
		}
		written, err := json.Marshal(d)
		must(t, err)
		got, err := readDocument(written)
		must(t, err)
		if diff := cmp.Diff(told(&d), told(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", written, diff)
		}
	})
}

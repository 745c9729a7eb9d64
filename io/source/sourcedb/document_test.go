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

// FuzzReadDocument: Gleaner's own documents give the same source whether all fields are decoded or only the needed
// ones. Other lines are errors or are read, without a panic.
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

// FuzzReadFeed is FuzzReadDocument for rows of feeds.
func FuzzReadFeed(f *testing.F) {
	for _, line := range []string{
		`{"kind":"feed","url":"http://a.example/f","type":"rss","timestamp":"2026-01-02T03:04:05Z","status":200,"count":2,` +
			`"domain":"a.example","title":"A \"title\"","self":"http://a.example/g","digest":"x","language":"en",` +
			`"items":[{"url":"http://a.example/1?utm_a=b","title":"One"},{"id":"2","published":"2026-01-01","updated":null}]}`,
		`{"kind":"announced","url":"http://a.example/f","page":"http://a.example/","title":"\u00e9","filename":"x.warc.gz"}`,
		`{"kind":"feed","refresh":{"ttl":60,"update_period":"daily","update_frequency":2,"max_age":0,"skip_hours":[1]}}`,
		`{"items":null,"refresh":null,"count":null}`, `{"items":{}}`, `{"status":"200"}`, `{`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		_, _ = readFeed(line)
		var row schemas.FeedCapture
		if json.Unmarshal(line, &row) != nil {
			return
		}
		written, err := json.Marshal(row)
		must(t, err)
		got, err := readFeed(written)
		must(t, err)
		if diff := cmp.Diff(source.FromFeed(&row), source.FromFeed(&got)); diff != "" || row.URL != got.URL {
			t.Errorf("%s (-want +got):\n%s", written, diff)
		}
	})
}

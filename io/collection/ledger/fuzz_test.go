package ledger

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzRow reads row files that anybody may have written: whatever they say, no name leads out of the folder.
func FuzzRow(f *testing.F) {
	key := strings.Repeat("a", 64)
	for _, name := range []string{
		"documents-aaaaaaaaaaaaaaaaaaaa.jsonl.zst", "../x", "documents-aaaaaaaaaaaaaaaaaaaa.jsonl.zst/../x",
		"captures-00000-of-00001.cdxj.gz", "feeds-joined.jsonl.gz",
	} {
		f.Add([]byte(`{"key":"` + key + `","total":1,"id":0,"inputs":[],"shards":[{"name":"` + name + `","bytes":1}]}`))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var r OlderRow
		if json.Unmarshal(data, &r) != nil || r.check(key) != nil && r.Row.check(key) != nil {
			return
		}
		for _, s := range r.Shards {
			if filepath.Base(s.Name) != s.Name || strings.HasPrefix(s.Name, ".") {
				t.Errorf("check let %q through", s.Name)
			}
		}
	})
}

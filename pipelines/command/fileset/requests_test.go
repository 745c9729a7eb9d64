package fileset

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// TestOpen_marked reads requests as programs for text save them.
func TestOpen_marked(t *testing.T) {
	const first, second = `{"ingest_type":"dataset"}`, `{"base_url":"x"}`
	for name, text := range map[string]string{
		"marked":                   "\ufeff" + first + "\n" + second + "\n",
		"marked, line ends of DOS": "\ufeff" + first + "\r\n" + second + "\r\n",
		"marked, without an end":   "\ufeff" + first + "\n" + second,
		"not marked":               first + "\n" + second,
	} {
		path := filepath.Join(t.TempDir(), "requests.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var got []string
		for s, err := range open(t.Context(), blob.New(blob.Options{}), path, nil) {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			got = append(got, string(s.text))
		}
		if want := []string{first, second}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

package query

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// noted writes the extractors of collect to the manifest, as ingest does.
func noted(t *testing.T, out string) {
	t.Helper()
	manifest := filepath.Join(out, "manifest.json")
	b, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	m["options"] = map[string]any{"extract": []string{"mime", "text", "language", "metadata"}}
	if b, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(manifest, b, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestQuery_saysWhyNothing: an answer without captures names the options that the fields of its filter need.
func TestQuery_saysWhyNothing(t *testing.T) {
	out := collect(t, archives(t))
	noted(t, out)
	for _, test := range []struct{ args, want string }{
		{"--where=sentiment.score < 0", "sentiment.score, which ingest --extract=sentiment fills"},
		{"--where=sentiment.score < 0\n--format=count", "sentiment.score, which ingest --extract=sentiment fills"},
		{"--where=entities.sentiment < 0", "entities.sentiment, which ingest --extract=sentiment fills"},
		{"--trends=entities.sentiment < 0", "entities.sentiment, which ingest --extract=sentiment fills"},
		{"--trends=sentiment.score < 0,title:*\n--by=month", "sentiment.score, which ingest --extract=sentiment fills"},
		{"--by=entity", "entities.text, which ingest --extract=entities fills"},
		{"--where=source_id = x", "name the database that"},
		{"--where=custom.price:*", "custom.price, which ingest --select fills"},
		{"--where=status = 999", "no capture of the collection matches"},
		{"--where=language = EN", `instead="language = en"`},
		{"--where=status = 200 AND language = Fr\n--format=count", `instead="language = fr"`},
		{"--about=  ", "--about has no word"},
	} {
		_, _, errs := command(t, append(strings.Split(test.args, "\n"), "--collection="+out)...)
		if !strings.Contains(errs, test.want) {
			t.Errorf("%q says %q, want %q", test.args, errs, test.want)
		}
		if strings.Contains(test.args, "999") && strings.Contains(errs, "which ingest") {
			t.Errorf("%q says %q", test.args, errs)
		}
	}
}

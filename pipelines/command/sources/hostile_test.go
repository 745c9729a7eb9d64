package sources

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSources_hostile: rows with absurd values in valid JSON end no run. Their values are cut or ignored.
func TestSources_hostile(t *testing.T) {
	one := crawl(t, 0)
	long := strings.Repeat("x", 3<<20)
	feeds := []string{
		"null", "{}", `{"kind":"feed"}`,
		`{"kind":"feed","url":"https://` + long + `.example/feed","timestamp":"2026-03-01T00:00:00Z","status":-7,` +
			`"item_count":-1}`,
		`{"kind":"feed","url":"https://a.example/` + long + `","timestamp":"` + long + `","title":"` + long + `"}`,
		`{"kind":"announced","url":"` + long + `","page":"` + long + `","title":"` + long + `"}`,
		`{"kind":"feed","url":"https://b.example/feed","timestamp":"9999-12-31T23:59:59Z","self":"` + long +
			`","items":[null,{},{"url":"` + long + `","title":"` + long + `","id":"` + long + `","published":"0000-00-00"}]}`,
	}
	documents := []string{
		"null", "{}", `{"url":"` + long + `","title":"` + long + `","simhash":"nothing","quality":null}`,
		`{"url":"https://site1.example/1","canonical":"https://site1.example/` + long + `","domain":"site1.example",` +
			`"redirect_url":"` + long + `","timestamp":"-1","status":99999999,` +
			`"entities":[{},{"type":"` + long + `","text":"` + long + `"}]}`,
	}
	for kind, more := range map[string][]string{"feeds": feeds, "documents": documents} {
		name := shards(t, one, kind)[0]
		text := strings.Join(append(more, linesOf(t, name)...), "\n") + "\n"
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(t.TempDir(), "sources")
	code, said, errs := command(t, "--output="+out, one)
	if code != 3 {
		t.Fatalf("exit code %d\n%.2000s%.2000s", code, said, errs)
	}
	// The rejects can be read.
	if got := rejectsIn(t, out); len(got) != 5 {
		t.Errorf("rejects: %+v", got)
	}
	if code, said, errs := command(t, "--output="+out, crawl(t, 1)); code != 3 {
		t.Fatalf("a second crawl: exit code %d\n%.2000s%.2000s", code, said, errs)
	}
	for _, s := range readSources(t, out) {
		if len(s.URL) > 1<<16 {
			t.Errorf("a source with a URL of %d bytes", len(s.URL))
		}
	}
}

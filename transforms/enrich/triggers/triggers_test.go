package triggers

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	got, err := Parse([]byte("# a comment\n- extractor: text\n  trigger: status=200 AND  lang=fr\n- {extractor: links, " +
		"trigger: a}\n"))
	if err != nil {
		t.Fatal(err)
	}
	// Filters with the same meaning have one form, with any blanks and aliases.
	want := map[string]string{"text": `status = 200 AND language = fr`, "links": "a"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := Parse(make([]byte, MaxBytes+1)); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a long file: %v", err)
	}
}

// FuzzParse: each accepted trigger has a name and a filter with a meaning.
func FuzzParse(f *testing.F) {
	f.Add([]byte("- extractor: text\n  trigger: status = 200\n"))
	f.Add([]byte("[{extractor: a, trigger: 'x OR y'}, {extractor: b, trigger: lang = fr}]"))
	f.Add([]byte("a: &a [*a]"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, data []byte) {
		filters, err := Parse(data)
		for name, filter := range filters {
			if err != nil || name == "" || filter == "" {
				t.Errorf("%q: %q, %v", name, filter, err)
			}
		}
	})
}

package holdings

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

func TestAbout(t *testing.T) {
	f := folder.Open(t.Context(), t.TempDir(), nil)
	if a, err := ReadAbout(f); err != nil || a != (About{}) {
		t.Errorf("a new folder: %+v, %v", a, err)
	}
	if err := f.Make(HiddenDir); err != nil {
		t.Fatal(err)
	}
	for _, a := range []About{
		{"Häfen", "Seiten über Häfen"}, {strings.Repeat("é", MaxTitle), ""}, {}, {"", strings.Repeat("x", MaxDescription)},
	} {
		if err := SaveAbout(f, a); err != nil {
			t.Errorf("%+v: %v", a, err)
		}
		if got, err := ReadAbout(f); err != nil || got != a {
			t.Errorf("%+v, want %+v, %v", got, a, err)
		}
	}
	for _, a := range []About{{strings.Repeat("é", MaxTitle+1), ""}, {"", strings.Repeat("x", MaxDescription+1)}} {
		if err := SaveAbout(f, a); err == nil {
			t.Errorf("%d and %d characters are saved", len(a.Title), len(a.Description))
		}
	}
	for _, bad := range []string{"", "[", "7", `{"title": 7}`, `{"title": "` + strings.Repeat("x", 300) + `"}`} {
		if err := f.Write(Hidden(AboutFile), []byte(bad)); err != nil {
			t.Fatal(err)
		}
		if a, err := ReadAbout(f); err != nil || a != (About{}) {
			t.Errorf("%q: %+v, %v", bad, a, err)
		}
	}
}

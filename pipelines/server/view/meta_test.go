package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestFoundOut_uses: licences and statements about use are rows, each with the search for its like; a robots.txt shows
// only its first rules.
func TestFoundOut_uses(t *testing.T) {
	d := &schemas.Document{
		Licenses: []schemas.License{{Name: "CC-BY-4.0", Scope: "picture", Basis: "rel", Confidence: 0.8}},
		Rights:   []schemas.Right{{Signal: "max-snippet", Value: "50", Agent: "googlebot", Basis: "meta"}},
	}
	for i := range 100 {
		d.Rights = append(d.Rights, schemas.Right{Signal: "disallow", Path: fmt.Sprint("/", i), Basis: "robots.txt"})
	}
	uses := 0
	for _, m := range foundOut("c", d) {
		switch m.Field {
		case "licenses":
			if m.Values[0] != "CC-BY-4.0" || m.From != "of the picture, by rel" || !strings.Contains(m.Link, "licenses.name") {
				t.Errorf("%+v", m)
			}
		case "rights":
			if uses++; uses == 1 && (m.Values[0] != "max-snippet 50 googlebot" || m.From != "meta" ||
				!strings.Contains(m.Link, "rights.signal")) {
				t.Errorf("%+v", m)
			}
		}
	}
	if uses != maxRights {
		t.Errorf("%d statements are shown", uses)
	}
}

// TestParseRole: each role has a name, except for nobody.
func TestParseRole(t *testing.T) {
	for _, r := range []Role{Viewer, Editor, Admin} {
		if got, ok := ParseRole(r.String()); got != r || !ok {
			t.Errorf("%s: %v, %v", r, got, ok)
		}
	}
	for _, name := range []string{"nobody", "", "ADMIN", "admin "} {
		if got, ok := ParseRole(name); ok {
			t.Errorf("%q is %v", name, got)
		}
	}
}

package feed

import (
	"strings"
	"testing"
)

// TestRead_refusedLinks: a link that is too long or empty does not replace another one.
func TestRead_refusedLinks(t *testing.T) {
	long := "https://a.example/" + strings.Repeat("x", 3000)
	for _, tt := range []struct{ links, want string }{
		{`<link href="https://a.example/1"/><link type="text/html" href="` + long + `"/>`, "https://a.example/1"},
		{`<link type="text/html" href="` + long + `"/><link href="https://a.example/1"/>`, "https://a.example/1"},
		{`<link type="text/html" href="` + long + `"/><link type="text/html" href="/2"/>`, "https://a.example/2"},
		{`<link href="https://a.example/1"/><link type="text/html" href=""/>`, "https://a.example/1"},
		{`<link href="https://a.example/1"/><link type="text/html" href="/2"/>`, "https://a.example/2"},
		{`<link type="text/html" href="` + long + `"/>`, ""},
	} {
		src := `<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><entry><title>E</title><id>urn:e</id>` + tt.links +
			`</entry></feed>`
		f, err := Read([]byte(src), "", "https://a.example/feed", Options{})
		if err != nil || len(f.Items) != 1 {
			t.Fatal(f, err)
		}
		if got := f.Items[0].Link; got != tt.want {
			t.Errorf("links %.120s give %q, want %q", tt.links, got, tt.want)
		}
	}
}

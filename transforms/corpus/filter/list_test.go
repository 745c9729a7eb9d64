package filter

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// TestLists_forms: lines of lists match in each form that people write, and lines that can never match are errors.
func TestLists_forms(t *testing.T) {
	const refused = "refused"
	for _, tt := range []struct {
		list string // the file
		url  string
		want string // refused, "" for kept, or a part of the error
	}{
		{"casino.example\n", "https://www.casino.example/a", refused},
		{"\ufeffcasino.example\r\nother.example\r\n", "https://casino.example/a", refused},
		{"other.example\r\ncasino.example\r\n", "https://casino.example/a", refused},
		{" casino.example \t\n", "https://casino.example/a", refused},
		{"*.casino.example", "https://www.casino.example/a", refused},
		{".casino.example", "https://casino.example/a", refused},
		{"http://casino.example/", "https://casino.example/a", refused},
		{"https://Casino.Example", "https://casino.example:8080/a", refused},
		{"müller.example", "https://www.müller.example/a", refused},
		{"xn--mller-kva.example", "https://müller.example/a", refused},
		{"casino.example.", "https://casino.example/a", refused},
		{"93.184.216.34", "http://93.184.216.34/a", refused},
		{"bad_host.example", "http://bad_host.example/a", refused},
		{"# casino.example\n\nother.example", "https://casino.example/a", ""},
		{"asino.example", "https://casino.example/a", ""},
		{"casino.example/poker", "https://casino.example/poker", `"casino.example/poker" is no host`},
		{"0.0.0.0 casino.example", "https://casino.example/a", "is no host"},
		{"||casino.example^", "https://casino.example/a", "is no host"},
		{"cas*.example", "https://casino.example/a", "is no host"},
		{"a@casino.example", "https://casino.example/a", "is no host"},
	} {
		d := &schemas.Document{Text: "text", URL: tt.url}
		d.Host, d.Domain = urlkey.Site(tt.url)
		got := judgeList(t, "urls", tt.list, d)
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("block %q of %s: %q, want %q", tt.list, tt.url, got, tt.want)
		}
	}
	for _, tt := range []struct{ filter, list, want string }{
		{"media", "application/pdf\r\nimage/png\r\n", refused},
		{"media", "Application/PDF", refused},
		{"media", "\ufeff# documents\napplication/pdf \n", refused},
		{"media", "# application/pdf\ntext/html", ""},
		{"media", "application/*", `no document has the mime_detected "application/*"`},
		{"media", "application/pdf; version=1.7", "no document has"},
		{"media", "pdf", "no document has"},
		{"media", "# nothing\n", "name what it allows or blocks"},
		{"page_type", "article\r\nforum\r\n", refused},
		{"page_type", "Forum", refused},
		{"page_type", "# kinds\n forum\n", refused},
		{"page_type", "froum", `no document has the page_type "froum"`},
		{"page_type", "listing", ""},
	} {
		d := &schemas.Document{Text: "text", MIMEDetected: "application/pdf", PageType: "forum"}
		got := judgeList(t, tt.filter, tt.list, d)
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: block %q: %q, want %q", tt.filter, tt.list, got, tt.want)
		}
	}
	for i, name := range pageTypes {
		if got := maintext.PageType(i).String(); got != name {
			t.Errorf("the type %d of pages is %s, want %s", i, name, got)
		}
	}
}

// judgeList returns "refused" if the filter's list blocks the document, or the error of the recipe.
func judgeList(t *testing.T, filter, list string, d *schemas.Document) string {
	t.Helper()
	r, err := Parse([]byte("- "+filter+": {block: '@list'}"), func(string) ([]byte, error) { return []byte(list), nil })
	if err != nil {
		t.Fatal(err)
	}
	c, err := r.Chain(Tools{})
	if err != nil {
		return err.Error()
	}
	if c.Judge(NewPage(d)) != "" {
		return "refused"
	}
	return ""
}

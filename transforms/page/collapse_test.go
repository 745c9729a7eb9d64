package page

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzCollapse compares collapse with strings.Fields: the words are the same, up to the limit, for both types.
func FuzzCollapse(f *testing.F) {
	for _, s := range []string{
		"", " ", "a b", " a\n\t b ", "a\u00a0\u00a0b", "a\x7fb", "é\u3000ü", "a\xff b", "\x85a", "a\u0085b",
	} {
		f.Add(s, 5)
		f.Add(s, 100)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		if limit < 0 || limit > 1<<10 {
			return
		}
		got := collapse(s, limit)
		if b := string(appendCollapsed(nil, []byte(s), limit)); b != got {
			t.Errorf("appendCollapsed(%q, %d) = %q, collapse %q", s, limit, b, got)
		}
		whole := strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
		if valid := utf8.ValidString(s); valid && limit >= len(whole) && got != whole {
			t.Errorf("collapse(%q, %d) = %q, want %q", s, limit, got, whole)
		} else if valid && (len(got) > limit || !strings.HasPrefix(whole, got)) {
			t.Errorf("collapse(%q, %d) = %q is not how %q begins", s, limit, got, whole)
		}
	})
}

func TestOneLine(t *testing.T) {
	tests := []struct{ in, want string }{
		{"caf\xe9 au lait est bon", "caf\uFFFD au lait est bon"},
		{"\xff\xff\xff a", "\uFFFD\uFFFD\uFFFD a"},
		{"\n a\t b ", "a b"},
		{"a\x00 b", "a\x00 b"},
		{"\x00 b", "\x00 b"},
		{"橋\n を", "橋を"},
	}
	for _, tt := range tests {
		if got := OneLine(tt.in); got != tt.want {
			t.Errorf("OneLine(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestPage_values: bits of names spare reading a tag, and may not change the values.
func TestPage_values(t *testing.T) {
	const links = `<a title=t HREF=/x href=/y rel data-x=1>text</a><a name=n>no link</a><a href>empty</a>`
	p := Parse([]byte(links), Options{})
	var got []string
	for i := range p.Nodes {
		if p.Nodes[i].Tag != TagA {
			continue
		}
		for _, v := range p.values(i, "href", "rel", "class") {
			got = append(got, string(v)+map[bool]string{true: "-"}[v == nil])
		}
	}
	if want := "/x||-|-|-|-|-|-|-|-||-|-|-|-"; strings.Join(got, "|") != want {
		t.Errorf("values = %q, want %q", strings.Join(got, "|"), want)
	}
}

package export

import (
	"strings"
	"testing"
)

func TestGrid(t *testing.T) {
	g := NewGrid([]string{"title", "n"})
	g.Add([]string{"香港", "1"})
	g.Add([]string{"e\u0301te\u0301\x1b[31m", "22"})
	g.Add([]string{strings.Repeat("長", 50), "3"})
	g.Right = 1
	var b strings.Builder
	if err := g.Print(&b, 200); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	for _, l := range lines {
		if columns(l) != maxCell+2+2 {
			t.Errorf("%q takes %d columns", l, columns(l))
		}
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("an escape sequence reaches the terminal")
	}
	b.Reset()
	if err := g.Print(&b, 0); err != nil || !strings.Contains(b.String(), strings.Repeat("長", 50)+"   3\n") {
		t.Errorf("a long cell is cut where there is no terminal: %v\n%s", err, b.String())
	}
	g.Right = -1
	b.Reset()
	if err := g.Print(&b, 50); err != nil || strings.Contains(b.String(), "\x1b") {
		t.Error(err)
	}
}

func TestPrintable(t *testing.T) {
	if got := printable("a\r\nb\x07\u202ec\u200b"); got != "a  b··c\u200b" {
		t.Errorf("%q", got)
	}
}

package maintext

import (
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/cputime"
)

func TestMarkdown_guard(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"a", "a"},
		{"- a\nb\n- c", "\\- a\nb\n\\- c"},
		{"b\n1986. A\n# c\n> d\n~~~", "b\n1986\\. A\n\\# c\n\\> d\n\\~~~"},
		{"a\n---\n", "a\n\\---\n"},
		{"\n\n+ a\n", "\n\n\\+ a\n"},
		{"", ""},
	} {
		m := markdown{out: []byte("- kept\n" + tt.text)}
		m.guard(len("- kept\n"))
		if got := string(m.out); got != "- kept\n"+tt.want {
			t.Errorf("guard of %q = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestMarkdown_guardTime: the time is linear in the lines of a block, and in the blocks.
func TestMarkdown_guardTime(t *testing.T) {
	line := "- " + strings.Repeat("b", 78) + "\n"
	for name, blocks := range map[string][]string{
		"a block of many lines": {strings.Repeat(line, 90_000)},
		"many blocks":           strings.SplitAfter(strings.Repeat(line, 90_000), "\n"),
	} {
		var m markdown
		before := cputime.Self()
		for _, b := range blocks {
			start := len(m.out)
			m.out = append(m.out, b...)
			m.guard(start)
		}
		if took := cputime.Self() - before; took > time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}

package statement

import (
	"fmt"
	"strings"
	"testing"
)

func TestNotes(t *testing.T) {
	long := strings.Repeat("x", 2*maxMessage)
	for _, test := range []struct{ stderr, want string }{
		{"", "[]"},
		{"query: warning: a is b\n", "[]"},
		{"query: warning: about this answer: a is b\n", `["a is b"]`},
		{"query: warning: about this answer: a\nquery: c\nquery: about this answer: b", `["a" "b"]`},
		{"about this answer: a\nquery: warning: about this answer: \n", "[]"}, // of another program; empty
		{"query: warning: about this answer: " + long, fmt.Sprintf("%q", []string{long[:maxMessage] + "…"})},
	} {
		if got := fmt.Sprintf("%q", notes(test.stderr)); got != test.want {
			t.Errorf("notes(%.80q) = %.80s, want %.80s", test.stderr, got, test.want)
		}
	}
	if n := len(notes(strings.Repeat("query: about this answer: a\n", 100))); n != maxNotes {
		t.Errorf("%d notes, want %d", n, maxNotes)
	}
}

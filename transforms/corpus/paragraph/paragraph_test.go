package paragraph

import (
	"strings"
	"testing"
)

func TestHash(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"Copyright 2026, ACME.", "copyright 1999 — acme", true},
		{"Lire la suite »", "LIRE LA SUITE", true},
		{"Ещё Новости", "ещё новости!", true},
		{"one two", "one three", false},
		{"今日は", "今日も", false},
	} {
		a, ok := Hash(tt.a)
		b, also := Hash(tt.b)
		if !ok || !also || (a == b) != tt.same {
			t.Errorf("%q and %q have %x and %x, want them to be the same: %v", tt.a, tt.b, a, b, tt.same)
		}
	}
	if _, ok := Hash(" 12.5.2026 | »"); ok {
		t.Error("a line without letters has a hash")
	}
}

func TestRemove(t *testing.T) {
	menu, _ := Hash("read more")
	for _, tt := range []struct {
		text, want string
		removed    int
	}{
		{"", "", 0},
		{"A text.\nAnother.", "A text.\nAnother.", 0},
		{"Read more!\nA text.\nread  more\n\nAnother.\nREAD MORE", "A text.\n\nAnother.", 3},
		{"read more", "", 1},
	} {
		if got, n := Remove(tt.text, func(h uint64) bool { return h == menu }); got != tt.want || n != tt.removed {
			t.Errorf("Remove(%q) = %q, %d; want %q, %d", tt.text, got, n, tt.want, tt.removed)
		}
	}
}

func FuzzRemove(f *testing.F) {
	f.Add("a\nb\n\nc", uint64(1))
	f.Add("\xff\n 0\r\n", uint64(2))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		left, n := Remove(text, func(h uint64) bool { return (h^seed)&1 == 0 })
		if len(left) > len(text) || n == 0 && left != text {
			t.Errorf("%q became %q, and %d lines went", text, left, n)
		}
		if got, _ := Remove(text, func(uint64) bool { return true }); strings.ContainsAny(got, "abcxyz") {
			t.Errorf("%q has letters, and no line of %q was to stay", got, text)
		}
	})
}

func BenchmarkRemove(b *testing.B) {
	text := strings.Repeat("A line of a text that is neither short nor long, with 2 numbers.\n", 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Remove(text, func(uint64) bool { return false })
	}
}

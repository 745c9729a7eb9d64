package infix

import (
	"bytes"
	"strings"
	"testing"
)

var lists = [][]string{
	{"quote", "signature", "cita", "reaction", "editby", "lastedit"},
	{"a"},
	{"aab", "ab", "abab", "bb"},
	{"user", "username", "user-name", "name"},
	{"he", "she", "his", "hers"},
	{"коммент", "评论", "bình luận", "loading", "k"},
	{"ss", "i̇"},
}

// contains is Set.In the plain way.
func contains(text []byte, words []string) bool {
	text = bytes.ToLower(text)
	for _, w := range words {
		if bytes.Contains(text, []byte(w)) {
			return true
		}
	}
	return false
}

func TestSet_In(t *testing.T) {
	texts := []string{
		"", "post-Signature", "sIgnatur", "reactio reaction", "lastEditby", "editb", "aaab", "aaac", "babab", "ba",
		"usernam", "USER", "ushers", "ushes", "1 КОММЕНТАРИЙ", "коммен", "Bình Luận", "评", "评论", "\u212A", "\u212Aelvin",
		"\u0130", "ß", "\xff\xfe", "\xd0", "a\xd0", "@[`{", strings.Repeat("editb ", 100) + "editby",
	}
	hits := 0
	for _, words := range lists {
		s := New(words...)
		for _, text := range texts {
			want := contains([]byte(text), words)
			if got := s.In([]byte(text)); got != want {
				t.Errorf("New(%q).In(%q) = %v, want %v", words, text, got, want)
			}
			if want {
				hits++
			}
		}
	}
	if hits < 20 {
		t.Errorf("only %d texts have a word", hits)
	}
}

func TestNew_withoutWords(t *testing.T) {
	if New().In([]byte("a\u212A")) {
		t.Error("a set without words found one")
	}
}

func FuzzSet_In(f *testing.F) {
	f.Add("post-Signature 3", "sig nature re")
	f.Add("\u212Aelvin ab", "k ab abc bc c")
	f.Fuzz(func(t *testing.T, text, words string) {
		list := strings.Fields(strings.ToLower(words))
		// Lower case is not lower case for all runes.
		for _, w := range list {
			if strings.ToLower(w) != w {
				t.Skip()
			}
		}
		if len(list) > 50 || len(words) > 1000 {
			t.Skip()
		}
		want := contains([]byte(text), list)
		if got := New(list...).In([]byte(text)); got != want {
			t.Errorf("New(%q).In(%q) = %v, want %v", list, text, got, want)
		}
	})
}

func BenchmarkSet_In(b *testing.B) {
	s := New(lists[0]...)
	text := []byte("p-navigation__Item p-navigation__Item--current js-menu")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.In(text)
	}
}

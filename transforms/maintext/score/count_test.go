package score

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// hashes returns the hashes of the words of a text.
func hashes(text string) (list []uint32) {
	eachWord([]byte(text), func(h uint32) { list = append(list, h) })
	return list
}

// TestEachWord: words are divided by spaces and signs, and have one hash in any case.
func TestEachWord(t *testing.T) {
	for _, tt := range []struct {
		text, same string
		n          int
	}{
		{"", "", 0},
		{" .,- \n\t", "", 0},
		{"The harbour", "the  HARBOUR!", 2},
		{"it's", "it s", 2},
		{"a1b2", "A1B2", 1},
		{"été", "été", 1},
		{"東京都は", "東京都は", 1},
		{"one\x00two", "one two", 2},
		{"x", "\tx", 1},
		{"\xff\xfe", "\xff\xfe", 1},
	} {
		got := hashes(tt.text)
		if len(got) != tt.n || !slices.Equal(got, hashes(tt.same)) {
			t.Errorf("%q has %d words, %q has %d, want the same %d", tt.text, len(got), tt.same, len(hashes(tt.same)), tt.n)
		}
	}
	if a, b := hashes("ab c"), hashes("a bc"); slices.Equal(a, b) {
		t.Error("other words have the same hashes")
	}
	seen := map[uint32]string{}
	for i := range 20_000 {
		word := fmt.Sprintf("word%d", i)
		if before, is := seen[hashes(word)[0]]; is {
			t.Errorf("%s has the hash of %s", word, before)
		}
		seen[hashes(word)[0]] = word
	}
}

// TestWordSet: the words of a title are found, and few others.
func TestWordSet(t *testing.T) {
	var s wordSet
	if got := s.share([]byte("any word")); got != 0 {
		t.Errorf("an empty set has %g of a text", got)
	}
	s.read("A title of the harbour")
	for text, want := range map[string]float32{
		"": 0, "harbour": 1, "The HARBOUR, of a title": 1, "harbour zebra": .5, "...": 0,
	} {
		if got := s.share([]byte(text)); got != want {
			t.Errorf("%g of %q is in the title, want %g", got, text, want)
		}
	}
	in := float32(0)
	for i := range 1000 {
		in += s.share(fmt.Appendf(nil, "word%d", i))
	}
	if in > 30 {
		t.Errorf("%g of 1,000 other words are found", in)
	}
	if s.read("another"); s.share([]byte("harbour")) != 0 {
		t.Error("words of the last title stay")
	}
}

// TestSlots: keys are numbered in the order in which they come, and keys that collide end the search.
func TestSlots(t *testing.T) {
	var s slots
	for range 2 { // the tables are used again
		s.reset(1000)
		for i := range uint64(1000) {
			if got := s.find(i * 0x100000001); got != int32(i) {
				t.Fatalf("key %d is number %d", i, got)
			}
		}
		for i := range uint64(1000) {
			if got := s.find(i * 0x100000001); got != int32(i) {
				t.Fatalf("key %d is number %d the second time", i, got)
			}
		}
	}
	var c counter
	c.reset(0)
	for i := range uint64(10_000) { // far more than it has room for
		c.add(i)
	}
	if c.count(1<<60) < 0 {
		t.Error("a count below 0")
	}
}

func TestRatio(t *testing.T) {
	if ratio[int32](1, 0) != 0 || ratio[float32](0, 0) != 0 || ratio[int32](1, 4) != .25 || flag(true) != 1 ||
		flag(false) != 0 {
		t.Error("a ratio or a flag is wrong")
	}
	if got := ratio(float32(math.Inf(1)), 2); !math.IsInf(float64(got), 1) {
		t.Errorf("%g", got)
	}
}

func TestBreaksOff(t *testing.T) {
	for text, want := range map[string]bool{
		"Read on …": true, "Read on...": true, "more … ]": true, "(more …)": true, "The end.": false, "…": true, "": false,
		"... and so on": false, "a..": false,
	} {
		if got := breaksOff([]byte(text)); got != want {
			t.Errorf("breaksOff(%q) = %v", text, got)
		}
	}
}

// TestHrefTerms: the kind of a link is known by how it begins, and its words are limited.
func TestHrefTerms(t *testing.T) {
	for _, tt := range []struct {
		href  string
		kind  uint32
		depth uint32
	}{
		{"/a/b", linkRelative, 2},
		{"page.html", linkRelative, 0},
		{"", linkRelative, 0},
		{"#top", linkFragment, 0},
		{"mailto:ann@a.example", linkNoPage, 0},
		{"javascript:void(0)", linkNoPage, 0},
		{"tel:+44", linkNoPage, 0},
		{"http://a.example/x/y/z", linkOwnHost, 3},
		{"//a.example/", linkOwnHost, 1},
		{"https://b.example", linkOtherHost, 0},
		{"http://a.example" + strings.Repeat("/x", 50), linkOwnHost, 6},
		{"a//b", linkRelative, 2},
	} {
		got := hrefTerms(nil, []byte(tt.href), "a.example")
		if !slices.Contains(got, term{inLink, tt.kind}) || !slices.Contains(got, term{inLink, linkDepth + tt.depth}) {
			t.Errorf("%q has the terms %v, want the kind %d and the depth %d", tt.href, got, tt.kind, tt.depth)
		}
		if len(got) > maxLinkTerms+3 {
			t.Errorf("%q has %d terms", tt.href, len(got))
		}
	}
	for url, want := range map[string]string{
		"http://A.Example/x": "a.example", "https://a.example": "a.example", "": "", "a.example/x": "", "http:///x": "",
	} {
		if got := hostOf(url); got != want {
			t.Errorf("hostOf(%q) = %q, want %q", url, got, want)
		}
	}
}

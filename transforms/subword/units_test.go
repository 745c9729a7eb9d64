package subword

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestSet: pages of characters say the same as the tables, also for sets of sets.
func TestSet(t *testing.T) {
	folded := &set{}
	folded.addFolded('k') // with the Kelvin sign
	both := (&set{also: []*set{tables(unicode.L), not(tables(unicode.Latin))}}).ready()
	for name, tt := range map[string]struct {
		set *set
		has func(r rune) bool
	}{
		"letters": {property("L"), unicode.IsLetter},
		"space":   {escaped('s'), unicode.IsSpace},
		"others":  {escaped('S'), func(r rune) bool { return !unicode.IsSpace(r) }},
		"Greek":   {property("Greek"), func(r rune) bool { return unicode.Is(unicode.Greek, r) }},
		"no line": {dotSet, func(r rune) bool { return r != '\n' }},
		"folded":  {folded.ready(), func(r rune) bool { return r == 'k' || r == 'K' || r == '\u212a' }},
		"both":    {both, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) }},
	} {
		for r := range rune(0x11000) {
			if r >= 0xd800 && r < 0xe000 {
				continue
			}
			text := "a" + string(r)
			want := 0
			if tt.has(r) {
				want = len(text) - 1
			}
			if got := tt.set.at(text, 1); got != want || tt.set.has(r) != tt.has(r) {
				t.Fatalf("%s: %U has the length %d, want %d", name, r, got, want)
			}
		}
	}
}

// TestHeap: merges come by rank, and by place for one rank.
func TestHeap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	w := &worker{}
	var want []merge
	for i := range int32(500) {
		m := merge{r.Int32N(40), i, 0}
		w.push(m)
		want = append(want, m)
	}
	slices.SortFunc(want, func(a, b merge) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	for i := range want {
		if got := w.pop(); got != want[i] {
			t.Fatalf("%d: %v, want %v", i, got, want[i])
		}
	}
}

func TestTrie(t *testing.T) {
	var x trie
	if v, n := x.longest("a"); v != -1 || n != 0 {
		t.Errorf("an empty trie has %d of length %d", v, n)
	}
	for i, text := range []string{"a", "abc", "b", "日本"} {
		x.add(text, int32(i))
	}
	for text, want := range map[string][2]int{
		"": {-1, 0}, "ab": {0, 1}, "abcd": {1, 3}, "日": {-1, 0}, "日本語": {3, 6}, "c": {-1, 0},
	} {
		if v, n := x.longest(text); int(v) != want[0] || n != want[1] {
			t.Errorf("%q: %d of length %d, want %v", text, v, n, want)
		}
	}
}

// FuzzPrecompiled: no rule, however broken, makes normalization panic.
func FuzzPrecompiled(f *testing.F) {
	unit := func(list ...uint32) (b []byte) {
		b = binary.LittleEndian.AppendUint32(nil, uint32(4*len(list)))
		for _, u := range list {
			b = binary.LittleEndian.AppendUint32(b, u)
		}
		return append(b, "x\x00"...)
	}
	f.Add(unit(1<<10, 0, 'a'|1<<8|3<<10, 0), "aab")
	f.Add(unit(1<<31, 1<<31-1), "é")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		do, err := precompiled(data)
		if err == nil && len(data) == 0 && do(text) != text {
			t.Fatal("no rule changes the text")
		} else if err == nil {
			_ = do(strings.ToValidUTF8(text, ""))
		}
	})
}

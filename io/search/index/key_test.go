package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/schemas"
)

// fts5Slot returns the slot of a term in FTS5's table of 2^bits slots. It is fts5HashKey2 of fts5_hash.c, with the
// letter b before the terms of the main index.
func fts5Slot(term string, bits int) uint32 {
	h := uint32(13)
	for i := len(term) - 1; i >= 0; i-- {
		h = h<<3 ^ h ^ uint32(term[i])
	}
	return (h<<3 ^ h ^ '0') & (1<<bits - 1)
}

// collidingTerm is the n-th of the words that meet in FTS5's table, whatever follows all of them alike.
func collidingTerm(n int) string {
	b := []byte("aaaaaaaaaaaaaaaa")
	for i := range b {
		b[i] += byte(n % 26)
		n /= 26
	}
	return string(b) + string(b)
}

// longestChain is how many of n terms that are made to meet share a slot.
func longestChain(n, bits int, form func(string) string) (longest int) {
	slots := map[uint32]int{}
	for i := range n {
		slot := fts5Slot(form(collidingTerm(i)), bits)
		slots[slot]++
		longest = max(longest, slots[slot])
	}
	return longest
}

func TestTermKey_collisions(t *testing.T) {
	const n, bits = 100_000, 18 // a table is at most half full
	if got := longestChain(n, bits, func(s string) string { return s }); got != n {
		t.Fatalf("without a key %d of %d terms meet: the test no longer attacks", got, n)
	}
	for key := range int64(3) {
		k := newTermKey(key)
		// 2^15 slots, so 3 on average.
		if got := longestChain(n, bits, func(s string) string { return string(appendEnding([]byte(s), k, s)) }); got > 25 {
			t.Errorf("key %d: %d of %d terms meet in one slot", key, got, n)
		}
	}
}

func TestAppendEnding(t *testing.T) {
	a, b := newTermKey(1), newTermKey(2)
	r := rand.New(rand.NewPCG(1, 1))
	seen := map[string]string{}
	for range 10_000 {
		term := make([]byte, 1+r.IntN(64))
		for i := range term {
			term[i] = byte(r.UintN(256))
		}
		end := appendEnding(nil, a, term)
		if len(end) != endingBytes || utf8.RuneStart(end[0]) {
			t.Fatalf("%q has the ending %q", term, end)
		}
		for _, c := range end {
			if c < 0x80 {
				t.Fatalf("%q has the ending %q, which has ASCII", term, end)
			}
		}
		if string(end) != string(appendEnding(nil, a, string(term))) {
			t.Fatalf("%q has two endings", term)
		}
		whole := string(term) + string(end)
		if other, ok := seen[whole]; ok && other != string(term) {
			t.Fatalf("%q and %q are one", term, other)
		}
		seen[whole] = string(term)
	}
	if string(appendEnding(nil, a, "word")) == string(appendEnding(nil, b, "word")) {
		t.Error("two keys make one ending")
	}
}

// TestUpdate_collidingTerms adds pages that are written to make FTS5 slow: they take as long as others, except for a
// margin.
func TestUpdate_collidingTerms(t *testing.T) {
	took := func(term func(int) string) float64 {
		x := &Index{options: Options{}.withDefaults(), place: place{dir: t.TempDir()}}
		u := &updater{x: x, writers: map[string]*writer{}}
		if err := u.start(t.Context()); err != nil {
			t.Fatal(err)
		}
		w := u.writers[""]
		before, n := cputime.Self(), 0
		_, err := w.replace(t.Context(), schemas.Shard{Name: shardName(0)}, func(yield func(*schemas.Document, error) bool) {
			for i := range 20 {
				var text strings.Builder
				for range 1000 {
					fmt.Fprint(&text, term(n), " ")
					n++
				}
				d := &schemas.Document{URL: fmt.Sprint("https://a.example/", i), Text: text.String()}
				d.SURT = fmt.Sprint("example,a)/", i)
				if !yield(d, nil) {
					return
				}
			}
		})
		if err == nil {
			err = w.commit(t.Context())
		}
		used := cputime.Self() - before
		if err != nil {
			t.Fatal(err)
		}
		if err := w.close(t.Context()); err != nil {
			t.Fatal(err)
		}
		return used.Seconds()
	}
	plain := took(func(n int) string { return string(appendWord(nil, uint64(n)*7919)) + "abcdefghijklmnop" })
	hostile := took(collidingTerm)
	t.Logf("%.2f s for plain terms, %.2f for those that meet", plain, hostile)
	if hostile > 5*plain+1 {
		t.Errorf("terms that meet took %.1f s, others %.1f", hostile, plain)
	}
}

package minhash

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestBands_probability: texts of a known similarity share a band as often as the formula predicts.
func TestBands_probability(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range []float64{.5, .7, .8, .9} {
		const pairs = 600
		found := 0
		for range pairs {
			a, b := pair(r, s)
			var m Maker
			x, _ := m.Bands(a, false)
			y, _ := m.Bands(b, false)
			if share(x, y) {
				found++
			}
		}
		want := 1 - math.Pow(1-math.Pow(s, Rows), NumBands)
		if got := float64(found) / pairs; math.Abs(got-want) > .07 {
			t.Errorf("texts of similarity %.2f share a band in %.3f of the pairs, want %.3f", s, got, want)
		}
	}
}

// pair makes two texts of a given similarity, with the same beginning and different ends. Of n words in each, c are
// the same.
func pair(r *rand.Rand, s float64) (a, b string) {
	const n = 400
	c := int(2*n*s/(1+s)) + Shingle - 1
	words := func(k int) []string {
		list := make([]string, k)
		for i := range list {
			list[i] = fmt.Sprint("w", r.IntN(1<<30))
		}
		return list
	}
	common := words(c)
	return strings.Join(append(common, words(n-c)...), " "), strings.Join(append(common[:c:c], words(n-c)...), " ")
}

func share(x, y Bands) bool {
	for i := range x {
		if x[i] == y[i] {
			return true
		}
	}
	return false
}

func TestBands(t *testing.T) {
	var m Maker
	bands := func(text string, characters bool) Bands {
		t.Helper()
		b, ok := m.Bands(text, characters)
		if !ok {
			t.Errorf("Bands(%q) has none", text)
		}
		return b
	}
	if bands("The quick brown fox jumps, over", false) != bands("the QUICK - brown fox\njumps over!", false) {
		t.Error("case, signs and white space make a difference")
	}
	if bands("one two", false) == bands("two one", false) {
		t.Error("order makes no difference in a text of two words")
	}
	if bands("今日は天気がいいですね", true) == bands("今日は天気が悪いですね", true) {
		t.Error("two Japanese texts are the same")
	}
	for _, text := range []string{"", " \n", "?!… —", "\xff\xfe"} {
		if b, ok := m.Bands(text, false); ok {
			t.Errorf("Bands(%q) = %v, want none", text, b)
		}
	}
	// The first band of a text must never change, since earlier corpora are compared by it.
	if got := bands("the quick brown fox jumps over the lazy dog", false)[0]; got != golden {
		t.Errorf("the first band is %#x, want %#x: change Version with it", got, uint64(golden))
	}
}

// TestMaker_minima: the assembly has the minima of the plain form, also where products carry into the high half.
func TestMaker_minima(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	odd := []uint64{0, 1, math.MaxUint32, 1 << 32, math.MaxUint64, math.MaxUint32 << 32, 1<<63 - 1, 1 << 63}
	for n := 1; n < 200; n++ {
		sequences := make([]uint64, n)
		for i := range sequences {
			if sequences[i] = r.Uint64(); i%3 == 0 {
				sequences[i] = odd[r.IntN(len(odd))]
			}
		}
		var fast, plain Maker
		fast.minima(sequences)
		if plain.minimaGeneric(sequences); fast.mins != plain.mins {
			t.Fatalf("%d sequences: %v, want %v", n, fast.mins, plain.mins)
		}
	}
}

func FuzzBands(f *testing.F) {
	f.Add("a text of some words", false)
	f.Add("今日は\xff天気", true)
	f.Fuzz(func(t *testing.T, text string, characters bool) {
		var m Maker
		b, ok := m.Bands(text, characters)
		again, okAgain := m.Bands(text, characters)
		if b != again || ok != okAgain {
			t.Errorf("Bands(%q, %v) is not the same twice", text, characters)
		}
	})
}

func BenchmarkBands(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	text, _ := pair(r, .5)
	text = strings.Repeat(text+" ", 3)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var m Maker
	for b.Loop() {
		m.Bands(text, false)
	}
}

const golden = 0xdaf1fcc33391b806

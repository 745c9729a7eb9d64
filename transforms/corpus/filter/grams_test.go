package filter

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/corpus/word"
)

// plainTop and plainCopies are the rules as readers of the paper write them: with maps of strings.
func plainTop(words []string, n int) int {
	counts := map[string]int{}
	best, length := 0, 0
	for i := range len(words) - n + 1 {
		counts[strings.Join(words[i:i+n], " ")]++
	}
	for i := range len(words) - n + 1 {
		if gram := strings.Join(words[i:i+n], " "); counts[gram] > best {
			best, length = counts[gram], runes(gram)
		}
	}
	return best * length
}

func plainCopies(words []string, n int) (length int) {
	seen := map[string]bool{}
	for i := 0; i+n <= len(words); {
		gram := strings.Join(words[i:i+n], "")
		if !seen[gram] {
			seen[gram] = true
			i++
			continue
		}
		length, i = length+runes(gram), i+n
	}
	return length
}

// TestRepetition_asPlain: the tables count the same as maps of strings. The texts have few and many words, and some
// are equal when they are joined.
func TestRepetition_asPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var tables repetition
	for i := range 600 {
		size := 1 + r.IntN(6)
		if i%3 == 0 {
			size = 40
		}
		words := make([]string, 2+r.IntN(120))
		for j := range words {
			words[j] = strings.Repeat("é1", r.IntN(2)) + strings.Repeat("a", r.IntN(3)) + string(rune('a'+r.IntN(size)))
		}
		tables.hash(words)
		tables.tops(4, func(n, length int) bool {
			if want := plainTop(words, n); length != want {
				t.Fatalf("top of %d of %q = %d, want %d", n, words, length, want)
			}
			return true
		})
		most := tables.mayCover()
		tables.join()
		if covered := tables.covered(least); i%3 == 0 && covered > most {
			t.Fatalf("covered of %q = %d, want %d at most", words, covered, most)
		}
		for n := least; n <= 10; n++ {
			if got, want := tables.copies(n), plainCopies(words, n); got != want {
				t.Fatalf("copies of %d of %q = %d, want %d", n, words, got, want)
			}
		}
	}
}

// TestHashWord: words of any length have the same hash as their bytes one by one.
func TestHashWord(t *testing.T) {
	for n := range 300 {
		w := strings.Repeat("añ9z", 80)[:n]
		want, factor := uint64(0), uint64(1)
		for i := range len(w) {
			want, factor = reduce(multiply(want, base)+uint64(w[i])+1), multiply(factor, base)
		}
		if got := hashWord(w); got != want || power(n) != factor {
			t.Fatalf("%d bytes: hash %d, factor %d; want %d and %d", n, got, power(n), want, factor)
		}
	}
}

// TestCountWords_asPlain: words are counted like in a plain loop over characters.
func TestCountWords_asPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	characters := []rune("abZ9.,-—…１é你\u0301\u0085\n\x00\ufffd🙂" + word.Terminals)
	var words []string
	var count, length, letters int
	for range 20_000 {
		w := make([]rune, 1+r.IntN(3))
		isSign, hasLetter := true, false
		for i := range w {
			w[i] = characters[r.IntN(len(characters))]
			isSign, hasLetter = isSign && signs[w[i]], hasLetter || unicode.IsLetter(w[i])
		}
		words = append(words, string(w))
		if !isSign {
			count, length = count+1, length+len(w)
		}
		if hasLetter {
			letters++
		}
	}
	words = append(words, "\xff", "a\xe2\x82")
	count, length, letters = count+2, length+4, letters+1
	if a, b, c := countWords(words); a != count || b != length || c != letters {
		t.Errorf("countWords = %d, %d, %d, want %d, %d, %d", a, b, c, count, length, letters)
	}
}

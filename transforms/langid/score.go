package langid

import (
	_ "embed"
	"math"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/langid/ngram"
	"golang.org/x/text/unicode/norm"
)

//go:generate go run ../../.tools/gen/ngrams -out ngrams.bin

//go:embed ngrams.bin
var ngramData []byte

// models is the table of all languages. It is used in place in the program, and is ready in a millisecond.
var models = sync.OnceValue(func() *ngram.Table {
	table, err := ngram.Open(ngramData)
	if err != nil {
		panic("langid: " + err.Error()) // the embedded file is corrupt
	}
	return table
})

// isShared reports whether several languages of the table use the script.
func (c script) isShared() bool { return latin <= c && c <= devanagari }

// tableScript returns the number of a shared script in the table.
func (c script) tableScript() int { return int(c - latin) }

// A sample is a part of a text compared with the models of its script.
type sample struct {
	letters int
	scores  ngram.Scores // logarithms of the likelihoods of its letters, in the table's steps
}

// add adds another sample of the same script. Scores are sums of logarithms, so adding them gives the scores of both
// as one text.
func (s *sample) add(other *sample) {
	s.letters += other.letters
	for i, n := range other.scores {
		s.scores[i] += n
	}
}

// nats returns how much more likely language a is than b.
func (s *sample) nats(a, b int) float64 { return float64(s.scores[a]-s.scores[b]) * models().Step }

// best returns the most likely language of script c in set, or of all if set is nil.
func (s *sample) best(c script, set []int) int {
	// Every script has a language, so the result is -1 only if set is empty and not nil.
	best := -1
	if set == nil {
		set = languagesOf()[c]
	}
	for _, l := range set {
		if best < 0 || s.scores[l] > s.scores[best] {
			best = l
		}
	}
	return best
}

// languagesOf returns the numbers of the languages of each shared script.
var languagesOf = sync.OnceValue(func() *[scripts][]int {
	var of [scripts][]int
	for i, l := range models().Languages {
		c := latin + script(l.Script)
		of[c] = append(of[c], i)
	}
	return &of
})

// A scorer compares text with the models. Its memory is reused.
type scorer struct {
	keys    []ngram.Key // the n-grams of a sample
	windows []window
}

var scorers = sync.Pool{New: func() any { return new(scorer) }}

// score compares the words of text in script c with the models, up to limit letters. It leaves out addresses, numbers
// and identifiers, which belong to no language.
func (s *scorer) score(table *ngram.Table, text string, c script, limit int) sample {
	var result sample
	// In UTF-8 these are the first bytes of U+0300 to U+037F. Composing takes time, and most texts have none of them.
	if strings.Contains(text, "\xCC") || strings.Contains(text, "\xCD") { // combining accents, U+0300 to U+036F
		text = norm.NFC.String(text)
	}
	for word := range strings.FieldsSeq(text) {
		if result.letters >= limit {
			break
		}
		if !isAddress(word) {
			result.letters += s.count(table, word, c, limit-result.letters)
		}
	}
	table.Add(&result.scores, c.tableScript(), s.keys)
	s.keys = s.keys[:0]
	// The bias is for each letter, so it grows with the text like the n-grams' weights.
	for i, l := range table.Languages {
		result.scores[i] += int32(math.Round(l.Bias / table.Step * float64(result.letters)))
	}
	return result
}

// count adds the n-grams of a word, up to limit letters, and returns the number of letters. Each letter gives the
// n-gram of three letters that ends with it, or fewer at the word's start, and the one of four. Letters of other
// scripts and other characters divide n-grams. Marks on letters divide them in Devanagari, as in the models, and are
// skipped elsewhere.
func (s *scorer) count(table *ngram.Table, word string, c script, limit int) int {
	letters, key, order := 0, ngram.Key(0), 0
	for _, r := range word {
		if c == cyrillic && order > 0 {
			r = lookAlike(r)
		}
		// A letter of another script ends the n-gram, since the letters around it are not adjacent.
		if table.Script(r) != c.tableScript() {
			if c == devanagari || !unicode.IsMark(r) {
				key, order = 0, 0
			}
			continue
		}
		if letters++; letters > limit {
			// The n-grams of the letters before the limit are in the list.
			return limit
		}
		key, order = key.Append(table.Letter(r)), order+1
		s.keys = append(s.keys, key.Last(min(order, 3)))
		if order > 3 {
			s.keys = append(s.keys, key)
		}
	}
	return letters
}

// lookAlike returns the Cyrillic letter that looks like r, if r is Latin. Old Serbian keyboards and spammers write
// both in one word.
func lookAlike(r rune) rune {
	if r < utf8.RuneSelf {
		// The two lists are parallel; the bit makes the letter small.
		if i := strings.IndexByte("aceijopxy", byte(r|0x20)); i >= 0 {
			return [...]rune{'а', 'с', 'е', 'і', 'ј', 'о', 'р', 'х', 'у'}[i]
		}
	}
	return r
}

// addressBytes are bytes that occur only inside addresses, numbers and identifiers.
var addressBytes = func() (is [256]bool) {
	for _, b := range []byte("0123456789@/\\:#_=<>{}&") {
		is[b] = true
	}
	return is
}()

// isAddress reports whether a word looks like an address, a number or an identifier. Colons and slashes at its end are
// punctuation.
func isAddress(word string) bool {
	inside := len(word)
	for inside > 0 && (word[inside-1] == ':' || word[inside-1] == '/') {
		inside--
	}
	for i := range inside {
		if addressBytes[word[i]] {
			return true
		}
	}
	// A dot before a Latin letter is inside a name such as example.org. At the end of a sentence a space comes after
	// the dot.
	dot := strings.IndexByte(word, '.')
	return dot > 0 && dot+1 < len(word) && scriptOf(rune(word[dot+1])) == latin && word[dot+1] < 0x80
}

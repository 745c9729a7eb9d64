package main

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/langid/ngram"
)

const (
	// step, unseen, backOff and prune are those of .tools/gen/ngrams, so that the weights mean the same.
	step    = 0.1
	unseen  = 8.0
	backOff = 1.0
	prune   = 1.0
	// least is the least weight in steps of up to three letters.
	least = 5
	// fewest is the number of times that four letters must occur.
	fewest = 2.0
	// discount is subtracted from each count, for the shorter context.
	discount = 0.6
	// damping is the power of a word's count that counts: the same few messages are about pages and users.
	damping = 0.75
)

// scripts are the letters of the table's scripts.
var scripts = []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic}

// model holds the logarithms of the likelihoods of each n-gram's last letter.
type model struct {
	language uint8
	script   int
	letters  int
	logs     map[string]float64
	often    map[string]bool // n-grams of four letters seen often enough
}

// counts are the n-grams of each number of letters.
type counts [ngram.MaxOrder + 1]map[string]float64

// newModel learns from messages.
func newModel(messages []string) model {
	m := model{logs: map[string]float64{}, often: map[string]bool{}}
	words := map[string]int{}
	for _, message := range messages {
		for word := range strings.FieldsFuncSeq(strings.ToLower(message), func(r rune) bool { return !unicode.IsLetter(r) }) {
			words[word]++
			m.letters += len([]rune(word))
		}
	}
	var seen counts
	for n := range seen {
		seen[n] = map[string]float64{}
	}
	for word, n := range words {
		r, times := []rune(word), math.Pow(float64(n), damping)
		for i := range r {
			for order := range min(len(r)-i, ngram.MaxOrder) {
				seen[order+1][string(r[i:i+order+1])] += times
			}
			seen[0][""] += times
		}
	}
	m.learn(&seen)
	return m
}

// learn turns counts into logarithms of likelihoods.
func (m *model) learn(seen *counts) {
	kinds := map[string]int{} // how many letters follow
	for order := 1; order < len(seen); order++ {
		for letters := range seen[order] {
			r := []rune(letters)
			kinds[string(r[:order-1])]++
		}
	}
	likelihood := map[string]float64{}
	alphabet := slices.Sorted(maps.Keys(seen[1]))
	for order := 1; order < len(seen); order++ {
		for context, all := range seen[order-1] {
			if order > 1 && kinds[context] == 0 {
				continue
			}
			rest := discount * float64(kinds[context]) / all
			for _, letter := range alphabet {
				letters := context + letter
				n := seen[order][letters]
				if order == 1 {
					likelihood[letters] = n / all
					continue
				}
				r := []rune(letters)
				p := max(n-discount, 0)/all + min(rest, 1)*likelihood[string(r[1:])]
				if n > 0 || order < ngram.MaxOrder {
					likelihood[letters] = p
				}
			}
		}
	}
	for letters, p := range likelihood {
		if p > 0 {
			m.logs[letters] = math.Log(p)
		}
	}
	for letters, n := range seen[ngram.MaxOrder] {
		m.often[letters] = n >= fewest
	}
}

// alphabets returns the letters of each script in Unicode order: the likeliest in any of its languages.
func alphabets(models []model) []string {
	likelihood := make([]map[rune]float64, len(scripts))
	for i := range likelihood {
		likelihood[i] = map[rune]float64{}
	}
	for _, m := range models {
		for letters, log := range m.logs {
			r := []rune(letters)
			if known := likelihood[m.script]; len(r) == 1 && unicode.Is(scripts[m.script], r[0]) {
				known[r[0]] = max(known[r[0]], math.Exp(log))
			}
		}
	}
	var all []string
	for _, known := range likelihood {
		letters := slices.SortedFunc(maps.Keys(known), func(a, b rune) int {
			return cmp.Or(cmp.Compare(known[b], known[a]), cmp.Compare(a, b))
		})
		letters = letters[:min(len(letters), ngram.MaxLetters)]
		slices.Sort(letters)
		all = append(all, string(letters))
	}
	return all
}

// appendPostings appends the weights of the language's n-grams that are within the alphabet.
func (m *model) appendPostings(postings []ngram.Posting, alphabet string) []ngram.Posting {
	numbers := map[rune]uint8{}
	for _, letter := range alphabet {
		numbers[letter] = uint8(len(numbers) + 1)
	}
	for letters, log := range m.logs {
		key, order := ngram.Key(0), 0
		for _, letter := range letters {
			if numbers[letter] == 0 {
				order = 0
				break
			}
			key = key.Append(numbers[letter])
			order++
		}
		if weight := m.weight(letters, log, order); weight != 0 {
			postings = append(postings, ngram.Posting{Key: key, Language: m.language, Weight: weight})
		}
	}
	return postings
}

// weight returns the weight of an n-gram of order letters, in steps, or 0 if it is not worth its place.
func (m *model) weight(letters string, log float64, order int) int8 {
	weight := log + unseen
	switch {
	case order == 0:
		return 0
	case order == ngram.MaxOrder:
		shorter := m.logs[string([]rune(letters)[1:])]
		if weight = log - shorter + backOff; math.Abs(weight) < prune || !m.often[letters] {
			return 0
		}
	case weight < least*step:
		return 0
	}
	return int8(math.Round(min(max(weight/step, math.MinInt8), math.MaxInt8)))
}

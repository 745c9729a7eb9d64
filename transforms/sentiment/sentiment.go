// Package sentiment measures how favourable a text is, as a whole and about each name in it.
//
//	var e sentiment.Extractor
//	s := e.Extract(text, "fr") // nil without a lexicon of the language
//	s.Score                    // from -1 to 1
//
// The words and their weights are those of AFINN-165 (Nielsen, A new ANEW, arXiv 1103.2903), in translations by a
// machine. Negations and words of degree before a word change its weight, as in VADER (Hutto and Gilbert 2014). A
// lexicon sees no irony and no context: a report of a war is negative. So it compares many texts, and does not judge
// one.
package sentiment

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/stem"
	"github.com/gleaner-web/gleaner/transforms/tokenize"
)

// Version is the version of this transform.
const Version = "2"

const (
	window   = 3   // words after a negation or a word of degree that it changes
	negated  = -.8 // the weight of a negated word, of its own
	stronger = 1.4
	weaker   = .6
	against  = 1.6 // factor of words against: writers use fewer of them, and mean them more (Taboada et al. 2011)
	balance  = 8   // sum of weights, of words up to 5, at which a score is half of what the shares say
)

// Extractor scores texts. The zero value is ready. It is not safe for concurrent use.
type Extractor struct {
	scanner  tokenize.Scanner
	stemmers map[string]*stemmer
	sums     []part
}

// stemmer is a stemmer with the weights of words that it has seen.
type stemmer struct {
	*stem.Stemmer
	seen map[string]int8
}

// mostSeen bounds the words that a stemmer remembers.
const mostSeen = 1 << 14

// part is a sentence with its weights.
type part struct {
	end                int // byte after it
	positive, negative float64
}

// Extract returns the sentiment of a text in a language of Languages, ISO 639. It is nil for others, and for a text
// that has none of the lexicon's words.
func (e *Extractor) Extract(text, language string) *schemas.Sentiment {
	words := lexiconOf(language)
	if words == nil {
		return nil
	}
	e.sums = e.sums[:0]
	s := &schemas.Sentiment{}
	var positive, negative float64
	for start := 0; start < len(text); {
		end := start + sentence(text[start:])
		p := part{end: end}
		for clause := range strings.FieldsFuncSeq(text[start:end], comma) {
			e.weigh(clause, words, s, &p)
		}
		positive, negative = positive+p.positive, negative+p.negative
		e.sums = append(e.sums, p)
		start = end
	}
	if s.Positive+s.Negative == 0 {
		return nil
	}
	s.Score = score(positive, negative)
	return s
}

// Near returns the sentiment of the sentences that spans of the last text are in, from -1 to 1. It is nil if these have
// no word of the lexicon.
func (e *Extractor) Near(spans []schemas.Span) *schemas.Float {
	var positive, negative float64
	at, last := 0, -1
	for _, s := range spans { // in the order of the text
		for at < len(e.sums) && e.sums[at].end <= s.Start {
			at++
		}
		if at == len(e.sums) {
			break
		}
		if at != last {
			positive, negative, last = positive+e.sums[at].positive, negative+e.sums[at].negative, at
		}
	}
	if positive+negative == 0 {
		return nil
	}
	f := score(positive, negative)
	return &f
}

// score is from -1 to 1. Few words give a score near 0.
func score(positive, negative float64) schemas.Float {
	return schemas.Float(float64(int((positive-negative)/(positive+negative+balance)*1000)) / 1000)
}

// comma reports whether negations end before a character.
func comma(r rune) bool { return r == ',' || r == '،' || r == '，' || r == '、' }

// weigh adds up the weights of a clause, and counts its words in s.
func (e *Extractor) weigh(clause string, words *lexicon, s *schemas.Sentiment, p *part) {
	weight, factor, left := 0.0, 1.0, 0
	add := func(w float64) {
		switch {
		case w > 0:
			p.positive += w
			s.Positive++
		case w < 0:
			p.negative -= w * against
			s.Negative++
		}
	}
	pending := 0 // words since the last one of the lexicon, whose weight a negation after it may change
	for _, term := range e.scanner.Query(clause) {
		if m, ok := words.modifiers[string(term)]; ok {
			if m < 0 && words.after && weight != 0 && pending < window {
				weight *= negated
				continue
			}
			factor, left = bounded(factor*m), window
			continue
		}
		if pending++; pending >= window && weight != 0 {
			add(weight)
			weight = 0
		}
		if w := e.weight(term, words); w != 0 {
			add(weight)
			weight, pending = w*factor, 0
			factor, left = 1, 0
			continue
		}
		if left--; left <= 0 {
			factor = 1
		}
	}
	add(weight)
}

// bounded returns a factor between those of two words of degree, with its sign. More of them in a row are spam.
func bounded(factor float64) float64 {
	return math.Copysign(min(max(math.Abs(factor), weaker*weaker), stronger*stronger), factor)
}

// weight returns the weight of a word: its own, or else that of its stem.
func (e *Extractor) weight(term []byte, words *lexicon) float64 {
	if w, ok := words.weights[string(term)]; ok {
		return float64(w)
	}
	if words.stems == nil {
		return 0
	}
	if e.stemmers == nil {
		e.stemmers = map[string]*stemmer{}
	}
	s := e.stemmers[words.language]
	if s == nil {
		s = &stemmer{stem.New(words.language), map[string]int8{}}
		e.stemmers[words.language] = s
	}
	w, ok := s.seen[string(term)]
	if !ok {
		if len(s.seen) == mostSeen {
			clear(s.seen)
		}
		word := string(term)
		w = words.stems[s.Stem(word)]
		s.seen[word] = w
	}
	return float64(w)
}

// sentence returns the length of the first sentence: up to a mark that ends one, or a line.
func sentence(text string) int {
	at := strings.IndexAny(text, ".!?;:\n。！？；।؟…")
	if at < 0 {
		return len(text)
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	return at + size
}

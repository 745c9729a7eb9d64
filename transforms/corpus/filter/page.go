package filter

import (
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/word"
	"github.com/gleaner-web/gleaner/transforms/quality"
)

// MaxBytes bounds the text of a document that is judged; longer ones are refused. It is far above the 100,000 words
// that the Gopher paper allows.
const MaxBytes = 4 << 20

// Page is a document for filters. Counts that several filters need are made once.
type Page struct {
	Doc  *schemas.Document
	Text string // the rest of Doc.Text
	// Count counts the tokens of a text. It may be nil.
	Count func(text string) int

	words   []string
	counted bool
	size    int // length of Text in code points
	sized   bool
	tokens  int  // of Text
	known   bool // tokens are counted
}

// NewPage makes a page of a document.
func NewPage(d *schemas.Document) *Page { return &Page{Doc: d, Text: d.Text} }

// Reset makes p the page of another document, and reuses its memory.
func (p *Page) Reset(d *schemas.Document) {
	p.Doc, p.Text, p.counted, p.sized, p.known = d, d.Text, false, false, false
}

// SetText changes the text.
func (p *Page) SetText(text string) {
	if text != p.Text {
		p.Text, p.counted, p.sized, p.known = text, false, false, false
	}
}

// Words returns the words of the text; the slice belongs to the page.
func (p *Page) Words() []string {
	if !p.counted {
		split := word.Append
		if quality.Unspaced(p.Doc.Language) {
			split = word.AppendCharacters
		}
		p.words, p.counted = split(p.words[:0], p.Text), true
	}
	return p.words
}

// Size returns the length of the text in code points.
func (p *Page) Size() int {
	if !p.sized {
		p.size, p.sized = runes(p.Text), true
	}
	return p.size
}

// Tokens returns the number of tokens of the text, or 0 without Count.
func (p *Page) Tokens() int {
	if p.Count == nil {
		return 0
	}
	if !p.known {
		p.tokens, p.known = p.Count(p.Text), true
	}
	return p.tokens
}

// unspaced reports whether Words returns parts of words.
func (p *Page) unspaced() bool { return p.partsOfWord() > 1 }

// partsOfWord returns about how many of the words of Words make a word of the language. Without spaces between words,
// they are characters, and in Tibetan they are syllables.
func (p *Page) partsOfWord() int {
	switch p.Doc.Language {
	case "bo", "dz", "ja", "zh":
		return 2
	case "km", "lo", "my", "th":
		return 3
	}
	return 1
}

// Score returns the confidence in the document's language, 0 to 1, or 0 if unknown.
func (p *Page) Score() float64 {
	for _, l := range p.Doc.Languages {
		if l.Code == p.Doc.Language {
			return float64(l.Confidence)
		}
	}
	return 0
}

// runes is the length of a text in code points.
func runes(s string) int { return utf8.RuneCountInString(s) }

// lineEnd returns the length of the line end at the beginning of text, or 0. Lines end as in Python's splitlines,
// since the peers' counts of lines depend on it.
func lineEnd(text string) int {
	switch c := text[0]; {
	case c == '\r' && len(text) > 1 && text[1] == '\n':
		return 2
	case c >= '\n' && c <= '\r' || c >= 0x1c && c <= 0x1e:
		return 1
	case strings.HasPrefix(text, "\u0085"):
		return 2
	case strings.HasPrefix(text, "\u2028"), strings.HasPrefix(text, "\u2029"):
		return 3
	}
	return 0
}

// mayEnd marks the first bytes of line ends. For nearly all other bytes it is enough.
var mayEnd = [256]bool{
	'\n': true, '\v': true, '\f': true, '\r': true, 0x1c: true, 0x1d: true, 0x1e: true, 0xc2: true, 0xe2: true,
}

// eachLine calls do with each line of text, without its end. A line end at the end of the text begins no line.
func eachLine(text string, do func(line string) bool) {
	from := 0
	for i := 0; i < len(text); i++ {
		if !mayEnd[text[i]] {
			continue
		}
		size := lineEnd(text[i:])
		if size == 0 {
			continue
		}
		if !do(text[from:i]) {
			return
		}
		from = i + size
		i = from - 1
	}
	if from < len(text) {
		do(text[from:])
	}
}

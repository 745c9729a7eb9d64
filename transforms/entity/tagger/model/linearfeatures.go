package model

import (
	"unicode"
	"unicode/utf8"
)

// MaxRows is the most features of a token.
const MaxRows = 32

// rows collects the rows of a token's features in a table of mask + 1 rows. Each kind of feature has a number, so that
// equal values of different kinds have different rows.
type rows struct {
	list []uint32
	mask uint64
	kind uint64
}

func (f *rows) add(value uint64) {
	f.kind++
	f.list = append(f.list, uint32(mix(value*0x9E3779B97F4A7C15+f.kind*0xD6E8FEB86659FD93)&f.mask))
}

// both is a value of two.
func both(a, b uint64) uint64 { return a*31 + b*0xBF58476D1CE4E5B9 }

// features appends the rows of the features of token i of run r.
func (m *Linear) features(d *document, r *run, i int, list []uint32) []uint32 {
	f := rows{list: list, mask: uint64(len(m.Weights)/Row - 1)}
	if m.Script == Unspaced {
		f.characters(d, r.within, i)
		return f.list
	}
	f.words(d, r, i)
	if m.Script == Uncased {
		f.stems(d, m, i)
	}
	return f.list
}

// word returns the hash of token i, or 0 outside the sentence.
func (d *document) word(s sentence, i int) uint64 {
	if i < s.first || i >= s.end {
		return 0
	}
	return d.tokens[i].hash
}

// kinds returns the kinds of the token's word in lists, or 0 outside the run, where they were not looked up.
func (d *document) kinds(r sentence, i int) uint64 {
	if i < r.first || i >= r.end {
		return 0
	}
	return uint64(d.tokens[i].entry & 127)
}

func (d *document) shape(s sentence, i int) uint64 {
	if i < s.first || i >= s.end {
		return uint64(Outside)
	}
	return uint64(d.tokens[i].Shape)
}

// words adds the features of a word: itself and its neighbours, its parts, its form, lists, and how the rest of the
// document writes it.
func (f *rows) words(d *document, r *run, i int) {
	s := r.within
	w, before, after := d.word(s, i), d.word(s, i-1), d.word(s, i+1)
	shape := d.shape(s, i)
	first := uint64(0)
	if i == s.first {
		first = 1
	}
	f.add(1)
	f.add(w)
	f.add(before)
	f.add(after)
	f.add(d.word(s, i-2))
	f.add(d.word(s, i+2))
	f.add(both(w, before))
	f.add(both(w, after))
	t := &d.tokens[i]
	head, tails := affixes(d.text[t.Start:t.End])
	f.add(head)
	for _, tail := range tails {
		f.add(tail)
	}
	f.add(shape | d.shape(s, i-1)<<8 | d.shape(s, i+1)<<16)
	f.add(shape | first<<8 | d.cases.of(t.hash)<<9)
	kinds := d.kinds(r.sentence, i)
	f.add(kinds | d.kinds(r.sentence, i-1)<<8)
	f.add(kinds | d.kinds(r.sentence, i+1)<<8)
	f.add(kinds | shape<<8 | first<<16)
	f.add(uint64(d.phrases[i]))
	f.add(both(before, shape))
	f.add(both(after, shape))
	f.add(shape | r.style<<8)
}

// affixes returns the hashes of the first three letters of a word and of its last two, three and four, in lower case.
func affixes(word string) (head uint64, tails [3]uint64) {
	head = hashBasis
	for i, n := 0, 0; i < len(word) && n < 3; n++ {
		c, size := utf8.DecodeRuneInString(word[i:])
		head = hashRune(head, c)
		i += size
	}
	hash := uint64(hashBasis)
	for n := 0; n < 4; n++ {
		if c, size := utf8.DecodeLastRuneInString(word); size > 0 {
			hash = hashRune(hash, c)
			word = word[:len(word)-size]
		}
		if n > 0 {
			tails[n-1] = hash
		}
	}
	return head, tails
}

// stems adds the features of an Arabic word without the particles that are written together with it.
func (f *rows) stems(d *document, m *Linear, i int) {
	t := &d.tokens[i]
	word := stem(d.text[t.Start:t.End])
	hash := HashWord(word)
	f.add(hash)
	f.add(uint64(m.listed(join(0, hash))))
	next := uint64(0)
	if i+1 < len(d.tokens) {
		next = d.tokens[i+1].hash
	}
	f.add(both(hash, next))
}

// stem returns a word without the conjunctions and prepositions of one letter at its beginning, and without the
// article.
func stem(word string) string {
	for range 2 {
		c, n := utf8.DecodeRuneInString(word)
		switch c {
		case 'و', 'ب', 'ل', 'ف', 'ك':
			// A word of three letters is more often a word than a particle and two letters.
			if len(word) > 3*n {
				word = word[n:]
			}
		}
	}
	if len(word) > 8 && word[:4] == "ال" {
		return word[4:]
	}
	return word
}

// characters adds the features of a character: itself with its neighbours, their kinds, and the listed names that it
// is in.
func (f *rows) characters(d *document, s sentence, i int) {
	c, before, after := d.word(s, i), d.word(s, i-1), d.word(s, i+1)
	second, third := d.word(s, i-2), d.word(s, i+2)
	f.add(1)
	f.add(c)
	f.add(before)
	f.add(after)
	f.add(second)
	f.add(third)
	f.add(both(before, c))
	f.add(both(c, after))
	f.add(both(second, before))
	f.add(both(after, third))
	f.add(both(both(before, c), after))
	f.add(both(both(second, before), c))
	f.add(both(both(c, after), third))
	f.add(d.shape(s, i) | d.shape(s, i-1)<<8 | d.shape(s, i+1)<<16)
	next := uint64(0)
	if i+1 < s.end {
		next = uint64(d.phrases[i+1])
	}
	f.add(uint64(d.phrases[i]))
	f.add(both(uint64(d.phrases[i]), next))
	f.add(both(uint64(d.phrases[i]), after))
	f.add(both(uint64(d.phrases[i]), before))
	t := &d.tokens[i]
	head, tails := affixes(d.text[t.Start:t.End])
	f.add(both(head, d.shape(s, i)))
	f.add(both(tails[1], d.shape(s, i)))
}

// characters appends the tokens of text from start on, in a script without spaces. Each character is a token, and so is
// each run of katakana and each word of another script.
func characters(text string, start int, dst []Token) []Token {
	for i := start; i < len(text); {
		c, n := utf8.DecodeRuneInString(text[i:])
		shape := script(c)
		switch {
		case shape == 0:
			if c <= ' ' || unicode.IsSpace(c) {
				i += n
				continue
			}
			dst = append(dst, latin(text, i, c, n))
		case shape == Katakana:
			end := i + n
			for end < len(text) {
				c, n := utf8.DecodeRuneInString(text[end:])
				if script(c) != Katakana {
					break
				}
				end += n
			}
			dst = append(dst, token(i, end, Katakana))
		default:
			dst = append(dst, token(i, i+n, shape))
		}
		t := &dst[len(dst)-1]
		if t.hash == 0 {
			t.hash = HashWord(text[t.Start:t.End])
		}
		i = int(t.End)
	}
	return dst
}

// latin returns the token at i of another script. It ends before the first character of a script without spaces.
func latin(text string, i int, c rune, n int) Token {
	end := i
	for end < len(text) {
		c, n := utf8.DecodeRuneInString(text[end:])
		if script(c) != 0 {
			break
		}
		end += n
	}
	t := next(text[:end], i, c, n)
	if shape := wideSign(c); shape != 0 {
		t.Shape = shape
	}
	return t
}

// wideSign returns the shape of a sign of Chinese and Japanese, or 0 for other characters.
func wideSign(c rune) Shape {
	switch c {
	case '。', '！', '？':
		return Period
	case '，', '、':
		return Comma
	case '：', '；':
		return Colon
	case '·', '・', '‧', '＝':
		return Dash
	case '（', '「', '『', '《', '〈', '【':
		return Open
	case '）', '」', '』', '》', '〉', '】':
		return Close
	}
	return 0
}

// Shapes of characters.
const (
	Han      = 32 + Shape(iota) // Chinese characters
	Hiragana                    // あ
	Katakana                    // アメリカ
)

// script returns the shape of a character of a script without spaces, or 0 for others.
func script(c rune) Shape {
	switch {
	case c < 0x3005:
	case c >= 0x3041 && c <= 0x309F:
		return Hiragana
	case c >= 0x30A1 && c <= 0x30FA, c >= 0x30FC && c <= 0x30FF, c >= 0x31F0 && c <= 0x31FF:
		return Katakana
	case c >= 0x4E00 && c <= 0x9FFF, c >= 0x3400 && c <= 0x4DBF, c >= 0x20000 && c <= 0x3FFFF, c == 0x3005, c == 0x3007:
		return Han
	}
	return 0
}

// maxPart is the most tokens of a sentence without spaces. Longer sentences are divided, since the scores of all
// pairs of tokens are kept.
const maxPart = 512

// parts appends the sentences of the tokens from first on to dst.
func parts(tokens []Token, first int, dst []sentence) []sentence {
	for i := first; i < len(tokens); i++ {
		last := i+1 == len(tokens) || i+1-first >= maxPart
		if last || tokens[i].Shape == Period && tokens[i+1].Shape != Close && tokens[i+1].Shape != Quote {
			dst = append(dst, sentence{first, i + 1})
			first = i + 1
		}
	}
	return dst
}

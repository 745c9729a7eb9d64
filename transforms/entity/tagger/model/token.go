package model

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shape is the form of a token. The numbers are part of the model.
type Shape uint8

// The shapes. Those from Capital to Initials have a capital letter: only they begin a name.
const (
	Outside    Shape = iota // before the first and after the last token of a sentence
	Lower                   // word
	Number                  // 12, 1,000.50
	Year                    // 1999
	Mixed                   // 3d, x86
	Period                  // . ! ? and runs of them
	Comma                   // ,
	Colon                   // : ;
	Dash                    // - and longer ones
	Quote                   // ' " and the typographic ones
	Apostrophe              // 's
	Open                    // ( [
	Close                   // ) ]
	Sign                    // any other sign
	Handle                  // @name
	Hashtag                 // #tag
	Address                 // a URL, a host name or a mail address
	Foreign                 // letters of a script without case
	Capital                 // Word
	Upper                   // WORD
	Single                  // W
	Camel                   // McDonald, iPhone
	UpperMix                // F16, MH370
	Initials                // U.S., J.
	shapes
)

// isCapital reports whether a token of this shape is a word with a capital letter.
func (s Shape) isCapital() bool { return s >= Capital }

// Token is a word, number or sign of a text. entry is set on first use, hash by tokenize. 32 bits allow 2 GiB, far
// more than Tag's limit.
type Token struct {
	Start, End int32 // byte offsets
	Shape      Shape
	entry      entry  // the lexicon's entry of the word
	hash       uint64 // of the word in lower case
}

type sentence struct{ first, end int }

// abbreviations are words with a full stop, by hash. True means that a sentence may end there: after "Inc.", but not
// after "Dr.". Longer words than the longest need no look-up.
var abbreviations, longestAbbreviation = func() (m map[uint64]bool, longest int) {
	m = map[uint64]bool{}
	add := func(list string, ends bool) {
		for w := range strings.FieldsSeq(list) {
			m[HashWord(w)], longest = ends, max(longest, len(w))
		}
	}
	add(`mr mrs ms dr prof st rev hon gen col maj capt lt sgt sen rep gov pres mt ft rd
		vs no vol dept univ assn jan feb mar apr jun jul aug sep sept oct nov dec`, false)
	add("inc corp co ltd llc bros jr sr ave blvd", true)
	return m, longest
}()

// tokenize appends the tokens of text from start on to dst. They do not overlap, and only white space separates them.
// The caller cuts text at the line's end.
func tokenize(text string, start int, dst []Token) []Token {
	for i := start; i < len(text); {
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(text[i:])
		}
		if r <= ' ' || r >= utf8.RuneSelf && unicode.IsSpace(r) {
			i += n
			continue
		}
		t, ok := plainWord(text, i)
		if !ok {
			t = next(text, i, r, n)
		}
		// word has set it already.
		if t.hash == 0 {
			t.hash = HashWord(text[t.Start:t.End])
		}
		dst = append(dst, t)
		i = int(t.End)
	}
	return dst
}

// maxPlain bounds the words that plainWord reads, in bytes.
const maxPlain = 64

// endsPlain are the characters after which plainWord knows that a word has ended. Others may join it to the next.
var endsPlain = func() (ends [256]bool) {
	for _, c := range " \t\n\r,;!?\"()[]{}<>/|-+*=_#%$~^\\`" {
		ends[c] = true
	}
	return ends
}()

// plainWord is word for a word of ASCII letters before a space or a sign, as most words are. It reports false for
// others.
func plainWord(text string, i int) (t Token, ok bool) {
	counts, hash, at := uint64(0), uint64(hashBasis), i
	for ; ; at++ {
		if at == len(text) {
			break
		}
		lane := lanes[text[at]]
		if lane == 0 {
			break
		}
		counts += lane
		hash = hashByte(hash, text[at])
	}
	const digits = 1 << 32
	if at == i || at-i > maxPlain || counts >= digits || at < len(text) && !endsPlain[text[at]] {
		return t, false
	}
	t = token(i, at, Camel)
	switch upper, lower := counts>>16, counts&0xFFFF; {
	case upper == 0:
		t.Shape = Lower
	case lower == 0 && upper == 1:
		t.Shape = Single
	case lower == 0:
		t.Shape = Upper
	case upper == 1 && text[i] <= 'Z':
		t.Shape = Capital
	}
	t.hash = mix(hash)
	return t, true
}

// next returns the token at i. r is the character at i, of n bytes. It takes at least n bytes, so tokenize ends.
func next(text string, i int, r rune, n int) Token {
	// @ and # alone are signs.
	if (r == '@' || r == '#') && i+1 < len(text) {
		if end := endOfTag(text, i+1); end > i+1 {
			s := Handle
			if r == '#' {
				s = Hashtag
			}
			return token(i, end, s)
		}
	}
	if isWord(r) {
		return word(text, i)
	}
	if isApostrophe(r) && possessive(text, i+n) {
		return token(i, i+n+1, Apostrophe)
	}
	// A run of the same sign is one token: "...", "!!!", "-----".
	end := i + n
	for end < len(text) && strings.HasPrefix(text[end:], text[i:i+n]) {
		end += n
	}
	return token(i, end, signShape(r))
}

func token(start, end int, s Shape) Token {
	return Token{Start: int32(start), End: int32(end), Shape: s}
}

// endOfTag returns the end of the letters, digits and underscores at i.
func endOfTag(text string, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !isWord(r) && r != '_' {
			break
		}
		i += n
	}
	return i
}

func signShape(r rune) Shape {
	switch r {
	case '.', '!', '?', '…':
		return Period
	case ',':
		return Comma
	case ':', ';':
		return Colon
	case '-', '–', '—', '‐', '‑':
		return Dash
	case '"', '\'', '“', '”', '‘', '’', '«', '»', '`', '´':
		return Quote
	case '(', '[', '{':
		return Open
	case ')', ']', '}':
		return Close
	}
	return Sign
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
	}
	return classOf(r) != noWord
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

// possessive reports whether an s, of either case, ends a word at i.
func possessive(text string, i int) bool {
	if i >= len(text) || text[i]|0x20 != 's' {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[i+1:])
	return i+1 == len(text) || !isWord(r)
}

// letters counts the letters of a word by kind. The letters since the last dot are in run, and the joining dots in
// dots. The hash is that of HashWord before mix.
type letters struct {
	upper, lower, digit, other, dots, run int

	hash uint64
}

// add counts a letter or digit beyond ASCII; plain counts others.
func (l *letters) add(r rune) {
	l.run++
	switch classOf(r) {
	case upperCase:
		l.upper++
	case lowerCase:
		l.lower++
	case digit:
		l.digit++
	case otherLetter:
		l.other++
	}
}

// lanes are the increments of a byte for three counts of 16 bits: lower case, capitals and digits; 0 for other bytes.
var lanes = func() (t [256]uint64) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z':
			t[c] = 1
		case 'A' <= c && c <= 'Z':
			t[c] = 1 << 16
		case '0' <= c && c <= '9':
			t[c] = 1 << 32
		}
	}
	return t
}()

// plain reads the ASCII letters and digits at the start of text and returns their number. Most words have only these,
// so one loop counts and hashes them without branches.
func (l *letters) plain(text string) (n int) {
	// No count may overflow into the next; the next call reads the rest.
	text = text[:min(len(text), 1<<16-1)]
	counts, hash := uint64(0), l.hash
	for ; n < len(text); n++ {
		lane := lanes[text[n]]
		if lane == 0 {
			break
		}
		counts += lane
		hash = hashByte(hash, text[n])
	}
	l.lower += int(counts & 0xFFFF)
	l.upper += int(counts >> 16 & 0xFFFF)
	l.digit += int(counts >> 32)
	l.run += n
	l.hash = hash
	return n
}

// word returns the word, number or URL at i, which is at a letter or digit. An @ or :// makes it a URL or mail address
// up to a space.
func word(text string, i int) Token {
	l := letters{hash: hashBasis}
	first, _ := utf8.DecodeRuneInString(text[i:])
	at := i
	for {
		at += l.plain(text[at:])
		if at == len(text) || text[at] == ' ' {
			break
		}
		r, n := utf8.DecodeRuneInString(text[at:])
		switch {
		// In ASCII only after a run that plain cut.
		case r < utf8.RuneSelf && isWord(r):
			continue
		case isWord(r):
			l.add(r)
		// The letters before it begin a URL or mail address.
		case r == '@' || r == ':' && strings.HasPrefix(text[at:], "://"):
			return token(i, endOfAddress(text, at), Address)
		case !joins(text, at, n, r, &l):
			return l.word(text, i, at, first)
		}
		l.hash = hashRune(l.hash, r)
		at += n
	}
	return l.word(text, i, at, first)
}

// word returns the token of text[i:at] from the counted letters, of which the first is first. A following dot may
// belong to it.
func (l *letters) word(text string, i, at int, first rune) Token {
	// example.com, but not U.S.A. or e.g.: dots among more than a few letters.
	if l.dots > 0 && (l.lower > 1 || l.upper+l.lower > 4) {
		return token(i, at, Address)
	}
	t := token(i, at, l.shape(first, at-i))
	t.hash = mix(l.hash)
	if at == len(text) || text[at] != '.' {
		return t
	}
	// The dot belongs to initials; "I." ends a sentence more often than it is a name.
	initials := l.dots > 0 && l.digit == 0 || t.Shape == Single && text[i] != 'I'
	if initials {
		t.Shape = Initials
	} else if at-i > longestAbbreviation {
		return t
	} else if _, ok := abbreviations[t.hash]; !ok {
		return t
	}
	t.End++
	t.hash = mix(hashByte(l.hash, '.'))
	return t
}

// joins reports whether the sign r at i, of n bytes, joins the letters before it to those after.
func joins(text string, i, n int, r rune, l *letters) bool {
	if r != '.' && r != ',' && r != '&' && !isApostrophe(r) {
		return false
	}
	behind, _ := utf8.DecodeRuneInString(text[i+n:])
	if i+n >= len(text) || !isWord(behind) {
		return false
	}
	switch {
	// Decimals, versions, groups of thousands: digits on both sides.
	case r == '.' && l.digit > 0 || r == ',':
		return l.digit == l.run && unicode.IsDigit(behind)
	case r == '.':
		// "end.Next" lacks a space, "example.com" is a host.
		if l.run > 1 && !unicode.IsLower(behind) {
			return false
		}
		l.dots++
		l.run = 0
		return true
	// AT&T.
	case r == '&':
		return l.upper == l.run && l.upper < 4 && unicode.IsUpper(behind)
	}
	// O'Brien, don't; not the possessive.
	return l.digit == 0 && !possessive(text, i+n)
}

// endOfAddress returns the end of the URL or mail address that continues at i, at least one byte later.
func endOfAddress(text string, i int) int {
	end := strings.IndexAny(text[i:], " \t\n\r\"<>")
	if end < 0 {
		end = len(text) - i
	}
	return i + max(1, len(strings.TrimRight(text[i:i+end], ".,:;!?)]'")))
}

// shape is the shape of a word of n bytes. Each case relies on those before it.
func (l *letters) shape(first rune, n int) Shape {
	all := l.upper + l.lower
	switch {
	case l.other > all:
		return Foreign
	case l.digit > 0 && all == 0:
		// Four digits that begin with 1 or 2.
		if n == 4 && l.digit == 4 && (first == '1' || first == '2') {
			return Year
		}
		return Number
	case l.digit > 0 && l.upper > 0:
		return UpperMix
	case l.digit > 0:
		return Mixed
	case l.upper == 0:
		return Lower
	case l.dots > 0:
		return Initials
	case l.upper == 1 && l.lower == 0:
		return Single
	case l.lower == 0:
		return Upper
	case l.upper == 1 && unicode.IsUpper(first):
		return Capital
	}
	return Camel
}

// split appends the sentences of the tokens from first on, those of one line, to dst. The last token of a line ends a
// sentence.
func split(text string, tokens []Token, first int, dst []sentence) []sentence {
	for i := first; i < len(tokens); i++ {
		// No sentence begins in lower case, as most tokens do.
		if i+1 < len(tokens) && (tokens[i+1].Shape == Lower || !endsSentence(text, tokens, i)) {
			continue
		}
		dst = append(dst, sentence{first, i + 1})
		first = i + 1
	}
	return dst
}

// endsSentence reports whether a sentence ends after token i, which is not the last. The next is not in lower case.
func endsSentence(text string, tokens []Token, i int) bool {
	t, behind := &tokens[i], &tokens[i+1]
	// A new sentence needs a space before, except after signs such as "end.(next)".
	if behind.Start == t.End && t.Shape != Period {
		return false
	}
	switch t.Shape {
	case Period:
		return behind.Start > t.End
	// He said "No." Then …: the full stop is inside.
	case Close, Quote:
		return i > 0 && tokens[i-1].Shape == Period && tokens[i-1].End == t.Start
	// A word with its dot: only abbreviations that may end a sentence.
	case Capital, Lower, Upper:
		return behind.Shape == Capital && text[t.End-1] == '.' && abbreviations[HashWord(text[t.Start:t.End-1])]
	}
	return false
}

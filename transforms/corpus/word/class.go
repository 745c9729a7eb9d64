package word

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Signs that are separate words at the ends of a chunk, by kind.
const (
	punctuation = "…,:;!?¿؟¡()[]{}<>_#*&。？！，、；：～·।،۔؛٪"
	quotes      = `'"”“` + "`" + `‘´’‚,„»«「」『』（）〔〕【】《》〈〉〈〉⟦⟧`
	currencies  = "$£€¥฿₽﷼₴₠₡₢₣₤₥₦₧₨₩₪₫₭₮₯₰₱₲₳₵₶₷₸₹₺₻₼₾₿"
	dashes      = "—–"
	prefixes    = "§%="
	tshegs      = "་༌" // divide the syllables of Tibetan, as spaces do
)

// A class is a set of properties of a character.
type class uint16

const (
	space    class = 1 << iota
	prefix         // a separate word at the beginning of a chunk
	suffix         // a separate word at its end
	lower          // a letter in lower case, or of a script without case
	upper          // a letter in upper case, or of a script without case
	digit          // 0 to 9
	quote          // of quotes
	sign           // of punctuation
	icon           // a symbol of Unicode's category So
	money          // a sign of a currency
	stop           // ends a sentence
	joiner         // may divide a chunk; a chunk without any needs no further checks
	category       // of Unicode's category P
)

// classes holds the classes of bytes that are characters, and none for other bytes. Most characters of most texts are
// in it.
var classes = func() (t [256]class) {
	for c := range rune(utf8.RuneSelf) {
		t[c] = classify(c)
	}
	return t
}()

// This Unicode block has the dashes, quotation marks and ellipses of texts that are otherwise ASCII.
const generalPunctuation, behindPunctuation = 0x2000, 0x2070

// marks holds the classes of that block.
var marks = func() (t [behindPunctuation - generalPunctuation]class) {
	for i := range t {
		t[i] = classify(rune(generalPunctuation + i))
	}
	return t
}()

// known holds the classes of the other characters named above.
var known = func() map[rune]class {
	m := map[rune]class{}
	for _, r := range punctuation + quotes + currencies + dashes + prefixes + tshegs + Terminals {
		if r >= utf8.RuneSelf {
			m[r] = classify(r)
		}
	}
	return m
}()

// behindAlphabets is after the blocks of Latin, Greek, Cyrillic, Armenian, Hebrew and Arabic.
const behindAlphabets = 0x700

// alphabets holds the classes of the characters before it.
var alphabets = func() (t [behindAlphabets]class) {
	for r := range rune(behindAlphabets) {
		if c, ok := known[r]; ok {
			t[r] = c
		} else {
			t[r] = unlisted(r)
		}
	}
	return t
}()

func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		return classes[r]
	case r < behindAlphabets:
		return alphabets[r]
	case r >= generalPunctuation && r < behindPunctuation:
		return marks[r-generalPunctuation]
	}
	if c, ok := known[r]; ok {
		return c
	}
	return unlisted(r)
}

// unlisted returns the classes of a character that none of the lists has. Searching the lists takes a microsecond.
func unlisted(r rune) (c class) {
	switch {
	case unicode.IsLetter(r):
		if !unicode.IsUpper(r) {
			c |= lower
		}
		if !unicode.IsLower(r) {
			c |= upper
		}
	case unicode.IsSpace(r):
		return space
	case unicode.Is(unicode.So, r):
		return icon | joiner | prefix | suffix
	case unicode.IsPunct(r):
		return category
	}
	return c
}

func classify(r rune) (c class) {
	set := func(is bool, bit class) {
		if is {
			c |= bit
		}
	}
	// Python's white space has four separators more than Go's.
	set(unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f || strings.ContainsRune(tshegs, r), space)
	set(r >= '0' && r <= '9', digit)
	set(strings.ContainsRune(quotes, r), quote)
	set(strings.ContainsRune(punctuation, r), sign)
	// The degree sign is a symbol and belongs to its number; spaCy's list of symbols has it since version 3.
	set(unicode.Is(unicode.So, r), icon)
	set(strings.ContainsRune(currencies, r), money)
	set(strings.ContainsRune(Terminals, r), stop)
	set(strings.ContainsRune(".,-+*^:<>=/~–—…", r) || unicode.Is(unicode.So, r), joiner)
	set(unicode.IsPunct(r), category)
	letter := unicode.IsLetter(r)
	set(letter && !unicode.IsUpper(r), lower)
	set(letter && !unicode.IsLower(r), upper)
	both := c&(quote|sign|icon) != 0 || strings.ContainsRune(dashes, r)
	set(both || c&money != 0 || strings.ContainsRune(prefixes, r), prefix)
	set(both, suffix)
	return c
}

// Terminals end sentences: full stops, question and exclamation marks of all scripts.
const Terminals = "!.?։؟۔܀܁܂߹।॥၊။።፧፨᙮᜵᜶᠃᠉᥄᥅᪨᪩᪪᪫᭚᭛᭞᭟᰻᰼᱾᱿‼‽⁇⁈⁉⸮⸼。꓿꘎꘏꛳꛷꡶꡷꣎꣏꤯꧈꧉꩝꩞꩟꫰꫱꯫﹒﹖﹗！．？｡" +
	"𐩖𐩗𑁇𑁈𑂾𑂿𑃀𑃁𑅁𑅂𑅃𑇅𑇆𑇍𑇞𑇟𑈸𑈹𑈻𑈼𑊩𑑋𑑌𑗂𑗃𑗉𑗊𑗋𑗌𑗍𑗎𑗏𑗐𑗑𑗒𑗓𑗔𑗕𑗖𑗗𑙁𑙂𑜼𑜽𑜾𑩂𑩃𑪛𑪜𑱁𑱂𖩮𖩯𖫵𖬷𖬸𖭄𛲟𝪈"

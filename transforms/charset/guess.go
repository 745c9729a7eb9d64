package charset

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// The guess compares, for each encoding and language, how many bits the sample takes under a model of that language's
// letters: the fewer, the likelier. A model knows how often each letter occurs (models.go) and what may follow what:
// accented letters are between ASCII letters in Latin scripts and among their like in others, and a capital does not
// follow a small letter, which is what tells KOI8-R from windows-1251. Comparing bits makes encodings with one and
// with two bytes a character comparable without thresholds between them.

// Costs in bits of what no model lists. They are above those of a language's own letters (1 to 15), in the order of
// how little such a character speaks for the language.
const (
	costASCII      = 5  // a letter, digit or sign
	costUsualSign  = 5  // one of usualSigns, where code pages of Windows have them
	costCommonSign = 8  // one of commonSigns
	costRareLetter = 14 // a letter that the language does not use, in a set of 128
	costRareSign   = 14
	costRareIdeo   = 16 // a character that the model of a large script does not list
	costForeign    = 20 // a letter of another script, in a large script
	costInvalid    = 30 // what the encoding does not define, controls, private use
)

// Bits that a byte takes on average in what is not text in any encoding known here. Text that takes more is not
// believed to be in any of the candidates.
const (
	hopelessHigh  = 10
	hopelessPlain = 7
)

// The signs that texts in all Latin, Greek, Cyrillic and Semitic scripts use. On many a page in English there is
// nothing else above ASCII. Curly quotes come from word processors, in any language.
const (
	usualSigns  = "“”’–—\u00a0"
	commonSigns = "‘‚„«»…·•°©®™€£×§†№"
)

// class is the part that a character plays for what may come next. Letters of Latin scripts with accents are "high",
// those without are "plain".
type class uint8

const (
	other class = iota
	plainDigit
	plainLower
	plainUpper
	highLower // also letters without case
	highUpper
	highSign // except for commonSigns
	classes
)

// transitions are added costs in bits, by the class of the character before and of the one itself. It is indexed by
// the class before, and then by the class itself.
type transitions [classes][classes]int32

// Orders of magnitude, from 10 (does hardly occur) to 0 (the usual), set by hand and held against the news texts of
// TestDetect_guessOnNews. What is not listed costs nothing.
var (
	latinScript = transitions{
		other:      {highLower: 2, highUpper: 4},
		plainDigit: {highLower: 6, highUpper: 6},
		plainLower: {plainUpper: 6, highLower: 2, highUpper: 10, highSign: 4},
		plainUpper: {highLower: 4, highUpper: 4, highSign: 4},
		highLower:  {plainDigit: 4, plainUpper: 6, highLower: 6, highUpper: 10},
		highUpper:  {plainDigit: 6, highLower: 6, highUpper: 6},
		highSign:   {plainLower: 4, highLower: 2, highUpper: 4},
	}
	otherScript = transitions{
		other:      {highUpper: 3},
		plainDigit: {highUpper: 3},
		plainLower: {plainUpper: 6, highLower: 8, highUpper: 10},
		plainUpper: {highLower: 8, highUpper: 8},
		highLower:  {plainDigit: 4, plainLower: 8, plainUpper: 8, highUpper: 8},
		highUpper:  {plainDigit: 6, plainLower: 8, plainUpper: 8, highUpper: 1},
		highSign:   {highUpper: 3},
	}
	largeScript = transitions{
		plainLower: {plainUpper: 6, highLower: 2},
		plainUpper: {highLower: 2},
		highLower:  {plainLower: 2, plainUpper: 2},
	}
)

// candidate is one encoding and the languages that are written in it. Several candidates may have one encoding, with
// other priors.
type candidate struct {
	encoding  string
	rules     *transitions
	prior     int32    // bits: how much rarer it is on the web than the encoding it may be mistaken for
	languages []string // the letters of each, as in models.go
}

// model is a candidate as it is applied. There are two kinds, by whether the encoding has one byte a character.
type model interface {
	name() string
	// bits returns what text takes in the language that it takes least in, or some number not below limit if that is
	// not below it.
	bits(text []byte, limit int32) int32
}

func (c candidate) name() string { return c.encoding }

// byteModel is a candidate whose encoding has one byte a character. Costs by bytes are found once: scoring a sample
// is then counting its bytes.
type byteModel struct {
	candidate
	class [256]class
	costs [][256]int32 // of each language
}

// runeModel is a candidate whose encoding has several bytes a character. Its letters are too many for a table by
// bytes, so the sample is decoded.
type runeModel struct {
	candidate
	cost map[rune]int32
}

// models are built once, when the first page without a declaration comes: most runs of a program meet one. Small
// scripts stand first: of equal costs the first wins.
var models = sync.OnceValue(func() []model {
	var all []model
	for _, c := range smallScripts {
		all = append(all, newByteModel(c))
	}
	for _, c := range largeScripts {
		all = append(all, &runeModel{c, costsOf(c.languages[0])})
	}
	return all
})

// costsOf reads a list of letters: words by blanks, the first word's letters cost one bit, the next one's two. An
// empty word is a cost that no letter has.
func costsOf(letters string) map[rune]int32 {
	costs := map[rune]int32{}
	for i, group := range strings.Split(letters, " ") {
		for _, r := range group {
			costs[r] = int32(i) + 1
		}
	}
	return costs
}

// newByteModel makes the tables of a candidate.
func newByteModel(c candidate) *byteModel {
	m := &byteModel{candidate: c, costs: make([][256]int32, len(c.languages))}
	set := charmaps[c.encoding]
	// The class of a byte does not depend on the language.
	for i := range m.class {
		m.class[i] = classOf(set.DecodeByte(byte(i)))
	}
	for n, letters := range c.languages {
		costs := costsOf(letters)
		for i := range m.class {
			m.costs[n][i] = costIn(byte(i), set.DecodeByte(byte(i)), costs)
		}
	}
	return m
}

// charmaps are the encodings with one byte a character that are guessed. Others are so rare without a declaration
// that they would only be guessed by mistake.
var charmaps = map[string]*charmap.Charmap{
	"windows-1250": charmap.Windows1250, "windows-1251": charmap.Windows1251, "windows-1252": charmap.Windows1252,
	"windows-1253": charmap.Windows1253, "windows-1254": charmap.Windows1254, "windows-1255": charmap.Windows1255,
	"windows-1256": charmap.Windows1256, "windows-1257": charmap.Windows1257, "windows-874": charmap.Windows874,
	"iso-8859-2": charmap.ISO8859_2, "koi8-r": charmap.KOI8R, "koi8-u": charmap.KOI8U, "ibm866": charmap.CodePage866,
	"iso-8859-7": charmap.ISO8859_7, "iso-8859-15": charmap.ISO8859_15,
}

// costIn returns the bits of r, which is written as c, in a language whose letters have costs. The letters of the
// language come first, whatever else they are.
func costIn(c byte, r rune, costs map[rune]int32) int32 {
	if cost, ok := costs[r]; ok {
		return cost
	}
	switch {
	case r < utf8.RuneSelf:
		return costASCII
	// U+FFFD is what the set does not define.
	case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Co, r):
		return costInvalid
	// Code pages of Windows have these at 0x80 to 0xA0; the same character elsewhere is a chance.
	case c <= 0xA0 && strings.ContainsRune(usualSigns, r):
		return costUsualSign
	case strings.ContainsRune(commonSigns, r):
		return costCommonSign
	// Boxes were drawn in DOS pages alone; as letters of another encoding they are a sign of the
	// wrong one.
	case 0x2500 <= r && r <= 0x259F, r == '¤': // for drawing boxes; what the euro sign took the place of
		return costForeign
	case !unicode.IsLetter(r):
		return costRareSign
	}
	// A capital costs what its small letter does.
	if cost, ok := costs[unicode.ToLower(r)]; ok {
		return cost
	}
	return costRareLetter
}

// classOf tells the part that r plays. Common signs count as other: they stand anywhere.
func classOf(r rune) class {
	switch {
	case 'a' <= r && r <= 'z':
		return plainLower
	case 'A' <= r && r <= 'Z':
		return plainUpper
	case '0' <= r && r <= '9':
		return plainDigit
	case r < utf8.RuneSelf, strings.ContainsRune(usualSigns+commonSigns, r):
		return other
	case !unicode.IsLetter(r) && !unicode.IsMark(r):
		return highSign
	case unicode.IsUpper(r):
		return highUpper
	}
	return highLower
}

// A guess begins with a small sample. Encodings that are far behind there are not tried on the whole one: text in other
// scripts than Latin, which has the most high bytes, is distinguished from 2 KiB. Costs add up with the sample, so what
// is 200 bits behind on 2 KiB will not win on 8.
const (
	firstSample = 2 << 10
	doubt       = 200 // bits behind the best from which an encoding is out
)

// guess returns the encoding under which a sample of words with high bytes, no longer than maxSample, takes the fewest
// bits.
func guess(body []byte, maxSample int) Result {
	size := min(firstSample, maxSample)
	text := sample(body, size)
	best, left := compare(models(), text)
	// Only where there is more to read, and more than one that it could decide between.
	if len(left) > 1 && len(text) >= size && size < maxSample {
		best, _ = compare(left, sample(body, maxSample))
	}
	// Not text under any of them: what browsers take is as good as anything.
	if best == "" {
		return Result{nameWestern, basisDefault}
	}
	return Result{best, basisGuess}
}

// compare returns the encoding under which text takes the fewest bits, "" if it is not text under any, and the models
// that are not far behind. Of two that take the same the first wins. Each model may stop early when it is beyond the
// limit, which falls as better ones are found.
func compare(models []model, text []byte) (best string, left []model) {
	least := hopelessBits(text)
	bits := make([]int32, len(models))
	for i, m := range models {
		bits[i] = m.bits(text, least+doubt)
		if bits[i] < least {
			best, least = m.name(), bits[i]
		}
	}
	// least has fallen on the way: what was near an earlier best may be far behind the last.
	for i, m := range models {
		if bits[i] < least+doubt {
			left = append(left, m)
		}
	}
	return best, left
}

// hopelessBits returns what text would take if it were not text.
func hopelessBits(text []byte) int32 {
	var bits int32
	for _, c := range text {
		if c < utf8.RuneSelf {
			bits += hopelessPlain
		} else {
			bits += hopelessHigh
		}
	}
	return bits
}

// bits adds up what bytes cost in each language, and what the transitions cost in all.
func (m *byteModel) bits(text []byte, limit int32) int32 {
	var counts [256]int32
	shared, before := m.prior, other // what follows what costs the same in all languages
	for _, c := range text {
		// Counting first: one multiplication for each byte value and language in the place of an
		// addition for each byte.
		counts[c]++
		now := m.class[c]
		shared += m.rules[before][now]
		before = now
	}
	least := limit
	for i := range m.costs {
		total := shared
		for c, n := range counts {
			total += n * m.costs[i][c]
		}
		least = min(least, total)
	}
	return least
}

// bits decodes the sample, and stops when it is beyond the limit.
func (m *runeModel) bits(text []byte, limit int32) int32 {
	decoded, err := decodeAll(text, m.encoding)
	if err != nil {
		// Not reached: decoders replace, they do not fail.
		return limit
	}
	total, before := m.prior, other
	for _, r := range string(decoded) {
		now := highLower
		// Characters beyond ASCII are one class: there is no case in these scripts.
		if r < utf8.RuneSelf {
			now = classOf(r)
		}
		total += m.costOf(r) + m.rules[before][now]
		before = now
		if total >= limit {
			break
		}
	}
	return total
}

// costOf returns the bits of a character of a large script's text.
func (m *runeModel) costOf(r rune) int32 {
	if r < utf8.RuneSelf {
		return costASCII
	}
	if cost, ok := m.cost[r]; ok {
		return cost
	}
	switch {
	case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Co, r):
		return costInvalid
	// Han, Hangul, kana and the punctuation of East Asia; then full-width forms.
	case 0x4E00 <= r && r <= 0x9FFF, 0xAC00 <= r && r <= 0xD7A3, 0x3040 <= r && r <= 0x30FF, 0x3000 <= r && r <= 0x301F:
		return costRareIdeo
	case 0xFF01 <= r && r <= 0xFF5E:
		return costRareSign
	}
	return costForeign
}

package charset

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// For each encoding and language, the guess counts the bits of the sample under a model of that language's letters.
// The fewest bits win. A model knows how often each letter occurs (models.go) and which classes may follow each other.
// Accented letters are between ASCII letters in Latin scripts, and among each other in others. A capital does not
// follow a small letter, which distinguishes KOI8-R from windows-1251. Counting bits makes encodings with one and with
// two bytes for a character comparable without thresholds.

// Costs in bits of characters that no model lists. They are above those of a language's own letters (1 to 15), and
// ordered by how little the character speaks for the language.
const (
	costASCII      = 5  // a letter, digit or sign
	costUsualSign  = 5  // one of usualSigns, at its place in Windows code pages
	costCommonSign = 8  // one of commonSigns
	costRareLetter = 14 // a letter not used in the language, in a set of 128
	costRareSign   = 14
	costRareIdeo   = 16 // a character that the model of a large script does not list
	costForeign    = 20 // a letter of another script, in a large script
	costInvalid    = 30 // undefined in the encoding, controls, private use
)

// Average bits of a byte in data that is not text in any known encoding. Text that takes more bits is not in any of
// the candidates.
const (
	hopelessHigh  = 10
	hopelessPlain = 7
)

// The signs used in texts of all Latin, Greek, Cyrillic and Semitic scripts. Many pages in English have no other
// non-ASCII characters. Curly quotes come from word processors, in any language.
const (
	usualSigns  = "“”’–—\u00a0"
	commonSigns = "‘‚„«»…·•°©®™€£×§†№"
)

// class is the role of a character for the next one. Accented Latin letters are "high", others are "plain".
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

// transitions are additional costs in bits, by the class of the character before and then by the class of the
// character itself.
type transitions [classes][classes]int32

// Orders of magnitude, from 10 (hardly ever occurs) to 0 (usual), set by hand and tested with the news texts of
// TestDetect_guessOnNews. Missing entries cost nothing.
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

// candidate is one encoding with the languages written in it. Several candidates may have the same encoding, with
// different priors.
type candidate struct {
	encoding  string
	rules     *transitions
	prior     int32    // in bits: how much rarer it is on the web than the encoding it may be confused with
	languages []string // the letters of each, as in models.go
}

// model is a prepared candidate. There are two kinds, for encodings with one byte for a character and for others.
type model interface {
	name() string
	// bits returns the bits of text in the best language. If that is not below limit, it may return any number not
	// below limit.
	bits(text []byte, limit int32) int32
}

func (c candidate) name() string { return c.encoding }

// byteModel is a candidate whose encoding has one byte for a character. Costs by bytes are computed once, so scoring a
// sample only counts its bytes.
type byteModel struct {
	candidate
	class [256]class
	costs [][256]int32 // of each language
}

// runeModel is a candidate whose encoding has several bytes for a character. It has too many letters for a table by
// bytes, so the sample is decoded.
type runeModel struct {
	candidate
	cost map[rune]int32
}

// models are built once, for the first page without a declaration, which most runs of a program have. Small scripts
// come first: of equal costs the first wins.
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

// costsOf parses a list of letters: groups separated by blanks. Letters of the first group cost one bit, those of the
// next two, and so on. An empty group is a cost without letters.
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

// charmaps are the single-byte encodings for the guess. Others are so rare without a declaration that guessing them
// would usually be wrong.
var charmaps = map[string]*charmap.Charmap{
	"windows-1250": charmap.Windows1250, "windows-1251": charmap.Windows1251, "windows-1252": charmap.Windows1252,
	"windows-1253": charmap.Windows1253, "windows-1254": charmap.Windows1254, "windows-1255": charmap.Windows1255,
	"windows-1256": charmap.Windows1256, "windows-1257": charmap.Windows1257, "windows-874": charmap.Windows874,
	"iso-8859-2": charmap.ISO8859_2, "koi8-r": charmap.KOI8R, "koi8-u": charmap.KOI8U, "ibm866": charmap.CodePage866,
	"iso-8859-7": charmap.ISO8859_7, "iso-8859-15": charmap.ISO8859_15,
}

// costIn returns the bits of r, encoded as c, in a language whose letters have the given costs. The letters of the
// language have priority.
func costIn(c byte, r rune, costs map[rune]int32) int32 {
	if cost, ok := costs[r]; ok {
		return cost
	}
	switch {
	case r < utf8.RuneSelf:
		return costASCII
	// U+FFFD means undefined in the set.
	case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Co, r):
		return costInvalid
	// Windows code pages have these at 0x80 to 0xA0; the same character elsewhere is a coincidence.
	case c <= 0xA0 && strings.ContainsRune(usualSigns, r):
		return costUsualSign
	case strings.ContainsRune(commonSigns, r):
		return costCommonSign
	// Only DOS pages drew boxes. Letters of another encoding that appear as boxes mean a wrong encoding.
	case 0x2500 <= r && r <= 0x259F, r == '¤': // box drawing, and the sign replaced by the euro sign
		return costForeign
	case !unicode.IsLetter(r):
		return costRareSign
	}
	// A capital costs as much as its small letter.
	if cost, ok := costs[unicode.ToLower(r)]; ok {
		return cost
	}
	return costRareLetter
}

// classOf returns the class of r. Common signs count as other: they may be anywhere.
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

// A guess begins with a small sample. Encodings with many more bits than the best are not tried on the whole one. Text
// in other scripts than Latin, which has the most high bytes, is recognised from 2 KiB. Costs grow with the sample, so
// an encoding with 200 bits more on 2 KiB will not win on 8.
const (
	firstSample = 2 << 10
	doubt       = 200 // bits more than the best at which an encoding is out
)

// guess returns the encoding with the fewest bits for a sample of words with high bytes, at most maxSample bytes long.
func guess(body []byte, maxSample int) Result {
	size := min(firstSample, maxSample)
	text := sample(body, size)
	best, left := compare(models(), text)
	// This requires more text, and more than one remaining encoding.
	if len(left) > 1 && len(text) >= size && size < maxSample {
		best, _ = compare(left, sample(body, maxSample))
	}
	// It is not text in any of them, so the default of browsers is as good as any.
	if best == "" {
		return Result{nameWestern, basisDefault}
	}
	return Result{best, basisGuess}
}

// compare returns the encoding with the fewest bits for text, or "" if text is not text in any. It also returns the
// models that are near it. Of equal ones the first wins. Each model may stop at the limit, which falls as better ones
// are found.
func compare(models []model, text []byte) (best string, left []model) {
	least := hopelessBits(text)
	bits := make([]int32, len(models))
	for i, m := range models {
		bits[i] = m.bits(text, least+doubt)
		if bits[i] < least {
			best, least = m.name(), bits[i]
		}
	}
	// least has fallen meanwhile: a model near an earlier best may be far from the last.
	for i, m := range models {
		if bits[i] < least+doubt {
			left = append(left, m)
		}
	}
	return best, left
}

// hopelessBits returns the bits of text if it were not text.
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

// bits adds the costs of bytes in each language, and the costs of transitions, which are the same for all.
func (m *byteModel) bits(text []byte, limit int32) int32 {
	var counts [256]int32
	shared, before := m.prior, other // transitions cost the same in all languages
	for _, c := range text {
		// Bytes are counted first. That takes one multiplication for each byte value and language instead of an
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

// bits decodes the sample, and stops at the limit.
func (m *runeModel) bits(text []byte, limit int32) int32 {
	decoded, err := decodeAll(text, m.encoding)
	if err != nil {
		// Not reached: decoders replace bytes and do not fail.
		return limit
	}
	total, before := m.prior, other
	for _, r := range string(decoded) {
		now := highLower
		// Non-ASCII characters are one class, since these scripts have no case.
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

// costOf returns the bits of a character in text of a large script.
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
	// These are Han, Hangul, kana and East Asian punctuation; then full-width forms.
	case 0x4E00 <= r && r <= 0x9FFF, 0xAC00 <= r && r <= 0xD7A3, 0x3040 <= r && r <= 0x30FF, 0x3000 <= r && r <= 0x301F:
		return costRareIdeo
	case 0xFF01 <= r && r <= 0xFF5E:
		return costRareSign
	}
	return costForeign
}

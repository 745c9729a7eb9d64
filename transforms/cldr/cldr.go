// Package cldr has the words of dates and amounts in the languages of Unicode's CLDR. They are months, days of the
// week and words of scale ("crore", "Mio."). It also converts the digits of all scripts, and knows time zones. Pages,
// feeds and entities all use its tables for dates. Tool .tools/gen/cldr makes words.txt from CLDR 48.2 (Unicode-3.0);
// more.go adds further forms found in texts.
//
//	cldr.Month("juil.", "")       // 7
//	cldr.Month("listopad", "hr")  // 10, and 11 in Polish; 0 where the language is not known
//	cldr.Scale("mil", "cs")       // 6, and 3 in Spanish
//	cldr.Digits("१६.८.२०१९")      // 16.8.2019
package cldr

import (
	"bytes"
	_ "embed"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

//go:generate go run ../../.tools/gen/cldr

//go:embed words.txt
var list string

// maxWordBytes is above the length of any word of the table.
const maxWordBytes = 64

// A meaning is a meaning of a word in some languages. Numbers 1 to 12 are months, 21 to 27 days of the week, 100 or
// more scales.
type meaning struct {
	number    int
	languages []string
	common    bool // a month with this name in texts of any language: see CommonMonth
}

const (
	monday   = 21
	sunday   = 27
	scale    = 100
	december = 12
)

// A table has the meanings by word.
type table struct {
	words  map[string][]meaning
	begins [1 << 10]bool // by the first two letters of a word: whether a month may begin with them; see pair
	scales [1 << 10]bool // the same for words of scale
}

// words is the table, read when the first word is asked for.
var words = sync.OnceValue(func() *table {
	t := &table{words: make(map[string][]meaning, 1<<12)}
	for line := range strings.Lines(list) {
		// A line has the word, its number and its languages.
		fields := strings.Fields(line)
		number, err := strconv.Atoi(fields[1])
		if err != nil {
			panic("cldr: words.txt: " + err.Error()) // the program was built with a damaged file
		}
		t.note(fields[0], meaning{number: number, languages: fields[2:]})
	}
	for languages, months := range moreMonths {
		for i, names := range strings.Fields(months) {
			for name := range strings.SplitSeq(names, "/") {
				if name != "-" { // a month without a name
					t.note(name, meaning{i + 1, strings.Fields(languages), true})
				}
			}
		}
	}
	for _, m := range moreWords {
		for name := range strings.FieldsSeq(m.words) {
			t.note(name, meaning{number: m.number, languages: strings.Fields(m.languages)})
		}
	}
	// This comes after all lists, since a word without accents may be in any of them.
	t.addFolded()
	// Only months and scales are included, because these are checked for all words of a text.
	for word, meanings := range t.words {
		for _, m := range meanings {
			if len(word) < 2 {
				continue
			}
			t.begins[pair(word)] = t.begins[pair(word)] || m.number <= december
			t.scales[pair(word)] = t.scales[pair(word)] || m.number > scale
		}
	}
	return t
})

// addFolded adds the words without their accents, as many people write them, unless that is another word.
func (t *table) addFolded() {
	folded := &table{words: map[string][]meaning{}}
	for word, meanings := range t.words {
		f := fold(word)
		// Such a word has no accents, or is another word without them.
		if f == word || t.words[f] != nil {
			continue
		}
		for _, m := range meanings {
			// Without its accents a name may be a word of another language.
			m.common = false
			folded.note(f, m)
		}
	}
	// They are separate until here, since a range over a map may visit keys added during it.
	maps.Copy(t.words, folded.words)
}

// note adds a meaning of a word.
func (t *table) note(word string, m meaning) {
	word = unmarked.Replace(word)
	i := slices.IndexFunc(t.words[word], func(old meaning) bool { return old.number == m.number })
	if i < 0 {
		// The slice is cloned, since all names of one entry share it, and more languages are appended below.
		m.languages = slices.Clone(m.languages)
		t.words[word] = append(t.words[word], m)
		return
	}
	t.words[word][i].common = t.words[word][i].common || m.common
	t.words[word][i].languages = append(t.words[word][i].languages, m.languages...)
}

// pair returns a number for the first two letters of a word, ignoring case. All non-ASCII pairs have the same number.
func pair(word string) int {
	if word[0]|word[1] >= utf8.RuneSelf {
		return 0
	}
	// The low five bits of an ASCII letter are the same in both cases.
	return int(word[0]&31)<<5 | int(word[1]&31)
}

// fold removes the accents of Latin and Greek letters. In the scripts of India and Southeast Asia marks are vowels,
// and stay.
func fold(word string) string {
	var b strings.Builder
	latin := false
	for _, r := range norm.NFD.String(word) {
		switch {
		// NFD does not change the Turkish dotless letter.
		case r == 'ı':
			b.WriteByte('i')
		case latin && unicode.Is(unicode.Mn, r):
		default:
			latin = unicode.In(r, unicode.Latin, unicode.Greek)
			b.WriteRune(r)
		}
	}
	return b.String()
}

// lookup returns the meanings of a word, in any case and with any dots. It does not allocate for ASCII.
func lookup(word string) []meaning {
	word = strings.TrimSuffix(word, ".")
	if word == "" || len(word) > maxWordBytes {
		return nil
	}
	t := words()
	// ASCII words are converted to lower case on the stack.
	var buf [maxWordBytes]byte
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf || c == '.' {
			return t.foreign(word)
		}
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		buf[i] = c
	}
	lower := buf[:len(word)]
	m := t.words[string(lower)]
	if stem, ok := bytes.CutSuffix(lower, []byte("ren")); ok && m == nil { // the Basque ending after a month
		m = t.words[string(stem)]
	}
	return m
}

// foreign is lookup for a word that is not ASCII, or has dots in it.
func (t *table) foreign(word string) []meaning {
	word = strings.ToLower(unmarked.Replace(word))
	if m := t.words[word]; m != nil {
		return m
	}
	return t.words[other(word)]
}

// unmarked removes the marks at the ends of abbreviations, and joiners.
var unmarked = strings.NewReplacer(".", "", "׳", "", "॰", "", "\u200c", "", "\u200d", "")

// other returns the meanings of another form of a word that is not in the table. It composes separate accents, which
// the small letter of the Turkish dotted I has as well. It removes the Hebrew "in" before a month and the Basque
// ending after one.
func other(word string) string {
	if strings.ContainsAny(word, "\u0300\u0301\u0302\u0303\u0306\u0307\u0308\u030a\u030b\u030c\u0323\u0327\u0328") {
		if composed := norm.NFC.String(word); words().words[composed] != nil {
			return composed
		}
		return fold(word)
	}
	if month, ok := strings.CutSuffix(word, "ren"); ok {
		return month
	}
	return strings.TrimPrefix(word, "ב")
}

// choose returns the number of the one meaning in a range that a word has in language. If it has none there, it is the
// one meaning in all languages. If there are several, it is the English one, since programs write English words
// everywhere. The result is 0 if there is no meaning.
func choose(meanings []meaning, language string, least, most int) int {
	found, english, several := 0, 0, false
	for _, m := range meanings {
		if m.number < least || m.number > most {
			continue
		}
		if slices.Contains(m.languages, language) {
			return m.number
		}
		if slices.Contains(m.languages, "en") {
			english = m.number
		}
		// A word has each number once (see note), so a second one is another meaning.
		several = several || found != 0
		found = m.number
	}
	if several {
		return english
	}
	return found
}

// Base returns the language at the beginning of a BCP 47 tag, as the table names it.
func Base(tag string) string {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	// These are codes that pages use, with the codes of the table.
	switch tag = strings.ToLower(strings.TrimSpace(tag)); tag {
	case "no":
		return "nb"
	case "iw":
		return "he"
	case "in":
		return "id"
	case "tl":
		return "fil"
	}
	return tag
}

// Month returns the month, 1 to 12, that word names in language (ISO 639-1, or "" if unknown). It returns 0 if it
// names none, or different ones in other languages.
func Month(word, language string) int {
	if !mayBeMonth(word) {
		return 0
	}
	return choose(lookup(word), language, 1, december)
}

// MonthIn is like Month, but only for names in this language.
func MonthIn(word, language string) int {
	in, _, _ := Months(word, language)
	return in
}

// CommonMonth is like Month, for names that mean a month and little else in texts of any language.
func CommonMonth(word string) int {
	_, common, _ := Months(word, "")
	return common
}

// Months returns the results of MonthIn, CommonMonth and Month without a language, with one look-up.
func Months(word, language string) (in, common, all int) {
	if !mayBeMonth(word) {
		return 0, 0, 0
	}
	meanings := lookup(word)
	for i := range meanings {
		m := &meanings[i]
		if m.number <= december && in == 0 && slices.Contains(m.languages, language) {
			in = m.number
		}
		if m.common {
			common = m.number
		}
	}
	all = choose(meanings, "", 1, december)
	// If a common name is another month elsewhere, the result is that without a language.
	if common != 0 {
		common = all
	}
	return in, common, all
}

// mayBeMonth reports whether a month may begin like word. Most words of a text then need no look-up.
func mayBeMonth(word string) bool { return len(word) >= 2 && words().begins[pair(word)] }

// Weekday reports whether word names a day of the week in some language.
func Weekday(word string) bool {
	return slices.ContainsFunc(lookup(word), func(m meaning) bool { return m.number >= monday && m.number <= sunday })
}

// Scale returns the number of zeros that word means in the first of the languages that has it, or 0.
func Scale(word string, languages ...string) int {
	meanings := lookup(word)
	for _, language := range languages {
		for _, m := range meanings {
			if m.number > scale && slices.Contains(m.languages, language) {
				return m.number - scale
			}
		}
	}
	return 0
}

// AnyScale returns the number of zeros of word, the same in all languages that have it, and whether any has it. If
// they differ, it returns (0, true).
func AnyScale(word string) (zeros int, known bool) {
	if len(word) >= 2 && !words().scales[pair(word)] {
		return 0, false
	}
	for _, m := range lookup(word) {
		if m.number <= scale {
			continue
		}
		if known {
			return 0, true
		}
		zeros, known = m.number-scale, true
	}
	return zeros, known
}

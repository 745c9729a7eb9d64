package pagemeta

import "strings"

// hints are what the names of elements (class, id, itemprop, rel) suggest about their text.
type hints uint8

const (
	hintAuthor  hints = 1 << iota // a by-line
	hintDate                      // a date
	hintUpdated                   // a date of change
	hintLink                      // inside a link
)

// nameHints reads the words of names such as "post-meta__author byLine", in time linear in their length. Words end at
// signs and at capitals after small letters ("byLine"); capitals in a row are one word ("URLdate").
func nameHints(names []byte) hints {
	var h hints
	start := 0
	for i := 0; i <= len(names); i++ {
		if i < len(names) && isLetter(names[i]) && (i == start || !(isUpper(names[i]) && !isUpper(names[i-1]))) {
			continue
		}
		if i > start {
			h |= wordHints(names[start:i])
		}
		start = i
		// Skip a sign; a capital begins the next word.
		if i < len(names) && !isLetter(names[i]) {
			start++
		}
	}
	return h
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

const maxWordBytes = 24

// wordHints are those of one word, in any case. The lookup does not allocate.
func wordHints(word []byte) hints {
	if len(word) < 2 || len(word) > maxWordBytes || hintLengths[word[0]&31]>>len(word)&1 == 0 {
		return 0
	}
	var buf [maxWordBytes]byte
	for i := range len(word) {
		// Only letters, since nameHints splits at all others.
		buf[i] = word[i] | 0x20
	}
	if h, ok := hintWords[string(buf[:len(word)])]; ok {
		return h
	}
	return 0
}

// hintWords are words in the names of by-line elements in the tuning set, with the meaning they have more often than
// not. "posted" has both.
var hintWords = hintTable(map[hints]string{
	hintAuthor: "author authors byline by byauthor authorname postauthor entryauthor bylines writer creator " +
		"contributor contributors vcard username posted postedby writtenby fn",
	hintDate: "date dates time published publish publishdate publication pubdate datepublished postdate posted " +
		"timestamp entrydate datetime createdate created posteddate articledate dateline",
	hintUpdated: "updated update modified datemodified lastmod lastupdated lastmodified revised",
})

// hintLengths has the lengths of hintWords as bits, by their first letters: most words need no look-up.
var hintLengths = func() (lengths [32]uint32) {
	for w := range hintWords {
		lengths[w[0]&31] |= 1 << len(w)
	}
	return lengths
}()

func hintTable(words map[hints]string) map[string]hints {
	all := map[string]hints{}
	for h, list := range words {
		for w := range strings.FieldsSeq(list) {
			all[w] |= h
		}
	}
	return all
}

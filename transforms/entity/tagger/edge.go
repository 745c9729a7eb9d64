package tagger

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// articles are those of Arabic, which are written onto a name with a hyphen, in small letters: al-Qaeda, ash-Shabaab.
var articles = []string{"al", "el", "ul", "an", "ar", "as", "ash", "ad", "at", "az"}

// particles are the words in small letters with which names of families begin, and which are before nothing else in
// English.
var particles = []string{
	"bin", "bint", "ibn", "von", "van", "de", "del", "della", "dela", "di", "du", "dos", "der", "zu", "zur", "af", "av",
	"al",
	"el", "van der", "van den", "von der", "de la", "de los", "de las",
}

// edges corrects where names begin and end. The model looks at words with capitals: an article that is written onto a
// name is a part of it, and so is the particle before the name of a family. Two people with a particle between them
// are one. mentions are in their order and do not overlap; so are those that are left.
func edges(text string, mentions []Mention) []Mention {
	kept := mentions[:0]
	for i, m := range mentions {
		next := len(text) // where the one after begins
		if i+1 < len(mentions) {
			next = mentions[i+1].Start
		}
		m = asFirm(text, m, next)
		last := 0 // where the mention before ends
		if len(kept) > 0 {
			last = kept[len(kept)-1].End
		}
		m.Start = withArticle(text, last, m.Start)
		if m.Type == Person {
			m.Start = wholeWord(text, last, m.Start)
		}
		if m.Type == Person && !strings.Contains(text[m.Start:m.End], " ") { // a family's name alone
			m.Start = withParticle(text, last, m.Start)
			joined := text[last:m.Start] == " " && startsSmall(text[m.Start:m.End])
			if n := len(kept); n > 0 && kept[n-1].Type == Person && joined {
				kept[n-1].End, kept[n-1].Confidence = m.End, min(kept[n-1].Confidence, m.Confidence)
				continue
			}
		}
		kept = append(kept, m)
	}
	return kept
}

// wholeWord is where the word begins that goes on at start after a hyphen, with a capital, not before last:
// Ramos-Horta.
func wholeWord(text string, last, start int) int {
	if start <= last || text[start-1] != '-' {
		return start
	}
	at := last + strings.LastIndexAny(text[last:start], " \t\n(\"/,;:") + 1
	if r, _ := utf8.DecodeRuneInString(text[at:]); unicode.IsUpper(r) {
		return at
	}
	return start
}

// withArticle is where a name begins that begins at start without its article, not before last.
func withArticle(text string, last, start int) int {
	if start-last < len("al-") || text[start-1] != '-' {
		return start
	}
	for _, a := range articles {
		if at := start - len(a) - 1; at >= last && text[at:start-1] == a && isWordStart(text, at) {
			return at
		}
	}
	return start
}

// withParticle is where the name of a family begins whose particle is before start, the longest one.
func withParticle(text string, last, start int) int {
	best := start
	for _, p := range particles {
		at := start - len(p) - 1
		if at >= last && text[start-1] == ' ' && text[at:start-1] == p && isWordStart(text, at) {
			best = min(best, at)
		}
	}
	return best
}

// isWordStart reports whether a word in ASCII may begin at a place: no letter or sign of a word is before it.
func isWordStart(text string, at int) bool {
	return at == 0 || strings.IndexByte(" \t\n(\"'/,;:", text[at-1]) >= 0
}

// startsSmall reports whether a text begins with a small letter of ASCII.
func startsSmall(text string) bool { return text != "" && 'a' <= text[0] && text[0] <= 'z' }

// firmWords end the names of firms, in capitals as firms write them.
var firmWords = strings.Fields("Architects Architecture Architectes Architekten Associates Partners Design " +
	"Designs Interiors " +
	"Studio Studios Group Holdings Capital Consulting Industries Enterprises Foundation Institute Company " +
	"Corporation Corp Co " +
	"Inc LLC Ltd PLC GmbH AG Bros Publishing Press Records Pictures Entertainment Technologies Labs Motors " +
	"Airlines Pharmaceuticals")

// asFirm makes a person whose name continues with a word of firms, or ends with one, the firm that it is: firms are
// called like who founded them. next is where the next mention begins.
func asFirm(text string, m Mention, next int) Mention {
	if m.Type != Person {
		return m
	}
	name := text[m.Start:m.End]
	if i := strings.LastIndexByte(name, ' '); i > 0 && isFirmWord(name[i+1:]) {
		m.Type = Organization
		return m
	}
	rest := text[m.End:next]
	if strings.HasPrefix(rest, " ") {
		word := firstWord(rest[1:])
		if isFirmWord(word) {
			m.Type, m.End = Organization, m.End+1+len(word)
		}
	}
	return m
}

// isFirmWord reports whether a word ends the names of firms.
func isFirmWord(word string) bool { return slices.Contains(firmWords, strings.TrimRight(word, ".,")) }

// firstWord is what precedes white space or a sign of the sentence.
func firstWord(s string) string {
	if i := strings.IndexAny(s, " \t\n,.;:!?()\"'"); i >= 0 {
		return s[:i]
	}
	return s
}

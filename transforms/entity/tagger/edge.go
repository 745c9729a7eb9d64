package tagger

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// articles are those of Arabic, joined to a name by a hyphen, in small letters: al-Qaeda, ash-Shabaab.
var articles = []string{"al", "el", "ul", "an", "ar", "as", "ash", "ad", "at", "az"}

// particles are words in small letters that begin family names and, in English, precede nothing else.
var particles = []string{
	"bin", "bint", "ibn", "von", "van", "de", "del", "della", "dela", "di", "du", "dos", "der", "zu", "zur", "af", "av",
	"al",
	"el", "van der", "van den", "von der", "de la", "de los", "de las",
}

// edges corrects where names begin and end, since the model looks at words with capitals. A joined article is part of
// a name, and so is the particle before a family name. Two people with a particle between are one. mentions are in
// order without overlaps, and so is the result. Names of kinds of buildings and of peoples are dropped.
func edges(text string, mentions []Mention) []Mention {
	kept := mentions[:0]
	for i, m := range mentions {
		next := len(text) // start of the next mention
		if i+1 < len(mentions) {
			next = mentions[i+1].Start
		}
		if isGeneric(text[m.Start:m.End]) || isPeople(text[m.Start:m.End], m.Type) {
			continue
		}
		m = named(text, m, next)
		last := 0 // end of the mention before
		if len(kept) > 0 {
			last = kept[len(kept)-1].End
		}
		m.Start = withArticle(text, last, m.Start)
		switch m.Type {
		case Organization:
			m.End = withLegalForm(text, m.End, next)
		case Place:
			if start := ofInstitution(text, before(kept), m.Start); start < m.Start {
				m.Start, m.Type = start, Organization
				if n := len(kept); n > 0 && kept[n-1].End > start {
					m.Start, kept = min(start, kept[n-1].Start), kept[:n-1]
				}
				kept = append(kept, m)
				continue
			}
		}
		if m.Type == Person {
			m.Start = wholeWord(text, last, withoutTitle(text, m.Start, m.End))
		}
		if m.Type == Person && !strings.Contains(text[m.Start:m.End], " ") { // only a family name
			m.Start = withParticle(text, last, m.Start)
			joined := text[last:m.Start] == " " && startsSmall(text[m.Start:m.End])
			if n := len(kept); n > 0 && kept[n-1].Type == Person && joined {
				kept[n-1].End, kept[n-1].Confidence = m.End, min(kept[n-1].Confidence, m.Confidence)
				continue
			}
		}
		kept = append(kept, m)
	}
	asListed(text, kept)
	return kept
}

// before is the start of the last of mentions if it may be the beginning of an institution's name, or else its end.
func before(mentions []Mention) int {
	if len(mentions) == 0 {
		return 0
	}
	last := mentions[len(mentions)-1]
	if last.Type == Organization {
		return last.Start
	}
	return last.End
}

// wholeWord is the start, not before last, of a word that continues at start after a hyphen, if it has a capital:
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

// withArticle is the start, not before last, of a name at start including its article.
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

// withParticle is the start, not before last, of a family name at start including its longest particle.
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

// isWordStart reports whether a word in ASCII may begin at a place: no letter or sign of a word precedes.
func isWordStart(text string, at int) bool {
	return at == 0 || strings.IndexByte(" \t\n(\"'/,;:", text[at-1]) >= 0
}

func startsSmall(text string) bool { return text != "" && 'a' <= text[0] && text[0] <= 'z' }

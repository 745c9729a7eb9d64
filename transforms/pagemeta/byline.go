package pagemeta

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// byline is the author that a page shows around its title.
type byline struct {
	names  string
	spoken bool // after "By …"; otherwise only the element's name suggests it
	listed bool // after a link like a headline, and two more by-lines of other names follow
}

// prefixes are beginnings of by-lines in lower case, the longer of two first. English comes first, because every piece
// is tested for "by". Words that are also headings have a colon.
var prefixes = []string{
	"written by", "posted by", "published by", "authored by", "created by", "article by", "story by", "words by",
	"text by", "started by", "asked by", "submitted by", "by", "authors:", "authors", "author:", "author",
	"thread starter", "topic starter", "autorin:", "autor:", "autor", "von", "par", "por", "escrito por", "publicado por",
	"a cura di", "door", "tekst:", "teksti:", "text:", "kirjoittaja:", "автор:", "автор", "yazar:", "作者：", "作者:", "作者",
	"记者", "文：", "文/", "الكاتب", "بقلم", "scritto da", "pubblicato da", "di", "av", "af", "tekst", "napisał", "napisała",
	"przez", "od",
	"yazan:", "yazan", "oleh", "bởi", "tác giả:", "tác giả", "przygotował", "szerző:", "szerző", "írta:", "συντάκτης:",
	"του", "της", "מאת", "نویسنده:", "نویسنده", "記者", "撰文", "執筆", "โดย", "लेखक:", "लेखक", "redacción:", "redação:",
	"redactie:", "autore:", "auteur:", "auteur", "autora:", "autorka:", "skrevet av", "skrevet af", "skriven av",
	"geschrieben von",
	"écrit par", "publié par", "rédigé par", "geschreven door", "текст:",
}

// particlesToo are prefixes with which family names begin, too.
var particlesToo = []string{"di", "av", "af", "od", "του", "της"}

// prefixesBy has the prefixes by the first byte of a text, in either case: most texts begin with none.
var prefixesBy = func() (by [256][]string) {
	for _, p := range prefixes {
		by[p[0]] = append(by[p[0]], p)
		// In alphabets that span two blocks, the first bytes of both cases differ: А and я.
		if first := strings.ToUpper(p)[0]; first != p[0] {
			by[first] = append(by[first], p)
		}
	}
	return by
}()

const maxBylineBytes = 120

// Byline returns the names in a text such as "Posted by Jane Doe on May 1, 2024", or nil if it has none. A text without
// signs of a by-line is the name of a forum's member, which need not look like that of a person.
func Byline(text string) []string {
	rest, ok := cutByPrefix(text)
	// A name may begin with the short words: Von Miller.
	if label := strings.TrimSpace(text[:len(text)-len(rest)]); !ok || !strings.ContainsAny(label, " :：") {
		rest = withoutBy(text)
	}
	user, _, _ := strings.Cut(rest, "(")
	user = strings.TrimSpace(user)
	if isWord := len(user) <= maxUserName && !strings.ContainsAny(user, " \t:"); isWord && !isUnnamed(user) {
		return []string{user}
	}
	f := finder{o: Options{}.withDefaults()}
	names := f.people([]string{namesIn(rest)})
	_, _, dated := Dates{}.Find(text)
	if len(names) < 2 && rest == text && !dated && !strings.ContainsAny(text, ",;|()•·»") && text != "" {
		return []string{text}
	}
	return names
}

// shownByline looks for a by-line after the title, where nearly all are, then before it.
func shownByline(ahead, behind []piece, o locale) byline {
	if b := findByline(behind, o); b.names != "" {
		return b
	}
	return findByline(ahead, o)
}

// findByline returns the first by-line after "By", or else the first that an element's name suggests.
func findByline(pieces []piece, o locale) byline {
	b, end := bylineFrom(pieces, 0, o)
	if !slices.ContainsFunc(pieces[:end], isHeadlineLink) {
		return b
	}
	others := 0
	for next := b; next.spoken && others < 2; {
		if next, end = bylineFrom(pieces, end, o); next.spoken && next.names != b.names {
			others++
		}
	}
	b.listed = others == 2
	return b
}

// isHeadlineLink reports whether a piece is a link of several words.
func isHeadlineLink(pc piece) bool { return pc.hints&hintLink != 0 && strings.Count(pc.text, " ") > 1 }

// bylineFrom is findByline for the pieces from a number on, without others, and the number of the piece after it.
func bylineFrom(pieces []piece, from int, o locale) (b byline, end int) {
	var hinted byline
	for i := from; i < len(pieces); i++ {
		pc := &pieces[i]
		// Long pieces are prose, in which "by" means anything.
		if len(pc.text) > maxBylineBytes {
			continue
		}
		if name := koreanReporter(pc.text); name != "" {
			return byline{names: name, spoken: true}, i + 1
		}
		rest, ok := cutByPrefix(pc.text)
		if ok && continuesCredit(pieces[:i+1]) {
			continue
		}
		if !ok {
			rest, ok = afterDate(pc.text, o)
		}
		if !ok {
			rest, ok = afterEastLabel(pc.text)
			// The next block is not the value of an empty label.
			ok = ok && (rest != "" || i+1 < len(pieces) && pieces[i+1].block == pc.block)
		}
		// "By" alone: the name is in the next element, mostly a link.
		if ok && rest == "" && i+1 < len(pieces) {
			next := &pieces[i+1]
			// Names of forum members need not look like names of people.
			if rest = bylineRest(pieces[i+1:]); next.hints&(hintLink|hintAuthor) != 0 && isUserName(next.text) {
				return byline{names: next.text, spoken: true}, i + 2
			}
		}
		// In Spanish a category or place follows; in Dutch, "en" joins names.
		if ok && strings.Contains(strings.ToLower(" "+pc.text+" "), " por ") {
			rest, _, _ = strings.Cut(rest, " en ")
		}
		if names := namesIn(rest); ok && names != "" {
			return byline{names: names, spoken: true}, i + 1
		}
		// Hints count once, and not in an element that is also one of a date.
		if hinted.names != "" || pc.hints&(hintAuthor|hintUpdated|hintDate) != hintAuthor {
			continue
		}
		// A role beside a name, such as "senior editor", is not a name.
		if names := namesIn(pc.text); names != "" && !hasRole(names) {
			hinted.names = names
		}
	}
	return hinted, len(pieces)
}

// continuesCredit reports whether the last piece continues a line about the page's template: "Crafted with ♥ by". Only
// signs may be between. A link or a divider ends such a line: articles, too, have "Built on <a>Sand</a> by".
func continuesCredit(pieces []piece) bool {
	last := len(pieces) - 1
	if strings.TrimLeft(pieces[last].text, dividers) != pieces[last].text {
		return false
	}
	for i := last - 1; i >= max(0, last-maxCreditPieces) && pieces[i].block == pieces[last].block; i-- {
		text := pieces[i].text
		if pieces[i].hints&hintLink != 0 {
			return false
		}
		if start := strings.LastIndexAny(text, dividers); start >= 0 || strings.ContainsFunc(text, unicode.IsLetter) {
			return isCredit(text[max(0, start, strings.LastIndex(text, ". ")):])
		}
	}
	return false
}

// maxCreditPieces bounds the search for the start of a line.
const maxCreditPieces = 16

// isCredit reports whether a text begins a line about the page's template.
func isCredit(text string) bool {
	words := strings.Fields(strings.ToLower(strings.TrimLeft(text, dividers+"., ")))
	return len(words) > 0 && slices.Contains(credits, words[0])
}

// dividers are signs between two texts of a line.
const dividers = "|•·"

var credits = strings.Fields("crafted made designed developed built coded powered theme template")

// cutByPrefix removes "By" and the like. text may begin with a separator after the piece before.
func cutByPrefix(text string) (rest string, ok bool) {
	text = strings.TrimLeft(text, "-–—|•· /")
	if text == "" {
		return "", false
	}
	if text[0] >= 0xE3 { // the first byte of East Asian letters
		if rest, ok := cutRoles(text); ok {
			return rest, true
		}
	}
	for _, p := range prefixesBy[text[0]] {
		if len(text) < len(p) || !strings.EqualFold(text[:len(p)], p) {
			continue
		}
		rest = text[len(p):]
		// A press conference.
		if strings.HasPrefix(rest, "会") || strings.HasPrefix(rest, "會") {
			continue
		}
		// A family name may begin so: "Di Canio".
		if slices.Contains(particlesToo, p) && strings.Count(strings.TrimSpace(rest), " ") == 0 && rest != "" {
			continue
		}
		r, _ := utf8.DecodeRuneInString(rest)
		// The next letter must not continue the word: "Byron" is a name. Han characters need no space.
		if rest == "" || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '\'' && r != '’' || r >= 0x2e80 {
			return strings.TrimLeft(rest, " :：/\u00a0"), true
		}
	}
	return "", false
}

// datedBy are the words before names that follow a date or "days ago" in the same text.
var datedBy = strings.Fields("by von par por da door przez av af")

// replies are in lines that name a page's last reader, and not its author.
var replies = []string{
	"last post", "latest post", "repl", "comments", "last comment", "antwort", "letzter beitrag", "letzter kommentar",
	"kommentare", "réponse", "dernier message", "dernier commentaire", "respuesta", "último mensaje", "ultimo messaggio",
	"risposta", "reactie", "laatste bericht", "ostatni post", "odpowiedź",
}

// afterDate returns what follows "by" after a date: "Posted on May 3, 2023 by Jane Doe".
func afterDate(text string, o locale) (rest string, ok bool) {
	if !strings.ContainsAny(text, "0123456789") {
		return "", false
	}
	for _, by := range datedBy {
		at, end := lastWord(text, by)
		if at < 0 {
			continue
		}
		before := strings.TrimRight(text[:at], " -–—|•·,")
		if lastOf(strings.ToLower(before), replies) >= 0 {
			return "", false
		}
		_, label, after, dated := findDate(before, o)
		// Only the time of day may follow the date. In Italian "da" is also "from".
		hour := len(after) <= maxWeekdayBytes && strings.ContainsAny(after, "0123456789")
		dated = dated && len(label) <= maxLabelBytes && (after == "" || hour) &&
			(by != "da" || labelOf(label) == labelPublished)
		if dated || strings.HasSuffix(before, " ago") {
			return strings.TrimSpace(text[end:]), true
		}
	}
	return "", false
}

// lastWord is the place of the last occurrence of a word after a space and before one or the end. Its case is ignored.
func lastWord(text, word string) (at, end int) {
	for i := len(text) - len(word); i > 0; i-- {
		end := i + len(word)
		if text[i-1] == ' ' && strings.EqualFold(text[i:end], word) && (end == len(text) || text[end] == ' ') {
			return i, end
		}
	}
	return -1, -1
}

const maxBylineNames = 6

// bylineRest joins names in elements of their own after "By". They must be in one block, so that a list of teasers is
// not one by-line. Names and links between them alternate: two names without a link are two by-lines.
func bylineRest(pieces []piece) string {
	all := pieces[0].text
	names, linked := all, endsInLink(all)
	for i := 1; i < len(pieces) && i < 2*maxBylineNames && pieces[i].block == pieces[0].block; i++ {
		t := pieces[i].text
		first, rest, _ := strings.Cut(t, " ")
		name := t
		if !linked && slices.Contains(andWords, first) { // "and Jane Doe" after a link
			name = rest
		}
		switch {
		case isLink(t):
			linked = true
			all += " " + t
		// A name counts only after a word like "and".
		case (linked || name != t) && namesIn(strings.Trim(name, ", &")) != "":
			linked = endsInLink(t)
			all += " " + t
			names = all
		default:
			return names
		}
	}
	return names
}

// koreanReporter returns the name before the word for reporter, as Korean by-lines have it: "김철수 기자".
func koreanReporter(text string) string {
	const reporter = "기자"
	if !strings.Contains(text, reporter) {
		return ""
	}
	words := strings.Fields(text)
	i := slices.Index(words, reporter)
	if i < 1 {
		return ""
	}
	name := words[i-1][strings.LastIndexAny(words[i-1], "=]")+1:]
	if n := utf8.RuneCountInString(name); n < 2 || n > 4 || strings.ContainsFunc(name, isNotHangul) {
		return ""
	}
	return name
}

func isNotHangul(r rune) bool { return !unicode.Is(unicode.Hangul, r) }

// isLink reports whether a text only links two names.
func isLink(text string) bool { return text == "," || text == "、" || slices.Contains(andWords, text) }

// endsInLink reports whether another name must follow.
func endsInLink(text string) bool {
	last := text[strings.LastIndexByte(text, ' ')+1:]
	return strings.HasSuffix(text, ",") || last != text && isLink(last) || text == "&"
}

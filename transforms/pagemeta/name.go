package pagemeta

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

// nameEnds are what ends the names of a by-line: separators, places, dates, roles. " on " and " in " begin dates and
// places, "|" and the like what the site adds.
var nameEnds = []string{
	"|", "·", "•", " – ", " — ", " - ", " / ", " on ", " in ", " at ", " for ", "(", " published", " updated", " posted",
	"@", " >", " ›", " //", " last ",
}

// namesIn is what of a by-line is names; "" when it does not look like one. It is strict: a wrong author is worse
// than none.
func namesIn(text string) string {
	// Whatever comes first ends the names.
	for _, end := range nameEnds {
		text, _, _ = cutFold(text, end)
	}
	text = strings.Trim(text, " ,:;.–—-/")
	words := strings.Fields(text)
	if len(words) == 0 || len(words) > 4*maxBylineNames {
		return ""
	}
	// "…, dpa": an agency may be written small.
	if last := len(words) - 1; last > 0 && agencies[words[last]] {
		words = words[:last]
		text = strings.Trim(strings.Join(words, " "), " ,/")
	}
	// A word that no name has: names before it are kept unless the text is a sentence.
	if i := firstNotOfName(words); i >= 0 {
		r, _ := utf8.DecodeRuneInString(words[i])
		// A lower-case word continues with a sentence.
		if i == 0 || unicode.IsLower(r) {
			return "" // a sentence
		}
		text = strings.Trim(strings.Join(words[:i], " "), " ,&")
	}
	if isNoName(text) {
		return ""
	}
	return text
}

// cutFold is strings.Cut without regard to the case of ASCII letters. nameEnds hold spaces, and by-lines are written
// in capitals, too.
func cutFold(s, sep string) (before, after string, found bool) {
	for i := 0; i+len(sep) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(sep)], sep) {
			return s[:i], s[i+len(sep):], true
		}
	}
	return s, "", false
}

// particles are the words in lower case that names hold. They are those of European languages and Arabic.
var particles = append(strings.Fields(
	"& , de da do dos del della di du la le van von den der ter bin ibn al el the of af zu"),
	slices.DeleteFunc(slices.Clone(andWords), func(w string) bool { return w == "/" || w == "|" || w == "in" })...)

// givenMonths are months that are names of people too, also at the end of a name.
var givenMonths = []string{"may", "april", "june", "august", "augustus", "julio", "mai"}

// firstNotOfName is the index of the first word that cannot be a part of a name, or -1: names begin with a letter that
// is not a small one, and a month before a number, or at the end, is a date. Jan and Marco are given names otherwise.
func firstNotOfName(words []string) int {
	for i, w := range words {
		if isNotOfName(w) {
			return i
		}
		last := i+1 == len(words)
		if (last && i > 0 || !last && isDigit(words[i+1][0])) && isMonthOnly(w) {
			return i
		}
	}
	return -1
}

// isNotOfName reports whether a word cannot be a part of a name.
func isNotOfName(w string) bool {
	if slices.Contains(particles, w) {
		return false
	}
	// Scripts without case pass, since their letters are not small.
	r, _ := utf8.DecodeRuneInString(w)
	return !unicode.IsLetter(r) || unicode.IsLower(r) || strings.ContainsAny(w, "0123456789?!<>{}=#")
}

// isMonthOnly reports whether a word is a month and no name of people.
func isMonthOnly(w string) bool {
	w = strings.Trim(w, ",")
	return cldr.CommonMonth(w) != 0 && !slices.Contains(givenMonths, strings.ToLower(w))
}

// noNames are texts beside titles, or their first words, that look like names.
var noNames = strings.Fields(`
	share read contents home blog news menu contact subscribe sign login follow comments min minutes advert sponsored
	facebook twitter linkedin instagram pinterest email print save copy listen search next previous about more learn
	get download free updated published posted category tags topics topic skip back view see article author photo
	image video by continue show top join click last our member administrator moderator registered written post posts
	add edit quote reply report locked like thread visit sold all buy shop mon tue wed thu fri sat sun monday tuesday
	wednesday thursday friday saturday sunday`)

// noNamesAlone are not names alone, but begin some: Editorial Team.
var noNamesAlone = strings.Fields("the editor editorial staff guest new")

// isNoName reports whether a text begins like a button, a heading or a label.
func isNoName(text string) bool {
	low := strings.ToLower(text)
	head, _, _ := strings.Cut(low, " ")
	return slices.Contains(noNames, head) || slices.Contains(noNamesAlone, low) || utf8.RuneCountInString(text) < 2 ||
		strings.HasPrefix(low, "table of") || strings.HasPrefix(low, "in this")
}

// maxUserName is the length up to which one word may be the name of a forum's member.
const maxUserName = 32

// isUserName reports whether a text is one word, as the names of a forum's members are. Names of members hold digits
// and signs that names of people do not have.
func isUserName(text string) bool {
	return len(text) >= 2 && len(text) <= maxUserName && !strings.ContainsAny(text, " \t/:#") && !isNoName(text) &&
		cldr.CommonMonth(text) == 0 &&
		strings.IndexFunc(text, unicode.IsLetter) >= 0
}

// roles are words that are beside names in elements that are called after authors. In such an element a role
// without a name is more frequent than a name that looks like a role.
var roles = strings.Fields(`
	founder co-founder ceo coo cto editor writer manager director specialist expert grader master owner member
	contributor journalist analyst consultant bio articles posts post profile joined rank level user head senior chief
	store`)

// hasRole reports whether one of the words is a role.
func hasRole(text string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		if slices.Contains(roles, strings.Trim(w, ".,:()")) {
			return true
		}
	}
	return false
}

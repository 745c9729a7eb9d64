package pagemeta

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/entity/gazetteer"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
)

// people cleans authors: it removes "By", splits lists in one value, and drops values that are not names.
func (f *finder) people(values []string) []string {
	var all []string
	for _, v := range values {
		v = oneLine(cut(v, 4*f.o.MaxTextBytes))
		if names := encoded(v); names != nil {
			all = append(all, names...)
			continue
		}
		for _, name := range splitPeople(withoutBy(v)) {
			if name = strings.Trim(name, " ()"); !isUnnamed(name) && !isPlaceAlone(name) {
				all = append(all, name)
			}
		}
		// More than enough to find the distinct ones.
		if len(all) > 4*f.o.MaxAuthors {
			break
		}
	}
	return f.names(all, f.o.MaxAuthors)
}

// withoutBy removes "By" and the like from a declared value. Some of these are parts of names (Von Miller), so two
// words or more must remain.
func withoutBy(v string) string {
	if len(v) > 3 && strings.EqualFold(v[:3], "by ") {
		return v[3:]
	}
	rest, ok := cutByPrefix(v)
	first, _ := utf8.DecodeRuneInString(v)
	if !ok || unicode.IsLower(first) || len(strings.Fields(rest)) < 2 {
		return v
	}
	return rest
}

// isUnnamed reports whether a value cannot be a name: it has no letter, says nobody, or is a variable of a template.
func isUnnamed(v string) bool {
	variable := !strings.Contains(v, " ") && strings.Count(v, ".") > 1 && v == strings.ToLower(v)
	return variable || strings.IndexFunc(v, unicode.IsLetter) < 0 || slices.Contains(nobody, v) ||
		slices.ContainsFunc(templateMarks, func(m string) bool { return strings.Contains(v, m) })
}

// encoded are the names in a value that is itself JSON, from templates that encode an object twice: "author":
// "{\"@type\": \"Person\", \"name\": \"Alice Wu\"}". It is nil for other values.
func encoded(v string) []string {
	if !strings.HasPrefix(v, "{") && !strings.HasPrefix(v, "[") {
		return nil
	}
	nodes, err := jsonld.Parse(v, jsonld.Options{})
	if err != nil {
		return nil
	}
	var names []string
	for _, n := range nodes {
		names = append(names, n.Strings("name")...)
	}
	return names
}

// splitPeople splits a list of names. It splits at semicolons always. At "and" and commas it splits only if each part
// looks like a full name, because names hold commas too (Jane Roe, PhD; Roe, Jane). Agencies and places in a list are
// dropped.
func splitPeople(v string) []string {
	if parts := strings.Split(v, ";"); len(parts) > 1 {
		for i, p := range parts {
			parts[i] = turned(strings.TrimSpace(p))
		}
		return parts
	}
	if i := strings.LastIndexByte(v, '/'); i > 0 && agencies[strings.ToLower(v[i+1:])] {
		v = v[:i] // Jane Doe/AFP
	}
	// NUL marks all separators: it cannot be in the text, as oneLine removed control characters.
	parts := strings.FieldsFunc(listWords.Replace(v), func(r rune) bool { return r == 0 })
	people := slices.Clone(parts)
	if len(parts) > 1 {
		people = withoutRoles(parts)
	}
	if len(people) == 0 {
		people = parts
	}
	for i, p := range people {
		if people[i] = strings.TrimPrefix(p, joined); !isFullName(people[i]) {
			return []string{turned(v)}
		}
	}
	return people
}

// joined begins a part of a list that follows a word like "and".
const joined = "\x01"

// withoutRoles returns the people in a list. Names may end in a word that is also a position: New Scientist. So two
// words or more are a position only after a comma, or joined to another role. There, universities are not authors.
func withoutRoles(parts []string) []string {
	var people []string
	wasRole := false
	for i, part := range parts {
		name, isJoined := strings.CutPrefix(part, joined)
		if i+1 < len(parts) && strings.HasPrefix(parts[i+1], joined) {
			isJoined = isJoined || !isPosition(parts[i+1][len(joined):])
		}
		title, _, _ := strings.Cut(name, " of ")
		isName := (i == 0 || isJoined && !wasRole) && len(strings.Fields(title)) > 1
		isBeside := i > 0 && (wasRole || !strings.HasPrefix(part, joined))
		wasRole = isRole(name) || !isName && isPosition(name) ||
			isBeside && (isRanked(name) || isAffiliation(name) && !isAffiliation(parts[0]))
		if !wasRole && !isNoPerson(name) {
			people = append(people, part)
		}
	}
	return people
}

// turned writes "Doe, Jane" as Jane Doe, if both are one word. Longer parts may be two people, or a name and a role.
func turned(v string) string {
	family, given, ok := strings.Cut(v, ", ")
	if !ok || strings.ContainsAny(family+given, " ,") || isDegree(given) || isWide([]rune(family + "x")[0]) {
		return v
	}
	for _, part := range []string{family, given} {
		if r, _ := utf8.DecodeRuneInString(part); !unicode.IsUpper(r) {
			return v
		}
	}
	return given + " " + family
}

// isFullName reports whether a part of a list may be a full name. It has two to four words, or a few characters of a
// script without spaces.
func isFullName(part string) bool {
	n := len(strings.Fields(part))
	return n >= 2 && n <= 4 || n == 1 && len(part) <= maxUserName && strings.IndexFunc(part, isWide) == 0
}

// isWide reports whether a letter is of a script whose names have no spaces.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// andWords are words between the names of a list, with white space around them. "con", "mit" and the like join a
// second author.
var andWords = strings.Fields("and & + und u. et y e och og en ja ve и і i a та oraz și és και dan với un ir dhe in " +
	"with mit avec con و और एवं และ と / |")

// listWords replaces separators between the names of a list by NUL, and words like "and" by NUL and joined.
var listWords = func() *strings.Replacer {
	pairs := []string{",", "\x00", "、", "\x00", "，", "\x00", "،", "\x00", "／", "\x00"}
	for _, w := range andWords {
		pairs = append(pairs, " "+w+" ", "\x00"+joined)
	}
	// By-lines are also in capitals, in which shorter words are initials or given names.
	for _, w := range strings.Fields("and und och con avec with mit oraz") {
		pairs = append(pairs, " "+strings.ToUpper(w)+" ", "\x00"+joined)
	}
	return strings.NewReplacer(pairs...)
}()

// isNoPerson reports whether a part of a list is an agency, the place of writing or a group such as "the team".
func isNoPerson(part string) bool {
	part = strings.TrimSpace(part)
	if agencies[strings.ToLower(strings.Trim(part, "()"))] || strings.HasPrefix(part, "the ") {
		return true
	}
	for _, at := range [...]string{"in ", "à ", "en ", "aus ", "w ", "в "} { // words for "in"
		part = strings.TrimPrefix(part, at)
	}
	return placeSureness(part) >= 0.6
}

// isPlaceAlone reports whether a value is a place and not a name. One word may be both, so it must be better known as
// a place.
func isPlaceAlone(v string) bool {
	if strings.Contains(v, " ") {
		return placeSureness(v) >= 0.6
	}
	return placeSureness(v) >= 0.83
}

// placeSureness is the confidence that a text is exactly the name of a country or city.
func placeSureness(v string) float64 {
	if len(v) > maxUserName {
		return 0
	}
	for _, m := range gazetteer.Find(v, gazetteer.Context{}, nil) {
		if m.Start == 0 && m.End == len(v) {
			return m.Confidence
		}
	}
	return 0
}

// agencies are named beside the people with whose texts theirs are mixed.
var agencies = map[string]bool{
	"dpa": true, "afp": true, "reuters": true, "ap": true, "epd": true, "kna": true, "sid": true, "apa": true, "sda": true,
	"efe": true, "ansa": true, "pti": true, "tass": true, "anp": true, "tt": true, "ntb": true, "ritzau": true,
	"stt": true,
	"upi": true, "xinhua": true, "ani": true, "belga": true, "associated press": true, "bloomberg": true,
	"europa press": true, "интерфакс": true, "тасс": true, "lusa": true, "pap": true,
}

// isRole reports whether a part of a list is a role of a writer: its last word is one, or its first in some languages.
func isRole(part string) bool {
	words := strings.Fields(strings.ToLower(part))
	return len(words) > 0 && (slices.Contains(rolesAlone, words[len(words)-1]) || slices.Contains(rolesFirst, words[0]))
}

// isPosition reports whether a part of a list may be a role or another position: professor of history.
func isPosition(part string) bool {
	position, _, _ := strings.Cut(strings.ToLower(part), " of ")
	position, _, _ = strings.Cut(position, " at ")
	words := strings.Fields(position)
	return isRole(part) || len(words) > 0 && slices.Contains(positions, words[len(words)-1])
}

// isRanked reports whether a part of a list is a position and no name: chief economist.
func isRanked(part string) bool {
	rank, _, ok := strings.Cut(strings.ToLower(strings.TrimSpace(part)), " ")
	return ok && slices.Contains(ranks, rank) && isPosition(part)
}

// isAffiliation reports whether a part of a list is a university or the like.
func isAffiliation(part string) bool {
	part = strings.ToLower(part)
	return slices.ContainsFunc(institutions, func(stem string) bool { return strings.Contains(part, stem) })
}

// Roles and positions that are beside a name after a comma.
var (
	rolesAlone = strings.Fields("writer editor reporter correspondent journalist columnist contributor producer " +
		"photographer critic intern author freelancer writers editors reporters correspondents redakteur redakteurin " +
		"korrespondent korrespondentin reporterin journalistin volontär redacteur correspondente journaliste " +
		"rédacteur rédactrice periodista redactor redactora corresponsal giornalista redattore redattrice " +
		"jornalista repórter redator redatora redaktör redaktor redaktorka dziennikarz dziennikarka toimittaja " +
		"muhabir editörü muhabiri корреспондент журналист журналистка редактор обозреватель кореспондент журналіст")
	rolesFirst = strings.Fields("editor redakteur journaliste rédacteur correspondant correspondante periodista " +
		"redactor corresponsal giornalista inviato jornalista корреспондент редактор обозреватель")
	positions = strings.Fields("manager director founder co-founder ceo cto coo president engineer developer designer " +
		"researcher scientist professor lecturer analyst economist strategist consultant specialist chefredakteur " +
		"chefredakteurin geschäftsführer geschäftsführerin")
	// First words of positions that are not given names.
	ranks = strings.Fields("chief senior junior lead principal staff assistant associate deputy managing executive vice " +
		"general software product project program research marketing sales data technical policy creative visiting")
	institutions = strings.Fields("universi univerz uniwersytet университет üniversite yliopisto πανεπιστήμιο جامعة " +
		"دانشگاه 大学 大學 대학교 college institut faculty fakult department")
)

// natural turns names from a library's catalogue, as in <meta name=citation_author>: "Doe, Jane" becomes Jane Doe. A
// name with several commas, or like "Jane Doe, PhD", stays.
func natural(names []string) []string {
	var all []string
	for _, v := range names {
		for name := range strings.SplitSeq(v, ";") {
			family, given, ok := strings.Cut(name, ",")
			// King, Martin, Jr.
			if first, suffix, more := strings.Cut(given, ","); more && isDegree(suffix) {
				given, family = first, family+" "+strings.TrimSpace(suffix)
			}
			family, given = strings.TrimSpace(family), strings.TrimSpace(given)
			// A family name has few words; degrees are not given names.
			few := !strings.Contains(given, ",") && len(strings.Fields(given)) < 4
			if ok && family != "" && given != "" && few && !isDegree(given) {
				name = given + " " + family
			}
			all = append(all, name)
		}
	}
	return all
}

// isDegree reports whether the text after a name is a degree or the like.
func isDegree(s string) bool {
	// Without dots and in lower case, Ph.D. and PhD are equal.
	switch letters(s) {
	case "phd", "md", "jr", "sr", "ii", "iii", "iv", "ma", "msc", "ba", "bsc", "mba", "esq", "dr", "prof", "rn", "dds",
		"jd", "do":
		return true
	}
	return false
}

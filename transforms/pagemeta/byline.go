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
	spoken bool // "By …" says so; otherwise the name of the element alone
}

// prefixes are what by-lines begin with, in lower case, the longer of two first.
var prefixes = []string{
	"written by", "posted by", "published by", "authored by", "created by", "article by", "story by", "words by", "text by", "started by", "asked by",
	"submitted by", "by", "authors:", "authors", "author:", "author", "thread starter", "topic starter", "autorin:", "autor:", "autor", "von", "par", "por",
	"escrito por", "publicado por", "a cura di", "door", "tekst:", "text:", "kirjoittaja:", "автор:", "автор", "yazar:",
	"作者：", "作者:", "作者", "记者", "文：", "文/", "الكاتب", "بقلم",
}

const maxBylineBytes = 120

// shownByline looks for a by-line behind the title, then before it.
func shownByline(ahead, behind []piece) byline {
	if b := findByline(behind); b.names != "" {
		return b
	}
	return findByline(ahead)
}

func findByline(pieces []piece) byline {
	var hinted byline
	for i := range pieces {
		pc := &pieces[i]
		if len(pc.text) > maxBylineBytes {
			continue
		}
		rest, ok := cutByPrefix(pc.text)
		if ok && rest == "" && i+1 < len(pieces) {
			next := &pieces[i+1]
			if rest = bylineRest(pieces[i+1:]); next.hints&(hintLink|hintAuthor) != 0 && isUserName(next.text) {
				return byline{next.text, true}
			}
		}
		if names := bylineNames(rest); ok && names != "" {
			return byline{names, true}
		}
		if hinted.names != "" || pc.hints&(hintAuthor|hintUpdated|hintDate) != hintAuthor {
			continue
		}
		if names := bylineNames(pc.text); names != "" && !hasRole(names) {
			hinted.names = names
		}
	}
	return hinted
}

// isUserName tells whether a text is one word, as the names of a forum's members are.
func isUserName(text string) bool {
	return len(text) >= 2 && len(text) <= 32 && !strings.ContainsAny(text, " \t/:#") && !isNoName(text) && monthOf(text) == 0 && strings.IndexFunc(text, unicode.IsLetter) >= 0
}

// roles are words that stand beside names and are none.
var roles = []string{
	"founder", "co-founder", "ceo", "coo", "cto", "editor", "writer", "manager", "director", "specialist", "expert", "grader", "master", "owner", "member", "contributor",
	"journalist", "analyst", "consultant", "bio", "articles", "posts", "profile", "posts:", "post:", "posts by", "joined", "rank", "level", "user", "head", "senior", "chief", "store",
}

func hasRole(text string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		if slices.Contains(roles, strings.Trim(w, ".,:()")) {
			return true
		}
	}
	return false
}

// cutByPrefix takes "By" and the like off.
func cutByPrefix(text string) (rest string, ok bool) {
	text = strings.TrimLeft(text, "-–—|•· /")
	for _, p := range prefixes {
		if len(text) < len(p) || !strings.EqualFold(text[:len(p)], p) {
			continue
		}
		rest = text[len(p):]
		r, _ := utf8.DecodeRuneInString(rest)
		if rest == "" || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '\'' && r != '’' || r >= 0x2e80 {
			return strings.TrimLeft(rest, " :：/\u00a0"), true
		}
	}
	return "", false
}

// bylineRest joins the names that stand in elements of their own behind "By".
func bylineRest(pieces []piece) string {
	all := pieces[0].text
	for i := 1; i < len(pieces) && i < 2*maxBylineNames; i++ {
		t := pieces[i].text
		if pieces[i].block != pieces[0].block || bylineNames(strings.Trim(t, ", &")) == "" && t != "," && t != "&" && t != "and" {
			break
		}
		if t != "," && t != "&" && t != "and" && !strings.HasSuffix(all, ",") && !strings.HasSuffix(all, "&") && !strings.HasSuffix(all, "and") {
			break
		}
		all += " " + t
	}
	return all
}

// maxBylineNames bounds the names of one by-line.
const maxBylineNames = 6

// bylineNames is what of a by-line is names: what stands before a date, a separator or a place; "" when it does not look
// like one.
func bylineNames(text string) string {
	for _, end := range []string{" | ", "|", " · ", "·", "•", " – ", " — ", " - ", " / ", " on ", " in ", " at ", " for ", "(", " published", " updated", " posted", "@", " >", " ›", " //", "\u2003", " last "} {
		if i := strings.Index(strings.ToLower(text), end); i >= 0 && i < len(text) {
			text = text[:i]
		}
	}
	text = strings.Trim(text, " ,:;.–—-/")
	words := strings.Fields(text)
	if len(words) == 0 || len(words) > 4*maxBylineNames {
		return ""
	}
	for i, w := range words {
		if !nameWord(w) {
			text = strings.Trim(strings.Join(words[:i], " "), " ,&")
			if i == 0 || w != "" && unicode.IsLower([]rune(w)[0]) {
				return ""
			}
			break
		}
	}
	if isNoName(text) {
		return ""
	}
	return text
}

// particles are the words in lower case that names hold.
var particles = map[string]bool{
	"and": true, "&": true, "de": true, "da": true, "do": true, "dos": true, "del": true, "della": true, "di": true, "du": true, "la": true, "le": true, "van": true,
	"von": true, "den": true, "der": true, "ter": true, "bin": true, "ibn": true, "al": true, "el": true, "y": true, "e": true, "und": true, "et": true, "with": true, "the": true, "of": true, "af": true, "zu": true,
}

func nameWord(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	if particles[w] || w == "," {
		return true
	}
	if monthOf(strings.Trim(w, ",")) != 0 && !strings.EqualFold(w, "may") && !strings.EqualFold(w, "april") && !strings.EqualFold(w, "june") {
		return false
	}
	if strings.ContainsAny(w, "0123456789?!<>{}=#") {
		return false
	}
	return unicode.IsLetter(r) && !unicode.IsLower(r)
}

// noNames are texts beside titles that look like names.
var noNames = []string{
	"share", "read", "table of contents", "contents", "home", "blog", "news", "menu", "contact", "subscribe", "sign", "log in", "login", "follow", "comments",
	"min", "minutes", "advert", "sponsored", "facebook", "twitter", "linkedin", "instagram", "pinterest", "email", "print", "save", "copy", "listen", "search", "next", "previous",
	"about", "more", "learn", "get", "download", "free", "updated", "published", "posted", "category", "tags", "topics", "topic", "in this article", "skip", "back", "view", "see", "article",
	"author", "editor", "photo", "image", "video", "by", "continue", "show", "top", "join", "click", "last", "our", "the", "editorial", "member", "administrator", "moderator", "staff", "guest", "new", "registered", "original poster", "written", "post", "posts", "add", "edit", "quote", "reply", "report", "locked", "like", "thread", "visit", "sold", "all", "buy", "shop",
	"mon", "tue", "wed", "thu", "fri", "sat", "sun", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
}

func isNoName(text string) bool {
	low := strings.ToLower(text)
	head, _, _ := strings.Cut(low, " ")
	for _, n := range noNames {
		if low == n || head == n && n != "the" && n != "editorial" && n != "guest" && n != "new" && n != "staff" {
			return true
		}
	}
	return utf8.RuneCountInString(text) < 2
}

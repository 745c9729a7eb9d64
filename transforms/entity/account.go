package entity

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// posts are schema.org types whose authors sign with account names.
var posts = strings.Fields("DiscussionForumPosting SocialMediaPosting Comment Question Answer QAPage " +
	"Conversation Message")

// enter notes whether properties belong to a post, until leave is called.
func (w *walker) enter(types []string) (leave func()) {
	before := w.forum
	w.forum = before || slices.ContainsFunc(types, func(t string) bool { return slices.Contains(posts, t) })
	return func() { w.forum = before }
}

// fewestMembers is the fewest people on a page that can be forum members, if a third sign with one word.
const fewestMembers = 3

// hasMembers reports whether the top-level people among items are members of a forum. Programs such as XenForo write
// one beside each post, which is not an item. A team page has full names.
func hasMembers(items []*page.Item) bool {
	people, short := 0, 0
	for _, item := range items {
		if !slices.ContainsFunc(item.Type, func(t string) bool { return strings.HasSuffix(t, "/Person") }) {
			continue
		}
		people++
		for i := range item.Props {
			if p := &item.Props[i]; p.Name == "name" && !strings.Contains(strings.TrimSpace(p.Value), " ") {
				short++
				break
			}
		}
	}
	return people >= fewestMembers && 3*short >= people
}

func isURL(name string) bool {
	return strings.Contains(name, "://") || strings.HasPrefix(name, "//") || strings.HasPrefix(name, "www.") ||
		strings.HasPrefix(name, "mailto:")
}

// nobody are first words, in small letters, of placeholders for unknown or deleted names in forum and shop software.
var nobody = strings.Fields("deleted removed former anonymous anonym anonyme anonimo anónimo anônimo guest gast " +
	"invité " +
	"invitado ospite convidado gość гость аноним анонимный unknown user utilisateur usuario usuário utente " +
	"benutzer member membre " +
	"mitglied gelöschter gelöschtes ehemaliges admin administrator moderator staff webmaster verified customer " +
	"amazon kindle " +
	"удаленный удалённый misafir silinen 匿名 匿名用户 名無しさん 비회원 مجهول")

// isAccount reports whether a person's name is rather an account or a placeholder. It has digits or signs that names
// do not have, or is written as one word (jane.doe, janedoe, JaneDoe). Below a post, any single word counts.
func isAccount(name string, post bool) bool {
	if strings.ContainsAny(name, "0123456789_@#[]<>{}/\\|*~=+") || strings.IndexFunc(name, unicode.IsLetter) < 0 {
		return true
	}
	first, _, several := strings.Cut(name, " ")
	if slices.Contains(nobody, strings.ToLower(strings.Trim(first, ",.:("))) {
		return true
	}
	if several {
		return strings.ToLower(name) == name && hasCase(name) || post && isNickname(name)
	}
	return post || strings.ContainsAny(name, ".!") || hasCase(name) && strings.ToLower(name) == name || isCamel(name)
}

// small are words in small letters in names of people.
var small = strings.Fields("de da do dos del della di du la le van von den der ter bin ibn al el y e zu af av " +
	"und et and")

// isNickname reports whether several words are a nickname: one is in small letters, or the last is a single letter.
// Jane D. is not.
func isNickname(name string) bool {
	words := strings.Fields(name)
	if utf8.RuneCountInString(words[len(words)-1]) == 1 && words[len(words)-1] < "a" && words[len(words)-1] != "X" {
		return true
	}
	return slices.ContainsFunc(words, func(w string) bool {
		first, _ := utf8.DecodeRuneInString(w)
		return unicode.IsLower(first) && !slices.Contains(small, w)
	})
}

// hasCase reports whether a text has letters of a script with capitals.
func hasCase(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLower(r) || unicode.IsUpper(r) }) >= 0
}

// isCamel reports whether a capital is within a word, which in names occurs only after prefixes such as Mc.
func isCamel(name string) bool {
	for _, p := range [...]string{"Mc", "Mac", "De", "Di", "La", "Le", "Van", "O’", "O'"} {
		name = strings.TrimPrefix(name, p)
	}
	before := rune(0)
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && unicode.IsLower(before) {
			return true
		}
		before = r
	}
	return utf8.RuneCountInString(name) == 0
}

package entity

import (
	"fmt"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// Names of accounts and placeholders are not people, below a post and elsewhere.
func TestExtract_accounts(t *testing.T) {
	tests := []struct {
		name            string
		article, member bool // whether it is a person as an article's author, and as a post's
	}{
		{"Jane Doe", true, true},
		{"Анна Белова", true, true},
		{"Jean-Luc Martin", true, true},
		{"Gisele O'Connor", true, true},
		{"Ronald McDonald", true, true},
		{"山田太郎", true, false},
		{"Madonna", true, false},
		{"McCartney", true, false},
		{"Malcolm X", true, true},
		{"Andy the frenchy", true, false},
		{"Tetsujin no Oni", true, false},
		{"Chris W", true, false},
		{"Chris W.", true, true},
		{"Ludwig van Beethoven", true, true},
		{"janedoe", false, false},
		{"jane.doe", false, false},
		{"JaneDoe", false, false},
		{"jane doe", false, false},
		{"josh_wilmot90", false, false},
		{"Deleted member 4773", false, false},
		{"Deleted User", false, false},
		{"[deleted]", false, false},
		{"Gelöschtes Mitglied", false, false},
		{"Utilisateur supprimé", false, false},
		{"Usuario eliminado", false, false},
		{"Удалённый пользователь", false, false},
		{"Гость", false, false},
		{"匿名用户", false, false},
		{"Anonymous", false, false},
		{"Guest", false, false},
		{"4773", false, false},
		{"@jane", false, false},
		{"https://forum.example/u/7", false, false},
		{"www.example.org", false, false},
	}
	for _, tt := range tests {
		for kind, want := range map[string]bool{
			"NewsArticle": tt.article, "DiscussionForumPosting": tt.member, "Comment": tt.member, "Question": tt.member,
		} {
			ld := fmt.Sprintf(`{"@type":%q,"headline":"x","author":{"@type":"Person","name":%q}}`, kind, tt.name)
			nodes, err := jsonld.Parse(ld, jsonld.Options{})
			if err != nil {
				t.Fatal(err)
			}
			html := fmt.Sprintf(`<div itemscope itemtype="https://schema.org/%s"><p itemprop=author itemscope `+
				`itemtype="https://schema.org/Person"><a itemprop=name href="/u/7">%s</a></p></div>`, kind, tt.name)
			for source, in := range map[string]Input{
				"JSON-LD": {LD: nodes}, "microdata": {Page: page.Parse([]byte(html),
					page.Options{URL: "https://forum.example/t/7"})},
			} {
				found := Extract(in, Options{})
				if got := hasPerson(found, tt.name); got != want || !want && hasType(found, typePerson) {
					t.Errorf("%s, %s: %q is a person: %v, want %v; found %v", source, kind, tt.name, got, want, found)
				}
			}
		}
	}
}

func hasPerson(found []schemas.Entity, name string) bool {
	for _, e := range found {
		if e.Type == typePerson && e.Text == name {
			return true
		}
	}
	return false
}

func hasType(found []schemas.Entity, kind string) bool {
	for _, e := range found {
		if e.Type == kind {
			return true
		}
	}
	return false
}

// Loose people beside posts are members; those of a team are people.
func TestExtract_members(t *testing.T) {
	person := func(name string) string {
		return `<section itemscope itemtype="https://schema.org/Person"><a itemprop=name href="/m/1">` + name +
			`</a></section>`
	}
	tests := []struct {
		html string
		want string
		is   bool
	}{
		{person("Stencil") + person("Jane Doe") + person("Mossy"), "Stencil", false},
		{person("Stencil") + person("Jane Doe") + person("Mossy"), "Jane Doe", true},
		{person("Jane Doe") + person("John Roe") + person("Ann Poe") + person("Cher"), "Cher", true},
		{person("Cher"), "Cher", true},
		{person("Anna") + person("Бета") + person("Гамма"), "Гамма", false},
	}
	for _, tt := range tests {
		found := Extract(Input{Page: page.Parse([]byte(tt.html), page.Options{URL: "https://forum.example/t/7"})}, Options{})
		if got := hasPerson(found, tt.want); got != tt.is {
			t.Errorf("%s: %q is a person: %v, want %v", tt.html, tt.want, got, tt.is)
		}
	}
}

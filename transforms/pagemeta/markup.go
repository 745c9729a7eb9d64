package pagemeta

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A tagIn is a tag in a value of metadata, with the places of its "<" and after its ">".
type tagIn struct {
	start, end  int
	name        string // in lower case
	closes      bool   // </p>
	self        bool   // <br/>
	attributes  bool
	markup      bool // not a word of the text
	alone, last bool // with a space on both sides; at the end of the value
}

// textElements are those that values of metadata hold without an end tag or with attributes.
var textElements = strings.Fields("a abbr b big blockquote br center cite code del div em figure font h1 h2 h3 h4 h5 " +
	"h6 hr i iframe img ins li mark nobr ol p q s small span strike strong sub sup table tbody td th tr tt u ul wbr")

// blockElements part words.
var blockElements = strings.Fields("blockquote br div figure h1 h2 h3 h4 h5 h6 hr li ol p table td th tr ul")

// emptyElements have no end tag.
var emptyElements = []string{"br", "hr", "img", "wbr"}

// withoutMarkup removes tags from a text but keeps those that it writes about: "The <table> element". Their form is
// the same, since references were resolved.
func withoutMarkup(s string) string {
	tags := tagsIn(s)
	pairTags(tags)
	var b strings.Builder
	from := 0
	for i := range tags {
		if t := &tags[i]; t.markup || t.isMarkup(s) {
			b.WriteString(s[from:t.start])
			from = t.end
			if slices.Contains(blockElements, t.name) {
				b.WriteByte(' ')
			}
		}
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

// isMarkup reports whether a tag without its counterpart is markup. A name with spaces around it is a word.
func (t *tagIn) isMarkup(s string) bool {
	switch before, _ := utf8.DecodeLastRuneInString(s[:t.start]); {
	case !slices.Contains(textElements, t.name):
		return false
	case t.closes:
		return t.last || t.start > 0 && !unicode.IsSpace(before)
	case slices.Contains(emptyElements, t.name):
		return t.self || t.attributes || !t.alone
	case t.attributes:
		return true
	}
	// As in "<p>We keep"; titles about elements are like "<p>: The paragraph".
	after, _ := utf8.DecodeRuneInString(s[t.end:])
	return after == '<' || unicode.IsLetter(after) || unicode.IsDigit(after)
}

// pairTags marks start tags and their end tags.
func pairTags(tags []tagIn) {
	open := map[string][]int{}
	for i := range tags {
		t := &tags[i]
		if !t.closes {
			open[t.name] = append(open[t.name], i)
			continue
		}
		if list := open[t.name]; len(list) > 0 {
			tags[list[len(list)-1]].markup, t.markup = true, true
			open[t.name] = list[:len(list)-1]
		}
	}
}

// tagsIn returns the parts of s that have the form of a tag: "<", a letter or slash, and all up to ">".
func tagsIn(s string) (tags []tagIn) {
	for i := 0; i < len(s); {
		n := strings.IndexByte(s[i:], '<')
		if n < 0 || i+n+1 >= len(s) {
			break
		}
		i += n
		if c := s[i+1]; c != '/' && !isLetter(c) {
			i++
			continue
		}
		end := strings.IndexByte(s[i:], '>')
		if end < 0 {
			break
		}
		t := tagIn{start: i, end: i + end + 1}
		t.read(s)
		tags = append(tags, t)
		i = t.end
	}
	return tags
}

// read reads the parts of the tag.
func (t *tagIn) read(s string) {
	inner := s[t.start+1 : t.end-1]
	inner, t.closes = strings.CutPrefix(inner, "/")
	inner, t.self = strings.CutSuffix(inner, "/")
	name, attributes, _ := strings.Cut(strings.TrimSpace(inner), " ")
	t.name, t.attributes = strings.ToLower(name), strings.Contains(attributes, "=")
	rest := s[t.end:]
	t.last = strings.TrimSpace(rest) == ""
	t.alone = strings.HasSuffix(s[:t.start], " ") && strings.HasPrefix(rest, " ")
}

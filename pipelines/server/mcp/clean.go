package mcp

import (
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/pattern"
	"github.com/gleaner-web/gleaner/transforms/unseen"
)

// Archived is text of an archive that can be shown: see clean.
type Archived string

var (
	// lookalike is what could be taken for one of our fences.
	lookalike = pattern.Lazy(`(?i)<<<([\s/]*(?:archived|end)\b)`)
	// token is how chat formats of language models write the beginning or end of a turn.
	token = pattern.Lazy(`<\|([A-Za-z_][A-Za-z0-9_]{0,40})\|>`)
)

// clean returns the text as a reader of the page sees it. It removes characters that nobody sees, and breaks text that
// looks like our fences or like a turn of a chat. It also returns the number of removed characters.
func clean(text string) (Archived, int) {
	text, removed := unseen.Clean(text)
	if strings.Contains(text, "<") {
		text = token().ReplaceAllString(lookalike().ReplaceAllString(text, "‹‹‹$1"), "‹|$1|›")
	}
	return Archived(text), removed
}

// short returns the beginning of a text in one line, at most most bytes.
func short(text string, most int) Archived {
	// White space is joined, so a long text may be a short line.
	text = strings.Join(strings.Fields(text), " ")
	begun := cut(text, 4*most)
	a, _ := clean(begun)
	line := strings.TrimSpace(string(a))
	if len(line) <= most && begun == text {
		return Archived(line)
	}
	return Archived(cut(line, most-len("…")) + "…")
}

// cut returns the first bytes of a text, up to the end of a character.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

package maintext

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// numbered is the item of an ordered list that was counted last, with its number.
type numbered struct {
	item int32
	n    int
}

func (m *markdown) bullet(item int32) string {
	list := m.p.Nodes[item].Parent
	if list < 0 || m.p.Nodes[list].Tag != page.TagOl {
		return "- "
	}
	return strconv.Itoa(m.number(list, item)) + ". "
}

// mostDigits is the highest number of a list item in CommonMark.
const mostDigits = 999_999_999

// number is an item's number as browsers count: from start, downwards if reversed, and from each value. Blocks come in
// document order, so each item is passed once.
func (m *markdown) number(list, item int32) int {
	// Down from the number of items, or from start.
	step := 1
	if _, ok := m.p.RawAttr(int(list), "reversed"); ok {
		step = -1
	}
	last, ok := m.numbers[list]
	// Blocks of another list may come between; going back starts again.
	if !ok || last.item > item {
		last = numbered{item: -1, n: m.start(list, step) - step}
	}
	// Continue after the item that was counted last.
	i := list + 1
	if last.item >= 0 {
		i = m.p.Nodes[last.item].End
	}
	for ; i <= item && last.item != item; i = m.p.Nodes[i].End {
		if m.p.Nodes[i].Tag != page.TagLi {
			continue
		}
		last = numbered{item: i, n: last.n + step}
		// Later items count on from this value.
		if v, ok := m.integer(i, "value"); ok {
			last.n = v
		}
	}
	if m.numbers == nil {
		m.numbers = map[int32]numbered{}
	}
	m.numbers[list] = last
	// CommonMark has no negative numbers.
	return min(max(0, last.n), mostDigits)
}

func (m *markdown) start(list int32, step int) int {
	if v, ok := m.integer(list, "start"); ok {
		return v
	}
	if step > 0 {
		return 1
	}
	items := 0
	for i := list + 1; i < m.p.Nodes[list].End; i = m.p.Nodes[i].End {
		if m.p.Nodes[i].Tag == page.TagLi {
			items++
		}
	}
	return items
}

func (m *markdown) integer(i int32, name string) (int, bool) {
	v, ok := m.p.RawAttr(int(i), name)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(string(bytes.TrimSpace(v)))
	return min(max(-mostDigits, n), mostDigits), err == nil
}

// language returns the programming language that markup gives for a listing, as the info string of a fence, or "". It
// looks at the <pre> around node n, its <code> and the element around it.
func (m *markdown) language(n int32) string {
	for range maxNesting {
		if n < 0 || m.p.Nodes[n].Tag == page.TagPre {
			break
		}
		n = m.p.Nodes[n].Parent
	}
	if n < 0 {
		return ""
	}
	// The <code> has it most often, then the <pre>, then the boxes around both.
	for i := n + 1; i < m.p.Nodes[n].End; i++ {
		if m.p.Nodes[i].Tag == page.TagCode {
			if l := m.declaredLanguage(i); l != "" {
				return l
			}
			break
		}
	}
	for range maxCodeBoxes {
		if n < 0 {
			break
		}
		if l := m.declaredLanguage(n); l != "" {
			return l
		}
		n = m.p.Nodes[n].Parent
	}
	return ""
}

// maxCodeBoxes is how many elements around code may name its language, the <pre> included: Hexo has it in a figure
// around a table.
const maxCodeBoxes = 7

// languageAttrs are the attributes by which highlighters name a language.
var languageAttrs = []string{"data-lang", "data-language", "data-enlighter-language", "data-syntaxhighlighter-params"}

// declaredLanguage returns the language that an element's attributes or classes name.
func (m *markdown) declaredLanguage(i int32) string {
	for _, name := range languageAttrs {
		v, _ := m.p.Attr(int(i), name)
		if isLanguage(v) {
			return strings.ToLower(v)
		}
		if l := languageOf(v); l != "" {
			return l
		}
	}
	// Attributes are exact; classes also hold other words.
	class, _ := m.p.Attr(int(i), "class")
	if l := languageOf(class); l != "" {
		return l
	}
	switch m.p.Nodes[i].Tag {
	case page.TagPre:
		if v, _ := m.p.Attr(int(i), "lang"); isLanguage(v) && (len(v) > 2 || slices.Contains(shortLanguages, v)) &&
			!strings.Contains(v, "-") {
			return strings.ToLower(v)
		}
	case page.TagFigure:
		if words := strings.Fields(class); len(words) > 1 && words[0] == "highlight" && isLanguage(words[1]) {
			return strings.ToLower(words[1])
		}
	}
	return ""
}

// shortLanguages are programming languages with codes of one or two letters. In lang others are human languages.
var shortLanguages = strings.Fields("c r go js ts py rb rs sh cs vb kt ps")

// languagePrefixes begin the class that names a language.
var languagePrefixes = []string{
	"language-", "lang-", "highlight-source-", "highlight-", "brush:", "lang:", "source-", "src-", "sh_",
}

// languageOf finds the language in a class of a highlighter: language-go, lang-go, highlight-source-go, "brush: go",
// "hljs go", "sourceCode go".
func languageOf(class string) string {
	if class == "" {
		return ""
	}
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(class, ";", " ")))
	for i, w := range words {
		for _, prefix := range languagePrefixes {
			if rest, ok := strings.CutPrefix(w, prefix); ok && isLanguage(rest) {
				return rest
			}
		}
		switch w {
		case "brush:", "hljs", "sourcecode", "prettyprint":
			if i+1 < len(words) && isLanguage(words[i+1]) {
				return words[i+1]
			}
		}
	}
	return ""
}

// isLanguage reports whether a word may name a language: short, and without characters that would end a fence.
func isLanguage(s string) bool {
	if s == "" || len(s) > 24 || s == "none" || s == "default" || s == "text" || s == "linenums" || s == "plaintext" {
		return false
	}
	for _, c := range []byte(s) {
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '+' && c != '#' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

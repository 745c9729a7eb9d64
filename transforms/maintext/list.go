package maintext

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// numbered are the items of an ordered list that were counted: the last, and its number.
type numbered struct {
	item int32
	n    int
}

// mark is the bullet or the number of a list item.
func (m *markdown) mark(item int32) string {
	list := m.p.Nodes[item].Parent
	if list < 0 || m.p.Nodes[list].Tag != page.TagOl {
		return "- "
	}
	return strconv.Itoa(m.number(list, item)) + ". "
}

// mostDigits is what CommonMark takes for the number of an item.
const mostDigits = 999_999_999

// number is the number of an item as browsers count: from start on, or down where the list is reversed, and again from
// each value. Blocks come in the order of the page, so that each item is passed once.
func (m *markdown) number(list, item int32) int {
	// Down from the number of items, or from start.
	step := 1
	if _, ok := m.p.RawAttr(int(list), "reversed"); ok {
		step = -1
	}
	last, ok := m.numbers[list]
	// Blocks of another list may come between; going back begins again.
	if !ok || last.item > item {
		last = numbered{item: -1, n: m.start(list, step) - step}
	}
	// On after the item that was counted last.
	i := list + 1
	if last.item >= 0 {
		i = m.p.Nodes[last.item].End
	}
	for ; i <= item && last.item != item; i = m.p.Nodes[i].End {
		if m.p.Nodes[i].Tag != page.TagLi {
			continue
		}
		last = numbered{item: i, n: last.n + step}
		// The numbers after it go on from there, as in browsers.
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

// start is the number of a list's first item.
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

// language is what the markup says a listing is written in, as words for a fence: of the <pre> around node n, of its
// <code> and of the element around it. "" where it does not say.
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
	// The <code> says it most often, then the <pre>, then the box around both.
	around := []int32{n, m.p.Nodes[n].Parent}
	if inner := n + 1; inner < m.p.Nodes[n].End && m.p.Nodes[inner].Tag == page.TagCode {
		around = append([]int32{inner}, around...)
	}
	for _, i := range around {
		if i < 0 {
			continue
		}
		for _, name := range []string{"data-lang", "data-language"} {
			if v, ok := m.p.Attr(int(i), name); ok && isLanguage(v) {
				return strings.ToLower(v)
			}
		}
		// Attributes are exact; classes hold other words besides.
		class, _ := m.p.Attr(int(i), "class")
		if l := languageOf(class); l != "" {
			return l
		}
	}
	return ""
}

// languageOf finds the language in a class, as highlighters write it: language-go, lang-go, highlight-source-go,
// "brush: go", "hljs go", "sourceCode go".
func languageOf(class string) string {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(class, ";", " ")))
	for i, w := range words {
		for _, prefix := range []string{"language-", "lang-", "highlight-source-", "highlight-", "brush:"} {
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

// isLanguage reports whether a word may be the name of a language: short, and nothing that would end a fence.
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

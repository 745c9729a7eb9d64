package pagemeta

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A titleCut is a place at which a title may be divided from the name of a site or section.
type titleCut struct {
	left, right string
	// loose marks a separator without a space on both sides, which titles themselves also hold.
	loose bool
	weak  bool // it has a space on one side only, or is "@"; it divides only a name that the site is known by
	label bool // the separator is a colon, which also follows a word of the title itself
	at    bool // it is "@" with spaces, which titles hold as well: "Chelsea @ Arsenal"
}

// separators are between a title and the site's name, with spaces around them. Hyphens within words have none.
const separators = "|-–—―·•:»«~/›>‹→←｜│¦‖‧∙⋅・－：／＞～"

// tightSeparators need no space in any script. The others need none beside a script without spaces between words. The
// underscore counts there alone. "@" divides only names by which the site is known.
const (
	tightSeparators = "|｜│¦‖—―"
	underscore      = '_'
	atSign          = " @ "
)

// titleCuts returns where a title may be divided, from the left.
func titleCuts(title string) []titleCut {
	var all []titleCut
	for i := 0; i < len(title) && len(all) < maxTitleWords; {
		n := separatorRun(title[i:])
		if n == 0 {
			_, size := utf8.DecodeRuneInString(title[i:])
			i += size
			continue
		}
		if c, ok := cutAt(title, i, i+n); ok {
			all = append(all, c)
		}
		i += n
	}
	return all
}

// separatorRun returns the length of the separators and spaces that s begins with.
func separatorRun(s string) int {
	if strings.HasPrefix(s, atSign) {
		return len(atSign)
	}
	for i, r := range s {
		if r != ' ' && r != underscore && !strings.ContainsRune(separators, r) {
			return i
		}
	}
	return len(s)
}

// cutAt returns the cut that the separators and spaces between two places of a title make.
func cutAt(title string, start, end int) (titleCut, bool) {
	run := title[start:end]
	marks := strings.Trim(run, " ")
	if marks == "" || start == 0 || end == len(title) {
		return titleCut{}, false
	}
	spaced := run[0] == ' ' && run[len(run)-1] == ' ' && !strings.ContainsRune(marks, underscore)
	before, _ := utf8.DecodeLastRuneInString(title[:start])
	after, _ := utf8.DecodeRuneInString(title[end:])
	c := titleCut{left: title[:start], right: title[end:], loose: !spaced, label: strings.Trim(marks, ":：") == ""}
	beside := isUnspaced(before) || isUnspaced(after)
	oneSided := marks != run && !strings.ContainsRune(marks, underscore)
	if run == atSign {
		c.at, c.loose, c.weak = true, true, true
		return c, true
	}
	c.weak = !spaced && !beside && !strings.ContainsAny(marks, tightSeparators)
	return c, !c.weak || oneSided
}

// isUnspaced reports whether a character is of a script without spaces between words.
func isUnspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Han,
		unicode.Hiragana, unicode.Katakana) || strings.ContainsRune("」』）】》！？。", r)
}

// lettersPerWord is about how many letters a word has in scripts without spaces.
const lettersPerWord = 2

// titleWords counts the words of a title.
func titleWords(title string) int {
	words, run := 0, 0
	for word := range strings.FieldsSeq(title) {
		run = 0
		for _, r := range word {
			if isUnspaced(r) {
				run++
			}
		}
		words += max(1, run/lettersPerWord)
	}
	return words
}

// cutName takes one name of the site off. The shortest ending is tried first, then the shortest beginning.
func (f *finder) cutName(title string) string {
	cuts := titleCuts(title)
	for _, c := range slices.Backward(cuts) {
		if f.cutsOff(c, c.right) {
			return c.left
		}
	}
	for _, c := range cuts {
		if f.cutsOff(c, c.left) {
			return c.right
		}
	}
	for i := 1; i < len(cuts); i++ { // Title @ Site :: Portal
		before, after := cuts[i-1], cuts[i]
		name := after.left[len(title)-len(before.right):]
		if (before.at || !before.weak) && len(before.left) > len(after.right) && f.isSiteName(name) {
			return before.left
		}
	}
	return f.cutBracket(title)
}

// cutsOff reports whether a part of a title is the site's name. Beside a loose separator, a likeness to the host is not
// enough. On the site's front page, "Site: slogan" is the title.
func (f *finder) cutsOff(c titleCut, name string) bool {
	if c.weak && f.isFrontPage() {
		return false
	}
	if c.loose {
		return f.isSiteName(name)
	}
	return f.isSite(name)
}

// brackets are those in which a site's name follows a title.
var brackets = [...][2]string{{"(", ")"}, {"[", "]"}, {"（", "）"}, {"【", "】"}, {"［", "］"}, {"〔", "〕"}, {"{", "}"}}

// cutBracket takes the site's name in brackets off the end of a title.
func (f *finder) cutBracket(title string) string {
	for _, b := range brackets {
		rest, ok := strings.CutSuffix(title, b[1])
		if i := strings.LastIndex(rest, b[0]); ok && i > 0 && f.isSiteName(rest[i+len(b[0]):]) {
			return strings.TrimRight(rest[:i], " ")
		}
	}
	return title
}

// siteEndings are what names of news sites end with in Chinese and Japanese.
var siteEndings = []string{"网", "網", "报", "報", "频道", "頻道", "新闻", "新聞", "ニュース"}

// fewestHanWords is how many words must be in front of a name that the site does not declare.
const fewestHanWords = 3

// cutUndeclared shortens a Chinese or Japanese title on a site that does not declare its name. An underscore separates
// sections there. A short ending is cut if it is called like a site.
func cutUndeclared(title string) string {
	for _, c := range titleCuts(title) {
		between := title[len(c.left) : len(title)-len(c.right)]
		last, _ := utf8.DecodeLastRuneInString(c.left)
		if c.label || c.at || !isUnspaced(last) || titleWords(c.left) < fewestHanWords {
			continue
		}
		named := titleWords(c.right) <= maxSiteWords && slices.ContainsFunc(siteEndings, func(e string) bool {
			return strings.HasSuffix(c.right, e)
		})
		if strings.ContainsRune(between, underscore) || named {
			return c.left
		}
	}
	return title
}

// hasSeparator reports whether a title may be a title and a name.
func hasSeparator(title string) bool {
	return slices.ContainsFunc(titleCuts(title), func(c titleCut) bool { return !c.weak })
}

package unseen

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Remove returns a text of the page without what the page hides, and the hidden part. The text may be in another form
// than in the page, with other blanks and signs: letters and digits are compared. Text that is also visible
// elsewhere stays.
func (p *Page) Remove(text string) (shown, removed string) {
	gone := p.gone(lettersOf(text))
	if gone == nil {
		return text, ""
	}
	var keep, cut strings.Builder
	for line := range strings.SplitAfterSeq(text, "\n") {
		n := 0
		for _, r := range line {
			if isLetter(r) {
				n++
			}
		}
		removeLine(line, gone[:n], &keep, &cut)
		gone = gone[n:]
	}
	return keep.String(), cut.String()
}

// removeLine writes a line without the letters that are gone, and the signs between those.
func removeLine(line string, gone []bool, keep, cut *strings.Builder) {
	if !slices.Contains(gone, true) {
		keep.WriteString(line)
		return
	}
	// A line of hidden text alone goes, with its signs.
	if !slices.Contains(gone, false) {
		cut.WriteString(line)
		return
	}
	i, dropping := 0, false
	for _, r := range line {
		if isLetter(r) {
			dropping = gone[i]
			i++
		}
		switch {
		case r == '\n':
			keep.WriteRune(r)
		case dropping:
			cut.WriteRune(r)
		default:
			keep.WriteRune(r)
		}
	}
	cut.WriteByte('\n')
}

// gone returns for each letter of a text whether it is hidden, or nil if none is.
func (p *Page) gone(letters []rune) []bool {
	if len(p.hidden) == 0 || len(letters) == 0 {
		return nil
	}
	// It is made once, since a caller may have many parts of a text.
	if p.marks == nil {
		p.marks = strings.NewReplacer(p.pairs()...)
	}
	marked := []rune(p.marks.Replace(string(letters)))
	if len(marked) != len(letters) {
		return nil
	}
	gone, any := make([]bool, len(letters)), false
	for i, r := range marked {
		gone[i] = r == 0
		any = any || gone[i]
	}
	if !any {
		return nil
	}
	return gone
}

// pairs are the hidden pieces and what replaces them: as many zeros. The longest come first.
func (p *Page) pairs() (list []string) {
	seen := string(p.seen)
	runs := slices.Clone(p.hidden)
	slices.SortStableFunc(runs, func(a, b run) int { return len(b.letters) - len(a.letters) })
	known := map[string]bool{}
	for _, r := range runs {
		text := string(r.letters)
		if known[text] {
			continue
		}
		known[text] = true
		if p.steps += len(seen); p.steps > maxFinds {
			p.Partly = true
			break
		}
		if !strings.Contains(seen, text) {
			list = append(list, text, strings.Repeat("\x00", utf8.RuneCountInString(text)))
		}
	}
	return list
}

// lettersOf returns the letters and digits of a text in lower case.
func lettersOf(text string) (list []rune) {
	for _, r := range text {
		if isLetter(r) {
			list = append(list, unicode.ToLower(r))
		}
	}
	return list
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Within reports whether the letters of a part are in a text, in their order and without others between them.
func Within(part, text string) bool {
	return strings.Contains(string(lettersOf(text)), string(lettersOf(part)))
}

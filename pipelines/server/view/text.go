package view

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/textdiff"
)

// The bounds of texts on a page, in bytes. The document has all of it.
// A page of 256 KiB of text is readable; comparing takes longer the longer both texts are, so half of
// that.
const (
	maxText = 256 << 10
	maxDiff = 128 << 10
)

// paragraphsOf is the text of a document with what it names marked. cut is how many bytes are left out.
func paragraphsOf(d *schemas.Document) (list []Paragraph, cut int) {
	// The bound first: everything after it is linear in what is left.
	text := prefix(d.Text, maxText)
	if d.TextSource == "pdf" {
		text = unwrapped(text)
	}
	marks := marksOf(d, len(text))
	list = []Paragraph{}
	// The place in bytes from the beginning, which mentions are given by.
	at := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		end := at + len(line)
		body := strings.TrimRight(line, "\n")
		// Blank lines divide paragraphs, and are none.
		if strings.TrimSpace(body) != "" {
			p := kindOf(body)
			skip := len(body) - len(strings.TrimLeft(body[p.skip:], " ")) // signs of headings and items are not shown
			// Marks that lie before a paragraph are passed over as well.
			p.Runs, marks = runsOf(text, at+skip, at+len(body), marks)
			list = append(list, p.Paragraph)
		}
		at = end
	}
	return list, len(d.Text) - len(text)
}

// unwrapped is the text of a PDF with blanks for the ends of lines that go on: its lines end where its paper did. One
// that has less than two thirds of the longest line ends a paragraph, or is a heading. Each sign stays where it was.
func unwrapped(text string) string {
	lines := strings.SplitAfter(strings.ReplaceAll(text, "\f", "\n"), "\n") // a form feed ends a page
	longest := 0
	for _, line := range lines {
		longest = max(longest, len(line))
	}
	for i, line := range lines {
		last := i+1 == len(lines) || strings.TrimSpace(lines[i+1]) == ""
		if body, ends := strings.CutSuffix(line, "\n"); ends && !last && 3*len(line) >= 2*longest {
			lines[i] = body + " "
		}
	}
	return strings.Join(lines, "")
}

// prefix is the beginning of a text, of n bytes at most, up to the end of a character.
func prefix(text string, n int) string {
	if len(text) <= n {
		return text
	}
	// n moves back to the first byte of a character, of which there are three more at most.
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// marked is something that a text names, and where.
type marked struct {
	start, end int
	kind, id   string
}

// marksOf are the places of what a text names: in order, none within another, all within the first size bytes.
// Documents come from files that somebody may have changed: what is not a place of the text is left out.
func marksOf(d *schemas.Document, size int) (list []marked) {
	// A mention may be of the part that was cut off.
	for _, e := range d.Entities {
		for _, m := range e.Mentions {
			// Both ends must be between two characters: slicing anywhere else would break one in two.
			if m.Start >= 0 && m.Start < m.End && m.End <= size && isStart(d.Text, m.Start) && isStart(d.Text, m.End) {
				list = append(list, marked{m.Start, m.End, e.Type, e.ID})
			}
		}
	}
	// The longest of those that begin at one place comes first, and hides the others.
	slices.SortStableFunc(list, func(a, b marked) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	// After the sort an overlap can only be with the last one that was kept.
	end := 0
	return slices.DeleteFunc(list, func(m marked) bool {
		if m.start < end {
			return true
		}
		end = m.end
		return false
	})
}

func isStart(text string, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }

// runsOf divides text[from:to] at marks, and returns those that are left for what follows.
// Marks are in order, so each is looked at once for all paragraphs.
func runsOf(text string, from, to int, marks []marked) (runs []Run, left []marked) {
	for len(marks) > 0 && marks[0].start < to {
		m := marks[0]
		marks = marks[1:]
		if m.start < from || m.end > to {
			continue // over a line end, or in the sign of a heading
		}
		if m.start > from {
			runs = append(runs, Run{Text: shown(text[from:m.start])})
		}
		runs = append(runs, Run{Text: shown(text[m.start:m.end]), Entity: m.kind, ID: m.id})
		from = m.end
	}
	// What follows the last mark, or the whole paragraph without any.
	if from < to {
		runs = append(runs, Run{Text: shown(text[from:to])})
	}
	return runs, marks
}

// shown is a text with a blank in place of each sign that has no form, but for the end of a line: a form feed is
// between the pages of a PDF, and browsers draw a box for it.
func shown(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return ' '
		}
		return r
	}, text)
}

// lined is a paragraph with how many bytes of its line are a sign.
type lined struct {
	Paragraph
	skip int
}

// kindOf tells what a line of a text is: texts have the signs of Markdown where their pages had headings and lists.
func kindOf(line string) lined {
	hashes := len(line) - len(strings.TrimLeft(line, "#"))
	switch {
	// Six levels, as HTML has; "#tag" without a blank is text.
	case hashes > 0 && hashes <= 6 && strings.HasPrefix(line[hashes:], " "):
		return lined{Paragraph{Kind: "heading", Level: hashes}, hashes + 1}
	// The signs that our own extractor writes for items.
	case strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* "):
		return lined{Paragraph{Kind: "item"}, 2}
	}
	return lined{Paragraph{Kind: "text"}, 0}
}

// diffOf says what changed from one version to another.
func diffOf(from, to *schemas.Document) *Diff {
	// Both are cut alike; Cut says that the ends were not compared.
	older, newer := from.Text, to.Text
	// A revisit has no body and so no text: that of the same payload is its own, and nothing was removed.
	if same, _ := digest.Compare(from.Digest, to.Digest); same {
		older, newer = cmp.Or(older, newer), cmp.Or(newer, older)
	}
	a, b := prefix(older, maxDiff), prefix(newer, maxDiff)
	d := &Diff{
		From: at(from), To: at(to), Blocks: []Change{}, Cut: len(a) < len(older) || len(b) < len(newer),
	}
	for _, c := range textdiff.Texts(a, b) {
		d.add(c)
	}
	first, ok1 := query.ParseTime(from.Timestamp)
	second, ok2 := query.ParseTime(to.Timestamp)
	if ok1 && ok2 {
		// To a hundredth of a day; only where both have a date.
		d.Days = float64(int(second.Sub(first).Hours()/24*100)) / 100
	}
	return d
}

// add adds a paragraph. Those that stayed the same are put together.
func (d *Diff) add(c textdiff.Change) {
	switch c.Kind {
	case textdiff.Same:
		// Long texts are mostly the same: one line for all of it, with its beginning.
		d.Same++
		if last := len(d.Blocks) - 1; last >= 0 && d.Blocks[last].Kind == "same" {
			d.Blocks[last].Count++
		} else {
			d.Blocks = append(d.Blocks, Change{Kind: "same", Count: 1, Text: clip(c.Text, 80)})
		}
		return
	case textdiff.Removed:
		d.Removed++
	case textdiff.Added:
		d.Added++
	// A changed paragraph is one that went and one that came.
	default:
		d.Removed++
		d.Added++
	}
	block := Change{Kind: string(c.Kind), Count: 1, Text: c.Text}
	for _, p := range c.Parts {
		block.Words = append(block.Words, Word{Text: p.Text, Kind: string(p.Kind)})
	}
	d.Blocks = append(d.Blocks, block)
}

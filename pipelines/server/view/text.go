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

// These limit texts on a page, in bytes. The document has the whole text. A page of 256 KiB of text is readable.
// Comparing takes longer for longer texts, so its limit is half of that.
const (
	maxText = 256 << 10
	maxDiff = 128 << 10
)

// paragraphsOf returns the text of a document with its entities marked. cut is how many bytes are left out.
func paragraphsOf(d *schemas.Document) (list []Paragraph, cut int) {
	// The limit comes first: everything after it takes linear time.
	text := prefix(d.Text, maxText)
	if d.TextSource == "pdf" {
		text = unwrapped(text)
	}
	marks := marksOf(d, len(text))
	list = []Paragraph{}
	// at is the position in bytes from the beginning, as in mentions.
	at := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		end := at + len(line)
		body := strings.TrimRight(line, "\n")
		// Blank lines separate paragraphs, and are not paragraphs.
		if strings.TrimSpace(body) != "" {
			p := kindOf(body)
			skip := len(body) - len(strings.TrimLeft(body[p.skip:], " ")) // signs of headings and items are not shown
			// Marks before a paragraph are skipped as well.
			// A sign without words is not a paragraph either.
			if p.Runs, marks = runsOf(text, at+skip, at+len(body), marks); len(p.Runs) > 0 {
				list = append(list, p.Paragraph)
			}
		}
		at = end
	}
	return list, len(d.Text) - len(text)
}

// unwrapped returns the text of a PDF with blanks for line ends within paragraphs, since its lines end where its paper
// did. A line shorter than two thirds of the longest one ends a paragraph, or is a heading. Each character keeps its
// position.
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

// prefix returns the beginning of a text, at most n bytes, up to the end of a character.
func prefix(text string, n int) string {
	if len(text) <= n {
		return text
	}
	// n moves back to the first byte of a character, by at most three bytes.
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// marked is an entity in a text, with its position.
type marked struct {
	start, end int
	kind, id   string
}

// marksOf returns the positions of the entities in a text. They are in order, do not overlap, and are within the first
// size bytes. Documents come from files that somebody may have changed, so invalid positions are left out.
func marksOf(d *schemas.Document, size int) (list []marked) {
	// A mention may be in the part that was cut off.
	for _, e := range d.Entities {
		for _, m := range e.Mentions {
			// Both ends must be between two characters: any other slice would cut a character.
			if m.Start >= 0 && m.Start < m.End && m.End <= size && isStart(d.Text, m.Start) && isStart(d.Text, m.End) {
				list = append(list, marked{m.Start, m.End, e.Type, e.ID})
			}
		}
	}
	// Among those that begin at the same position, the longest comes first, and hides the others.
	slices.SortStableFunc(list, func(a, b marked) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	// After sorting, an entry can only overlap with the last kept one.
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

// runsOf divides text[from:to] at marks, and returns the remaining marks for the following text. Marks are in order,
// so each is visited once for all paragraphs.
func runsOf(text string, from, to int, marks []marked) (runs []Run, left []marked) {
	for len(marks) > 0 && marks[0].start < to {
		m := marks[0]
		marks = marks[1:]
		if m.start < from || m.end > to {
			continue // across a line end, or in the sign of a heading
		}
		if m.start > from {
			runs = append(runs, Run{Text: shown(text[from:m.start])})
		}
		runs = append(runs, Run{Text: shown(text[m.start:m.end]), Entity: m.kind, ID: m.id})
		from = m.end
	}
	// This is the text after the last mark, or the whole paragraph if it has none.
	if from < to {
		runs = append(runs, Run{Text: shown(text[from:to])})
	}
	return runs, marks
}

// shown replaces control characters by blanks, except for line ends. A form feed separates the pages of a PDF, and
// browsers draw a box for it.
func shown(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return ' '
		}
		return r
	}, text)
}

// lined is a paragraph, with the length of the sign at the beginning of its line.
type lined struct {
	Paragraph
	skip int
}

// kindOf returns the kind of a line: texts have Markdown signs for headings and lists of their pages.
func kindOf(line string) lined {
	hashes := len(line) - len(strings.TrimLeft(line, "#"))
	switch {
	// There are six levels, as in HTML; "#tag" without a blank is text.
	case hashes > 0 && hashes <= 6 && strings.HasPrefix(line[hashes:], " "):
		return lined{Paragraph{Kind: "heading", Level: hashes}, hashes + 1}
	// Our own extractor writes these signs for items.
	case strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* "):
		return lined{Paragraph{Kind: "item"}, 2}
	}
	return lined{Paragraph{Kind: "text"}, 0}
}

// diffOf compares two versions.
func diffOf(from, to *schemas.Document) *Diff {
	// Both are cut in the same way; Cut means that the ends were not compared.
	older, newer := from.Text, to.Text
	// A revisit has no body and so no text. With the same payload it has the same text, and nothing was removed.
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
		// It is rounded to a hundredth of a day, and set only if both have a date.
		d.Days = float64(int(second.Sub(first).Hours()/24*100)) / 100
	}
	return d
}

// add adds a paragraph. Unchanged paragraphs are combined.
func (d *Diff) add(c textdiff.Change) {
	switch c.Kind {
	case textdiff.Same:
		// Long texts are mostly unchanged: one line stands for all of that, with its beginning.
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
	// A changed paragraph counts as one removed and one added.
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

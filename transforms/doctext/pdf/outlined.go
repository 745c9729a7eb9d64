package pdf

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// titlePage is the number of bytes that the text of a title page may have.
const titlePage = 400

// outlined gives headings their levels. Sizes of letters decide, or bookmarks if there are some.
type outlined struct {
	text     string
	headings []paragraph
	blocks   []doctext.Block
}

// level sets the levels by the looks of headings: the largest letters have the first, and bold ones come before others.
// The title on a page of its own is above all others, even if they look the same.
func (o *outlined) level() {
	title, others := o.title(), o.headings
	if title >= 0 {
		others = slices.Delete(slices.Clone(others), title, title+1)
	}
	levels := levelsOf(others)
	for i, p := range o.headings {
		level := levels[p.look]
		if i == title {
			level = 1
		} else if title >= 0 {
			level = min(level+1, 6)
		}
		o.blocks = append(o.blocks, doctext.Block{Start: p.start, End: p.end, Level: level})
	}
}

// title returns the index of the heading in the largest letters on a title page, or -1.
func (o *outlined) title() int {
	end := strings.IndexByte(o.text, '\f')
	if end < 0 || end > titlePage {
		return -1
	}
	title, largest := -1, 0
	for i, p := range o.headings {
		if p.start > end {
			break
		}
		if p.size > largest {
			title, largest = i, p.size
		}
	}
	return title
}

// use replaces the levels by those of bookmarks. Headings without one have the level of others that look the same. If
// they are larger than all, before the first, they are the title, and bookmarks are below it.
func (o *outlined) use(places []marked) {
	if len(places) == 0 {
		return
	}
	at := map[int]*paragraph{}
	for i := range o.headings {
		at[o.headings[i].start] = &o.headings[i]
	}
	levels, largest := map[look]int{}, 0
	deepest := map[int]int{} // the smallest size at each level
	for _, m := range places {
		if p := at[m.start]; p != nil {
			if levels[p.look] == 0 || m.level < levels[p.look] {
				levels[p.look] = m.level
			}
			largest = max(largest, p.size)
			if level := min(m.level, 6); deepest[level] == 0 || p.size < deepest[level] {
				deepest[level] = p.size
			}
		}
	}
	shift, title := 0, o.title()
	var blocks []doctext.Block
	for i, p := range o.headings {
		if slices.ContainsFunc(places, func(m marked) bool { return p.start < m.end && m.start < p.end }) {
			continue
		}
		level := levels[p.look]
		switch {
		case p.start < places[0].start && (i == title || p.size > largest):
			level, shift = 0, 1
		case level == 0:
			for n := 1; n <= 6; n++ {
				if deepest[n] > p.size {
					level = n
				}
			}
			level++
		}
		blocks = append(blocks, doctext.Block{Start: p.start, End: p.end, Level: level})
	}
	for _, m := range places {
		blocks = append(blocks, doctext.Block{Start: m.start, End: m.end, Level: m.level})
	}
	for i := range blocks {
		blocks[i].Level = min(max(blocks[i].Level+shift, 1), 6)
	}
	slices.SortFunc(blocks, func(a, b doctext.Block) int { return cmp.Compare(a.Start, b.Start) })
	o.blocks = blocks
}

// levelsOf returns the level of each look: the largest letters have the first, and bold ones come before others.
func levelsOf(headings []paragraph) map[look]int {
	var looks []look
	for _, p := range headings {
		if !slices.Contains(looks, p.look) {
			looks = append(looks, p.look)
		}
	}
	slices.SortFunc(looks, func(a, b look) int {
		if a.bold != b.bold && a.size == b.size {
			return cmp.Compare(b2i(b.bold), b2i(a.bold))
		}
		return cmp.Compare(b.size, a.size)
	})
	levels := map[look]int{}
	for i, l := range looks {
		levels[l] = min(i+1, 6)
	}
	return levels
}

// chapterWords are the words before the number of a chapter, in small letters.
var chapterWords = map[string]bool{
	"chapter": true, "part": true, "appendix": true, "kapitel": true, "teil": true, "anhang": true, "chapitre": true,
	"partie": true, "annexe": true, "capítulo": true, "capitulo": true, "parte": true, "apéndice": true, "apêndice": true,
	"capitolo": true, "appendice": true, "hoofdstuk": true, "deel": true, "bijlage": true, "rozdział": true,
	"część": true,
	"глава": true, "часть": true, "приложение": true,
}

// joinChapters joins a line such as "Chapter 1" with the heading after it.
func joinChapters(text string, headings []paragraph) []paragraph {
	joined := headings[:0]
	for _, p := range headings {
		if n := len(joined); n > 0 && p.start >= joined[n-1].end && isChapter(text[joined[n-1].start:joined[n-1].end]) &&
			strings.TrimSpace(text[joined[n-1].end:p.start]) == "" && p.size >= joined[n-1].size {
			p.start = joined[n-1].start
			joined[n-1] = p
			continue
		}
		joined = append(joined, p)
	}
	return joined
}

// isChapter reports whether a line has a word for a chapter and its number.
func isChapter(line string) bool {
	words := strings.Fields(line)
	if len(words) != 2 || !chapterWords[strings.ToLower(words[0])] {
		return false
	}
	number := strings.TrimRight(words[1], ".:")
	return number != "" && len(number) <= 6 &&
		(strings.Trim(number, "0123456789") == "" || strings.Trim(number, "IVXLC") == "" ||
			len(number) == 1 && unicode.IsUpper(rune(number[0])))
}

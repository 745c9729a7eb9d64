// Package boilerpipe takes the text of a page as Boilerpipe's DefaultExtractor does, by the rules of Kohlschütter,
// Fankhauser and Nejdl, "Boilerplate Detection using Shallow Text Features" (WSDM 2010): blocks of text are kept or
// left by how many words stand on a line of theirs, how many of these are in links, and the same of their neighbours.
//
// It is there for those who need the text that ACHE gives to Elasticsearch. For the text of a page as such, package
// maintext is better: these rules lose the last paragraph of a page that nothing follows, for one.
//
//	text := boilerpipe.Text(src)
//
// The rules are those of version 1.2.2. What differs is the parser before them: theirs is NekoHTML, ours that of the
// HTML Living Standard, so that badly nested pages may be divided otherwise.
package boilerpipe

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Version changes whenever the same page may yield another text.
const Version = "1"

// Text returns the text of the page src, which is UTF-8, that the rules keep: blocks on lines of their own, a line end
// after each; "" when they keep nothing. Time and memory are linear in the page's size.
func Text(src []byte) string {
	// NoScripting, so that what a <noscript> holds is elements, as it is to a parser that knows
	// nothing of scripts. They are left out by the rule for ignored elements all the same.
	blocks := fuse(blocksOf(page.Parse(src, page.Options{NoScripting: true})))
	var text strings.Builder
	for i := range blocks {
		// The neighbours are those of the fused list, whether they are kept themselves or not: what
		// was decided of one block has no bearing on the next.
		var prev, next block
		if i > 0 {
			prev = blocks[i-1]
		}
		if i+1 < len(blocks) {
			next = blocks[i+1]
		}
		if isContent(prev, blocks[i], next) {
			// A fused block may be of several texts, each of which gets its line.
			for _, t := range blocks[i].texts {
				text.WriteString(t)
				text.WriteByte('\n')
			}
		}
	}
	return text.String()
}

// block is a piece of text between two tags that are not inline, or several that were fused.
type block struct {
	texts  []string
	words  int
	linked int // of the words
	// A last line that is not full would lower the density of a short paragraph; so its words are not
	// counted, unless there are no others.
	inFull int // words in full lines, or all if there is no full line
	lines  int // that are full, at least 1
}

// textDensity is how many words stand on a line. It is single precision, in which fuse compares it.
func (b block) textDensity() float32 {
	// Only of the block before the first and of that after the last, which are zero values.
	if b.lines == 0 {
		return 0
	}
	return float32(b.inFull) / float32(b.lines)
}

// linkDensity is how many of the words are in links.
func (b block) linkDensity() float32 {
	if b.words == 0 {
		return 0
	}
	return float32(b.linked) / float32(b.words)
}

// fuse joins neighbours that have the same text density.
func fuse(blocks []block) []block {
	if len(blocks) == 0 {
		return nil
	}
	// The list is fused in place: the result is never longer than what was read of it.
	fused := blocks[:1]
	for _, b := range blocks[1:] {
		last := &fused[len(fused)-1]
		// The comparison is with all that was fused so far, whose density is the same number again as
		// a rule, though rounding may differ.
		if last.textDensity() != b.textDensity() {
			fused = append(fused, b)
			continue
		}
		last.texts = append(last.texts, b.texts...)
		last.words += b.words
		last.linked += b.linked
		last.inFull += b.inFull
		last.lines += b.lines
	}
	return fused
}

// isContent is the decision tree of the paper, section 4.4, with the thresholds of DensityRulesClassifier. A neighbour
// that is not there has densities of 0. The tree asks for the links first: a block of which a third is links is never
// content, however long. After a block that is mostly links, only what a long text follows is. Else a long block is
// content unless it is the last, and a short one if a long one follows or a text of some length is before it.
func isContent(prev, b, next block) bool {
	switch {
	case b.linkDensity() > 0.333333:
		return false
	case prev.linkDensity() > 0.555556:
		return next.textDensity() > 11
	case b.textDensity() > 9:
		return next.textDensity() != 0
	case next.textDensity() > 10:
		return true
	}
	return prev.textDensity() > 4
}

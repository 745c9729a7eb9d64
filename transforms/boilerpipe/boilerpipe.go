// Package boilerpipe extracts the text of a page like Boilerpipe's DefaultExtractor. The rules are those of
// Kohlschütter, Fankhauser and Nejdl, "Boilerplate Detection using Shallow Text Features" (WSDM 2010). They keep or
// drop a block of text by its words for each line and the share of these in links. The same numbers of its neighbours
// count too.
//
// It is for users who need the text that ACHE sends to Elasticsearch. For other uses package maintext is better. For
// example, these rules lose the last paragraph of a page.
//
//	text := boilerpipe.Text(src)
//
// The rules are those of version 1.2.2. The parser differs: the original uses NekoHTML, this package that of the HTML
// Living Standard. So badly nested pages may be divided differently.
package boilerpipe

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Version changes whenever the same page may give another text.
const Version = "1"

// Text returns the text of the page src, in UTF-8, that the rules keep. Each block is on lines of its own, with a line
// end after each. The result is "" if they keep nothing. Time and memory are linear in the page's size.
func Text(src []byte) string {
	// With NoScripting, the content of a <noscript> is parsed as elements, as in a parser without scripts. The rule
	// for ignored elements still leaves them out.
	blocks := fuse(blocksOf(page.Parse(src, page.Options{NoScripting: true})))
	var text strings.Builder
	for i := range blocks {
		// The neighbours are those of the fused list, whether they are kept or not: decisions do not depend on each
		// other.
		var prev, next block
		if i > 0 {
			prev = blocks[i-1]
		}
		if i+1 < len(blocks) {
			next = blocks[i+1]
		}
		if isContent(prev, blocks[i], next) {
			// A fused block may have several texts, each on its own line.
			for _, t := range blocks[i].texts {
				text.WriteString(t)
				text.WriteByte('\n')
			}
		}
	}
	return text.String()
}

// block is a piece of text between two tags that are not inline, or several fused pieces.
type block struct {
	texts  []string
	words  int
	linked int // number of linked words
	// Words of an incomplete last line do not count, unless there are no others. They would lower the density of a
	// short paragraph.
	inFull int // words in full lines, or all words if there is no full line
	lines  int // number of full lines, at least 1
}

// textDensity returns the words for each line. It has single precision, in which fuse compares it.
func (b block) textDensity() float32 {
	// Only the block before the first and the one after the last have no lines: they are zero values.
	if b.lines == 0 {
		return 0
	}
	return float32(b.inFull) / float32(b.lines)
}

// linkDensity returns the share of the words in links.
func (b block) linkDensity() float32 {
	if b.words == 0 {
		return 0
	}
	return float32(b.linked) / float32(b.words)
}

// fuse joins neighbours with the same text density.
func fuse(blocks []block) []block {
	if len(blocks) == 0 {
		return nil
	}
	// The list is fused in place: the result is never longer than the part read so far.
	fused := blocks[:1]
	for _, b := range blocks[1:] {
		last := &fused[len(fused)-1]
		// The comparison is with everything fused so far. Its density is usually the same number again, though
		// rounding may differ.
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

// isContent is the decision tree of the paper, section 4.4, with the thresholds of DensityRulesClassifier. A missing
// neighbour has densities of 0. Links come first: a block with a third of its words in links is never content. After a
// block that is mostly links, a block is content only if a long text follows. Otherwise a long block is content unless
// it is the last. A short one is content if a long one follows or a text of some length comes before.
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

package maintext

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// ownText is the text of a block. At its ends, it leaves out signs that lead to the heading itself, and MediaWiki's
// "[edit]". If nothing else is there, it is all the text.
func ownText(p *page.Page, b *page.Block) (start, end int32) {
	if b.LinkChars == 0 {
		return b.Start, b.End
	}
	start, end = b.Start, b.End
	for k := b.Last - 1; k >= b.First; k-- {
		if n := &p.Nodes[k]; !shows(p, k) {
			continue
		} else if serves(p, b, k) || end < b.End && isBracket(p, b, k) {
			end = n.TextStart
		} else if !isBracket(p, b, k) { // one may close around a link
			break
		}
	}
	for k := b.First; k < b.Last; k++ {
		if n := &p.Nodes[k]; !shows(p, k) {
			continue
		} else if serves(p, b, k) || start > b.Start && isBracket(p, b, k) {
			start = n.TextEnd
		} else if !isBracket(p, b, k) {
			break
		}
	}
	if start >= end || len(bytes.TrimSpace(p.Text[start:end])) == 0 {
		return b.Start, b.End
	}
	return start, end
}

// serves reports whether text k of a block is in a link that is not part of what the block says.
func serves(p *page.Page, b *page.Block, k int32) bool {
	a := linkAround(p, k)
	if a < 0 {
		return false
	}
	href, _ := p.RawAttr(int(a), "href")
	return isPermalink(p, a) || b.Flags&page.InHeading != 0 && bytes.Contains(href, []byte("action=edit"))
}

// isBracket reports whether text k of a heading is only brackets, or a bar between links in them.
func isBracket(p *page.Page, b *page.Block, k int32) bool {
	n := &p.Nodes[k]
	return b.Flags&page.InHeading != 0 && n.Flags&page.InLink == 0 &&
		len(bytes.Trim(p.Text[n.TextStart:n.TextEnd], "[|] ")) == 0
}

// isPermalink reports whether link a is a sign beside a heading that leads to it: "¶" or "#". Signs of icon fonts are
// in the private areas of Unicode.
func isPermalink(p *page.Page, a int32) bool {
	const longest = 8 // bytes
	text := bytes.TrimSpace(p.NodeText(int(a)))
	href, _ := p.RawAttr(int(a), "href")
	if len(text) > longest || !bytes.Contains(href, []byte("#")) {
		return false
	}
	for _, r := range string(text) {
		if r != '\uFE0F' && !strings.ContainsRune("¶#§🔗⚓∞", r) && !unicode.Is(unicode.Co, r) {
			return false
		}
	}
	return true
}

// linkAround is the link around text i, or -1. Anchors without a URL do not count.
func linkAround(p *page.Page, i int32) int32 {
	if p.Nodes[i].Flags&page.InLink == 0 {
		return -1
	}
	for range maxNesting {
		if i = p.Nodes[i].Parent; i < 0 {
			break
		}
		if p.Nodes[i].Tag == page.TagA {
			return i
		}
	}
	return -1
}

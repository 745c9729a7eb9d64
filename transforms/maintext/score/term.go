package score

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// field is the place of a term in relation to a block. The class "related" of the block's own element weighs
// differently from that of one far around it.
type field uint8

// Each field has a feature of its own.
const (
	inText  field  = iota // words of the block
	inLabel               // pairs of words of a short block, and all of it
	inHead                // words of the heading above
	inTitle               // pairs of words of the heading above, and all of it
	inOwn                 // words in class and id of the elements around this block alone
	inNear                // of the two smallest groups around it
	inFar                 // of the groups around these
	inTags                // names of the elements around this block alone
	inLink                // target of a block that is a link
	Fields  = iota        // number of fields
)

type term struct {
	at   field
	hash uint32
}

// How much of a block is read. Later terms rarely matter, and hostile pages repeat terms.
const (
	maxTextTerms  = 40
	maxHeadTerms  = 12
	maxClassTerms = 12  // of one attribute; "utility" classes fill pages
	maxAttrTerms  = 6   // of an attribute other than class and id
	maxClassBytes = 200 // of one attribute
	maxLinkTerms  = 10
	maxLinkBytes  = 150
	labelWords    = 8 // longer blocks are not labels
	maxTags       = 8
)

// terms adds all terms of block i. weigher reads the same, but reads groups and headings once for many blocks.
func (r *reader) terms(to []term, i int32) []term {
	if h := r.heads[i]; h >= 0 && h != i {
		to = r.headTerms(to, h)
	}
	to = r.textTerms(to, i)
	names := func(at field, n int32) {
		for _, h := range appendNames(nil, r.p, n) {
			to = append(to, term{at, h})
		}
	}
	r.ownElements(i, func(n int32) { names(inOwn, n) })
	to = r.tagTerms(to, i)
	to = r.linkTerms(to, i)
	at := inNear
	for level, g := 0, r.in[i]; g >= 0; level, g = level+1, r.groups[g].parent {
		if level == 2 {
			at = inFar
		}
		r.groupElements(g, func(n int32) { names(at, n) })
	}
	return to
}

func pair(before, h uint32) uint32 { return before*31 + h }

// hash32 is FNV-1a of 32 bits of a whole string, as in appendTerms.
func hash32[T string | []byte](s T) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h ^ h>>15
}

// textTerms adds the words of block i, and of a short one also its whole text.
func (r *reader) textTerms(to []term, i int32) []term {
	b := &r.p.Blocks[i]
	first := len(to)
	to = appendTerms(to, inText, r.p.Text[b.Start:b.End], maxTextTerms)
	if b.Words > labelWords {
		return to
	}
	to = appendPairs(to, inLabel, first)
	return append(to, term{inLabel, uint32(b.Hash)}) // ignores numbers
}

// headTerms adds the words of heading i, and its whole text.
func (r *reader) headTerms(to []term, i int32) []term {
	b := &r.p.Blocks[i]
	first := len(to)
	to = appendTerms(to, inHead, r.p.Text[b.Start:b.End], maxHeadTerms)
	to = appendPairs(to, inTitle, first)
	return append(to, term{inTitle, uint32(b.Hash)})
}

// appendPairs adds each pair of adjacent terms from first on.
func appendPairs(to []term, at field, first int) []term {
	words := to[first:]
	for k := 1; k < len(words); k++ {
		to = append(to, term{at, pair(words[k-1].hash, words[k].hash)})
	}
	return to
}

// appendTerms adds a hash of each of the first words of text: runs of ASCII letters and digits, in lower case. Words
// with other letters are left out. English pages, most of the training set, have few. Languages without spaces would
// give whole sentences, which hardly repeat.
func appendTerms(to []term, at field, text []byte, most int) []term {
	const offset, prime = 2166136261, 16777619
	most += len(to)
	h, in, ascii := uint32(offset), false, true
	for _, c := range text {
		k := wordBytes[c]
		if k != 0 {
			h, in, ascii = (h^uint32(k))*prime, true, ascii && k < 0x80
			continue
		}
		if in && ascii {
			if to = append(to, term{at, h ^ h>>15}); len(to) == most {
				return to
			}
		}
		h, in, ascii = offset, false, true
	}
	if in && ascii {
		to = append(to, term{at, h ^ h>>15})
	}
	return to
}

// ownElements calls yield for the elements around block i alone, from the inside out.
func (r *reader) ownElements(i int32, yield func(n int32)) {
	p, b := r.p, &r.p.Blocks[i]
	n := b.Node
	if inner := p.Nodes[b.First].Parent; p.Nodes[inner].End >= b.Last {
		n = inner
	}
	for ; n > r.groups[r.in[i]].node; n = p.Nodes[n].Parent {
		yield(n)
	}
}

// groupElements calls yield for the elements of group g, which hold the same blocks.
func (r *reader) groupElements(g int32, yield func(n int32)) {
	up := int32(-1) // the page is the first group
	if parent := r.groups[g].parent; parent >= 0 {
		up = r.groups[parent].node
	}
	for n := r.groups[g].node; n > up; n = r.p.Nodes[n].Parent {
		yield(n)
	}
}

// tagTerms adds the names of the elements around block i alone, from the inside out: for each a hash (FNV-1a) of the
// names so far. It stops at maxTags.
func (r *reader) tagTerms(to []term, i int32) []term {
	h, most := uint32(2166136261), len(to)+maxTags
	r.ownElements(i, func(n int32) {
		if len(to) < most {
			h = (h ^ uint32(r.p.Nodes[n].Tag)) * 16777619
			to = append(to, term{inTags, h ^ h>>15})
		}
	})
	return to
}

// shortestNamed is the least length of a tag with a name: p id=ab.
const shortestNamed = 7

// appendNames adds the words in class and id of element n, and pairs within a name: "post", "body" and both of
// "post-body". Words of some other attributes have hashes of their own.
func appendNames(to []uint32, p *page.Page, n int32) []uint32 {
	if len(p.Tag(int(n))) < shortestNamed {
		return to
	}
	p.RawAttrs(int(n), func(name, value []byte) bool {
		switch len(name) {
		case 2, 5: // few attributes have these lengths
			if s := string(name); s == "class" || s == "id" {
				to = appendValue(to, 0, value)
			}
		case 3, 4, 8, 10, 11, 14:
			if of := telling[string(name)]; of > 0 {
				to = appendValue(to, of, value)
			}
		}
		return true
	})
	return to
}

// appendValue adds the words of an attribute, whose number is that in telling, or 0 for class and id.
func appendValue(to []uint32, of uint32, value []byte) []uint32 {
	most, first := maxClassTerms, len(to)
	if of > 0 {
		most = maxAttrTerms
	}
	to = appendWordsOfNames(to, value[:min(len(value), maxClassBytes)], most)
	for k := range to[first:] {
		to[first+k] += of * 0x9E3779B9
	}
	return to
}

// telling numbers the attributes other than class and id whose words are terms.
var telling = map[string]uint32{
	"itemprop": 1, "role": 2, "rel": 3, "aria-label": 4, "data-testid": 5, "data-component": 6, "data-module": 7,
	"data-block": 8,
}

// appendWordsOfNames adds the first words of a list of names, and each pair of adjacent words in a name. A word is two
// or more ASCII letters; a capital after a small letter starts a new one. Digits only number things.
func appendWordsOfNames(to []uint32, names []byte, most int) []uint32 {
	const offset, prime = 2166136261, 16777619
	h, length, words, before, low := uint32(offset), 0, 0, uint32(0), false
	for i := 0; i <= len(names); i++ {
		c := byte(' ') // after the last
		if i < len(names) {
			c = names[i]
		}
		// Most bytes only continue a word.
		if c >= 'a' && c <= 'z' {
			h, length, low = (h^uint32(c))*prime, length+1, true
			continue
		}
		upper := c >= 'A' && c <= 'Z'
		if low || !upper {
			if length > 1 && words < most {
				words++
				h ^= h >> 15
				if to = append(to, h); before != 0 {
					to = append(to, pair(before, h))
				}
				before = h
			}
			h, length = offset, 0
		}
		if low = false; upper {
			h, length = (h^uint32(c|0x20))*prime, length+1
		} else if c == ' ' || c == '\n' || c == '\t' {
			before = 0
		}
	}
	return to
}

// linkTerms adds the target of block i if most of the block is one link.
func (r *reader) linkTerms(to []term, i int32) []term {
	p, b := r.p, &r.p.Blocks[i]
	if b.LinkChars*2 <= b.Chars {
		return to
	}
	for n := b.First; n > 0; n = p.Nodes[n].Parent {
		if p.Nodes[n].Tag == page.TagA {
			href, _ := p.RawAttr(int(n), "href")
			return hrefTerms(to, bytes.TrimSpace(href), r.host)
		}
		// No link is further out than the block's own element.
		if n == b.Node && p.Nodes[n].Flags&page.InLink == 0 {
			return to
		}
	}
	return to
}

// Kinds of links by how they begin. The numbers are terms.
const (
	linkRelative = iota + 1
	linkOwnHost
	linkOtherHost
	linkFragment
	linkNoPage // mailto:, tel:, javascript:
	linkDepth  // plus the number of slashes
)

// hostOf is the host of a page's URL, in lower case.
func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return strings.ToLower(host)
}

// hrefTerms adds the kind of link, the words of its path and, if it leads to another host, that host.
func hrefTerms(to []term, href []byte, page string) []term {
	href = href[:min(len(href), maxLinkBytes)]
	path, kind := href, uint32(linkRelative)
	_, rest, ok := bytes.Cut(href, []byte("//"))
	if ok && (bytes.HasPrefix(href, []byte("http")) || len(rest)+2 == len(href)) {
		host, _, _ := bytes.Cut(rest, []byte("/"))
		path, kind = rest[len(host):], linkOwnHost
		if string(host) != page {
			kind = linkOtherHost
			to = append(to, term{inLink, hash32(host) + 1}) // differs from the word of the same letters
		}
	} else if bytes.HasPrefix(href, []byte("#")) {
		kind = linkFragment
	} else if colon := bytes.IndexByte(href, ':'); colon > 0 && colon < len("javascript:") {
		kind = linkNoPage
	}
	depth := uint32(min(6, bytes.Count(path, []byte("/"))))
	to = append(to, term{inLink, kind}, term{inLink, linkDepth + depth})
	n := 0
	eachWord(path, func(h uint32) {
		if n++; n <= maxLinkTerms {
			to = append(to, term{inLink, h})
		}
	})
	return to
}

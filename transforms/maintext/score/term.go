package score

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// field is where a term stands in relation to a block. A term says something else in each: "related" as a class of the
// block's own element, or as that of an element far around it.
type field uint8

// The fields. Each has a feature of its own.
const (
	inText  field  = iota // words of the block
	inLabel               // pairs of words of a short block, and the whole of it
	inHead                // words of the heading above
	inTitle               // pairs of words of the heading above, and the whole of it
	inOwn                 // words of class and id of the elements around this block alone
	inNear                // of the two smallest groups in which it stands
	inFar                 // of the groups around these
	inTags                // names of the elements around this block alone
	inLink                // where a block that is a link leads
	Fields  = iota        // how many there are
)

// How much of a block is read. What is beyond is seldom telling, and hostile pages repeat terms.
const (
	maxTextTerms  = 40
	maxHeadTerms  = 12
	maxClassTerms = 12  // of one attribute; "utility" classes fill pages
	maxAttrTerms  = 6   // of one that is neither class nor id
	maxClassBytes = 200 // of one attribute
	maxLinkTerms  = 10
	maxLinkBytes  = 150
	labelWords    = 8 // a block of more is no label
	maxTags       = 8
)

// terms calls yield for all terms of block i. weigher sees the same, but those of groups and headings once for many
// blocks.
func (r *reader) terms(i int32, yield func(field, uint32)) {
	if h := r.heads[i]; h >= 0 && h != i {
		r.headTerms(h, yield)
	}
	r.textTerms(i, yield)
	var tags tagPath
	r.ownElements(i, func(n int32) {
		nameTerms(r.p, n, func(h uint32) { yield(inOwn, h) })
		tags.add(r.p.Nodes[n].Tag, yield)
	})
	r.linkTerms(i, yield)
	at := inNear
	for level, g := 0, r.in[i]; g >= 0; level, g = level+1, r.groups[g].parent {
		if level == 2 {
			at = inFar
		}
		r.groupElements(g, func(n int32) {
			nameTerms(r.p, n, func(h uint32) { yield(at, h) })
		})
	}
}

// pair is the hash of two words that follow each other.
func pair(before, h uint32) uint32 { return before*31 + h }

// hash32 is FNV-1a of 32 bits as eachTerm has it, of a whole string.
func hash32[T string | []byte](s T) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h ^ h>>15
}

// textTerms calls yield for the words of block i, and if it is short for what it is as a whole.
func (r *reader) textTerms(i int32, yield func(field, uint32)) {
	b := &r.p.Blocks[i]
	short, before := b.Words <= labelWords, uint32(0)
	eachTerm(r.p.Text[b.Start:b.End], maxTextTerms, func(h uint32) {
		yield(inText, h)
		if short && before != 0 {
			yield(inLabel, pair(before, h))
		}
		before = h
	})
	if short {
		yield(inLabel, uint32(b.Hash)) // numbers do not count in it
	}
}

// headTerms calls yield for the words of heading i, and for what it is as a whole.
func (r *reader) headTerms(i int32, yield func(field, uint32)) {
	b := &r.p.Blocks[i]
	before := uint32(0)
	eachTerm(r.p.Text[b.Start:b.End], maxHeadTerms, func(h uint32) {
		yield(inHead, h)
		if before != 0 {
			yield(inTitle, pair(before, h))
		}
		before = h
	})
	yield(inTitle, uint32(b.Hash))
}

// eachTerm calls yield with a hash of each of the first words of text, in lower case: runs of ASCII letters and digits.
// What has other letters is no term. English pages, of which most was learnt, have few of them, and what is written
// without spaces has sentences in the place of words, of which no two are alike.
func eachTerm(text []byte, most int, yield func(uint32)) {
	const offset, prime = 2166136261, 16777619
	h, in, ascii := uint32(offset), false, true
	for _, c := range text {
		k := wordBytes[c]
		if k != 0 {
			h, in, ascii = (h^uint32(k))*prime, true, ascii && k < 0x80
			continue
		}
		if in && ascii {
			if yield(h ^ h>>15); most == 1 {
				return
			}
			most--
		}
		h, in, ascii = offset, false, true
	}
	if in && ascii {
		yield(h ^ h>>15)
	}
}

// ownElements calls yield for the elements that hold block i and no other, from the inside out.
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

// groupElements calls yield for the elements that are group g: those around the same blocks.
func (r *reader) groupElements(g int32, yield func(n int32)) {
	up := int32(-1) // the page itself is the first group
	if parent := r.groups[g].parent; parent >= 0 {
		up = r.groups[parent].node
	}
	for n := r.groups[g].node; n > up; n = r.p.Nodes[n].Parent {
		yield(n)
	}
}

// tagPath is the names of the elements around a block, from the inside out: a hash (FNV-1a) of those so far.
type tagPath struct {
	hash  uint32
	depth int
}

// add adds the next element further out. Beyond maxTags it is no term.
func (t *tagPath) add(tag page.Tag, yield func(field, uint32)) {
	if t.depth == 0 {
		t.hash = 2166136261
	}
	if t.depth++; t.depth <= maxTags {
		t.hash = (t.hash ^ uint32(tag)) * 16777619
		yield(inTags, t.hash^t.hash>>15)
	}
}

// nameTerms calls yield for the words in class and id of element n, and for each two of one name: "post", "body" and
// both of "post-body". Words of some other attributes have hashes of their own.
func nameTerms(p *page.Page, n int32, yield func(uint32)) {
	p.RawAttrs(int(n), func(name, value []byte) bool {
		switch len(name) {
		case 2, 5: // most are of other lengths, or none of these
			if s := string(name); s == "class" || s == "id" {
				valueTerms(0, value, yield)
			}
		case 3, 4, 8, 10, 11, 14:
			if of := telling[string(name)]; of > 0 {
				valueTerms(of, value, yield)
			}
		}
		return true
	})
}

// valueTerms calls yield for the words of an attribute, whose number is that in telling; 0 for class and id.
func valueTerms(of uint32, value []byte, yield func(uint32)) {
	most := maxClassTerms
	if of > 0 {
		most = maxAttrTerms
	}
	eachName(value[:min(len(value), maxClassBytes)], most, func(h uint32) { yield(h + of*0x9E3779B9) })
}

// telling numbers the attributes whose words are terms beside those of class and id.
var telling = map[string]uint32{
	"itemprop": 1, "role": 2, "rel": 3, "aria-label": 4, "data-testid": 5, "data-component": 6, "data-module": 7,
	"data-block": 8,
}

// eachName calls yield for the first words of a list of names, and for each two that follow each other in one name. A
// word is two or more ASCII letters; a capital after a small letter begins another. Digits only number things.
func eachName(names []byte, most int, yield func(uint32)) {
	const offset, prime = 2166136261, 16777619
	h, length, words, before, low := uint32(offset), 0, 0, uint32(0), false
	end := func() {
		if length > 1 && words < most {
			words++
			h ^= h >> 15
			yield(h)
			if before != 0 {
				yield(pair(before, h))
			}
			before = h
		}
		h, length = offset, 0
	}
	for _, c := range names {
		upper := c >= 'A' && c <= 'Z'
		if upper && low || !isLetter(c) {
			end()
		}
		if isLetter(c) {
			h, length = (h^uint32(c|0x20))*prime, length+1
		} else if c == ' ' || c == '\n' || c == '\t' {
			before = 0
		}
		low = !upper && isLetter(c)
	}
	end()
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// linkTerms calls yield for where block i leads, if most of it is a link that is around it.
func (r *reader) linkTerms(i int32, yield func(field, uint32)) {
	p, b := r.p, &r.p.Blocks[i]
	if b.LinkChars*2 <= b.Chars {
		return
	}
	for n := b.First; n > 0; n = p.Nodes[n].Parent {
		if p.Nodes[n].Tag == page.TagA {
			href, _ := p.RawAttr(int(n), "href")
			hrefTerms(bytes.TrimSpace(href), r.host, func(h uint32) { yield(inLink, h) })
			return
		}
		// The block's own element, and no link is further out.
		if n == b.Node && p.Nodes[n].Flags&page.InLink == 0 {
			return
		}
	}
}

// What a link is, told from its beginning. The numbers are terms.
const (
	linkRelative = iota + 1
	linkOwnHost
	linkOtherHost
	linkFragment
	linkNoPage // mailto:, tel:, javascript:
	linkDepth  // from here on, by the number of slashes
)

// hostOf is the host of a page's address, in lower case.
func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return strings.ToLower(host)
}

// hrefTerms calls yield for what kind of link href is on a page of a host, its own host if that is another one, and the
// words of its path.
func hrefTerms(href []byte, page string, yield func(uint32)) {
	href = href[:min(len(href), maxLinkBytes)]
	path, kind := href, uint32(linkRelative)
	_, rest, ok := bytes.Cut(href, []byte("//"))
	if ok && (bytes.HasPrefix(href, []byte("http")) || len(rest)+2 == len(href)) {
		host, _, _ := bytes.Cut(rest, []byte("/"))
		path, kind = rest[len(host):], linkOwnHost
		if string(host) != page {
			kind = linkOtherHost
			yield(hash32(host) + 1) // not the word of the same letters
		}
	} else if bytes.HasPrefix(href, []byte("#")) {
		kind = linkFragment
	} else if colon := bytes.IndexByte(href, ':'); colon > 0 && colon < len("javascript:") {
		kind = linkNoPage
	}
	yield(kind)
	yield(linkDepth + uint32(min(6, bytes.Count(path, []byte("/")))))
	n := 0
	eachWord(path, func(h uint32) {
		if n++; n <= maxLinkTerms {
			yield(h)
		}
	})
}

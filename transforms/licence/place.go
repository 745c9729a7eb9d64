package licence

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// footer are the places of notices about the whole page.
const footer = page.InFooter | page.LikeFooter

// apart are the places of notices about other works.
const apart = page.InQuote | page.LikeComment | page.LikeRemark | page.LikeRelated

// scopeOf returns what a licence at node i covers, and whether the place alone says that it is granted.
func scopeOf(p *page.Page, i int) (scope string, sure bool) {
	flags := p.Nodes[i].Flags
	switch {
	case flags&page.InFigure != 0:
		return OfPicture, true
	case flags&apart != 0:
		return OfPart, false
	case flags&footer != 0:
		return OfPage, true
	}
	return OfPage, false
}

// maxNotice is the longest block that is a notice, in bytes. Longer ones are texts about something.
const maxNotice = 1000

// isBadge reports whether link i has no text but a picture, as the badges of Creative Commons.
func isBadge(p *page.Page, i int) bool {
	n := &p.Nodes[i]
	if len(p.NodeText(i)) > 0 {
		return false
	}
	for k := i + 1; k < int(n.End); k++ {
		if p.Nodes[k].Tag == page.TagImg {
			return true
		}
	}
	return false
}

// isNear is how far before a licence the word for a picture is that it covers, in bytes.
const isNear = 120

// grants reports whether the block around node i grants a licence.
func grants(p *page.Page, i int) bool {
	text := around(p, i)
	return reLabel().Match(text) || reGrant().Match(text) && reSubject().Match(text)
}

// around returns the text of the smallest element with more text than the link i in it. It returns nil for a text that
// is too long for a notice.
func around(p *page.Page, i int) []byte {
	own := len(p.NodeText(i))
	for at := p.Nodes[i].Parent; at >= 0; at = p.Nodes[at].Parent {
		text := p.NodeText(int(at))
		if len(text) > maxNotice {
			return nil
		}
		if len(text) > own+5 {
			return text
		}
	}
	return nil
}

// before returns the text before link i in the element of around.
func before(p *page.Page, i int) string {
	text := string(around(p, i))
	head, _, found := strings.Cut(text, string(p.NodeText(i)))
	if !found {
		return ""
	}
	return head
}

// ofPicture reports whether words before a licence say that it covers pictures.
func ofPicture(before string) bool {
	before = before[max(0, len(before)-isNear):]
	return rePicture().MatchString(before) && !reContent().MatchString(before)
}

// mayHaveNotice finds words of which every notice has one, in one of the forms of the letters that are usual. That
// costs less than the expressions.
var mayHaveNotice = pattern.Words[[]byte](
	"reative", "REATIVE", "CC", "icen", "GNU", "ODbL", "GFDL", "eserved", "ESERVED", "orbehalten", "éserv", "eservados",
	"iservati", "oorbehouden", "astrzeżone", "защищены", "转载", "転載", "版权", "版權", "複製", "전재", "محفوظة",
)

// notices reads notices in the text: in a footer by their names alone, elsewhere in sentences that grant. A page that
// states its licence otherwise is not searched for others, and one that names many is about them.
func (c *collector) notices(p *page.Page) {
	if len(c.list) > 0 && c.list[0].Scope == OfPage {
		return
	}
	var found []schemas.License
	reserved := false
	for i := range p.Blocks {
		b := &p.Blocks[i]
		text := p.Text[b.Start:b.End]
		if len(text) > maxNotice || !mayHaveNotice(text) {
			continue
		}
		scope, sure := scopeOf(p, int(b.Node))
		reserved = reserved || scope == OfPage && mayReserve(text) && reReserved().Match(text)
		if scope == OfPart || !sure && b.Flags&(page.InNav|page.LikeNav) != 0 {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if l := notice(line, scope, sure); l.Name != "" && !slices.Contains(found, l) {
				found = append(found, l)
			}
		}
	}
	if len(found) <= maxNamed {
		for _, l := range found {
			c.add(l)
		}
	}
	if reserved && !slices.ContainsFunc(c.list, func(l schemas.License) bool { return l.Scope == OfPage }) {
		c.add(schemas.License{Name: Reserved, Scope: OfPage, Basis: byText})
	}
}

// maxNamed is the number of licences from which a page is about licences.
const maxNamed = 3

// notice returns the licence that a line of text grants, without a name if it grants none.
func notice(line, scope string, sure bool) schemas.License {
	l := schemas.License{Scope: scope, Basis: byText}
	line = plainSigns(line)
	name, at := find(line)
	if name == "" {
		return l
	}
	if scope == OfPage && ofPicture(line[:at]) {
		l.Scope, sure = OfPicture, true
	}
	if isSoftware(name) || rePortion().MatchString(line[:at]) {
		l.Scope = OfPart
	}
	// The sentence with the name, from the full stop before it.
	begin := strings.LastIndex(line[:at], ". ") + 1
	sentence := line[begin:min(len(line), at+150)]
	if sure || reLabel().MatchString(line[:min(at, 60)]) || reGrant().MatchString(sentence) &&
		reSubject().MatchString(line[begin:at]) {
		l.Name = name
	}
	return l
}

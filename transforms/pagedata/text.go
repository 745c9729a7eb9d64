package pagedata

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// longText gathers a text of maxValue bytes and one more, which shows that the text is longer.
type longText struct{ strings.Builder }

func (t *longText) add(s string) { t.WriteString(s[:min(len(s), maxValue+1-t.Len())]) }

func (t *longText) full() bool { return t.Len() > maxValue }

// texts writes the text in element i, without scripts and style sheets. Other elements are written by element. When
// the values of the page are full, no more text is read.
func (r *reader) texts(i int, element func(t *longText, k int)) string {
	if r.full {
		return ""
	}
	var t longText
	for k, end := i+1, int(r.p.Nodes[i].End); k < end && !t.full(); {
		n := &r.p.Nodes[k]
		switch n.Tag {
		case page.TagText:
			t.add(r.p.ContentTo(k, maxValue+1))
		case page.TagScript, page.TagStyle, page.TagTemplate, page.TagNoscript:
			k = int(n.End)
			continue
		default:
			element(&t, k)
		}
		k++
	}
	return t.String()
}

// attrTo is an attribute that is part of a text. Of one that is too long it reads only the first part.
func (r *reader) attrTo(i int, name string) (value string, ok bool) {
	raw, ok := r.p.RawAttr(i, name)
	if len(raw) > longAttr {
		return page.Unescape(string(raw[:longAttr])), ok
	}
	return r.p.Attr(i, name)
}

// longAttr is more than maxValue bytes take with a reference for each character.
const longAttr = 16 * maxValue

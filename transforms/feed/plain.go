package feed

import (
	"html"
	"slices"
	"strings"

	tokenizer "golang.org/x/net/html"
)

// marked are the HTML elements that mark up a title. A title may be about others: "Using <script> tags", "List<T> in
// C#".
var marked = names("a abbr acronym b bdi bdo big blockquote center cite code del dfn div em font h1 h2 h3 h4 h5 h6 i " +
	"ins kbd li mark nobr ol p pre q rb rp rt ruby s samp section small span strike strong sub sup time tt u ul var " +
	"table tbody td th tr header article figure figcaption picture svg")

// embedding are HTML elements that bring other content into a title. They are markup if they have the attribute for
// it, or follow one that had it.
var embedding = names("embed frame frameset iframe object param applet form input button meta link video audio " +
	"source base body html head main aside footer nav label select option textarea math canvas map area noscript")

// Elements that are empty and mark up a title; elements that may lack an end tag; and hidden elements. HTML's
// tokenizer reads the content of rawText as text.
var (
	void    = strings.Fields("br wbr img hr")
	endless = strings.Fields("p li td th tr div span font a")
	hidden  = strings.Fields("script style applet")
	rawText = strings.Fields("script style title textarea xmp iframe noembed noframes noscript plaintext")
)

// maxRestarts bounds the elements of raw text in a title, each of which costs a tokenizer.
const maxRestarts = 16

// plain is the text of HTML in a title, by HTML's tokenizer. Tags of elements that do not mark up a title are text.
func plain(s string) string {
	// Without a tag there are only references.
	if !strings.Contains(s, "<") {
		return html.UnescapeString(s)
	}
	t := titleText{s: s, lower: lowerASCII(s), ends: map[string]int{}}
	for range maxRestarts {
		if t.at >= len(s) || !t.untilRaw() {
			break
		}
	}
	return t.text.String()
}

type titleText struct {
	s, lower string
	at       int            // offset of the unread part of s
	ends     map[string]int // offset of an element's last end tag, -1 for none
	embeds   []string       // elements of embedding that were markup
	text     strings.Builder
}

// untilRaw writes the text up to a tag after which the tokenizer would read only text. It returns false at the end.
func (t *titleText) untilRaw() bool {
	for z := tokenizer.NewTokenizer(strings.NewReader(t.s[t.at:])); ; {
		kind := z.Next()
		raw := string(z.Raw())
		t.at = min(t.at+len(raw), len(t.s))
		switch kind {
		case tokenizer.ErrorToken:
			return false
		case tokenizer.TextToken:
			t.text.WriteString(html.UnescapeString(raw))
		case tokenizer.CommentToken:
			// CDATA is a comment in HTML, but readers see its text.
			if section, ok := strings.CutPrefix(raw, "<![CDATA["); ok {
				if section, ok = strings.CutSuffix(section, "]]>"); !ok {
					section = raw
				}
				t.text.WriteString(section)
			}
		case tokenizer.DoctypeToken: // a title about it
			t.text.WriteString(raw)
		case tokenizer.StartTagToken, tokenizer.EndTagToken, tokenizer.SelfClosingTagToken:
			name, attributes := z.TagName()
			tag := htmlTag{
				name: string(name), raw: raw, bare: !attributes || !strings.Contains(raw, "="), end: kind == tokenizer.EndTagToken,
			}
			if t.hides(&tag) {
				return true
			}
			switch {
			case tag.name == "br":
				t.text.WriteByte(' ')
			case t.isText(&tag):
				t.text.WriteString(raw)
			}
			if !tag.end && slices.Contains(rawText, tag.name) {
				return true
			}
		}
	}
}

type htmlTag struct {
	name, raw string
	bare, end bool // without values of attributes; an end tag
}

// hides skips a hidden element if tag is its start tag. A title about such an element has only its tags, or prose
// between them: "between <script> and </script>".
func (t *titleText) hides(tag *htmlTag) bool {
	if tag.end || !slices.Contains(hidden, tag.name) {
		return false
	}
	i := strings.Index(t.lower[t.at:], "</"+tag.name)
	if i < 0 {
		if !tag.bare { // cut within the script
			t.at = len(t.s)
		}
		return !tag.bare
	}
	if content := t.s[t.at:][:i]; tag.bare && strings.HasPrefix(content, " ") && strings.HasSuffix(content, " ") {
		return false
	}
	t.at += i
	if i = strings.IndexByte(t.s[t.at:], '>'); i < 0 {
		i = len(t.s) - t.at - 1
	}
	t.at += i + 1
	return true
}

// isText reports whether a tag is part of the text: its element does not mark up titles, or does not end.
func (t *titleText) isText(tag *htmlTag) bool {
	switch {
	case slices.Contains(void, tag.name):
		return tag.bare && tag.name == "img"
	case embedding[tag.name] && strings.Contains(tag.raw, "=") && len(t.embeds) < maxRestarts:
		t.embeds = append(t.embeds, tag.name)
		return false
	case !marked[tag.name]:
		return !tag.end || !slices.Contains(t.embeds, tag.name)
	case tag.end || !tag.bare || t.ended(tag.name):
		return false
	// Type parameters are capital letters right after a name: Set<A>.
	case len(tag.name) == 1 && tag.raw[1] < 'a':
		if before := t.text.String(); before != "" && isLetter(before[len(before)-1]) {
			return true
		}
	}
	// "Why <b> is not <strong>": nothing ends here.
	return !slices.Contains(endless, tag.name)
}

// ended reports whether an end tag of that name follows.
func (t *titleText) ended(name string) bool {
	last, ok := t.ends[name]
	if !ok {
		last = strings.LastIndex(t.lower, "</"+name)
		t.ends[name] = last
	}
	return last >= t.at
}

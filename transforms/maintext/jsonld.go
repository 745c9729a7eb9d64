package maintext

import (
	"encoding/json"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// articleBody returns the longest articleBody (schema.org/articleBody) in the page's blocks of JSON-LD, the first of
// them among equals, or "". A block that breaks off gives what stands before the break.
func articleBody(scripts []page.Script, limit int) string {
	var longest string
	for _, s := range scripts {
		if s.Type != "application/ld+json" || !strings.Contains(s.Text, "rticle") {
			continue
		}
		if body := bodyIn(s.Text); len(body) > len(longest) {
			longest = body
		}
	}
	return bodyText(longest, limit)
}

// bodyIn returns the longest string that is the value of a key articleBody in text.
func bodyIn(text string) string {
	var k keys
	var longest string
	d := json.NewDecoder(strings.NewReader(text))
	for {
		tok, err := d.Token()
		if err != nil { // io.EOF, or JSON that is none from here on
			return longest
		}
		key := k.next(tok)
		if s, ok := tok.(string); ok && strings.EqualFold(key, "articleBody") && len(s) > len(longest) {
			longest = s
		}
	}
}

// keys follows a stream of JSON tokens and tells which of them are values of which key.
type keys struct {
	objects []bool // of the open brackets, whether they are objects
	key     string // of the object on top, when its value comes next
	value   bool   // the next token is a value of key
}

// next takes the next token and returns the key whose value it is, or "".
func (k *keys) next(tok json.Token) string {
	key, value := k.key, k.value
	k.key, k.value = "", false
	switch tok {
	case json.Delim('{'), json.Delim('['):
		k.objects = append(k.objects, tok == json.Delim('{'))
		return ""
	case json.Delim('}'), json.Delim(']'):
		k.objects = k.objects[:len(k.objects)-1]
		return ""
	}
	if name, ok := tok.(string); ok && !value && len(k.objects) > 0 && k.objects[len(k.objects)-1] {
		k.key, k.value = name, true
		return ""
	}
	return key
}

// bodyText returns the text of an articleBody: some publishers write HTML into it.
func bodyText(body string, limit int) string {
	if strings.Contains(body, "</") || strings.Contains(body, "<br") {
		return render(page.Parse([]byte(body), page.Options{}).Root(), limit)
	}
	text := Plain([]byte(body)).Text
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "")
	}
	return text
}

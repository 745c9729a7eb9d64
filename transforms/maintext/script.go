package maintext

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// scarce is the number of bytes below which the text of the HTML gives way to a longer text in scripts. So short a
// text is a teaser or a notice to turn scripts on.
const scarce = 250

// fromScripts returns the text in a page's JSON, its Source, and whether it is whole. It is the longest
// schema.org/articleBody of the JSON-LD, or else all prose in the page's state. JSON-LD comes first, since its
// articleBody is meant to be the text.
func fromScripts(scripts []page.Script, limit int) (text, source string, whole bool) {
	for _, n := range jsonld.Nodes(scripts, jsonld.Options{}) {
		text = longestBody(text, map[string]any(n))
	}
	// Even a short one counts if the state has nothing longer.
	if text, whole = valueText(text, limit); len(text) >= scarce {
		return text, SourceJSONLD, whole
	}
	if state, fits := stateText(scripts, limit); len(state) > len(text) {
		return state, SourceJSON, fits
	}
	return text, SourceJSONLD, whole
}

// longestBody returns the longest articleBody in v, or text if that is longer. Index pages have a short one for each
// teaser. The reader has bounded the depth.
func longestBody(text string, v any) string {
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			text = longestBody(text, element)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if !strings.EqualFold(key, "articleBody") {
				text = longestBody(text, v[key])
				continue
			}
			body := v[key]
			if value, ok := body.(map[string]any); ok {
				body = value["@value"]
			}
			if s, _ := body.(string); len(s) > len(text) {
				text = s
			}
		}
	}
	return text
}

// stateText returns the prose in the page's application/json, each text once. State repeats a text for each view that
// shows it.
func stateText(scripts []page.Script, limit int) (text string, whole bool) {
	var b strings.Builder
	whole = true
	seen := map[string]bool{}
	for _, s := range scripts {
		if s.Type != "application/json" {
			continue
		}
		eachString(s.Text, func(value string) {
			// Whole strings only: a truncated text would look like a new one.
			if !isProse(value) || seen[value] {
				return
			}
			if b.Len()+len(value) > limit {
				whole = false
				return
			}
			seen[value] = true
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			prose, _ := valueText(value, limit) // markup is longer than its text
			b.WriteString(prose)
		})
	}
	return b.String(), whole
}

// isProse reports whether a string is written for people: sentences, or paragraphs of HTML. Identifiers, URLs, style
// sheets and code have few spaces or many signs. Letters of any script count.
func isProse(s string) bool {
	const shortest = 80 // bytes
	if len(s) < shortest || strings.HasPrefix(s, "{") || strings.HasPrefix(s, "http") {
		return false
	}
	// Paragraphs of HTML are prose in any language.
	if strings.Contains(s, "<p") && strings.Contains(s, "</p>") {
		return true
	}
	letters, spaces, marks, others := 0, 0, 0, 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.Is(unicode.Mn, r):
			letters++
		case unicode.IsSpace(r):
			spaces++
		case unicode.IsPunct(r) && r != '_' && r != '{' && r != '/' && r != '@':
			// Signs of code are not punctuation here.
			marks++
		default:
			others++
		}
	}
	// At least one space for fifteen letters.
	spaced := spaces*15 > letters || letters*2 < len(s) // text in characters of three bytes needs no spaces
	return spaced && marks > 0 && letters > 4*(marks+others)
}

// eachString calls yield for each string value of a JSON text. Of a truncated text it reads what precedes the break.
func eachString(text string, yield func(value string)) {
	var k keys
	d := json.NewDecoder(strings.NewReader(text))
	for {
		tok, err := d.Token()
		if err != nil { // io.EOF, or the text is not JSON from here on
			return
		}
		isKey := k.next(tok)
		if s, ok := tok.(string); ok && !isKey {
			yield(s)
		}
	}
}

// keys follows a stream of JSON tokens and tells keys from values, which encoding/json does not. It keeps a stack of
// brackets.
type keys struct {
	objects []bool // by open bracket: whether it is an object
	value   bool   // the next token is the value of a key
}

// next reports whether a token is a key.
func (k *keys) next(tok json.Token) bool {
	// Any token uses up the key before it.
	value := k.value
	k.value = false
	switch tok {
	case json.Delim('{'), json.Delim('['):
		k.objects = append(k.objects, tok == json.Delim('{'))
		return false
	case json.Delim('}'), json.Delim(']'):
		// The decoder only yields brackets that match.
		k.objects = k.objects[:len(k.objects)-1]
		return false
	}
	// A string in an object where no value is expected is a key.
	_, text := tok.(string)
	k.value = text && !value && len(k.objects) > 0 && k.objects[len(k.objects)-1]
	return k.value
}

// valueText returns the text of a JSON string, which may be HTML, in at most limit bytes of whole characters.
func valueText(value string, limit int) (text string, whole bool) {
	// Some systems escape the HTML once more.
	if strings.Contains(value, "&lt;/p&gt;") {
		value = page.Unescape(value)
	}
	// End tags or line breaks show HTML.
	if strings.Contains(value, "</") || strings.Contains(value, "<br") {
		p := page.Parse([]byte(value), page.Options{})
		value = strings.TrimSpace(string(p.Text))
	} else {
		value = Plain([]byte(page.Unescape(value))).Text
	}
	if len(value) > limit {
		return strings.ToValidUTF8(value[:limit], ""), false
	}
	return value, true
}

package maintext

import (
	"encoding/json"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// scarce is below how many bytes the text of the HTML is mistrusted when the page's scripts have a longer one: it is
// then a notice to turn scripts on, or a teaser.
const scarce = 250

// fromScripts returns the text in a page's blocks of JSON, and which Source it is: the longest articleBody
// (schema.org/articleBody) of the JSON-LD, or else all prose in the state of a page that scripts fill. JSON-LD is
// asked first: its articleBody is meant to be the text.
func fromScripts(scripts []page.Script, limit int) (text, source string) {
	for _, s := range scripts {
		// "rticle" is in articleBody, Article and NewsArticle, in either case; most blocks have none
		// of them.
		if s.Type != "application/ld+json" || !strings.Contains(s.Text, "rticle") {
			continue
		}
		eachString(s.Text, func(key, value string) {
			// The longest: index pages have a short one for each teaser.
			if strings.EqualFold(key, "articleBody") && len(value) > len(text) {
				text = value
			}
		})
	}
	// Even a short one counts if the state has nothing longer.
	if text = valueText(text, limit); len(text) >= scarce {
		return text, SourceJSONLD
	}
	if state := stateText(scripts, limit); len(state) > len(text) {
		return state, SourceJSON
	}
	return text, SourceJSONLD
}

// stateText returns the prose in the page's blocks of application/json, each once. State repeats a text for each view
// that shows it.
func stateText(scripts []page.Script, limit int) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, s := range scripts {
		if s.Type != "application/json" {
			continue
		}
		eachString(s.Text, func(_, value string) {
			// Whole strings only: a text cut in the middle would not be distinguished from others.
			if !isProse(value) || seen[value] || b.Len()+len(value) > limit {
				return
			}
			seen[value] = true
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(valueText(value, limit))
		})
	}
	return b.String()
}

// isProse reports whether a string is written for people: sentences, or paragraphs of HTML. Identifiers, addresses,
// style sheets and code have few spaces or many signs. Letters of any script count.
func isProse(s string) bool {
	const shortest = 80 // bytes
	if len(s) < shortest || strings.HasPrefix(s, "{") || strings.HasPrefix(s, "http") {
		return false
	}
	// HTML in a string: paragraphs of it are prose in any language.
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
	// One space for each fifteen letters at least.
	spaced := spaces*15 > letters || letters*2 < len(s) // characters of three bytes need no spaces
	return spaced && marks > 0 && letters > 4*(marks+others)
}

// eachString calls yield for each string of a JSON text that is a value, with the key it has in an object. A text that
// breaks off gives what precedes the break.
func eachString(text string, yield func(key, value string)) {
	var k keys
	d := json.NewDecoder(strings.NewReader(text))
	for {
		tok, err := d.Token()
		// Unexpected characters are the rest of JavaScript around the JSON.
		if err != nil { // io.EOF, or JSON that is none from here on
			return
		}
		key, isKey := k.next(tok)
		if s, ok := tok.(string); ok && !isKey {
			yield(key, s)
		}
	}
}

// keys follows a stream of JSON tokens and tells which of them are values of which key. encoding/json's tokens do not
// tell keys from values; a stack of brackets does.
type keys struct {
	objects []bool // of the open brackets, whether they are objects
	key     string // of the object on top, when its value comes next
	value   bool   // the next token is a value of key
}

// next takes the next token and returns the key whose value it is, or "", and whether it is a key itself.
func (k *keys) next(tok json.Token) (key string, isKey bool) {
	// The key is used up by any token that follows it.
	key, value := k.key, k.value
	k.key, k.value = "", false
	switch tok {
	case json.Delim('{'), json.Delim('['):
		k.objects = append(k.objects, tok == json.Delim('{'))
		return "", false
	case json.Delim('}'), json.Delim(']'):
		// The decoder only yields brackets that match.
		k.objects = k.objects[:len(k.objects)-1]
		return "", false
	}
	// A string in an object where no value is expected is a key.
	if name, ok := tok.(string); ok && !value && len(k.objects) > 0 && k.objects[len(k.objects)-1] {
		k.key, k.value = name, true
		return "", true
	}
	return key, false
}

// valueText returns the text of a string in JSON: some publishers write HTML into it. The result is bounded, and
// whole characters.
func valueText(value string, limit int) string {
	// Tags that end, or line breaks: HTML.
	if strings.Contains(value, "</") || strings.Contains(value, "<br") {
		p := page.Parse([]byte(value), page.Options{})
		value = strings.TrimSpace(string(p.Text))
	} else {
		value = Plain([]byte(value)).Text
	}
	if len(value) > limit {
		value = strings.ToValidUTF8(value[:limit], "")
	}
	return value
}

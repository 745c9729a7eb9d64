package mimetype

import (
	"bytes"
	"strings"
)

// textOf returns the type of a text that is neither XML nor HTML at its beginning; t is what signatures say. Each
// step needs more signs than the next: JSON's grammar, several fields, a firm beginning; then what hides after
// something else; then guesses.
func textOf(head []byte, t string, h hints) Result {
	// JSON first: its text may hold anything in strings.
	if r, ok := jsonOf(head, t); ok {
		return h.choose(familyJSON, r)
	}
	// Fields of mail look like YAML and like INI files, so there must be several.
	if isMessage(head) {
		return Result{Type: messageType(head), Basis: basisStructure}
	}
	if firm := firmText(head, t); firm != "" {
		return Result{Type: firm, Basis: basisMagic}
	}
	// Feeds and pages after a warning of the server.
	if r, ok := feedBehind(head, h); ok {
		return r
	}
	if hidesHTML(head, h) {
		return Result{Type: typeHTML, Basis: basisStructure}
	}
	// JSON by its declaration only, where its beginning was not evidence.
	if familyOfType(h.declared) == familyJSON && beginsJSON(head) {
		return Result{Type: h.declared, Basis: basisDeclared}
	}
	if IsHTML(t) { // by a comment at the beginning, for instance, which scripts have too
		return h.chooseText(Result{Type: typeHTML, Basis: basisStructure})
	}
	// A guess counts where the hints leave it open.
	if r, ok := guessText(head); ok && !h.otherText() && h.declared != typeHTML {
		return r
	}
	return h.chooseText(Result{Type: typeText, Basis: basisMagic})
}

// firstLine is b up to its first line end, or all of it.
func firstLine(b []byte) []byte {
	if before, _, ok := bytes.Cut(b, []byte{'\n'}); ok {
		return before
	}
	return b
}

// hidesHTML reports whether a text that begins otherwise, with a server's warning for instance, is a page of HTML.
// Scripts and prose that mention tags are not: they are declared or named as what they are, or lack one of the tags. 4
// KiB, since warnings are short, and tags further down are in the middle of something else.
func hidesHTML(head []byte, h hints) bool {
	if h.otherText() {
		return false
	}
	const enough = 4 << 10
	lower := bytes.ToLower(head[:min(len(head), enough)])
	// The document type alone is enough; nobody writes it by accident.
	if bytes.Contains(lower, []byte("<!doctype html")) {
		return true
	}
	// <html> may be mentioned; with <head> or <body> near it, it is meant.
	return bytes.Contains(lower, []byte("<html")) &&
		(bytes.Contains(lower, []byte("<head")) || bytes.Contains(lower, []byte("<body")))
}

// feedBehind returns the kind of feed that a text holds after something else: a server's warning, or a blank that is
// not white space.
func feedBehind(head []byte, h hints) (Result, bool) {
	const enough = 4 << 10
	begin := head[:min(len(head), enough)]
	// The first mark that leads to a feed; "<?xml" stands first, as it begins most.
	for _, mark := range []string{"<?xml", "<rss", "<feed", "<rdf:RDF"} {
		at := bytes.Index(begin, []byte(mark))
		if at < 0 || h.otherText() {
			continue
		}
		if r, ok := markupOf(head[at:], h); ok && r.Kind != "" {
			return r, true
		}
	}
	return Result{}, false
}

// injected are the elements that proxies, hosts and content management systems put before a feed, and those of PHP's
// warnings; of those in opaque the content is passed over.
var (
	injected = words("br b p i a pre font div strong span center small hr img meta link base input em u " +
		"table tr td th tbody")
	opaque = words("script style noscript iframe template title object textarea html head body")
)

// words is a set of words.
func words(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// maxInjected bounds the tags before a feed.
const maxInjected = 200

// feedBehindMarkup returns the kind of feed before which nothing stands but markup that was injected, and text. It goes
// over head once.
func feedBehindMarkup(head []byte) (Result, bool) {
	for range maxInjected {
		i := bytes.IndexByte(head, '<')
		if i < 0 || i+1 >= len(head) {
			break
		}
		head = head[i:]
		switch {
		case bytes.HasPrefix(head, []byte("<!--")):
			head = head[past(head, "-->"):]
			continue
		case bytes.HasPrefix(head, []byte("<?xml")):
			r, _ := rootOf(head)
			return r.feed(strings.ToLower(r.local()))
		case head[1] == '!' || head[1] == '?' || head[1] == '/':
			head = head[past(head, ">"):]
			continue
		}
		r := root{head: head}
		r.element(head[1:])
		switch name := strings.ToLower(r.name); {
		case opaque[name]:
			end := indexFold(head, "</"+name)
			if end < 0 {
				return Result{}, false
			}
			head = head[end:]
		case injected[name]:
			head = head[tagEnd(head):]
		default:
			kind, ok := r.feed(strings.ToLower(r.local()))
			return kind, ok
		}
	}
	return Result{}, false
}

// indexFold is where s, in lower case, stands in b, in any case; -1 where it does not. Places in what bytes.ToLower
// makes are others: bytes that are not UTF-8 take three each there.
func indexFold(b []byte, s string) int {
	for at := 0; ; at++ {
		// The first byte is "<", which has no other case.
		i := bytes.IndexByte(b[at:], s[0])
		if i < 0 {
			return -1
		}
		if at += i; hasFoldPrefix(b[at:], s) {
			return at
		}
	}
}

// otherText reports whether the hints name a text that is not HTML. A declaration counts before the name: it is what
// the server knows of the body.
func (h hints) otherText() bool {
	if h.declared != "" && !generic[h.declared] {
		return !IsHTML(h.declared) && familyOfType(h.declared) == familyText
	}
	return h.named != "" && !IsHTML(h.named) && familyOfType(h.named) == familyText
}

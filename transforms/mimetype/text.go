package mimetype

import (
	"bytes"
	"strings"
)

// textOf returns the type of a text that does not begin with XML or HTML. Parameter t is the type by signatures. Each
// step needs stronger signs than the next: JSON's grammar, several fields, a firm beginning, then feeds and pages
// after other text, then guesses.
func textOf(head []byte, t string, h hints) Result {
	// JSON comes first, since its strings may hold anything.
	if r, ok := jsonOf(head, t); ok {
		return h.choose(familyJSON, r)
	}
	// Fields of mail look like YAML and INI files, so several are required.
	if isMessage(head) {
		return Result{Type: messageType(head), Basis: basisStructure}
	}
	if firm := firmText(head, t); firm != "" {
		return Result{Type: firm, Basis: basisMagic}
	}
	// Feeds and pages may come after a server's warning.
	if r, ok := feedAfter(head, h); ok {
		return r
	}
	if hidesHTML(head, h) {
		return Result{Type: typeHTML, Basis: basisStructure}
	}
	// This is JSON by declaration only, if its beginning was not evidence.
	if familyOfType(h.declared) == familyJSON && beginsJSON(head) {
		return Result{Type: h.declared, Basis: basisDeclared}
	}
	if IsHTML(t) { // for example by a comment at the beginning, which scripts have too
		return h.chooseText(Result{Type: typeHTML, Basis: basisStructure})
	}
	// A guess counts if the hints say nothing.
	if r, ok := guessText(head); ok && !h.otherText() && h.declared != typeHTML {
		return r
	}
	return h.chooseText(Result{Type: typeText, Basis: basisMagic})
}

// firstLine returns b up to its first line end, or all of it.
func firstLine(b []byte) []byte {
	if before, _, ok := bytes.Cut(b, []byte{'\n'}); ok {
		return before
	}
	return b
}

// hidesHTML reports whether a text with another beginning, such as a server's warning, is a page of HTML. Scripts and
// prose that mention tags are not: they have another declaration or name, or lack one of the tags. It reads 4 KiB,
// since warnings are short, and later tags are in the middle of something else.
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
	// <html> may be only mentioned; with <head> or <body> in addition, it is a page.
	return bytes.Contains(lower, []byte("<html")) &&
		(bytes.Contains(lower, []byte("<head")) || bytes.Contains(lower, []byte("<body")))
}

// feedAfter returns the kind of a feed after other text: a server's warning, or an unusual blank.
func feedAfter(head []byte, h hints) (Result, bool) {
	const enough = 4 << 10
	begin := head[:min(len(head), enough)]
	// The first mark that leads to a feed counts. "<?xml" comes first, since most feeds begin with it.
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

// injected are the elements that proxies, hosts and content management systems insert before a feed, and those of
// PHP's warnings. For those in opaque, the content is skipped.
var (
	injected = words("br b p i a pre font div strong span center small hr img meta link base input em u " +
		"table tr td th tbody")
	opaque = words("script style noscript iframe template title object textarea html head body")
)

// words returns a set of words.
func words(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// maxInjected bounds the tags before a feed.
const maxInjected = 200

// feedAfterMarkup returns the kind of a feed with only inserted markup and text before it. It reads head once.
func feedAfterMarkup(head []byte) (Result, bool) {
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

// indexFold returns the index of s, in lower case, in b, ignoring case, or -1. Indexes in a result of bytes.ToLower
// would differ, since invalid bytes take three there.
func indexFold(b []byte, s string) int {
	for at := 0; ; at++ {
		// The first byte is "<", which has no case.
		i := bytes.IndexByte(b[at:], s[0])
		if i < 0 {
			return -1
		}
		if at += i; hasFoldPrefix(b[at:], s) {
			return at
		}
	}
}

// otherText reports whether the hints name a text that is not HTML. A declaration wins over the name: it is the
// server's knowledge of the body.
func (h hints) otherText() bool {
	if h.declared != "" && !generic[h.declared] {
		return !IsHTML(h.declared) && familyOfType(h.declared) == familyText
	}
	return h.named != "" && !IsHTML(h.named) && familyOfType(h.named) == familyText
}

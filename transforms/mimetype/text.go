package mimetype

import (
	"bytes"
)

// textOf returns the type of a text that is neither XML nor HTML at its beginning; t is what signatures say. Each
// step needs more signs than the next: JSON's grammar, several fields, a firm beginning; then what hides behind
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
	// Feeds and pages behind a warning of the server.
	if r, ok := feedBehind(head, h); ok {
		return r
	}
	if hidesHTML(head, h) {
		return Result{Type: typeHTML, Basis: basisStructure}
	}
	// JSON by its declaration only, where its beginning was no evidence.
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

// hidesHTML says whether a text that begins otherwise, with a server's warning for instance, is a page of HTML. Scripts
// and prose that mention tags are not: they are declared or named as what they are, or lack one of the tags. 4 KiB,
// since warnings are short, and tags further down are in the middle of something else.
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

// feedBehind returns the kind of feed that a text holds behind something else: a server's warning, or a blank that is
// no white space.
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

// otherText says whether the hints name a text that is not HTML. A declaration counts before the name: it is what the
// server knows of the body.
func (h hints) otherText() bool {
	if h.declared != "" && !generic[h.declared] {
		return !IsHTML(h.declared) && familyOfType(h.declared) == familyText
	}
	return h.named != "" && !IsHTML(h.named) && familyOfType(h.named) == familyText
}

package mimetype

import (
	"bytes"
	"strings"
)

// Base returns the media type of a Content-Type value in lower case, without parameters, quotes and what else servers
// add; of several types in one value the first. It returns "" where there is none. Values are as servers sent them:
// "text/html; charset=x", "text/html, text/html", quoted, or nonsense.
func Base(contentType string) string {
	// The longest registered types have some 80 characters.
	const longest = 256
	s := strings.TrimLeft(contentType[:min(len(contentType), longest)], " \t\r\n\"'")
	// The type ends at the first character that none can have: ";", ",", white space.
	if end := strings.IndexFunc(s, endsType); end >= 0 {
		s = s[:end]
	}
	s = strings.ToLower(s)
	top, sub, found := strings.Cut(s, "/")
	// Exactly one slash, and something on both sides.
	if !found || top == "" || sub == "" || strings.Contains(sub, "/") {
		return ""
	}
	return s
}

// endsType says whether r cannot be in a media type: all but the token characters of RFC 9110, section 5.6.2, and
// "/". It saves a regular expression for what is asked for every record.
func endsType(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	}
	return !strings.ContainsRune("/!#$%&*+-.^_`|~", r)
}

// IsHTML says whether t, a type as Detect returns it, is HTML in either syntax.
func IsHTML(t string) bool { return t == typeHTML || t == typeXHTML }

// IsXML says whether t is XML: by its name, or by the table of types. A type without a name is none: "" is not XML.
func IsXML(t string) bool {
	return t == typeXML || t == "text/xml" || strings.HasSuffix(t, "+xml") || t != "" && familyOfType(t) == familyXML
}

// IsText says whether bodies of type t are text: text/*, messages, XML, JSON and scripts.
func IsText(t string) bool {
	switch familyOfType(t) {
	case familyText, familyXML, familyJSON:
		return true
	}
	return false
}

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

// messageFields are header fields that begin messages of mail and news, beside those that begin with "X-". Any three
// of them make a message; a file of configuration has one or two at most.
var messageFields = map[string]bool{
	"return-path": true, "received": true, "message-id": true, "mime-version": true, "delivered-to": true, "path": true,
	"newsgroups": true, "from": true, "date": true, "subject": true, "to": true, "reply-to": true, "content-type": true,
	"xref": true, "sender": true, "relay-version": true,
}

// isMessage says whether head begins with the fields of a message: at least three of them on the first lines, or the
// line that begins a mailbox.
func isMessage(head []byte) bool {
	// The separator of mailboxes: "From ada@example.org Mon Jan …", which has the colons of a time.
	if bytes.HasPrefix(head, []byte("From ")) && bytes.Contains(firstLine(head), []byte(":")) {
		return true
	}
	// Headers of news and mail with long routes have some dozens of lines.
	const lines = 40
	known := 0
	rest := emlxBody(head)
	for range lines {
		line := firstLine(rest)
		// An empty line ends the fields; a line without an end is cut, and not judged.
		if len(bytes.TrimRight(line, "\r")) == 0 || len(rest) == len(line) {
			break
		}
		if isField(line) {
			known++
			// A line that is neither a field nor goes on with one: this is prose.
		} else if line[0] != ' ' && line[0] != '\t' && !bytes.Contains(line, []byte(":")) {
			return false
		}
		rest = rest[len(line)+1:]
	}
	return known >= 3
}

// emlxBody returns what follows the line with a length that Apple's Mail writes before a message. The line is a
// number alone; 11 digits are more than any message has bytes.
func emlxBody(head []byte) []byte {
	line := firstLine(head)
	if n := len(bytes.TrimRight(line, " \r")); n > 0 && n < 12 && len(bytes.Trim(line, "0123456789 \r")) == 0 &&
		len(line) < len(head) {
		return head[len(line)+1:]
	}
	return head
}

// isField says whether line begins with a field that messages have.
func isField(line []byte) bool {
	// Only the beginning of a line is needed: names are shorter.
	const longest = 24
	name, _, found := bytes.Cut(line[:min(len(line), longest)], []byte(":"))
	return hasFoldPrefix(line, "x-") || found && messageFields[string(bytes.ToLower(name))]
}

// messageType tells kinds of messages apart. Mailboxes and Mail's files are containers of messages, so they go first;
// news has fields that mail has not.
func messageType(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("From ")):
		return "application/mbox"
	case len(emlxBody(head)) < len(head):
		return "message/x-emlx"
	case bytes.HasPrefix(head, []byte("Path:")), bytes.HasPrefix(head, []byte("Newsgroups:")),
		bytes.HasPrefix(head, []byte("Xref:")),
		bytes.HasPrefix(head, []byte("Relay-Version:")):
		return "message/news"
	case isArchivedPage(head):
		return "multipart/related"
	}
	return "message/rfc822"
}

// isArchivedPage says whether a message is a page that a browser saved with all its parts (MHTML, RFC 2557): of related
// parts, and neither received nor addressed to anybody. Browsers save a page as a message that nobody sent.
func isArchivedPage(head []byte) bool {
	const longest = 4 << 10
	fields := head[:min(len(head), longest)]
	// The fields end with an empty line, in either form of line ends.
	for _, blank := range []string{"\n\n", "\n\r\n"} {
		fields, _, _ = bytes.Cut(fields, []byte(blank))
	}
	fields = bytes.ToLower(fields)
	return bytes.Contains(fields, []byte("multipart/related")) && !bytes.Contains(fields, []byte("received:")) &&
		!bytes.Contains(fields, []byte("\nto:"))
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

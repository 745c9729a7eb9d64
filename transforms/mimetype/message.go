package mimetype

import (
	"bytes"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// messageFields are header fields at the beginning of messages of mail and news. Any three of them make a message; a
// configuration file has one or two at most. Fields that begin with "X-" count too, beside one of these.
var messageFields = map[string]bool{
	"return-path": true, "received": true, "message-id": true, "mime-version": true, "delivered-to": true, "path": true,
	"newsgroups": true, "from": true, "date": true, "subject": true, "to": true, "reply-to": true, "content-type": true,
	"xref": true, "sender": true, "relay-version": true,
}

// isMessage reports whether head begins with the fields of a message. It needs at least three on the first lines, or
// the line that begins a mailbox.
func isMessage(head []byte) bool {
	if IsMailbox(head) {
		return true
	}
	// Headers of news and mail with long routes have some dozens of lines.
	const lines = 40
	known, named := 0, false
	rest := emlxBody(bytes.TrimLeft(head, "\r\n"))
	for range lines {
		line := firstLine(rest)
		// An empty line ends the fields. A line without an end is incomplete, and ignored.
		if len(bytes.TrimRight(line, "\r")) == 0 || len(rest) == len(line) {
			break
		}
		if isField(line) {
			known++
			named = named || !hasFoldPrefix(line, "x-")
			// A saved page has only a version and a boundary, so its multipart type counts twice.
			if hasFoldPrefix(line, "content-type:") && bytes.Contains(bytes.ToLower(line), []byte("multipart/")) {
				known++
			}
			// A line that is neither a field nor a continuation means prose.
		} else if line[0] != ' ' && line[0] != '\t' && !bytes.Contains(line, []byte(":")) {
			return false
		}
		rest = rest[len(line)+1:]
	}
	return known >= 3 && named
}

// IsMailbox reports whether b begins with the line before each message of a mailbox (appendix A of RFC 4155), and a
// field after it. The line is "From ada@example.org Mon Jan  5 10:00:00 2004"; archives of lists write the address as
// "ada at example.org". Prose begins with "From" too, but has no such date.
func IsMailbox(b []byte) bool { return bytes.HasPrefix(b, []byte("From ")) && mailbox().Match(b) }

var mailbox = pattern.Lazy(`^From [^\n]*[A-Z][a-z]{2},? [A-Z][a-z]{2} +\d{1,2} \d{1,2}:\d\d[^\n]*\n` +
	`(?:>From [^\n]*\n)*[A-Za-z][!-9;-~]*:`)

// emlxBody returns the rest of head after the line with a length that Apple's Mail writes before a message. That line
// is a single number. A message never needs more than 11 digits.
func emlxBody(head []byte) []byte {
	line := firstLine(head)
	if n := len(bytes.TrimRight(line, " \r")); n > 0 && n < 12 && len(bytes.Trim(line, "0123456789 \r")) == 0 &&
		len(line) < len(head) {
		return head[len(line)+1:]
	}
	return head
}

// isField reports whether line begins with a field of messages.
func isField(line []byte) bool {
	// Only the beginning of a line is needed: names are shorter.
	const longest = 80
	name, _, found := bytes.Cut(line[:min(len(line), longest)], []byte(":"))
	return found && (hasFoldPrefix(name, "x-") && !bytes.ContainsAny(name, " \t") ||
		messageFields[string(bytes.ToLower(name))])
}

// messageType distinguishes kinds of messages. Mailboxes and Mail's files are containers of messages, so they come
// first. News has fields that mail does not have.
func messageType(head []byte) string {
	switch {
	case IsMailbox(head):
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

// isArchivedPage reports whether a message is a page saved by a browser with all its parts (MHTML, RFC 2557). Such a
// message has related parts, and was neither received nor addressed to anybody.
func isArchivedPage(head []byte) bool {
	const longest = 4 << 10
	fields := bytes.TrimLeft(head[:min(len(head), longest)], "\r\n")
	// The fields end with an empty line, in either form of line ends.
	for _, blank := range []string{"\n\n", "\n\r\n"} {
		fields, _, _ = bytes.Cut(fields, []byte(blank))
	}
	fields = bytes.ToLower(fields)
	return bytes.Contains(fields, []byte("multipart/related")) && !bytes.Contains(fields, []byte("received:")) &&
		!bytes.Contains(fields, []byte("\nto:"))
}

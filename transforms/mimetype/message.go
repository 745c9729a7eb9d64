package mimetype

import (
	"bytes"
)

// messageFields are header fields that begin messages of mail and news, beside those that begin with "X-". Any three
// of them make a message; a file of configuration has one or two at most.
var messageFields = map[string]bool{
	"return-path": true, "received": true, "message-id": true, "mime-version": true, "delivered-to": true, "path": true,
	"newsgroups": true, "from": true, "date": true, "subject": true, "to": true, "reply-to": true, "content-type": true,
	"xref": true, "sender": true, "relay-version": true,
}

// isMessage reports whether head begins with the fields of a message: at least three of them on the first lines, or the
// line that begins a mailbox.
func isMessage(head []byte) bool {
	// The separator of mailboxes: "From ada@example.org Mon Jan …", which has the colons of a time.
	if bytes.HasPrefix(head, []byte("From ")) && bytes.Contains(firstLine(head), []byte(":")) {
		return true
	}
	// Headers of news and mail with long routes have some dozens of lines.
	const lines = 40
	known := 0
	rest := emlxBody(bytes.TrimLeft(head, "\r\n"))
	for range lines {
		line := firstLine(rest)
		// An empty line ends the fields; a line without an end is cut, and not judged.
		if len(bytes.TrimRight(line, "\r")) == 0 || len(rest) == len(line) {
			break
		}
		if isField(line) {
			known++
			// Parts need a version and a boundary; the other fields are not asked of a page that was saved.
			if hasFoldPrefix(line, "content-type:") && bytes.Contains(bytes.ToLower(line), []byte("multipart/")) {
				known++
			}
			// A line that is neither a field nor continues with one: this is prose.
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

// isField reports whether line begins with a field that messages have.
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

// isArchivedPage reports whether a message is a page that a browser saved with all its parts (MHTML, RFC 2557): of
// related parts, and neither received nor addressed to anybody. Browsers save a page as a message that nobody sent.
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

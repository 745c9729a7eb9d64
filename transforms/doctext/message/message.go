// Package message reads messages of mail and news (EML). It also finds the page in MHTML files (RFC 2557), the
// messages in which browsers and Word save pages.
//
//	if page, contentType, location := message.Page(body); page != nil {
//		// read a page
//	}
//
// Reading is lenient: broken fields are skipped, and a truncated message yields the part that is there. Attachments
// are not read.
package message

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"net/mail"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// ErrFormat is returned for input without any field of a message.
var ErrFormat = errors.New("message: no message")

// Page returns the page in an MHTML file, decoded, with its Content-Type and Content-Location. Result html is nil if
// there is no page. The page is the part that the message names as its start, or else the first HTML part. If that
// part is only a frame for Excel's sheets, the longest page is taken.
func Page(body []byte) (html []byte, contentType, location string) {
	r := parser{left: maxParts}
	var pages []*part
	start := ""
	r.parse(body, 0).walk(func(p *part) {
		// The first start parameter is that of the outermost part.
		if id := p.params["start"]; start == "" {
			start = id
		}
		if p.media == "text/html" || p.media == "application/xhtml+xml" {
			pages = append(pages, p)
		}
	})
	if len(pages) == 0 {
		return nil, "", ""
	}
	best := pages[0]
	for _, p := range pages {
		if start != "" && p.fields["content-id"] == start {
			best = p
		}
	}
	html = best.decode()
	if bytes.Contains(bytes.ToLower(html), []byte("<frameset")) {
		for _, p := range pages {
			if len(p.body) > len(best.body) || best == pages[0] {
				best = p
			}
		}
		html = best.decode()
	}
	return html, best.fields["content-type"], best.fields["content-location"]
}

// walk calls visit with the part and all parts in it, in order.
func (p *part) walk(visit func(*part)) {
	visit(p)
	for _, child := range p.parts {
		child.walk(visit)
	}
}

// Read returns the text of a message, with its subject as title, its sender as author, and its date. In a mailbox
// these are of the first message, and the subjects of the others precede their texts.
func Read(body []byte, o doctext.Options) (*doctext.Document, error) {
	o = o.WithDefaults()
	r := parser{left: maxParts}
	first, rest := nextMessage(body)
	p := r.parse(withoutLength(first), 0)
	if len(p.fields) == 0 {
		return nil, ErrFormat
	}
	d := &doctext.Document{Title: p.field("subject"), Language: p.field("content-language")}
	// Mail programs write one of these two fields.
	if d.Generator = p.field("x-mailer"); d.Generator == "" {
		d.Generator = p.field("user-agent")
	}
	d.Authors = sender(p.field("from"))
	d.Created = date(p.fields["date"])
	w := writer{o: o, doc: d, mailbox: bytes.HasPrefix(body, []byte("From "))}
	w.add(p, 0)
	for len(rest) > 0 && r.left >= 0 {
		r.left--
		first, rest = nextMessage(rest)
		p = r.parse(withoutLength(first), 0)
		w.paragraph(p.field("subject"))
		w.add(p, 0)
	}
	d.Text = w.text.String()
	if d.Text == "" && w.unread != "" {
		kind := doctext.KindUnsupported
		if w.locked {
			kind = doctext.KindEncrypted
		}
		d.Add(kind, "the message has no text but "+w.unread)
	}
	if r.left < 0 {
		d.Add(doctext.KindLimit, "the message has more parts than are read")
	}
	return d, nil
}

// nextMessage divides a mailbox after its first message. Other input is one message.
func nextMessage(b []byte) (first, rest []byte) {
	if !mimetype.IsMailbox(b) {
		return b, nil
	}
	for at := 0; ; {
		n := bytes.Index(b[at:], []byte("\nFrom "))
		if n < 0 {
			break
		}
		if at += n + 1; mimetype.IsMailbox(b[at:]) {
			return b[:at], b[at:]
		}
	}
	return b, nil
}

// withoutLength removes the first line if Apple's Mail wrote the message's length there, or if it is the "From " line
// of a mailbox.
func withoutLength(b []byte) []byte {
	line, rest, _ := bytes.Cut(b, []byte("\n"))
	// A line of at most 11 digits is a length in bytes.
	if n := len(bytes.TrimSpace(line)); n > 0 && n < 12 && len(bytes.Trim(line, "0123456789 \r")) == 0 ||
		bytes.HasPrefix(line, []byte("From ")) {
		return rest
	}
	return b
}

// sender returns the names of the senders, or the address of a sender without a name.
func sender(from string) []string {
	if from == "" {
		return nil
	}
	list, err := mail.ParseAddressList(from)
	if err != nil {
		// The field breaks the standard, but there is often a name before the address.
		name, _, _ := strings.Cut(from, "<")
		if name = strings.Trim(name, ` "'`); name == "" {
			return nil
		}
		return []string{name}
	}
	var names []string
	for _, a := range list {
		if a.Name != "" {
			names = append(names, a.Name)
		} else {
			names = append(names, a.Address)
		}
	}
	return names
}

// writer collects the text of a message.
type writer struct {
	o    doctext.Options
	doc  *doctext.Document
	text strings.Builder

	mailbox bool // lines that begin with From are marked

	unread string // the media type of the first part that is not read
	locked bool   // which is encrypted
}

// add adds the text of a part. Of alternatives it takes the first that has text. That is usually the plain one, which
// has the same text as the others.
func (w *writer) add(p *part, depth int) {
	switch {
	case depth > maxDepth, depth > 0 && strings.HasPrefix(strings.ToLower(p.fields["content-disposition"]), "attachment"):
		w.skip(p)
	case p.media == "multipart/alternative":
		// Plain text comes first: alternatives are ordered from the plainest to the richest (RFC 2046, section 5.1.4).
		// Unknown texts are the last choice: HTML without its tags is better.
		for _, unknown := range []bool{false, true} {
			for _, child := range p.parts {
				before := w.text.Len()
				if isUnknownText(child.media) != unknown {
					continue
				}
				if w.add(child, depth+1); w.text.Len() > before {
					return
				}
			}
		}
	case len(p.parts) > 0:
		for _, child := range p.parts {
			w.add(child, depth+1)
		}
	case p.media == "message/rfc822":
		// An inner message has a bound of its own, and a lower one.
		r := parser{left: maxParts / 10}
		inner := r.parse(p.decode(), depth+1)
		w.paragraph(inner.field("subject"))
		w.add(inner, depth+1)
	case isHTML(p.media):
		w.html(decodeText(p.decode(), p.fields["content-type"]))
	case p.media == "text/plain" || p.media == "" || p.media == "text" || isUnknownText(p.media):
		w.paragraph(plain(string(decodeText(p.decode(), p.fields["content-type"])), p.params, w.mailbox))
	default:
		w.skip(p)
	}
}

// skip notes a part that is not read.
func (w *writer) skip(p *part) {
	if w.unread != "" {
		return
	}
	w.unread = cmp.Or(p.media, "text/plain")
	switch p.media {
	case "application/pgp-encrypted":
		w.locked = true
	case "application/pkcs7-mime", "application/x-pkcs7-mime":
		// RFC 8551, section 3.2.2: signed data are the other kind.
		kind := strings.ToLower(p.params["smime-type"])
		w.locked = kind == "" || strings.HasSuffix(kind, "enveloped-data")
	}
}

// isHTML includes the forms for watches and of AMP ("text/x-amp-html").
func isHTML(media string) bool {
	return strings.HasPrefix(media, "text/") && strings.HasSuffix(media, "html") || media == "application/xhtml+xml"
}

// isUnknownText reports whether a part is read as plain text although it has another type (section 4.1.4 of RFC 2046).
// Data for programs are not.
func isUnknownText(media string) bool {
	switch media {
	case "text/plain", "text/calendar", "text/x-vcalendar", "text/vcard", "text/x-vcard", "text/directory", "text/css",
		"text/javascript":
		return false
	}
	return strings.HasPrefix(media, "text/") && !isHTML(media)
}

// html adds the visible text of a page.
func (w *writer) html(src []byte) {
	p := page.Parse(src, page.Options{MaxDepth: w.o.MaxDepth})
	var text strings.Builder
	for _, b := range p.Blocks {
		text.Write(p.Text[b.Start:b.End])
		text.WriteByte('\n')
	}
	w.paragraph(text.String())
}

// paragraph adds text as a paragraph of its own.
func (w *writer) paragraph(text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	if w.text.Len() > 0 {
		text = "\n\n" + text
	}
	if room := max(0, w.o.MaxText-w.text.Len()); len(text) > room {
		w.doc.Add(doctext.KindLimit, "the text is longer than what is read")
		// The bound may fall inside a character.
		text = strings.ToValidUTF8(text[:room], "")
	}
	w.text.WriteString(text)
}

// charsetReader decodes an encoded word.
func charsetReader(name string, in io.Reader) (io.Reader, error) {
	b, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	text, _, err := charset.Decode(b, name)
	if err != nil {
		return nil, err
	}
	return bytes.NewReader(text), nil
}

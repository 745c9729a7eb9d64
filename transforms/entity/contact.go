package entity

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// maxRecipients bounds a link's recipients. Most links name one or two; a longer list is a whole address book.
const maxRecipients = 50

// addAnchors adds the mail addresses and numbers of links.
func addAnchors(c *collector, anchors []page.Anchor, p *phones) {
	for i := range anchors {
		a := &anchors[i]
		if !mayContact(a.Href) {
			continue
		}
		for _, address := range linkedAddresses(a.Href) {
			// A link states its type, so there is hardly any doubt.
			c.add(schemas.Entity{
				Type: typeEmail, Text: address, Source: sourceLink, ID: emailID(address), Confidence: 0.99,
			})
		}
		for _, number := range linkedNumbers(a.Href) {
			if id := p.checkLinked(number); id != "" {
				c.add(schemas.Entity{Type: typePhone, Text: number, Source: sourceLink, ID: id, Confidence: 0.99})
			}
		}
	}
}

// mayContact reports whether a URL may have mail addresses or numbers. Nearly all are of the web, and have none.
func mayContact(href string) bool {
	rest, ok := strings.CutPrefix(href, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(href, "http://"); !ok {
			return true
		}
	}
	if strings.IndexByte(rest, '#') >= 0 {
		return true // Cloudflare's
	}
	host, _, ok := strings.Cut(rest, "/")
	if !ok || host == "" || strings.IndexByte(host, '?') >= 0 {
		return true
	}
	switch host[len(host)-1] | 0x20 {
	case 'e', 'm', 'd': // the last letters of WhatsApp's hosts
		return mayBeWhatsApp(host)
	}
	return false
}

// checkLinked is check for the number of a link, which may dial abroad by 00.
func (p *phones) checkLinked(number string) string {
	id := p.check(number)
	if rest, ok := strings.CutPrefix(number, "00"); ok && id == "" {
		id = p.check("+" + rest)
	}
	return id
}

// addProtected adds the mail addresses that Cloudflare hides from harvesters in data-cfemail.
func addProtected(c *collector, p *page.Page) {
	if !p.HasProtectedMail() {
		return
	}
	for i := range p.Nodes {
		// Texts have no attributes.
		if p.Nodes[i].Tag == page.TagText {
			continue
		}
		if v, ok := p.Attr(i, "data-cfemail"); ok {
			if address := protected(v); address != "" {
				c.add(schemas.Entity{
					Type: typeEmail, Text: address, Source: sourceLink, ID: emailID(address), Confidence: 0.99,
				})
			}
		}
	}
}

// protected returns the mail address that Cloudflare hides in v, or "" if there is none.
func protected(v string) string {
	// A subject may follow, as in mailto links.
	if address, _, _ := strings.Cut(page.ProtectedMail(v), "?"); emailID(address) != "" {
		return address
	}
	return ""
}

// linkedAddresses returns the mail addresses of a link: the recipients of mailto: (RFC 6068), or the one that
// Cloudflare hides in the fragment.
func linkedAddresses(href string) []string {
	if _, hidden, ok := strings.Cut(href, "/cdn-cgi/l/email-protection#"); ok {
		if address := protected(hidden); address != "" {
			return []string{address}
		}
		return nil
	}
	rest, ok := cutScheme(href, "mailto:")
	if !ok {
		return nil
	}
	to, query, _ := strings.Cut(rest, "?")
	lists := []string{to}
	for field := range strings.SplitSeq(strings.ReplaceAll(query, "&amp;", "&"), "&") {
		name, value, _ := strings.Cut(field, "=")
		switch strings.ToLower(name) {
		// Only these name recipients; a mail address in a subject or body is text.
		case "to", "cc", "bcc":
			lists = append(lists, value)
		}
	}
	var found []string
	for _, list := range lists {
		// RFC 6068 has commas; Outlook writes semicolons.
		for part := range strings.FieldsFuncSeq(unescaped(list), func(r rune) bool { return r == ',' || r == ';' }) {
			if address := addressOf(part); address != "" && len(found) < maxRecipients {
				found = append(found, address)
			}
		}
	}
	return found
}

// addressOf returns the mail address in one recipient, which may have a name, as in Ada Byron <ada@example.org>, or
// "".
func addressOf(s string) string {
	at := strings.IndexByte(s, '@')
	if at < 0 {
		return ""
	}
	// Editors put no-break spaces and invisible characters around mail addresses.
	around := func(r rune) bool {
		return strings.ContainsRune("<>()[]\"", r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)
	}
	start, end := 0, len(s)
	if i := strings.LastIndexFunc(s[:at], around); i >= 0 {
		_, n := utf8.DecodeRuneInString(s[i:])
		start = i + n
	}
	if i := strings.IndexFunc(s[at:], around); i >= 0 {
		end = at + i
	}
	address := strings.Trim(strings.TrimPrefix(s[start:end], "mailto:"), ".'")
	if emailID(address) == "" {
		return ""
	}
	return address
}

// linkedNumbers returns the numbers that a link calls or sends messages to.
func linkedNumbers(href string) []string {
	if number := whatsApp(href); number != "" {
		return []string{number}
	}
	for _, scheme := range [...]string{"tel:", "callto:", "sms:", "smsto:", "skype:", "fax:"} {
		rest, ok := cutScheme(href, scheme)
		if !ok {
			continue
		}
		// Parameters follow ";", the text of a message and Skype's action "?".
		rest, _, _ = strings.Cut(rest, "?")
		var numbers []string
		// Commas separate the recipients of a message (RFC 5724).
		for number := range strings.SplitSeq(unescaped(rest), ",") {
			number, _, _ = strings.Cut(number, ";")
			if number = strings.TrimSpace(number); number != "" && len(numbers) < maxRecipients {
				numbers = append(numbers, number)
			}
		}
		return numbers
	}
	return nil
}

// whatsApp returns the number of a link that opens a chat in WhatsApp, which is international without its plus sign.
func whatsApp(href string) string {
	// Most links go elsewhere, and parsing costs more than a look at the end of the host.
	_, host, _ := strings.Cut(href, "//")
	host, _, _ = strings.Cut(host, "/")
	host, _, _ = strings.Cut(host, "?")
	if host, _, _ = strings.Cut(host, "#"); !mayBeWhatsApp(host) {
		return ""
	}
	u, err := url.Parse(href)
	if err != nil {
		return ""
	}
	number := ""
	switch host := strings.TrimPrefix(strings.ToLower(u.Host), "www."); {
	case host == "wa.me":
		number = strings.Trim(u.Path, "/")
	case host == "api.whatsapp.com", host == "web.whatsapp.com", strings.EqualFold(u.Scheme, "whatsapp") && host == "send":
		number = u.Query().Get("phone")
	}
	number = strings.TrimLeft(number, "+ 0")
	if len(number) < fewestDialled || strings.Trim(number, "0123456789") != "" {
		return ""
	}
	return "+" + number
}

func mayBeWhatsApp(host string) bool {
	for _, end := range [...]string{"wa.me", "whatsapp.com", "send"} {
		if n := len(host) - len(end); n >= 0 && strings.EqualFold(host[n:], end) {
			return true
		}
	}
	return false
}

// fewestDialled is how many digits an international number has at least.
const fewestDialled = 7

// cutScheme removes a scheme from a URL, with slashes that many write though it has no host.
func cutScheme(href, scheme string) (rest string, ok bool) {
	if len(href) < len(scheme) || !strings.EqualFold(href[:len(scheme)], scheme) {
		return "", false
	}
	return strings.TrimLeft(href[len(scheme):], "/"), true
}

// unescaped decodes the escapes of a URL, or returns s if they are invalid.
func unescaped(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

package filter

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/entity"
)

// personal removes addresses and numbers of people from texts. It refuses nothing.
var personal = Filter{
	Name: "personal",
	Does: "replaces e-mail and public IP addresses, phone numbers and IBANs by their type in angle brackets",
	Source: "what is found is that of package entity; that public IP addresses are, and private ones stay, is " +
		"FineWeb's rule: " +
		"Penedo et al. 2024, arXiv 2406.17557, 3.7",
	Constants: []Constant{
		{"email", 1, "1 to replace, 2 to remove, 0 to leave"},
		{"ip", 1, "likewise"},
		{"phone", 1, "likewise"},
		{"iban", 1, "likewise"},
		{"max_phones", 2000, "different candidates that are checked for being phone numbers in a text"},
	},
	make: func(s Settings) (Judge, error) {
		n := s.Numbers
		return func(p *Page) string {
			p.SetText(hide(p.Text, p.Doc.Language, p.Doc.URL, n))
			return ""
		}, nil
	},
	edit: func(s Settings) editor {
		return editor{
			line: func(p *Page, line string) (left string, stays bool) {
				return hide(line, p.Doc.Language, p.Doc.URL, s.Numbers), true
			},
			markdown: func(p *Page, text string) string { return hideMarkdown(text, p.Doc, s.Numbers) },
		}
	},
}

// hide replaces or removes personal data.
func hide(text, language, url string, n map[string]float64) string {
	// All of them contain a digit or an at sign.
	if !strings.ContainsAny(text, "@0123456789") {
		return text
	}
	return replace(text, findPersonal(text, language, url, n), n)
}

// findPersonal returns the personal data of a text that is not left, in order.
func findPersonal(text, language, url string, n map[string]float64) []entity.Mention {
	found := findIPs(text, nil)
	for _, m := range entity.Patterns(text, language, url, int(n["max_phones"])) {
		// Types without a setting, such as url and date, stay.
		if n[m.Type] != 0 {
			found = append(found, m)
		}
	}
	slices.SortStableFunc(found, func(a, b entity.Mention) int { return a.Start - b.Start })
	return found
}

// replace replaces or removes the mentions.
func replace(text string, found []entity.Mention, n map[string]float64) string {
	var out strings.Builder
	at := 0
	for _, m := range found {
		if m.Start < at || n[m.Type] == 0 {
			continue
		}
		out.WriteString(text[at:m.Start])
		if n[m.Type] == 1 {
			out.WriteString("<" + m.Type + ">")
		}
		at = m.End
	}
	if at == 0 {
		return text
	}
	return out.String() + text[at:]
}

// findIPs finds public IP addresses, versions 4 and 6, also with a port or after a colon. It accepts the forms that Go
// parses, between characters that cannot be part of an address.
func findIPs(text string, found []entity.Mention) []entity.Mention {
	for at := 0; at < len(text); at++ {
		if !inAddress(text[at]) {
			continue
		}
		end := at
		for end < len(text) && inAddress(text[end]) {
			end++
		}
		if from, to := publicIn(text[at:end]); to > 0 && !isJoined(text, at+from, at+to) {
			found = append(found, entity.Mention{Start: at + from, End: at + to, Type: "ip"})
		}
		at = end
	}
	return found
}

// publicIn returns the place of a public address in a run of characters of addresses, or zeros. Dots and colons around
// it belong to the sentence.
func publicIn(run string) (from, to int) {
	// "::" at its end can be a part of an address of version 6.
	if isPublic(run) {
		return 0, len(run)
	}
	to = len(strings.TrimRight(run, ".:"))
	from = to - len(strings.TrimLeft(run[:to], ".:"))
	if isPublic(run[from:to]) {
		return from, to
	}
	// "93.184.216.34:443" and "ad:93.184.216.34": version 4 has no colon, so it is one of the parts.
	for part := range strings.SplitSeq(run[from:to], ":") {
		if strings.Contains(part, ".") && isPublic(part) {
			return from, from + len(part)
		}
		from += len(part) + 1
	}
	return 0, 0
}

func inAddress(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' || c == '.' || c == ':'
}

// isJoined reports whether there is a letter, digit or sign of names on either side: "v1.2.3.4-rc" is a version.
func isJoined(text string, start, end int) bool {
	part := func(c byte) bool {
		return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_'
	}
	return start > 0 && part(text[start-1]) || end < len(text) && part(text[end])
}

// isPublic reports whether s is an address that the internet routes. Others, such as 192.168.0.1 and 127.0.0.1,
// identify nobody.
func isPublic(s string) bool {
	if len(s) < len("1.1.1.1") || len(s) > 45 || strings.Count(s, ".") != 3 && strings.Count(s, ":") < 2 {
		return false
	}
	a, err := netip.ParseAddr(s)
	return err == nil && a.IsGlobalUnicast() && !a.IsPrivate() && (a.Is4() || routed6.Contains(a))
}

// routed6 are the addresses of version 6 that are given out (RFC 4291, 2.4, and IANA's registry).
var routed6 = netip.MustParsePrefix("2000::/3")

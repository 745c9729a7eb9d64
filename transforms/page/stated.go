package page

import (
	"encoding/hex"
	"strings"
)

// stated is what the attributes of an element state instead of its text: TeX or a mail address. TeX may be on lines of
// its own.
type stated struct {
	text    string
	display bool
	mail    bool
}

func (p *Page) stated(i int) (s stated) {
	if p.hasMail && p.Nodes[i].Flags&InSkipped == 0 {
		if v, ok := p.RawAttr(i, "data-cfemail"); ok {
			return stated{text: ProtectedMail(string(v)), mail: true}
		}
	}
	s.text, s.display = p.statedTeX(i)
	return s
}

// state writes what element i states.
func (w *writer) state(i int, s stated) {
	if s.text == "" {
		return
	}
	w.p.Stated = append(w.p.Stated, int32(i))
	if s.mail {
		w.shown(i, []byte(s.text), literal)
		return
	}
	w.tex(i, s.text, s.display)
}

// maxMail limits a mail address, in bytes: 64 before the "@", and 255 after it (RFC 5321, section 4.5.3.1).
const maxMail = 64 + 1 + 255

// ProtectedMail decodes data-cfemail, in which Cloudflare hides mail addresses from harvesters: bytes in hexadecimal,
// XORed with the first. It is "" if invalid. Cloudflare also takes other text with "@" for addresses.
func ProtectedMail(v string) string {
	if len(v) > 2*maxMail {
		return ""
	}
	b, err := hex.DecodeString(strings.TrimSpace(v))
	// The first byte is the key, so an address needs at least one more.
	if err != nil || len(b) < 2 {
		return ""
	}
	for i := range b[1:] {
		b[i+1] ^= b[0]
	}
	return OneLine(string(b[1:]))
}

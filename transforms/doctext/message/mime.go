package message

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

const (
	// maxParts bounds the parts of a message, maxDepth their nesting.
	maxParts = 2000
	maxDepth = 10
	// maxFields bounds the fields of a part, maxField the bytes of one field.
	maxFields = 1000
	maxField  = 16 << 10
)

// part is a message or a part of one. Field body is a slice of the source; method decode undoes its encoding.
type part struct {
	fields map[string]string // the first field of each name, in lower case
	media  string            // media type without parameters, in lower case
	params map[string]string
	body   []byte
	parts  []*part
}

// field returns a field with its encoded words decoded (RFC 2047).
func (p *part) field(name string) string {
	words := mime.WordDecoder{CharsetReader: charsetReader}
	value := p.unencoded(p.fields[name])
	// As on pages, these names mean windows-1252; package mime would read its quotes and the euro as control characters.
	value = latin().ReplaceAllString(value, "=?windows-1252?")
	if text, err := words.DecodeHeader(value); err == nil {
		value = text
	} else {
		// A word that cannot be decoded stays as it is. The encoding of the field is guessed.
		value = string(decodeText([]byte(value), ""))
	}
	// Long fields are folded over several lines. Each run of white space becomes one blank.
	return strings.Join(strings.Fields(strings.ToValidUTF8(value, "\uFFFD")), " ")
}

// latin is the beginning of an encoded word in Latin-1 or ASCII.
var latin = pattern.Lazy(`(?i)=\?(?:iso-8859-1|us-ascii)\?`)

// unencoded returns a field in UTF-8. Old programs wrote fields in the encoding of the text, without encoded words.
func (p *part) unencoded(value string) string {
	if utf8.ValidString(value) && !strings.Contains(value, "\x1b") {
		return value
	}
	text := string(decodeText([]byte(value), p.fields["content-type"]))
	if strings.Contains(text, "\uFFFD") { // the text has another encoding
		text = string(decodeText([]byte(value), ""))
	}
	return text
}

// decodeText returns text in UTF-8. It detects the encoding.
func decodeText(b []byte, contentType string) []byte {
	text, _, err := charset.Decode(b, charset.Detect(b, contentType, charset.Options{}).Name)
	if err != nil { // not reached: Detect returns names that Decode knows
		return bytes.ToValidUTF8(b, []byte("\uFFFD"))
	}
	return text
}

// parser counts the parts of a message.
type parser struct{ left int }

// parse reads a message: its fields, and the inner parts of a multipart.
func (r *parser) parse(b []byte, depth int) *part {
	// Files may begin with a byte order mark or with blank lines.
	return r.part(bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\xEF\xBB\xBF")), "\r\n"), depth)
}

// part reads a message or a part. A part that begins with a blank line has no fields (RFC 2046, section 5.1).
func (r *parser) part(b []byte, depth int) *part {
	p := &part{fields: map[string]string{}}
	p.body = p.readFields(b)
	contentType := p.fields["content-type"]
	var err error
	// If the parameters are broken, the type can still be read, and often a boundary too.
	if p.media, p.params, err = mime.ParseMediaType(contentType); err != nil {
		media, _, _ := strings.Cut(contentType, ";")
		p.media, p.params = strings.ToLower(strings.TrimSpace(media)), map[string]string{}
	}
	// A deeper part is kept as one body.
	if !strings.HasPrefix(p.media, "multipart/") || depth >= maxDepth {
		return p
	}
	boundary := p.params["boundary"]
	if boundary == "" {
		boundary = looseBoundary(contentType, p.body)
	}
	for section := range sections(p.body, boundary) {
		// The count is for the whole message.
		if r.left--; r.left < 0 {
			break
		}
		child := r.part(section, depth+1)
		if p.media == "multipart/digest" {
			child.media = cmp.Or(child.media, "message/rfc822") // section 5.1.5 of RFC 2046
		}
		p.parts = append(p.parts, child)
	}
	return p
}

// readFields reads the fields at the beginning of b and returns the rest. A line that is neither a field nor a
// continuation ends the fields, as when the blank line is missing.
func (p *part) readFields(b []byte) []byte {
	last := ""
	for range maxFields {
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		text := bytes.TrimRight(line, "\r")
		switch name, value, ok := bytes.Cut(text, []byte(":")); {
		case len(text) == 0:
			return rest
		case text[0] == ' ' || text[0] == '\t':
			// The bound keeps endless indented text from becoming part of a field.
			if n := len(p.fields[last]); last != "" && n < maxField {
				p.fields[last] += " " + string(bytes.TrimSpace(text[:min(len(text), maxField-n)]))
			}
		// Names have no blanks: such a line is text, and the blank line before it is missing.
		case !ok || bytes.ContainsAny(name, " \t<>"):
			return b
		default:
			// No known name is longer than 64 bytes.
			last = strings.ToLower(string(name[:min(len(name), 64)]))
			if _, have := p.fields[last]; have {
				last = "" // only the first counts, and lines that continue this one are dropped
			} else {
				p.fields[last] = string(bytes.TrimSpace(value[:min(len(value), maxField)]))
			}
		}
		b = rest
	}
	return b
}

// looseBoundary returns the boundary of a Content-Type that does not parse. If there is none, it takes the first line
// that looks like a boundary.
func looseBoundary(contentType string, body []byte) string {
	if _, value, ok := strings.Cut(contentType, "boundary="); ok {
		// One of the quotes may be missing, and other fields may follow.
		value = strings.TrimLeft(value, `"' `)
		if end := strings.IndexAny(value, `";`); end >= 0 {
			value = value[:end]
		}
		return strings.Trim(value, `"' `)
	}
	// Only the beginning is searched, since a long text may have such a line anywhere.
	for line := range bytes.Lines(body[:min(len(body), maxField)]) {
		if line = bytes.TrimSpace(line); len(line) > 4 && bytes.HasPrefix(line, []byte("--")) {
			return string(line[2:])
		}
	}
	return ""
}

// sections yields the text between the lines of a boundary. The last section of a truncated message ends at the end of
// b.
func sections(b []byte, boundary string) func(yield func([]byte) bool) {
	mark := []byte("--" + boundary)
	return func(yield func([]byte) bool) {
		start := -1
		for pos := 0; boundary != "" && pos < len(b); {
			n := bytes.Index(b[pos:], mark)
			if n < 0 {
				break
			}
			at := pos + n
			pos = at + len(mark)
			// A boundary counts only at the start of a line (RFC 2046, section 5.1.1). Another boundary may begin with it.
			if at > 0 && b[at-1] != '\n' {
				continue
			}
			after, _, _ := bytes.Cut(b[pos:min(len(b), pos+maxField)], []byte("\n"))
			after = bytes.TrimSpace(after)
			if len(after) > 0 && string(after) != "--" {
				continue
			}
			if start >= 0 && !yield(b[start:at]) {
				return
			}
			// Two hyphens after the boundary end the last part.
			if len(after) > 0 {
				return
			}
			line := bytes.IndexByte(b[pos:], '\n')
			if line < 0 {
				return
			}
			pos += line + 1
			start = pos
		}
		if start >= 0 {
			yield(b[start:])
		}
	}
}

// decode undoes the part's transfer encoding as far as possible.
func (p *part) decode() []byte {
	switch strings.ToLower(strings.TrimSpace(p.fields["content-transfer-encoding"])) {
	case "quoted-printable":
		return unquote(p.body)
	case "base64":
		return unbase(p.body)
	}
	// 7bit, 8bit and binary change nothing.
	return p.body
}

// unquote undoes quoted-printable (RFC 2045, section 6.7). An equals sign that begins no code is kept.
func unquote(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != '=' {
			out = append(out, b[i])
			continue
		}
		if i+2 < len(b) && hexValue(b[i+1]) >= 0 && hexValue(b[i+2]) >= 0 {
			out = append(out, byte(hexValue(b[i+1])<<4|hexValue(b[i+2])))
			i += 2
			continue
		}
		// This is a soft line end; writers may leave blanks after it.
		end := i + 1
		for end < len(b) && (b[end] == ' ' || b[end] == '\t' || b[end] == '\r') {
			end++
		}
		if end == len(b) || b[end] == '\n' {
			i = end
			continue
		}
		out = append(out, '=')
	}
	return out
}

// hexValue returns the value of a hexadecimal digit, or -1 for other characters. Lower-case letters are accepted too,
// though RFC 2045 asks for capitals.
func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// unbase undoes base64 and ignores stray characters. Mailing lists append plain text: it stays as it is.
func unbase(b []byte) []byte {
	var out, group []byte
	padded := false
	flush := func() {
		out, _ = base64.RawStdEncoding.AppendDecode(out, group) // an incomplete last group is left out
		group = group[:0]
	}
	for len(b) > 0 {
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		if isAppended(bytes.TrimSpace(line), padded) {
			flush()
			return append(append(out, '\n'), b...)
		}
		b = rest
		for _, c := range line {
			switch {
			case c == '=': // the end, or that of a chunk
				flush()
				padded = true
			case isBase64(c):
				group = append(group, c)
			}
		}
	}
	flush()
	return out
}

func isBase64(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/'
}

// isAppended reports whether a line is not base64: it has blanks, or more than one stray character in sixteen. After
// padding, another chunk has whole groups of four.
func isAppended(line []byte, padded bool) bool {
	stray := 0
	for _, c := range line {
		switch {
		case c == ' ' || c == '\t':
			return true
		case !isBase64(c) && c != '=':
			stray++
		}
	}
	return stray*16 > len(line) || padded && len(line)%4 != 0
}

package warc

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/io/archive/mend"
	"github.com/gleaner-web/gleaner/io/archive/record"
)

// A head with wrong bits is repaired in place if its meaning can be recognised. This covers a name that differs only in
// wrong bits from a standard one, a line end, and the version line. Whether anything is wrong is asked of what nearly
// all heads have, so that it costs a sound head next to nothing.

// quirkOddName is counted for a name that no field can have.
const quirkOddName = "odd_field_name"

// names are those of the fields of WARC/1.1, section 5, that are recognised with wrong bits in them; first those that
// (nearly) all records have.
var names = [...]string{
	"WARC-Type", "WARC-Record-ID", "WARC-Date", "Content-Length", "Content-Type", "WARC-Target-URI",
	"WARC-Payload-Digest", "WARC-Block-Digest", "WARC-Concurrent-To", "WARC-Refers-To", "WARC-Refers-To-Target-URI",
	"WARC-Refers-To-Date", "WARC-Profile", "WARC-IP-Address", "WARC-Warcinfo-ID", "WARC-Truncated", "WARC-Filename",
	"WARC-Identified-Payload-Type", "WARC-Segment-Number", "WARC-Segment-Origin-ID", "WARC-Segment-Total-Length",
}

// isOddName reports whether a name has bytes that no field's has, or none.
func isOddName(name []byte) bool {
	return len(name) == 0 || bytes.IndexFunc(name, func(r rune) bool { return r <= ' ' || r >= 0x7f }) >= 0
}

const (
	mandatory = 4 // of names: section 5.1 of WARC/1.1
	usual     = 6 // of names, that are there in nearly all heads
)

// seen returns which of the usual names are in a head, a bit each in the order of names.
func seen(h *record.Head) (set uint8) {
	for i := range h.Fields {
		name := h.Fields[i].Name
		switch len(name) { // most names are recognised by this
		case len("WARC-Type"): // and WARC-Date
			if string(name) == names[0] {
				set |= 1
			} else if string(name) == names[2] && bytes.HasSuffix(h.Fields[i].Value, []byte("Z")) {
				set |= 1 << 2
			}
		case len("WARC-Record-ID"): // and Content-Length
			if string(name) == names[1] {
				set |= 1 << 1
			} else if string(name) == names[3] {
				set |= 1 << 3
			}
		case len("Content-Type"): // and WARC-Profile
			if string(name) == names[4] {
				set |= 1 << 4
			}
		case len("WARC-Target-URI"):
			if v := h.Fields[i].Value; string(name) == names[5] && len(v) > 0 && (isLetter(v[0]) || v[0] == '<') {
				set |= 1 << 5
			}
		}
	}
	return set
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isDoubtful reports whether a head that was parsed may be damaged. Those of records about no URL are, and heads with
// names in lower case: that they are sound shows when they are looked at.
func isDoubtful(h *record.Head) bool {
	return len(h.Quirks) > 0 || h.Length < 0 || len(h.Line) != len("WARC/1.0") || h.Line[6] != '.' ||
		!isDigit(h.Line[5]) || !isDigit(h.Line[7]) || !bytes.HasPrefix(h.Line, magic) ||
		seen(h) != 1<<usual-1 || !isKnown(Type(h)) || Type(h) == "revisit"
}

// endsInCR reports whether the version line that b begins with ends in CR alone.
func endsInCR(b []byte) bool {
	const line = len("WARC/1.0")
	return len(b) > line+1 && b[line] == '\r' && b[line+1] != '\n' && b[line+1] != '\r'
}

// isSound reports whether mendHead would change nothing in head b. Parameter h was parsed from it. Each line is a field
// in the usual form with a known name, and no name or type is like another: see TestMendHead_leavesSoundHeads.
func isSound(h *record.Head, b []byte) bool {
	if len(h.Quirks) > 0 || !bytes.HasPrefix(b, magic) || !slices.Contains(types[:], string(h.Get("WARC-Type"))) {
		return false
	}
	rest, ok := skipVersion(b[len(magic):])
	if !ok || !bytes.HasPrefix(b[len(h.Line):], []byte("\r\n")) {
		return false
	}
	for string(rest) != "\r\n" {
		f, size := usualField(rest)
		if size == 0 || !slices.Contains(names[:], string(f.Name)) || bytes.IndexByte(f.Value, '\r') >= 0 {
			return false
		}
		rest = rest[size:]
	}
	return true
}

// mendHead mends the head that is b and parses it again. It returns the head's size, which is smaller where its end had
// not been recognised.
func mendHead(h *record.Head, b []byte) int {
	mixed := mixesEnds(b)
	changed := mend.LineEnds(b)
	changed = mendNames(b) || changed
	changed = joinLines(b) || changed
	size := len(b)
	if changed {
		// Quirks stay: what the first reading has joined is no longer there.
		*h = record.Head{Fields: h.Fields[:0], Quirks: h.Quirks}
		size = parse(h, b, true)
	}
	changed = rename(h) || changed
	changed = mendType(h, changed) || changed
	_, ok := skipVersion(append(bytes.TrimPrefix(bytes.ToUpper(h.Line), magic), '\n'))
	odd := slices.ContainsFunc(h.Quirks, func(q string) bool { return q == quirkOddName })
	h.Damaged = changed || mixed || odd || !ok || len(h.Get("WARC-Type")) == 0 && len(h.Get("WARC-Target-URI")) > 0
	return size
}

// mixesEnds reports whether some lines of b end in CR LF and others do not.
func mixesEnds(b []byte) bool {
	cr, lf, both := bytes.Count(b, []byte("\r")), bytes.Count(b, []byte("\n")), bytes.Count(b, []byte("\r\n"))
	return both > 0 && (lf > both || cr > both && !bytes.Contains(b, []byte("\r\r")))
}

// nameOf returns the index in names of the one that line begins with, with the colon after it. Some bits may be wrong:
// then near is true.
func nameOf(line []byte) (index int, near, ok bool) {
	if len(line) < 2 || mend.Bits(line[0], 'W') > mend.MaxBits && mend.Bits(line[0], 'C') > mend.MaxBits {
		return 0, false, false
	}
	for i, name := range names {
		if len(line) <= len(name) || !mend.Near(line, name) {
			continue
		}
		if line[len(name)] == ':' || mend.Near(line[:len(name)+1], name+":") {
			same := bytes.EqualFold(line[:len(name)], []byte(name)) // names may be written in any case
			return i, !same || line[len(name)] != ':', true
		}
	}
	return 0, false, false
}

// standing returns which names stand after a line end of b, with a colon, a bit each.
func standing(b []byte) (set uint32) {
	for _, next := cutLine(b, 0); next >= 0; _, next = cutLine(b, next) {
		for i, name := range names {
			if line := b[next:]; len(line) > len(name) && line[len(name)] == ':' && string(line[:len(name)]) == name {
				set |= 1 << i
			}
		}
	}
	return set
}

// mendNames mends names of fields in the lines of b, the colons after them and the blanks after these.
func mendNames(b []byte) (changed bool) {
	looked, there := false, uint32(0) // not for each line: a hostile head may have many that are like one name
	for at := 0; at >= 0 && at < len(b); {
		line, next := cutLine(b, at)
		i, near, ok := nameOf(line)
		if near && !looked {
			looked, there = true, standing(b)
		}
		if near && there&(1<<i) == 0 {
			copy(line, names[i]+":")
			changed = true
			if at > 0 {
				there |= 1 << i
			}
		}
		if ok {
			changed = mendBlank(names[i], line[len(names[i])+1:]) || changed
		}
		at = next
	}
	return changed
}

// mendBlank makes blanks of what value begins with: other white space, or a blank of which a bit is wrong.
func mendBlank(name string, value []byte) bool {
	if len(value) == 0 || value[0] == ' ' || value[0] == '\r' || value[0] == '\t' {
		return false
	}
	r, n := utf8.DecodeRune(value)
	space := r != utf8.RuneError && (unicode.IsSpace(r) || r == '\uFEFF' || r == '\u200B')
	broken := mend.Bits(value[0], ' ') == 1 && bytes.IndexByte([]byte("0("), value[0]) < 0
	if name == "WARC-Target-URI" { // which begins as nearly all do
		broken = mend.Near(value[1:], "http")
	}
	if !space && !broken {
		return false
	}
	if !space {
		n = 1
	}
	copy(value[:n], "    ")
	return true
}

// lineBreak is in a mended value for each byte of a line end: a control character that no value has, see withoutBreaks.
const lineBreak = '\v'

// joined are the fields of which a value that a line end divides is joined.
var joined = [...]string{"WARC-Target-URI", "WARC-Refers-To-Target-URI", "WARC-Type", "WARC-Date"}

// joinLines joins a line that is not a field to the value before it, which a line end divides.
func joinLines(b []byte) (changed bool) {
	name, value, crlf := "", 0, bytes.Contains(b, []byte("\r\n"))
	for at := 0; at >= 0 && at < len(b); {
		line, next := cutLine(b, at)
		i, _, ok := nameOf(line)
		folded := len(line) > 0 && (line[0] == ' ' || line[0] == '\t') // after an empty value, else it was unfolded
		if name != "" && !ok && !folded && len(trim(line)) > 0 && next > 0 {
			end := at - len("\n")
			if end > 0 && b[end-1] == '\r' {
				end--
			}
			before, after, field := bytes.Cut(line, []byte{':'})
			field = field && namesField(before) // of any name
			if field && crlf && end == at-1 {   // LF alone, after which a field would be written as others are
				field = len(trim(after)) < len(after)-len("\r")
			}
			if name == "WARC-Type" || name == "WARC-Date" { // the time of day has colons
				field = !makesValid(name, b[value:end], line)
			}
			if !field {
				for i := end; i < at; i++ {
					b[i] = lineBreak
				}
				changed = true
			}
		}
		if ok {
			name, value = "", at+len(names[i])+1
			if slices.Contains(joined[:], names[i]) {
				name = names[i]
			}
		}
		at = next
	}
	return changed
}

// makesValid reports whether value, of a type or a date, is not valid without the line after it, and valid with it.
func makesValid(name string, value, line []byte) bool {
	if len(value)+len(line) > maxName {
		return false
	}
	part := string(trim(value))
	whole := part + string(trim(line))
	if name == "WARC-Type" {
		return !isKnown(strings.ToLower(part)) && isKnown(strings.ToLower(whole))
	}
	_, complete, _ := ParseDate(part)
	_, usual, _ := ParseDate(whole)
	return !complete && usual
}

// rename gives the usual names that are missing to fields of which the name has a byte too many or too few.
func rename(h *record.Head) (changed bool) {
	var looked, there [usual]bool
	for i := range h.Fields {
		f := &h.Fields[i]
		for k, name := range names[:usual] {
			if !mend.Edited(f.Name, name) {
				continue
			}
			if !looked[k] {
				looked[k], there[k] = true, h.Get(name) != nil
			}
			if !there[k] {
				f.Name, changed, there[k] = []byte(name), true, true
			}
		}
	}
	if changed {
		h.Length = contentLength(h)
	}
	return changed
}

// mendType mends the record's type if it has wrong bits, or characters that no type has. If the head has other damage,
// a byte may be too many or too few. Else it may be a type of a later standard.
func mendType(h *record.Head, damaged bool) bool {
	v := h.Get("WARC-Type")
	if len(v) == 0 || len(v) > maxName || isKnown(strings.ToLower(string(v))) { // a capital is not damage
		return false
	}
	damaged = damaged || slices.ContainsFunc(v, func(c byte) bool { return !isToken(c) })
	word := bytes.Map(func(r rune) rune {
		if r < utf8.RuneSelf && isLetter(byte(r)) {
			return r
		}
		return -1
	}, v)
	for _, t := range types {
		if damaged && (string(word) == t || mend.Edited(v, t)) || len(v) == len(t) && mend.Near(v, t) {
			for i := range h.Fields {
				if bytes.EqualFold(h.Fields[i].Name, []byte("WARC-Type")) {
					h.Fields[i].Value = []byte(t)
					return true
				}
			}
		}
	}
	return false
}

// isStatusLine reports whether line, of a record's head, is the first one of an HTTP response.
func isStatusLine(line []byte) bool {
	const version = "HTTP/1.1 "
	return len(line) >= len(version)+3 && bytes.HasPrefix(line, []byte("HTTP/1.")) && line[len(version)-1] == ' ' &&
		'1' <= line[len(version)] && line[len(version)] <= '5'
}

// versions are used to recognise damaged version lines.
var versions = [...]string{"WARC/1.0", "WARC/1.1", "WARC/0.18", "WARC/0.17"}

// isVersion reports whether line is a version line in which some bits are wrong, or a byte is too many or too few.
func isVersion(line []byte) bool {
	line = trim(line)
	for _, v := range versions {
		if mend.Edited(line, v) || len(line) <= len(v)+1 && mend.Near(line, v) {
			return true
		}
	}
	return false
}

// resembles reports whether b begins with a record's head with a damaged version line. At least three of the required
// fields must follow it. A length that is too long leads into a head, so part of a version line does not count.
func resembles(b []byte) bool {
	// The bytes before a head are not one.
	if len(b) < len(versions[0]) || isBlank(b[0]) || isHead(b[1:]) {
		return false
	}
	at := len(versions[0]) - 1 // of the first field
	for ; ; at++ {
		if at >= min(maxVersion, len(b)) {
			return false
		}
		if _, _, ok := nameOf(b[at:]); ok {
			break
		}
	}
	if end := bytes.TrimRight(b[:at], "\r\n"); !isVersion(end) && !isVersion(b[:at-len("\n")]) {
		return false
	}
	var h record.Head
	head := bytes.Clone(b[:min(len(b), maxResembling)])
	mend.LineEnds(head[at:])
	mendNames(head[at:])
	parse(&h, head[at:], true)
	found := 0
	for _, name := range names[:mandatory] {
		if len(h.Get(name)) > 0 {
			found++
		}
	}
	return found > mandatory/2
}

// maxResembling is how much of a head with a damaged version line is looked at, in bytes.
const maxResembling = 2048

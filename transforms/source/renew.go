package source

import (
	"bytes"
	"errors"
	"time"
)

// ErrRow is the error of Renew for a line that Describe did not write.
var ErrRow = errors.New("source: not a row of a source")

// Renewed is the renewed row of a source.
type Renewed struct {
	Row    []byte
	Health string // state of health
}

// Renew appends to b the row of a source as Describe would write it for another time and world. It needs the old row,
// the state without its pages, and the facts from its pages. Most of a row depends on neither, so this takes a tenth
// of the time and no page look-ups.
//
// If the policy is that of before, as same says, only the rate changes.
//
// It finds the parts by their names in the text of the row. A quote in a value is escaped, so a comma and a quote are
// never inside a value. Nested objects do not have these names.
func Renew(b, line []byte, s State, f Facts, asOf time.Time, p Policy, same bool, w World) (Renewed, error) {
	s = WithFate(s, Page{Visits: f.Fates})
	s.Items = united(s.Items)
	dates := s.Dates()
	head, rest, ok := cutAfter(line, `,"evidence":{`)
	between, after, ok2 := bytes.Cut(rest, []byte(`,"refresh":{`))
	_, tail, ok3 := cutAfter(after, `,"health":{`)
	if !ok || !ok2 || !ok3 {
		return Renewed{}, ErrRow
	}
	host, ok := textOf(head, `,"host":"`)
	if !ok {
		return Renewed{}, ErrRow
	}
	b = append(b, head...)
	if code := s.languageBy(f.Main, f.Many, host, w); code != "" {
		b = append(b, `,"language":`...)
		b = AppendText(b, code)
	}
	b = append(b, part(between, `,"languages":[`)...)
	if list := entitiesOf(f.Names, w.Rarity); len(list) > 0 {
		b = append(b, `,"entities":`...)
		b = appendEntities(b, list)
	}
	b = append(b, part(between, `,"publisher_type":"`)...)
	before, _, ok := bytes.Cut(after, []byte{'}'})
	from := bytes.Index(before, []byte(`,"interval":`))
	if b = append(b, `,"refresh":`...); same && ok && from >= 0 && len(s.Visits) > 0 {
		b = appendFloat(append(b, `{"rate":`...), rounded(Rate(dates, s.wholeSince(), asOf)))
		b = append(append(b, before[from:]...), '}')
	} else {
		b = appendRefresh(b, s.refresh(dates, asOf, p))
	}
	health := s.health(dates, asOf)
	b = append(b, `,"health":`...)
	b = appendHealth(b, health)
	return Renewed{append(b, tail...), health.State}, nil
}

// cutAfter splits a line after the object that follows a name. The object has no nested object and no text.
func cutAfter(line []byte, name string) (head, rest []byte, ok bool) {
	from := bytes.Index(line, []byte(name))
	if from < 0 {
		return nil, nil, false
	}
	end := bytes.IndexByte(line[from:], '}')
	if end < 0 {
		return nil, nil, false
	}
	return line[:from+end+1], line[from+end+1:], true
}

// part is the text from a name to the next name, or nil without it.
func part(between []byte, name string) []byte {
	from := bytes.Index(between, []byte(name))
	if from < 0 {
		return nil
	}
	found := between[from:]
	for _, next := range []string{`,"entities":[`, `,"publisher_type":"`} {
		if end := bytes.Index(found[1:], []byte(next)); end >= 0 {
			found = found[:end+1]
		}
	}
	return found
}

// textOf is the value of a name, which has no escapes, such as a host.
func textOf(line []byte, name string) (string, bool) {
	from := bytes.Index(line, []byte(name))
	if from < 0 {
		return "", true // omitted, as for an invalid URL
	}
	value := line[from+len(name):]
	end := bytes.IndexByte(value, '"')
	if end < 0 || bytes.IndexByte(value[:end], '\\') >= 0 {
		return "", false
	}
	return string(value[:end]), true
}

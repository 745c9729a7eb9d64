package source

import (
	"bytes"
	"errors"
	"time"
)

// ErrRow is what Renew returns for a line that is not a row as Describe's is written.
var ErrRow = errors.New("source: not a row of a source")

// Renewed is what a row says at a moment that its state alone does not tell: the parts that Renew writes again.
type Renewed struct {
	Row    []byte
	Health string // its state
}

// Renew appends to b the line of a source as Describe would have it for another moment and another world, given the
// line that it had, the state without its pages, and the facts that Describe's pages gave. Most of a row depends on
// neither, so this takes a tenth of the time, and no page has to be found.
//
// With the policy of before, which same tells, what a visit brought is as it was: then only the rate is another one.
//
// Parts are found by their names in the text of the line: a quote in a value is escaped, so what begins with a comma
// and a quote is in no value, and these names have no double in what a row nests.
func Renew(b, line []byte, s State, f Facts, asOf time.Time, p Policy, same bool, w World) (Renewed, error) {
	s = f.visits(s)
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

// visits is the state with the failed visit that its facts have.
func (f Facts) visits(s State) State {
	if f.Fate == (Fetch{}) {
		return s
	}
	return WithFate(s, Page{Time: f.Fate.Time, Status: f.Fate.Status})
}

// cutAfter divides a line after the flat object that begins with a name: one that has no other in it, and no text.
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

// part is what is between a name and the next one of those that are there, with the name; nothing where it is
// not there.
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

// textOf is the value of a name that has no escapes in it, as hosts have none.
func textOf(line []byte, name string) (string, bool) {
	from := bytes.Index(line, []byte(name))
	if from < 0 {
		return "", true // omitted, as of a URL that is none
	}
	value := line[from+len(name):]
	end := bytes.IndexByte(value, '"')
	if end < 0 || bytes.IndexByte(value[:end], '\\') >= 0 {
		return "", false
	}
	return string(value[:end]), true
}

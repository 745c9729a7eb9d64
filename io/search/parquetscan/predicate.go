package parquetscan

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// predicate compares the values of one column: with one value, or with several of which any or all must fit.
type predicate struct {
	f     *File
	leaf  *leaf
	field query.Field
	// Never empty; several were merged by filter.merged, so that the column is read once for all of them.
	tests []*test
	all   bool
}

// test is one comparison, which is not with NotEqual: that is made the contrary of Equal before.
type test struct {
	*query.Test
	op    query.Op
	value query.Value
	// An empty range, lo above hi, is right for a comparison that nothing fits.
	lo  int64 // of columns of whole numbers and moments: the values that fit are within lo to hi, both included
	hi  int64
	any bool // whether every value fits

	// Both are read for texts alone.
	needle []byte // of Has: the text in lower case
	lower  []byte // a value likewise
}

// predicate makes c ready. It is nil where columns do not tell: keys of maps, whole groups, dates that pages state,
// which are columns of moments and of texts, and columns that the file does not have.
func (f *File) predicate(c *query.Compare) (*predicate, error) {
	field, key, err := query.Lookup(c.Field)
	if err != nil || key != "" || field.Map || field.Kind == query.Message || stated[field.Name] {
		return nil, nil
	}
	l := f.root.find(strings.Split(field.Name, "."))
	// A column that is missing is left to documents: query.Match says what their zero value means for each
	// operator.
	if l == nil || l.rep > 0 && !field.Repeated {
		return nil, nil
	}
	// Refused rather than converted: texts that hold numbers sort otherwise, and bounds would exclude the
	// wrong pages.
	if !l.holds(field.Kind) {
		return nil, fmt.Errorf("%w: column %s is of another type", ErrUnsupported, l.path)
	}
	t := &test{Test: c.Test(), op: c.Op, value: c.Value, any: c.Value.Any}
	// Lower case once a query, for has; see there.
	t.needle = []byte(strings.ToLower(c.Value.Text))
	t.setRange(l, field)
	return &predicate{f: f, leaf: l, field: field, tests: []*test{t}}, nil
}

// stated are the dates that pages state.
var stated = func() map[string]bool {
	names := map[string]bool{}
	for _, c := range schemas.Columns() {
		names[c.Name] = c.Time == schemas.Stated
	}
	return names
}()

// holds reports whether a column has values of a kind.
func (l *leaf) holds(k query.Kind) bool {
	// A unit tells a moment from a number of the same physical type.
	number := l.kind == kindInt32 || l.kind == kindInt64
	switch k {
	case query.String:
		return l.kind == kindBytes || l.kind == kindFixed
	case query.Integer:
		return number && l.unit == noTime
	case query.Real:
		return l.kind == kindFloat || l.kind == kindDouble
	case query.Boolean:
		return l.kind == kindBoolean
	case query.Time:
		// Bytes: times that are kept as text are parsed one by one, and have no bounds that sort as times
		// do.
		return number && l.unit != noTime || l.kind == kindInt96 || l.kind == kindBytes
	}
	return false
}

// The years that times are of: 64 bits of nanoseconds tell them.
var (
	// Whole years within what UnixNano can tell: from September 1677 to April 2262.
	firstTime = time.Date(1678, 1, 1, 0, 0, 0, 0, time.UTC)
	lastTime  = time.Date(2262, 1, 1, 0, 0, 0, 0, time.UTC) // the first one behind
)

// setRange says which numbers fit.
func (t *test) setRange(l *leaf, field query.Field) {
	t.lo, t.hi = math.MinInt64, math.MaxInt64
	if field.Kind == query.Time { // see query.ParseTime: what is in other years is not time
		t.lo, t.hi = l.number(firstTime), l.number(lastTime)-1
	}
	if t.any {
		return
	}
	// A half-open range, so that integers and periods of time, [From, To), go the same way below.
	first, behind := t.value.Integer, t.value.Integer+1 // of what is equal
	switch field.Kind {
	case query.Integer:
		// first-1 or after would wrap around.
		if first == math.MinInt64 || first == math.MaxInt64 {
			return // nothing is beyond: each value is asked
		}
	case query.Time:
		first, behind = l.number(t.value.From), l.number(t.value.To)
	default:
		return
	}
	switch t.op {
	case query.Equal:
		t.lo, t.hi = max(t.lo, first), min(t.hi, behind-1)
	case query.Less:
		t.hi = min(t.hi, first-1)
	case query.LessEqual:
		t.hi = min(t.hi, behind-1)
	case query.Greater:
		t.lo = max(t.lo, behind)
	case query.GreaterEqual:
		t.lo = max(t.lo, first)
	}
}

// number is the first moment of the column at or after at: moments between two that it can tell belong to the later.
func (l *leaf) number(at time.Time) int64 {
	// Dropping the fraction gives the moment before at, before 1970 the one after it; time tells which it
	// was.
	n := l.count(at)
	if l.time(n).Before(at) {
		n++
	}
	return n
}

// count is how many units at is from 1970, any fraction dropped.
func (l *leaf) count(at time.Time) int64 {
	switch l.unit {
	case millis:
		return at.UnixMilli()
	case micros:
		return at.UnixMicro()
	}
	return at.UnixNano()
}

// time is the moment of a value.
func (l *leaf) time(n int64) time.Time {
	switch l.unit {
	case millis:
		return time.UnixMilli(n).UTC()
	case micros:
		return time.UnixMicro(n).UTC()
	}
	return time.Unix(0, n).UTC() // of INT96 as well
}

// fits reports whether the i-th of the values does.
func (p *predicate) fits(v *values, i int) bool {
	for _, t := range p.tests {
		// All must fit: the first that does not decides. Any may: the first that does.
		if p.one(t, v, i) != p.all {
			return !p.all
		}
	}
	return p.all
}

func (p *predicate) one(t *test, v *values, i int) bool {
	switch p.field.Kind {
	case query.String:
		b := v.text(i)
		switch {
		case t.any:
			return len(b) > 0
		// The common case compares without making a string; the others go through query.Test, which says
		// what they mean.
		case t.op == query.Equal && !t.value.Before && !t.value.Behind:
			return string(b) == t.value.Text
		// Lower case of ASCII is the same in every locale; what is not ASCII is left to the rules of
		// package query.
		case t.op == query.Has && t.value.Before == t.value.Behind && ascii(b):
			return t.has(b)
		}
		return t.Text(string(b))
	case query.Integer:
		// A zero that JSON leaves out is no value for a document, and so it must be none here.
		return (v.ints[i] != 0 || p.field.Has0()) && t.Integer(v.ints[i])
	case query.Real:
		return (v.reals[i] != 0 || p.field.Has0()) && t.Real(v.reals[i])
	case query.Boolean:
		return t.Boolean(v.ints[i] != 0)
	}
	// Of the kinds only time is left. A text that is not time fits nothing.
	if p.leaf.kind == kindBytes {
		at, ok := query.ParseTime(string(v.text(i)))
		return ok && t.Time(at)
	}
	return v.ints[i] >= t.lo && v.ints[i] <= t.hi
}

// ascii reports whether b has no other letters.
func ascii(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// has reports whether b, which is ASCII, has the text that is looked for anywhere, in upper or lower case.
func (t *test) has(b []byte) bool {
	// Reused from value to value: a predicate is for one goroutine.
	t.lower = t.lower[:0]
	for _, c := range b {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		t.lower = append(t.lower, c)
	}
	return bytes.Contains(t.lower, t.needle)
}

// fits0 reports whether a row without a value does, as one of which JSON leaves out false or 0.
func (p *predicate) fits0() bool {
	// The value that such a row has as a document.
	zero := values{n: 1, ints: []int64{0}}
	return (p.field.Kind == query.Boolean || p.field.Zero) && p.fits(&zero, 0)
}

// may reports whether values between bounds may fit. Bounds of texts may be cut: lower ones are lower, upper ones
// higher.
func (p *predicate) may(low, high []byte) bool {
	for _, t := range p.tests {
		if p.mayOne(t, low, high) != p.all {
			return !p.all
		}
	}
	return p.all
}

func (p *predicate) mayOne(t *test, low, high []byte) bool {
	switch {
	case t.any:
		return true
	case p.field.Kind == query.String:
		return t.mayText(low, high)
	// Bounds of an odd length are not used: the pages are read.
	case p.leaf.kind == kindInt64 && len(low) == 8 && len(high) == 8:
		return int64(binary.LittleEndian.Uint64(high)) >= t.lo && int64(binary.LittleEndian.Uint64(low)) <= t.hi
	case p.leaf.kind == kindInt32 && len(low) == 4 && len(high) == 4:
		return int64(int32(binary.LittleEndian.Uint32(high))) >= t.lo && int64(int32(binary.LittleEndian.Uint32(low))) <= t.hi
	}
	return true
}

func (t *test) mayText(low, high []byte) bool {
	text := []byte(t.value.Text)
	switch t.op {
	case query.Equal:
		if t.value.Before {
			return true
		}
		// Of those that begin with the text the first is the text itself; the last ones are before all that do not and are
		// greater.
		return bytes.Compare(high, text) >= 0 &&
			(bytes.Compare(low, text) <= 0 || t.value.Behind && bytes.HasPrefix(low, text))
	// Less is treated as LessEqual: one page more at most is read, and cut bounds stay right.
	case query.Less, query.LessEqual:
		return bytes.Compare(low, text) <= 0
	case query.Greater, query.GreaterEqual:
		return bytes.Compare(high, text) >= 0
	}
	return true
}

// cost is how much is read at most.
func (p *predicate) cost(s *scan) int64 {
	c, err := s.chunk(p.leaf)
	if err != nil {
		return 0 // it comes first, and the error with it
	}
	return c.end - c.start
}

// excluded reports whether the bounds of the chunk say that no row fits.
func (p *predicate) excluded(s *scan) bool {
	c, err := s.chunk(p.leaf)
	// Bounds say nothing of rows without a value, and these may fit.
	if err != nil || p.fits0() {
		return false
	}
	return c.empty() || c.min != nil && !p.may(c.min, c.max)
}

// rows returns the rows of sel that fit.
func (p *predicate) rows(_ context.Context, s *scan, sel rowSet) (rowSet, error) {
	out := make(rowSet, len(sel))
	if p.excluded(s) {
		return out, nil
	}
	c, err := s.chunk(p.leaf)
	if err != nil {
		return nil, err
	}
	// After the bounds, which cost nothing: this reads two small pieces of the file.
	if ok, err := p.bloom(c); !ok || err != nil {
		return out, err
	}
	r, err := p.f.open(c, sel)
	if err != nil {
		return nil, err
	}
	defer r.close()
	m := matcher{predicate: p, fits0: p.fits0()}
	// With every value in the dictionary, a dictionary in which none fits answers for all the pages.
	if c.onlyDict && !m.fits0 {
		if err := r.loadDictionary(); err != nil {
			return nil, err
		}
		if !m.look(r.dict) {
			return out, nil
		}
	}
	// want decides which pages are read at all, and how much is read ahead.
	if r.want, err = p.narrow(r, sel, m.fits0); err != nil {
		return nil, err
	}
	if err := r.each(func() { m.page(r, out) }); err != nil {
		return nil, err
	}
	// A page that is read for one row adds all of its rows that fit.
	return out.and(sel), nil
}

// bloom reports whether the chunk's filter says that one of the texts that are looked for may be there.
func (p *predicate) bloom(c *chunk) (bool, error) {
	if c.bloom == 0 || p.field.Kind != query.String {
		return true, nil
	}
	for _, t := range p.tests {
		// A bloom filter knows whole values only.
		exact := t.op == query.Equal && !t.any && !t.value.Before && !t.value.Behind
		if !exact {
			return true, nil
		}
		ok, err := p.f.maybe(c, t.value.Text)
		// With several tests that all must fit this is less than could be told, and never wrong.
		if err != nil || ok {
			return ok, err
		}
	}
	return false, nil
}

// narrow leaves the rows of pages out whose bounds exclude them.
func (p *predicate) narrow(r *reader, sel rowSet, fits0 bool) (rowSet, error) {
	if r.places == nil || fits0 {
		return sel, nil
	}
	list, err := p.f.bounds(r.chunk, len(r.places))
	if list == nil || err != nil {
		return sel, err
	}
	left := make(rowSet, len(sel))
	for i, b := range list {
		// A page of nulls has no value that fits; rows that fit by their zero were left to the caller
		// above.
		if b.null || !p.may(b.min, b.max) {
			continue
		}
		for row := sel.next(r.places[i].row); row >= 0 && row < r.rowBehind(i); row = sel.next(row + 1) {
			left.add(row)
		}
	}
	return left, nil
}

// matcher tests pages.
type matcher struct {
	*predicate
	fits0 bool
	dict  *values
	hits  []bool // of the values of dict
}

// look tests the values of a dictionary, and reports whether one fits.
func (m *matcher) look(dict *values) (some bool) {
	// Once a dictionary, whose values are far fewer than the rows that refer to them.
	m.dict, m.hits = dict, make([]bool, dict.n)
	for i := range m.hits {
		m.hits[i] = m.fits(dict, i)
		some = some || m.hits[i]
	}
	return some
}

// page adds the rows of the page that fit to out.
func (m *matcher) page(r *reader, out rowSet) {
	p, l := &r.page, m.leaf
	if r.indexed && m.dict != r.dict {
		m.look(r.dict)
	}
	// The first entry of a page may go on in the row before: it has no row of this page, and row is then
	// that of the last one.
	// value counts values and i counts entries: nulls have an entry and no value.
	row, value := p.first-1, 0
	for i := range p.entries {
		if l.rep == 0 || p.rep[i] == 0 {
			row++
		}
		fits := false
		if l.def > 0 && p.def[i] != l.def {
			// Null itself, and not a missing list or struct around it: only then does the document have
			// the zero.
			fits = m.fits0 && p.def[i] >= l.above
		} else {
			switch {
			case r.indexed:
				fits = m.hits[p.index[value]]
			// Values of rows that nobody asks for are not compared, which matters for texts.
			case r.want.has(max(row, 0)) || l.rep > 0:
				fits = m.fits(&p.values, value)
			}
			value++
		}
		if fits && row >= 0 {
			out.add(row)
		}
	}
}

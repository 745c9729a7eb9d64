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

// predicate compares the values of one column by one or several tests, of which any or all must pass.
type predicate struct {
	f     *File
	leaf  *leaf
	field query.Field
	// Never empty; filter.merged merges tests, so that the column is read once.
	tests []*test
	all   bool
}

// test is one comparison, never NotEqual, which is the negation of Equal.
type test struct {
	*query.Test
	op    query.Op
	value query.Value
	// An empty range, lo above hi, means that nothing passes.
	lo  int64 // range of values that pass, for columns of integers and moments, inclusive
	hi  int64
	any bool // every value passes

	// Only for texts.
	needle []byte // text of Has in lower case
	lower  []byte // buffer for a value in lower case
}

// predicate prepares c. It returns nil for keys of maps, whole groups, stated dates and missing columns, which columns
// cannot decide.
func (f *File) predicate(c *query.Compare) (*predicate, error) {
	field, key, err := query.Lookup(c.Field)
	if err != nil || key != "" || field.Map || field.Kind == query.Message || stated[field.Name] {
		return nil, nil
	}
	l := f.root.find(strings.Split(field.Name, "."))
	// A missing column is left to documents: query.Match defines what their zero value means.
	if l == nil || l.rep > 0 && !field.Repeated {
		return nil, nil
	}
	// Refused, not converted: numbers in texts sort differently, and bounds would exclude wrong pages.
	if !l.holds(field.Kind) {
		return nil, fmt.Errorf("%w: column %s is of another type", ErrUnsupported, l.path)
	}
	t := &test{Test: c.Test(), op: c.Op, value: c.Value, any: c.Value.Any}
	// Lower case once a query, for has.
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
	// A unit distinguishes moments from numbers of the same physical type.
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
		// Bytes: times stored as text are parsed singly, and have no useful bounds.
		return number && l.unit != noTime || l.kind == kindInt96 || l.kind == kindBytes
	}
	return false
}

// The years of times: those that 64 bits of nanoseconds can represent.
var (
	// Whole years within the range of UnixNano: from September 1677 to April 2262.
	firstTime = time.Date(1678, 1, 1, 0, 0, 0, 0, time.UTC)
	lastTime  = time.Date(2262, 1, 1, 0, 0, 0, 0, time.UTC) // exclusive
)

// setRange sets the range of numbers that pass.
func (t *test) setRange(l *leaf, field query.Field) {
	t.lo, t.hi = math.MinInt64, math.MaxInt64
	if field.Kind == query.Time { // see query.ParseTime: other years are not times
		t.lo, t.hi = l.number(firstTime), l.number(lastTime)-1
	}
	if t.any {
		return
	}
	// A half-open range, so that integers and periods, [From, To), are handled alike.
	first, behind := t.value.Integer, t.value.Integer+1 // for Equal
	switch field.Kind {
	case query.Integer:
		// first-1 or first+1 would wrap around.
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

// number returns the first moment, in the column's units, at or after at.
func (l *leaf) number(at time.Time) int64 {
	// Dropping the fraction gives the moment before at, before 1970 the one after it; time tells which it
	// was.
	n := l.count(at)
	if l.time(n).Before(at) {
		n++
	}
	return n
}

// count returns at in units since 1970, without a fraction.
func (l *leaf) count(at time.Time) int64 {
	switch l.unit {
	case millis:
		return at.UnixMilli()
	case micros:
		return at.UnixMicro()
	}
	return at.UnixNano()
}

// time returns the moment of a value.
func (l *leaf) time(n int64) time.Time {
	switch l.unit {
	case millis:
		return time.UnixMilli(n).UTC()
	case micros:
		return time.UnixMicro(n).UTC()
	}
	return time.Unix(0, n).UTC() // also for INT96
}

// fits reports whether the i-th value passes.
func (p *predicate) fits(v *values, i int) bool {
	for _, t := range p.tests {
		// If all must pass, the first failure decides; if any may, the first success.
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
		// The common case needs no string; query.Test defines the others.
		case t.op == query.Equal && !t.value.Before && !t.value.After:
			return string(b) == t.value.Text
		// Lower case of ASCII is the same everywhere; other texts are left to package query.
		case t.op == query.Has && t.value.Before == t.value.After && ascii(b):
			return t.has(b)
		}
		return t.Text(string(b))
	case query.Integer:
		// Documents do not distinguish 0 from a missing value if JSON omits it, so neither does this.
		return (v.ints[i] != 0 || p.field.Has0()) && t.Integer(v.ints[i])
	case query.Real:
		return (v.reals[i] != 0 || p.field.Has0()) && t.Real(v.reals[i])
	case query.Boolean:
		return t.Boolean(v.ints[i] != 0)
	}
	// The only other kind is time. A text that is not a time never passes.
	if p.leaf.kind == kindBytes {
		at, ok := query.ParseTime(string(v.text(i)))
		return ok && t.Time(at)
	}
	return v.ints[i] >= t.lo && v.ints[i] <= t.hi
}

// ascii reports whether b is ASCII.
func ascii(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// has reports whether b, which is ASCII, contains the text, ignoring case.
func (t *test) has(b []byte) bool {
	// Reused, because a predicate is for one goroutine.
	t.lower = t.lower[:0]
	for _, c := range b {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		t.lower = append(t.lower, c)
	}
	return bytes.Contains(t.lower, t.needle)
}

// fits0 reports whether a row without a value passes, because JSON omits false or 0.
func (p *predicate) fits0() bool {
	// The value of such a row in a document.
	zero := values{n: 1, ints: []int64{0}}
	return (p.field.Kind == query.Boolean || p.field.Zero) && p.fits(&zero, 0)
}

// may reports whether values between the bounds may pass. Bounds of texts may be truncated: lower ones down, upper ones
// up.
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
	// Bounds of another length are ignored.
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
		// Texts with this prefix begin with the text itself; the last of them sort before all greater texts without it.
		return bytes.Compare(high, text) >= 0 &&
			(bytes.Compare(low, text) <= 0 || t.value.After && bytes.HasPrefix(low, text))
	// Less is treated as LessEqual: it reads at most one page more, and works with truncated bounds.
	case query.Less, query.LessEqual:
		return bytes.Compare(low, text) <= 0
	case query.Greater, query.GreaterEqual:
		return bytes.Compare(high, text) >= 0
	}
	return true
}

// cost returns the maximum number of bytes to read.
func (p *predicate) cost(s *scan) int64 {
	c, err := s.chunk(p.leaf)
	if err != nil {
		return 0 // it comes first, and returns the error
	}
	return c.end - c.start
}

// excluded reports whether the chunk's bounds exclude all rows.
func (p *predicate) excluded(s *scan) bool {
	c, err := s.chunk(p.leaf)
	// Bounds ignore rows without a value, which may pass.
	if err != nil || p.fits0() {
		return false
	}
	return c.empty() || c.min != nil && !p.may(c.min, c.max)
}

// rows returns the rows of sel that pass.
func (p *predicate) rows(_ context.Context, s *scan, sel rowSet) (rowSet, error) {
	out := make(rowSet, len(sel))
	if p.excluded(s) {
		return out, nil
	}
	c, err := s.chunk(p.leaf)
	if err != nil {
		return nil, err
	}
	// After the bounds, which are free: this takes two small reads.
	if ok, err := p.bloom(c); !ok || err != nil {
		return out, err
	}
	r, err := p.f.open(c, sel)
	if err != nil {
		return nil, err
	}
	defer r.close()
	m := matcher{predicate: p, fits0: p.fits0()}
	// If all values are in the dictionary and none passes, no page can.
	if c.onlyDict && !m.fits0 {
		if err := r.loadDictionary(); err != nil {
			return nil, err
		}
		if !m.look(r.dict) {
			return out, nil
		}
	}
	// want decides which pages are read, and how much is read ahead.
	if r.want, err = p.narrow(r, sel, m.fits0); err != nil {
		return nil, err
	}
	if err := r.each(func() { m.page(r, out) }); err != nil {
		return nil, err
	}
	// A page adds all its matching rows, wanted or not.
	return out.and(sel), nil
}

// bloom reports whether the chunk may have one of the texts, by its bloom filter.
func (p *predicate) bloom(c *chunk) (bool, error) {
	if c.bloom == 0 || p.field.Kind != query.String {
		return true, nil
	}
	for _, t := range p.tests {
		// A bloom filter only knows whole values.
		exact := t.op == query.Equal && !t.any && !t.value.Before && !t.value.After
		if !exact {
			return true, nil
		}
		ok, err := p.f.maybe(c, t.value.Text)
		// If all tests must pass, this is imprecise but safe.
		if err != nil || ok {
			return ok, err
		}
	}
	return false, nil
}

// narrow removes the rows of pages whose bounds exclude them.
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
		// A page of nulls has no value that passes; fits0 was handled above.
		if b.null || !p.may(b.min, b.max) {
			continue
		}
		for row := sel.next(r.places[i].row); row >= 0 && row < r.rowAfter(i); row = sel.next(row + 1) {
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
	hits  []bool // by value of dict
}

// look tests the values of a dictionary, and reports whether one passes.
func (m *matcher) look(dict *values) (some bool) {
	// Once a dictionary: it has far fewer values than rows.
	m.dict, m.hits = dict, make([]bool, dict.n)
	for i := range m.hits {
		m.hits[i] = m.fits(dict, i)
		some = some || m.hits[i]
	}
	return some
}

// page adds the matching rows of the page to out.
func (m *matcher) page(r *reader, out rowSet) {
	p, l := &r.page, m.leaf
	if r.indexed && m.dict != r.dict {
		m.look(r.dict)
	}
	// The first entries may continue the previous row, for which row is then the last row of the page before. The
	// counter value counts values, i counts entries including nulls.
	row, value := p.first-1, 0
	for i := range p.entries {
		if l.rep == 0 || p.rep[i] == 0 {
			row++
		}
		fits := false
		if l.def > 0 && p.def[i] != l.def {
			// The value itself is null, not a list or struct around it: only then does the document have the zero
			// value.
			fits = m.fits0 && p.def[i] >= l.above
		} else {
			switch {
			case r.indexed:
				fits = m.hits[p.index[value]]
			// Values of unwanted rows are not compared, which saves time for texts.
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

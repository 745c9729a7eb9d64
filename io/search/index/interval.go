package index

import (
	"math"
	"time"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// interval is the times in [from, to), in microseconds. Most intervals exclude noTime.
type interval struct{ from, to int64 }

// always includes all times that filters may have: the years that query.ParseTime accepts.
var always = interval{
	time.Date(1678, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro(),
	time.Date(2262, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro(),
}

// anyTime includes everything, even noTime.
var anyTime = interval{noTime, math.MaxInt64}

// until includes everything up to a moment. A version without a time is older than all others.
func until(t time.Time) interval { return interval{noTime, t.UnixMicro() + 1} }

// intersect returns the intersection.
func (i interval) intersect(j interval) interval {
	return interval{max(i.from, j.from), min(i.to, j.to)}
}

func (i interval) holds(ts int64) bool { return i.from <= ts && ts < i.to }

// intervalOf returns the times that match a comparison of timestamps; false if they are not one interval.
func intervalOf(c *query.Compare) (interval, bool) {
	// A value is a period, [From, To): "2026-03" is all of March.
	from, to := microsUp(c.Value.From), microsUp(c.Value.To)
	switch {
	case c.Value.Any:
		return always, c.Op != query.NotEqual
	case c.Op == query.Equal:
		return interval{from, to}, true
	case c.Op == query.Less:
		return interval{always.from, from}, true
	case c.Op == query.LessEqual:
		return interval{always.from, to}, true
	case c.Op == query.Greater:
		return interval{to, always.to}, true
	case c.Op == query.GreaterEqual:
		return interval{from, always.to}, true
	}
	return interval{}, false
}

// microsUp returns a time in microseconds, rounded up. Versions have whole microseconds, so they are before the result
// exactly if they are before t.
func microsUp(t time.Time) int64 {
	n := t.UnixMicro()
	if t.Nanosecond()%1000 != 0 {
		n++
	}
	return n
}

// keys is the SURTs in [from, to), bytewise. Both ends are set.
type keys struct{ from, to string }

// anyKey includes all SURTs except the empty one.
var anyKey = keys{"\x00", "\xff"} // keys are ASCII, see urlkey

func (k keys) intersect(l keys) keys { return keys{max(k.from, l.from), min(k.to, l.to)} }

func (k keys) holds(surt string) bool { return k.from <= surt && surt < k.to }

// keysOf returns the SURTs that match a comparison; false if they are not one range.
func keysOf(c *query.Compare) (keys, bool) {
	s := c.Value.Text
	switch {
	case c.Value.Any:
		return anyKey, c.Op != query.NotEqual
	case c.Op == query.Equal && !c.Value.Before && c.Value.After:
		return keys{s, afterPrefix(s)}, true
	case c.Op == query.Equal && !c.Value.Before:
		// Only the text itself: no text is between it and it with a zero byte.
		return keys{s, s + "\x00"}, s != ""
	case c.Op == query.Less:
		return keys{anyKey.from, s}, true
	case c.Op == query.LessEqual:
		return keys{anyKey.from, s + "\x00"}, true
	case c.Op == query.Greater:
		return keys{s + "\x00", anyKey.to}, true
	case c.Op == query.GreaterEqual:
		return keys{s, anyKey.to}, s != ""
	}
	return keys{}, false
}

// afterPrefix returns the first text after all texts with the prefix s.
func afterPrefix(s string) string {
	for n := len(s); n > 0; n-- {
		if s[n-1] < 0xff {
			return s[:n-1] + string([]byte{s[n-1] + 1})
		}
	}
	return anyKey.to
}

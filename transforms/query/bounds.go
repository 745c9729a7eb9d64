package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Interval is a range of texts, by their bytes: From up to but without To. An empty To means no end.
type Interval struct{ From, To string }

// Interval returns a range with every text that c accepts. Result ok is false if there is none. Has and NotEqual have
// no range: the texts that they accept are spread over all texts.
func (c *Compare) Interval() (i Interval, ok bool) {
	v := &c.Value
	if v.Any || v.Before {
		return i, false
	}
	switch c.Op {
	case Equal:
		if v.After {
			return Interval{v.Text, after(v.Text)}, true
		}
		return one(v.Text), true
	case Less:
		return Interval{"", v.Text}, true
	case LessEqual:
		return Interval{"", v.Text + "\x00"}, true
	case Greater:
		return Interval{v.Text + "\x00", ""}, true
	case GreaterEqual:
		return Interval{v.Text, ""}, true
	}
	return i, false
}

// after returns the first text after all texts with a prefix, or "" if there is none.
func after(prefix string) string {
	// This is what rowstore.PrefixSpan does for keys: a byte 0xFF has no successor, so it is dropped.
	b := []byte(prefix)
	for len(b) > 0 && b[len(b)-1] == 0xFF {
		b = b[:len(b)-1]
	}
	if len(b) == 0 {
		return ""
	}
	b[len(b)-1]++
	return string(b)
}

// maxIntervals bounds the ranges of a filter: more ranges are cheaper to test than to look up.
const maxIntervals = 100

// SURTs returns the ranges that contain the SURTs of all documents accepted by e, in order and without overlaps.
// Result ok is false if e gives no bounds. Collections are sorted by SURT, and HBase uses it as row key, so only these
// ranges are read. Hosts and URLs have ranges as well, since a SURT follows from them.
func SURTs(e Expr) (ranges []Interval, ok bool) {
	switch e := e.(type) {
	case *And:
		for _, x := range e.List {
			// One part with ranges is enough: all parts must hold, so the others only exclude more.
			if r, known := SURTs(x); known {
				if ok {
					r = intersect(ranges, r)
				}
				ranges, ok = r, true
			}
		}
		return ranges, ok
	case *Or:
		for _, x := range e.List {
			// A part without ranges may accept documents of any SURT, and so may the whole.
			r, known := SURTs(x)
			if ranges = append(ranges, r...); !known || len(ranges) > maxIntervals {
				return nil, false
			}
		}
		return merged(ranges), len(e.List) > 0
	case *Compare:
		return surtsOf(e)
	}
	// A negation has no ranges: it would have nearly all SURTs.
	return nil, false
}

// surtsOf returns the SURTs for a comparison of a SURT, a URL or a host.
func surtsOf(c *Compare) ([]Interval, bool) {
	v := &c.Value
	exact := c.Op == Equal && !v.Any && !v.Before && !v.After
	switch {
	case c.Field == "surt":
		i, ok := c.Interval()
		return []Interval{i}, ok
	case c.Field == "url" && exact:
		return []Interval{one(urlkey.SURT(v.Text))}, true
	case c.Field == "host" && exact:
		return surtsOfHost(v.Text, ")", ":")
	case c.Field == "host" && c.Op == Equal && v.Before && !v.After && strings.HasPrefix(v.Text, "."):
		return surtsOfHost(v.Text[1:], ")", ",", ":") // includes the host itself: SURTs have no "www."
	}
	return nil, false
}

// surtsOfHost returns the SURTs of a host followed by one of some characters: the end of the host, another label, or a
// port.
func surtsOfHost(host string, next ...string) (list []Interval, ok bool) {
	url := "http://" + host + "/"
	surt, ok := strings.CutSuffix(urlkey.SURT(url), ")/")
	// The reverse conversion must give the same host. Otherwise a name written differently than in documents, for
	// example in capitals, would get the ranges of another host.
	if !ok || urlkey.Host(url) != host {
		return nil, false // not a host as in documents: nothing matches, or it is an IPv6 address
	}
	for _, n := range next {
		list = append(list, Interval{surt + n, after(surt + n)})
	}
	return list, true
}

// one returns the range of one text.
func one(text string) Interval { return Interval{text, text + "\x00"} }

// merged sorts ranges and joins those that touch.
func merged(list []Interval) (out []Interval) {
	slices.SortFunc(list, func(a, b Interval) int { return strings.Compare(a.From, b.From) })
	for _, i := range list {
		// They touch or overlap. An empty end means no end.
		if n := len(out); n > 0 && (out[n-1].To == "" || i.From <= out[n-1].To) {
			if out[n-1].To != "" && (i.To == "" || i.To > out[n-1].To) {
				out[n-1].To = i.To
			}
			continue
		}
		out = append(out, i)
	}
	return out
}

// intersect returns the intersection of both lists.
func intersect(a, b []Interval) (out []Interval) {
	for _, x := range a {
		for _, y := range b {
			// An empty end means no end, but is the smaller of two texts. In that case cmp.Or takes the other one.
			i := Interval{max(x.From, y.From), cmp.Or(min(x.To, y.To), x.To, y.To)}
			if i.To == "" || i.From < i.To {
				out = append(out, i)
			}
		}
	}
	return merged(out)
}

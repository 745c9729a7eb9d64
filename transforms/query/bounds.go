package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Interval is a range of texts, by their bytes: From to To, which is not in it. An empty To is not an end.
type Interval struct{ From, To string }

// Interval is the range that holds every text that c takes; ok is false where there is none.
// With Has and NotEqual there is none: what they take is spread over all texts.
func (c *Compare) Interval() (i Interval, ok bool) {
	v := &c.Value
	if v.Any || v.Before {
		return i, false
	}
	switch c.Op {
	case Equal:
		if v.Behind {
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

// after is the first text after all that begin with a prefix; empty when there is none.
func after(prefix string) string {
	// It is what rowstore.PrefixSpan does for keys: a byte 0xFF cannot be counted up, so it goes.
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

// maxIntervals bounds the ranges of a filter: more of them are cheaper to test than to look up.
const maxIntervals = 100

// SURTs are ranges, in order and without overlaps, outside of which e takes no document; ok is false where nothing of e
// tells. Collections are sorted by SURT, and rows of HBase are keyed by it: so e is asked in these ranges alone. Hosts
// and URLs have ranges as well, since a SURT follows from them.
func SURTs(e Expr) (ranges []Interval, ok bool) {
	switch e := e.(type) {
	case *And:
		for _, x := range e.List {
			// One part that tells is enough: all of them must hold, so the others only leave out more.
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
			// One part that does not tell may take documents of any SURT, and then the whole may.
			r, known := SURTs(x)
			if ranges = append(ranges, r...); !known || len(ranges) > maxIntervals {
				return nil, false
			}
		}
		return merged(ranges), len(e.List) > 0
	case *Compare:
		return surtsOf(e)
	}
	// A negation has no ranges here: the rest of all SURTs would be nearly all of them.
	return nil, false
}

// surtsOf are the SURTs of a comparison of a SURT, a URL or a host.
func surtsOf(c *Compare) ([]Interval, bool) {
	v := &c.Value
	exact := c.Op == Equal && !v.Any && !v.Before && !v.Behind
	switch {
	case c.Field == "surt":
		i, ok := c.Interval()
		return []Interval{i}, ok
	case c.Field == "url" && exact:
		return []Interval{one(urlkey.SURT(v.Text))}, true
	case c.Field == "host" && exact:
		return surtsOfHost(v.Text, ")", ":")
	case c.Field == "host" && c.Op == Equal && v.Before && !v.Behind && strings.HasPrefix(v.Text, "."):
		return surtsOfHost(v.Text[1:], ")", ",", ":") // the host itself as well: "www." before it is cut off in SURTs
	}
	return nil, false
}

// surtsOfHost are the SURTs of a host that continue with one of some characters: the end of the host, a label more, or
// a port.
func surtsOfHost(host string, next ...string) (list []Interval, ok bool) {
	url := "http://" + host + "/"
	surt, ok := strings.CutSuffix(urlkey.SURT(url), ")/")
	// The way back is tried: a name that is written in another way than documents have it, in capital letters for one,
	// would get the ranges of a host that the comparison does not take.
	if !ok || urlkey.Host(url) != host {
		return nil, false // not a host as documents have them: no document fits, or it is an address of IPv6
	}
	for _, n := range next {
		list = append(list, Interval{surt + n, after(surt + n)})
	}
	return list, true
}

// one is the range of one text.
func one(text string) Interval { return Interval{text, text + "\x00"} }

// merged sorts ranges and joins those that meet.
func merged(list []Interval) (out []Interval) {
	slices.SortFunc(list, func(a, b Interval) int { return strings.Compare(a.From, b.From) })
	for _, i := range list {
		// They meet or lie over each other. An empty end is after all.
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

// intersect is what is in both lists.
func intersect(a, b []Interval) (out []Interval) {
	for _, x := range a {
		for _, y := range b {
			// An empty end is not an end, and the smaller of two as a text: Or takes the other one then.
			i := Interval{max(x.From, y.From), cmp.Or(min(x.To, y.To), x.To, y.To)}
			if i.To == "" || i.From < i.To {
				out = append(out, i)
			}
		}
	}
	return merged(out)
}

package webtable

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// MaxFound is the number of documents that Find holds for sorting: some GB. A query without a limit that finds more
// fails.
const MaxFound = 200_000

// Find returns the documents that a query selects, in its order. The store evaluates as much as it can: see [Plan].
func Find(ctx context.Context, s rowstore.Store, l Layout, q query.Query) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		list, err := find(ctx, s, l, q)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, d := range list {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// find collects the results. If there are more than the limit, it drops the last ones from time to time.
func find(ctx context.Context, s rowstore.Store, l Layout, q query.Query) ([]*schemas.Document, error) {
	var list []*schemas.Document
	for d, err := range Select(ctx, s, l, q) {
		if err != nil {
			return nil, err
		}
		if !q.IsAfter(query.KeyOf(d), 0) {
			continue
		}
		list = append(list, d)
		if q.Limit > 0 && len(list) >= 2*q.Limit+1000 {
			list = ordered(list, q)
		}
		if len(list) > MaxFound {
			return nil, fmt.Errorf("webtable: more than %d documents are found: set a limit, or narrow the question: "+
				"%w", MaxFound,
				rowstore.ErrLimit)
		}
	}
	return ordered(list, q), nil
}

func ordered(list []*schemas.Document, q query.Query) []*schemas.Document {
	slices.SortFunc(list, func(a, b *schemas.Document) int { return q.Order.Compare(query.KeyOf(a), query.KeyOf(b)) })
	if q.Limit > 0 && len(list) > q.Limit {
		clear(list[q.Limit:])
		list = list[:q.Limit]
	}
	return list
}

// Select returns the documents that a query selects in the order of the rows, and ignores its order and limit. It holds
// one row's documents in memory. With URLs as keys a SURT's versions are in several rows, so it holds all SURTs.
func Select(ctx context.Context, s rowstore.Store, l Layout, q query.Query) iter.Seq2[*schemas.Document, error] {
	r, _ := Plan(l, q)
	match := query.Compile(q.Sampled().Where)
	return func(yield func(*schemas.Document, error) bool) {
		best := map[string]*schemas.Document{}
		key := ""
		for row, err := range s.Scan(ctx, r) {
			// A row may come in parts. Rows of nameless captures come first, and share the empty SURT.
			if row.Key != key && !l.ByURL && !strings.HasPrefix(key, nameless) && !flush(best, q, match, yield) {
				return
			}
			key = row.Key
			var list []*schemas.Document
			if err == nil {
				list, err = Documents(row)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for _, d := range list {
				if !q.At.IsZero() && query.KeyOf(d).Timestamp.After(q.At) || q.At.IsZero() && !match(d) {
					continue
				}
				if q.AllVersions {
					if !yield(d, nil) {
						return
					}
				} else if old := best[d.SURT]; old == nil || query.KeyOf(d).Newer(query.KeyOf(old)) {
					best[d.SURT] = d
				}
			}
			// Other rows may have versions of the same SURT.
			if l.ByURL && len(best) > MaxFound {
				yield(nil, fmt.Errorf("webtable: more than %d pages, whose keys are URLs: %w", MaxFound, rowstore.ErrLimit))
				return
			}
		}
		flush(best, q, match, yield)
	}
}

// flush yields the newest version of each SURT, in the order of the SURTs, and clears best. The moment was applied
// before the filter.
func flush(best map[string]*schemas.Document, q query.Query, match func(*schemas.Document) bool,
	yield func(*schemas.Document, error) bool,
) bool {
	var surts []string
	for surt := range best {
		surts = append(surts, surt)
	}
	slices.Sort(surts)
	for _, surt := range surts {
		if d := best[surt]; (q.At.IsZero() || match(d)) && !yield(d, nil) {
			return false
		}
	}
	clear(best)
	return true
}

// Plan returns the range that a store reads for a query, and the part of the filter that it covers. Each row with a
// result is in the range. Documents are tested anyway, since a row may match with values of different versions.
func Plan(l Layout, q query.Query) (r rowstore.Range, pushed query.Expr) {
	r.Versions, r.Parts = -1, true
	r.Families = slices.DeleteFunc(l.Families(), func(f string) bool { return f == Content || f == Features })
	if q.Where != nil {
		p := planner{l: l, r: &r, atMoment: !q.At.IsZero()}
		pushed, _ = query.Split(q.Where, p.can)
		p.push(pushed)
	}
	if !q.At.IsZero() { // includes versions of the moment's own millisecond
		r.Till = rowstore.At(rowstore.Millis(q.At) + 1)
	}
	return r, pushed
}

// planner turns parts of a filter into a range.
type planner struct {
	l        Layout
	r        *rowstore.Range
	atMoment bool // the filter is tested only on the newest version at a moment
}

// can reports whether the store can evaluate a part.
func (p planner) can(e query.Expr) bool {
	if _, ok := p.filter(e); ok {
		return true
	}
	if _, ok := p.spans(e); ok {
		return true
	}
	c, ok := e.(*query.Compare)
	return ok && c.Field == "timestamp" && !p.atMoment && c.Op != query.NotEqual && c.Op != query.Has && !c.Value.Any
}

// push narrows the range by the part that the store can evaluate: one part, or an And of such parts.
func (p planner) push(e query.Expr) {
	if and, ok := e.(*query.And); ok {
		for _, x := range and.List {
			p.push(x)
		}
		return
	}
	if f, ok := p.filter(e); ok {
		all, _ := p.r.Where.(rowstore.All)
		p.r.Where = append(all, f)
		return
	}
	if spans, ok := p.spans(e); ok {
		if p.r.Among != nil { // both are required: the documents are tested for this one
			return
		}
		p.r.Among = spans
		return
	}
	if c, ok := e.(*query.Compare); ok && c.Field == "timestamp" {
		p.times(c)
	}
}

// times limits versions. The wider of two limits would be correct, and the narrower one is better. Cells have whole
// milliseconds, so that a limit within one includes all of it.
func (p planner) times(c *query.Compare) {
	from, to := c.Value.From, c.Value.To
	since := func(t time.Time) {
		if t = rowstore.At(rowstore.Millis(t)); t.After(p.r.Since) {
			p.r.Since = t
		}
	}
	till := func(t time.Time) {
		if t = rowstore.At(rowstore.Millis(t) + 1); p.r.Till.IsZero() || t.Before(p.r.Till) {
			p.r.Till = t
		}
	}
	switch c.Op {
	case query.Equal:
		since(from)
		till(to)
	case query.GreaterEqual:
		since(from)
	case query.Greater:
		since(to)
	case query.Less:
		till(from)
	case query.LessEqual:
		till(to)
	}
}

// filter returns the store's filter for a part, with features only. With URLs as keys and a moment there is none:
// before all rows are read, nobody knows which has the newest version.
func (p planner) filter(e query.Expr) (rowstore.Filter, bool) {
	if p.l.ByURL && p.atMoment {
		return nil, false
	}
	switch e := e.(type) {
	case *query.And:
		list, ok := p.filters(e.List)
		return rowstore.All(list), ok
	case *query.Or:
		list, ok := p.filters(e.List)
		return rowstore.Any(list), ok
	case *query.Compare:
		value, ok := plainValue(e)
		known := slices.ContainsFunc(features, func(f struct {
			field string
			value func(*schemas.Document) string
		},
		) bool {
			return f.field == e.Field
		})
		return rowstore.Column{Family: Features, Qualifier: feature(e.Field, value)}, ok && known
	}
	return nil, false
}

func (p planner) filters(list []query.Expr) ([]rowstore.Filter, bool) {
	all := make([]rowstore.Filter, len(list))
	for i, e := range list {
		f, ok := p.filter(e)
		if !ok {
			return nil, false
		}
		all[i] = f
	}
	return all, true
}

// plainValue returns the value that a field has to equal, if it is one value.
func plainValue(c *query.Compare) (string, bool) {
	if c.Op != query.Equal || c.Value.Any || c.Value.Before || c.Value.After {
		return "", false
	}
	if c.Field == "status" {
		return strconv.FormatInt(c.Value.Integer, 10), c.Value.Integer != 0
	}
	return c.Value.Text, c.Value.Text != ""
}

// spans returns the rows of a part that selects a page, a host, or the beginning of a SURT.
func (p planner) spans(e query.Expr) ([]rowstore.Span, bool) {
	if or, ok := e.(*query.Or); ok {
		var all []rowstore.Span
		for _, x := range or.List {
			spans, ok := p.spans(x)
			if !ok {
				return nil, false
			}
			all = append(all, spans...)
		}
		return all, len(all) > 0
	}
	c, ok := e.(*query.Compare)
	if !ok || c.Op != query.Equal || c.Value.Any || c.Value.Before || c.Value.Text == "" || p.l.ByURL && p.atMoment {
		return nil, false
	}
	text := c.Value.Text
	switch {
	case c.Field == "url" && !c.Value.After:
		key := p.l.Key(text)
		return only(key), key != ""
	case p.l.ByURL:
		return nil, false
	case c.Field == "surt" && !c.Value.After:
		return only(shortKey(text)), true
	case c.Field == "surt" && len(text) <= maxKey:
		return []rowstore.Span{rowstore.PrefixSpan(text)}, true
	case c.Field == "host" && !c.Value.After:
		return hostSpans(text)
	}
	return nil, false
}

func only(key string) []rowstore.Span { return []rowstore.Span{{From: key, To: key + "\x00"}} }

// hostSpans returns the rows of a host, which may have a port: "com,example)/", "com,example:8080)/". A SURT leaves out
// www.
func hostSpans(host string) ([]rowstore.Span, bool) {
	surt := urlkey.SURT("http://" + host + "/")
	name, ok := strings.CutSuffix(surt, ")/")
	if !ok || name == "" || urlkey.Host("http://"+host+"/") != host {
		return nil, false // no document has this host: it is searched everywhere, and found nowhere
	}
	return []rowstore.Span{rowstore.PrefixSpan(name + ")"), rowstore.PrefixSpan(name + ":")}, true
}

package access

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// action is what a rule does with the captures that it fits.
type action string

const (
	allow action = "allow"
	list  action = "list" // without content
	deny  action = "deny" // as if they did not exist
)

// Reader is who sends a request.
type Reader struct {
	Name    string // "" without an account
	Role    string
	Token   int64      // number of the token, or 0
	Address netip.Addr // of the client; invalid if unknown
}

// Rules are the rules of a file, in its order. The first one that fits a capture decides.
type Rules struct {
	// Anonymous lets visitors without an account read, by these rules.
	Anonymous bool
	standard  action // if no rule fits
	list      []rule

	mu   sync.Mutex
	kept map[string]*May // by the rules that apply, and the day
}

// rule is one rule. Empty fields fit everything.
type rule struct {
	roles       []string
	users       []string
	tokens      []int64
	addresses   []netip.Prefix
	collections []string
	since       time.Time // the rule holds from then on
	until       time.Time // and until then
	captures    query.Expr
	ages        []age
	action      action
	message     string
}

// age compares the time of a capture with a moment, or with the present less a period.
type age struct {
	older               bool
	at                  time.Time // zero for a period
	years, months, days int
}

// May is what a reader may see of a collection.
type May struct {
	Limits  contentdb.Limits
	Nothing bool   // the collection does not exist for the reader
	Key     string // identifies the limits; "" without any

	rules []fitting
}

// fitting is a rule that applies to a reader, with the captures that it fits.
type fitting struct {
	where   query.Expr
	action  action
	message string
}

// maxKept limits the results that Rules keep: as many as there are groups of readers.
const maxKept = 256

// For returns what a reader may see of a collection at a time. Ages are counted in whole days, in UTC.
func (r *Rules) For(who Reader, collection string, now time.Time) *May {
	day := now.UTC().Truncate(24 * time.Hour)
	key := day.AppendFormat(nil, time.DateOnly)
	var fit []*rule
	for i := range r.list {
		if one := &r.list[i]; one.applies(who, collection, now) {
			fit = append(fit, one)
			key = binary.AppendUvarint(append(key, ' '), uint64(i))
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.kept[string(key)]; m != nil {
		return m
	}
	if len(r.kept) >= maxKept || r.kept == nil {
		r.kept = map[string]*May{}
	}
	m := r.make(fit, day)
	r.kept[string(key)] = m
	return m
}

// make makes the limits of the rules that apply to a reader.
func (r *Rules) make(fit []*rule, day time.Time) *May {
	m := &May{}
	for _, one := range fit {
		m.rules = append(m.rules, fitting{one.where(day), one.action, one.message})
	}
	listed := m.fold(r.standard != deny, func(a action) bool { return a != deny })
	whole := m.fold(r.standard == allow, func(a action) bool { return a == allow })
	m.Nothing = isNothing(listed)
	m.Limits = contentdb.Limits{Listed: listed, Whole: whole}
	if text(listed) == text(whole) {
		m.Limits.Whole = nil
	}
	if listed != nil || m.Limits.Whole != nil {
		m.Key = text(listed) + "\x00" + text(m.Limits.Whole)
	}
	return m
}

// fold returns the filter of the captures for which yes is true. It goes backwards, since each rule decides before
// those after it. Neighbours with the same result are put together, so that long lists do not become deep.
func (m *May) fold(standard bool, yes func(action) bool) query.Expr {
	filter := constant(standard)
	for i := len(m.rules); i > 0; {
		says := yes(m.rules[i-1].action)
		var any []query.Expr
		for ; i > 0 && yes(m.rules[i-1].action) == says; i-- {
			where := m.rules[i-1].where
			if where == nil {
				filter, any = constant(says), nil
				continue
			}
			any = append(any, where)
		}
		if len(any) > 0 {
			filter = decide(oneOf(any), says, filter)
		}
	}
	return filter
}

// Message returns the message of the rule that decides about a capture, or "". The capture has the columns of Limits.
func (m *May) Message(d *schemas.Document) string {
	for _, one := range m.rules {
		if query.Match(one.where, d) {
			return one.message
		}
	}
	return ""
}

// applies reports whether a rule is for a reader and a collection, at a time.
func (r *rule) applies(who Reader, collection string, now time.Time) bool {
	has := func(names []string, name string) bool { return len(names) == 0 || slices.Contains(names, name) }
	return has(r.roles, who.Role) && has(r.users, who.Name) && has(r.collections, collection) &&
		(len(r.tokens) == 0 || slices.Contains(r.tokens, who.Token)) && r.near(who.Address) &&
		!now.Before(r.since) && (r.until.IsZero() || now.Before(r.until))
}

// near reports whether an address is in the networks of a rule. An unknown one is where it may see least.
func (r *rule) near(ip netip.Addr) bool {
	if len(r.addresses) == 0 {
		return true
	}
	if !ip.IsValid() {
		return r.action != allow
	}
	ip = ip.Unmap().WithZone("")
	return slices.ContainsFunc(r.addresses, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// where returns the captures that a rule fits on a day; nil is all.
func (r *rule) where(day time.Time) query.Expr {
	parts := []query.Expr{r.captures}
	for _, a := range r.ages {
		parts = append(parts, a.where(day, r.action == allow))
	}
	return allOf(parts...)
}

// where returns the captures of an age. Captures without a time are not allowed by their age, and are restricted by
// it.
func (a age) where(day time.Time, allows bool) query.Expr {
	at := a.at
	if at.IsZero() {
		at = day.AddDate(-a.years, -a.months, -a.days)
	}
	value := query.Value{Text: at.Format(time.RFC3339), From: at, To: at.Add(time.Second)}
	op, other := query.GreaterEqual, query.Less
	if a.older {
		op, other = query.Less, query.GreaterEqual
	}
	if allows {
		return &query.Compare{Field: "timestamp", Op: op, Value: value}
	}
	return &query.Not{X: &query.Compare{Field: "timestamp", Op: other, Value: value}}
}

// nothing accepts no capture. It can be written, unlike an empty Or, and an index answers it.
var nothing query.Expr = &query.And{List: []query.Expr{
	&query.Compare{Field: "status", Op: query.Equal, Value: query.Value{Text: "1", Integer: 1}},
	&query.Compare{Field: "status", Op: query.Equal, Value: query.Value{Text: "2", Integer: 2}},
}}

// constant returns a filter that accepts everything or nothing.
func constant(all bool) query.Expr {
	if all {
		return nil
	}
	return nothing
}

func isNothing(e query.Expr) bool { return e == nothing }

// decide returns rest with an exception: yes decides about the captures of where.
func decide(where query.Expr, yes bool, rest query.Expr) query.Expr {
	switch {
	case yes && rest == nil, !yes && isNothing(rest):
		return rest
	case yes && isNothing(rest):
		return where
	case yes:
		return oneOf([]query.Expr{where, rest})
	case rest == nil:
		return &query.Not{X: where}
	}
	return allOf(&query.Not{X: where}, rest)
}

func text(e query.Expr) string {
	if e == nil {
		return ""
	}
	return e.String()
}

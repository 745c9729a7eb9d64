package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// Query asks a collection for captures.
type Query struct {
	Where Expr // nil: all
	// At is a moment: of each SURT the newest capture at or before it is chosen, then Where is tested, which gives the
	// archive as it stood then. Zero: of the captures that Where takes, the newest of each SURT.
	At          time.Time
	AllVersions bool // every capture that Where takes, not one a SURT
	// Sample is the share of the pages that are asked for, in parts in a million (ParseShare); 0: all. See Sampled.
	Sample int64
	Order  Order
	Limit  int       // most captures; 0: all
	After  *Position // only what follows this capture in the order: how an answer is read in pages; nil: all
}

// Position is the place of a capture in an answer, which holds while others are added: a page of an answer that begins
// after the last capture of the page before lacks and repeats nothing that was there all the time.
type Position struct {
	Key   Key
	Score float64 // of Relevance; 0 in other orders
}

// Behind reports whether a capture comes after After.
func (q *Query) Behind(k Key, score float64) bool {
	switch {
	case q.After == nil:
		return true
	case q.Order == Relevance && score != q.After.Score:
		return score < q.After.Score
	}
	return q.Order.Compare(k, q.After.Key) > 0
}

// Until takes what was captured at or before a moment, and what has no time, which is older than all: the captures
// among which Query.At chooses.
func Until(at time.Time) Expr {
	v := Value{Text: at.Format(time.RFC3339Nano), From: at, To: at.Add(1)}
	return &Not{X: &Compare{Field: "timestamp", Op: Greater, Value: v}}
}

// Check tells what does not go together.
func (q Query) Check() error {
	switch {
	case q.AllVersions && !q.At.IsZero():
		return fmt.Errorf("one moment has one version of each page: --at does not go with --all_versions")
	case q.Limit < 0:
		return fmt.Errorf("a limit of %d", q.Limit)
	case q.Sample < 0 || q.Sample > million:
		return fmt.Errorf("a sample of %d parts in a million", q.Sample)
	}
	return nil
}

// Order is the order of the answers.
type Order uint8

// The orders. Where one leaves captures equal, SURT, filename, offset and sequence decide.
const (
	Newest    Order = iota // timestamp, descending
	Oldest                 // timestamp, ascending
	SURT                   // SURT, then timestamp, ascending
	Relevance              // the captures whose text fits best first; by Newest where nothing tells how well it fits
	Length                 // the longest records first, by Document.Length; by Newest where they are equal
)

var orderNames = [...]string{
	Newest: "newest", Oldest: "oldest", SURT: "surt", Relevance: "relevance", Length: "length",
}

// Orders are the names of the orders.
func Orders() []string { return slices.Clone(orderNames[:]) }

func (o Order) String() string { return orderNames[o] }

// ParseOrder reads the name of an order.
func ParseOrder(name string) (Order, error) {
	i := slices.Index(orderNames[:], name)
	if i < 0 {
		return 0, fmt.Errorf("no order %q; there are %s", name, strings.Join(orderNames[:], ", "))
	}
	return Order(i), nil
}

// Key is what captures are ordered by, and what tells them apart.
type Key struct {
	SURT      string
	Timestamp time.Time // zero when it is not known, which is older than all
	Filename  string
	Offset    int64
	Sequence  int
	Length    int64 // of the record; what Length orders by, and no other order looks at
}

// KeyOf is the key of a document.
func KeyOf(d *schemas.Document) Key {
	t, _ := ParseTime(d.Timestamp)
	return Key{d.SURT, t, d.Filename, d.Offset, d.Sequence, d.Length}
}

// Compare is negative when a comes before b in the order, and 0 for the same capture only. Relevance is Newest here.
func (o Order) Compare(a, b Key) int {
	byTime := a.Timestamp.Compare(b.Timestamp)
	bySURT := strings.Compare(a.SURT, b.SURT)
	switch o {
	case Oldest:
		return cmp.Or(byTime, bySURT, a.place(b))
	case SURT:
		return cmp.Or(bySURT, byTime, a.place(b))
	case Length:
		return cmp.Or(cmp.Compare(b.Length, a.Length), -byTime, bySURT, a.place(b))
	}
	return cmp.Or(-byTime, bySURT, a.place(b))
}

// place compares where in which archive the captures stand.
func (k Key) place(o Key) int {
	return cmp.Or(strings.Compare(k.Filename, o.Filename), cmp.Compare(k.Offset, o.Offset),
		cmp.Compare(k.Sequence, o.Sequence))
}

// Newer reports whether k is the newer one of two versions of a page. Of those of the same moment the one whose file,
// offset and sequence come later is.
func (k Key) Newer(o Key) bool { return cmp.Or(k.Timestamp.Compare(o.Timestamp), k.place(o)) > 0 }

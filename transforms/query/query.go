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
	// At is a moment. It selects the newest capture of each SURT at or before it and then tests Where. So the result
	// is the archive in its state at that moment. If At is zero, the result is the newest capture of each SURT
	// accepted by Where.
	At          time.Time
	AllVersions bool // every capture that Where accepts, instead of one for each SURT
	// Sample is the share of pages wanted, in parts in a million (ParseShare); 0 means all. See Sampled.
	Sample int64
	Order  Order
	Limit  int       // maximum number of captures; 0 means all
	After  *Position // only captures after this one in the order, to read an answer in pages; nil means all
}

// Position is the position of a capture in an answer. It stays valid while other captures are added. Pages of an
// answer that begin after it neither lack nor repeat captures that existed throughout.
type Position struct {
	Key   Key
	Score float64 // of Relevance; 0 in other orders
}

// IsAfter reports whether a capture comes after After.
func (q *Query) IsAfter(k Key, score float64) bool {
	switch {
	case q.After == nil:
		return true
	case q.Order == Relevance && score != q.After.Score:
		return score < q.After.Score
	}
	return q.Order.Compare(k, q.After.Key) > 0
}

// Until accepts captures at or before a moment, and captures without a time, which count as the oldest. Query.At
// chooses among these.
func Until(at time.Time) Expr {
	v := Value{Text: at.Format(time.RFC3339Nano), From: at, To: at.Add(1)}
	return &Not{X: &Compare{Field: "timestamp", Op: Greater, Value: v}}
}

// Check returns an error if fields contradict each other.
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

// The orders. SURT, filename, offset and sequence break ties.
const (
	Newest    Order = iota // timestamp, descending
	Oldest                 // timestamp, ascending
	SURT                   // SURT, then timestamp, ascending
	Relevance              // the captures whose text fits best first; Newest if there is no score
	Length                 // the longest records first, by Document.Length; Newest if they are equal
)

var orderNames = [...]string{
	Newest: "newest", Oldest: "oldest", SURT: "surt", Relevance: "relevance", Length: "length",
}

// Orders returns the names of the orders.
func Orders() []string { return slices.Clone(orderNames[:]) }

func (o Order) String() string { return orderNames[o] }

// ParseOrder parses the name of an order.
func ParseOrder(name string) (Order, error) {
	i := slices.Index(orderNames[:], name)
	if i < 0 {
		return 0, fmt.Errorf("no order %q; there are %s", name, strings.Join(orderNames[:], ", "))
	}
	return Order(i), nil
}

// Key identifies a capture and determines its order.
type Key struct {
	SURT      string
	Timestamp time.Time // zero if unknown, which counts as the oldest
	Filename  string
	Offset    int64
	Sequence  int
	Length    int64 // of the record; used only by the order Length
}

// KeyOf returns the key of a document.
func KeyOf(d *schemas.Document) Key {
	t, _ := ParseTime(d.Timestamp)
	return Key{d.SURT, t, d.Filename, d.Offset, d.Sequence, d.Length}
}

// Compare returns a negative number if a comes before b in the order, and 0 only for the same capture. It treats
// Relevance as Newest.
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

// place compares the archive positions of captures.
func (k Key) place(o Key) int {
	return cmp.Or(strings.Compare(k.Filename, o.Filename), cmp.Compare(k.Offset, o.Offset),
		cmp.Compare(k.Sequence, o.Sequence))
}

// Newer reports whether k is newer than o, where both are versions of one page. At equal times the later file, offset
// and sequence wins.
func (k Key) Newer(o Key) bool { return cmp.Or(k.Timestamp.Compare(o.Timestamp), k.place(o)) > 0 }

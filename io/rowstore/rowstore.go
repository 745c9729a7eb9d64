package rowstore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
)

// Kinds of errors. Those of a Store wrap them; others are of the network or the server.
var (
	// ErrReadOnly is the answer to a Put or Delete of a Store that is a view of something else.
	ErrReadOnly = errors.New("the store is read only")
	// ErrRefused is what the store will never take, however often it is asked: a family that is not there, a value
	// that is too large, an empty key.
	ErrRefused = errors.New("refused")
	// ErrLimit is a row with more bytes than its reader wants to hold.
	ErrLimit = errors.New("limit")
)

// MaxKey is how many bytes a key may have: Bigtable takes 4,096, HBase 32,767.
const MaxKey = 4096

// Cell is one value of a column at a version.
type Cell struct {
	Family, Qualifier string
	Time              time.Time // the version, UTC: whole milliseconds, not before 1970
	Value             []byte
}

// Row is the cells of one key. What a Store returns has its columns in order, by family and qualifier as bytes, and of
// each column the newest version first.
type Row struct {
	Key   string
	Cells []Cell
}

// Span is the keys from From on, up to To, which is not in it. An empty bound is none.
type Span struct{ From, To string }

// Has reports whether a key is in the span.
func (s Span) Has(key string) bool { return key >= s.From && (s.To == "" || key < s.To) }

// PrefixSpan is all keys that begin with p.
// The end is the prefix with its last byte one greater. A byte 0xff has no greater one, so it is dropped and the byte
// before it counts; a prefix of nothing but 0xff, as the empty one, has no end.
func PrefixSpan(p string) Span {
	end := []byte(p)
	for len(end) > 0 && end[len(end)-1] == 0xff {
		end = end[:len(end)-1]
	}
	if len(end) > 0 {
		end[len(end)-1]++
	}
	return Span{p, string(end)}
}

// Range is what is read. The zero value is the newest version of all columns of all rows.
type Range struct {
	Span
	// Among leaves out rows that are in none of these spans; nil leaves out none. They may lie over each other.
	Among []Span
	// Since and Till leave out versions: those before Since, and those at Till or after. Zero is not a bound.
	Since, Till time.Time
	Families    []string // that are read; nil for all
	Versions    int      // of each column, from the newest on: 0 for one, less for all
	Limit       int      // rows; 0 for all
	// Where leaves out rows by what they hold, all of their families read or not: see [Filter]. nil leaves out none.
	Where Filter
}

// Prefix is the range of all keys that begin with p.
func Prefix(p string) Range { return Range{Span: PrefixSpan(p)} }

// Store is a table. Its methods may be called by several goroutines at the same time.
type Store interface {
	// Put writes cells. A cell that is there already, with the same time, is replaced, so that a repeated Put changes
	// nothing. Each row is there as a whole or not at all; after an error some rows may be there and some not. Values
	// are not kept, and Put returns when all is there.
	Put(ctx context.Context, rows []Row) error
	// Get returns what r takes of one row; of r, the keys, Limit and Where do not matter. A row that is not there has
	// no cells, and is not an error.
	Get(ctx context.Context, key string, r Range) (Row, error)
	// Scan returns rows in the order of their keys as bytes; rows of which r takes no cell are left out. Each row is
	// as it was at some moment during the scan, and the receiver's to keep. After an error nothing follows.
	Scan(ctx context.Context, r Range) iter.Seq2[Row, error]
	// Delete removes the versions of a row that are older than till; all with the zero time.
	Delete(ctx context.Context, key string, till time.Time) error
	// Splits are keys, in order, that divide the table into parts of about one size, for scans side by side. There may
	// be none.
	Splits(ctx context.Context) ([]string, error)
}

// Check finds rows that no store takes: ErrRefused.
func Check(rows []Row) error {
	for _, r := range rows {
		if r.Key == "" || len(r.Key) > MaxKey {
			// Bytes of a key that is too long are not in the message: it would be as long.
			return fmt.Errorf("rowstore: a key of %d bytes, and one has 1 to %d: %w", len(r.Key), MaxKey, ErrRefused)
		}
		for _, c := range r.Cells {
			if c.Family == "" || c.Time.UnixMilli() < 0 {
				return fmt.Errorf("rowstore: row %.80q: a cell of the family %q at %v: %w", r.Key, c.Family, c.Time, ErrRefused)
			}
		}
	}
	return nil
}

// Millis is the version that a time is: whole milliseconds since 1970. What precedes is 0, as is the zero time.
// Times before 1970 have no number in Bigtable and HBase; Check refuses cells of them.
func Millis(t time.Time) int64 { return max(0, t.UnixMilli()) }

// At is the time of a version.
func At(millis int64) time.Time { return time.UnixMilli(millis).UTC() }

// Compare orders cells as a Row has them.
// The newest version comes first, so d and c change places for the time.
func (c Cell) Compare(d Cell) int {
	return cmp.Or(strings.Compare(c.Family, d.Family), strings.Compare(c.Qualifier, d.Qualifier), d.Time.Compare(c.Time))
}

// Take is what r takes of a row whose cells are in order: for stores that have no such filters themselves.
func (r Range) Take(row Row) Row {
	out := Row{Key: row.Key}
	n := 0 // versions of the column that were taken
	for i, c := range row.Cells {
		if i > 0 && (c.Family != row.Cells[i-1].Family || c.Qualifier != row.Cells[i-1].Qualifier) {
			n = 0
		}
		// Versions are counted after the bounds of time, so that "the newest before a moment" is one version.
		if !r.hasFamily(c.Family) || !r.hasTime(c.Time) || r.Versions >= 0 && n >= max(1, r.Versions) {
			continue
		}
		n++
		// The row may be the store's own memory, or part of a large answer: the receiver is to keep its copy.
		c.Value = bytes.Clone(c.Value)
		out.Cells = append(out.Cells, c)
	}
	return out
}

// HasKey reports whether the range has a key.
func (r Range) HasKey(key string) bool {
	return r.Has(key) &&
		(r.Among == nil || slices.ContainsFunc(r.Among, func(s Span) bool { return s.Has(key) }))
}

func (r Range) hasFamily(f string) bool { return r.Families == nil || slices.Contains(r.Families, f) }

func (r Range) hasTime(t time.Time) bool {
	return (r.Since.IsZero() || !t.Before(r.Since)) && (r.Till.IsZero() || t.Before(r.Till))
}

// NoTime reports whether no version can be between Since and Till: servers refuse such bounds, or take them for none.
func (r Range) NoTime() bool {
	return !r.Till.IsZero() && Millis(r.Till) <= Millis(r.Since)
}

// Spans are the keys of the range as spans that do not touch, in order: for stores that read one after the other.
func (r Range) Spans() []Span {
	// Nothing to narrow. An empty list that is not nil is another thing: no row is in it, and no span comes back.
	if r.Among == nil {
		return []Span{r.Span}
	}
	var all []Span
	byFrom := func(a, b Span) int { return strings.Compare(a.From, b.From) }
	for _, s := range slices.SortedFunc(slices.Values(r.Among), byFrom) {
		s.From = max(s.From, r.From)
		if r.To != "" && (s.To == "" || s.To > r.To) {
			s.To = r.To
		}
		last := len(all) - 1
		switch {
		case s.To != "" && s.From >= s.To: // nothing is in it
		// It begins within the span before it, or where that one ends: they become one, so that no row is read twice.
		case last >= 0 && (all[last].To == "" || s.From <= all[last].To):
			if all[last].To != "" && (s.To == "" || s.To > all[last].To) {
				all[last].To = s.To
			}
		default:
			all = append(all, s)
		}
	}
	return all
}

// Merge is rows by key, each key once, with cells in order and each version once: of those that are there twice, the
// last.
func Merge(rows []Row) []Row {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b Row) int { return strings.Compare(a.Key, b.Key) })
	var all []Row
	for _, r := range sorted {
		if n := len(all); n > 0 && all[n-1].Key == r.Key {
			// Concat makes a new slice: the cells of the caller's rows are not written over.
			all[n-1].Cells = slices.Concat(all[n-1].Cells, r.Cells)
		} else {
			all = append(all, r)
		}
	}
	for i := range all {
		all[i].Cells = lastOfEach(slices.Clone(all[i].Cells))
	}
	return all
}

// lastOfEach sorts cells, and keeps of equal ones the last.
func lastOfEach(cells []Cell) []Cell {
	for i := range cells {
		cells[i].Time = At(Millis(cells[i].Time))
	}
	// A stable sort keeps equal cells in their sequence, and Compact keeps the first of equals. Turned round, the first
	// is the one that was written last.
	slices.Reverse(cells)
	slices.SortStableFunc(cells, Cell.Compare)
	return slices.CompactFunc(cells, func(a, b Cell) bool { return a.Compare(b) == 0 })
}

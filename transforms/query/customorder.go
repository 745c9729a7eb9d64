package query

import (
	"iter"
	"math"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// CustomRange is a comparison of a custom column by the order of values. A document passes if one of the columns has a
// value from First to Last. With Negated it passes if none has.
type CustomRange struct {
	Key         string
	Types       []schemas.ValueType
	First, Last uint64
	Negated     bool
}

// Custom returns the comparison as a range of values. Result ok is false if it does not compare a custom column, or if
// only the documents can decide it. Back ends that store the values of CustomOrders use it to agree with Match.
func (c *Compare) Custom() (r CustomRange, ok bool) {
	f, key, err := Lookup(c.Field)
	if err != nil || !IsCustom(f.Name) || key == "" {
		return r, false
	}
	r = CustomRange{Key: key, Last: math.MaxUint64, Negated: c.Op == NotEqual}
	for _, t := range schemas.ValueTypes() {
		if customColumns[t] == f.Name || c.Value.Any && f.Name == customText {
			r.Types = append(r.Types, t)
		}
	}
	v := c.Value
	switch {
	// Any value fits, so the range stays whole.
	case v.Any:
	case f.Name == customText:
		return r, false // texts have no order here, and without types each value has its own
	case f.Kind == Integer:
		r.between(c.Op, orderOfInteger(v.Integer), orderOfInteger(v.Integer))
	case f.Kind == Real:
		r.between(c.Op, orderOfFloat(v.Real), orderOfFloat(v.Real))
	case f.Kind == Boolean:
		r.between(c.Op, orderOfBoolean(v.Boolean), orderOfBoolean(v.Boolean))
	case !v.From.Equal(v.From.Truncate(time.Microsecond)) || !v.To.Equal(v.To.Truncate(time.Microsecond)):
		return r, false // finer than the order
	default:
		// A period ends before its second time.
		r.between(c.Op, orderOfTime(v.From), orderOfTime(v.To)-1)
		// Values that are not times come first, and no comparison accepts them.
		r.First = max(r.First, orderOfNoTime+1)
	}
	return r, true
}

// between sets the range to the values that op accepts in comparison with the period from first to last, both included.
// An empty range ends before it begins.
func (r *CustomRange) between(op Op, first, last uint64) {
	switch op {
	case Less:
		r.First, r.Last = 0, first-1
		// Nothing is less than the first value, and 0 - 1 has wrapped around.
		if first == 0 {
			r.First, r.Last = 1, 0
		}
	case LessEqual:
		r.First, r.Last = 0, last
	case Greater:
		r.First, r.Last = last+1, math.MaxUint64
		// Nothing is greater than the last value.
		if last == math.MaxUint64 {
			r.First, r.Last = 1, 0
		}
	case GreaterEqual:
		r.First, r.Last = first, math.MaxUint64
	default:
		r.First, r.Last = first, last
	}
}

// CustomColumn is a custom column with values of one type.
type CustomColumn struct {
	Type schemas.ValueType
	Key  string
}

// CustomOrders yields a number for each value of the custom columns of a document, by column and type. The numbers
// have the order of the values. Texts by an extractor without types are values of all types that accept them, as for
// Match. As texts they have the order 0. A value may come more than once.
func CustomOrders(d *schemas.Document) iter.Seq2[CustomColumn, uint64] {
	return func(yield func(CustomColumn, uint64) bool) {
		_ = orders(schemas.TypeInteger, d.CustomIntegers, orderOfInteger, yield) &&
			orders(schemas.TypeFloat, d.CustomFloats, func(x schemas.Float) uint64 { return orderOfFloat(float64(x)) }, yield) &&
			orders(schemas.TypeBoolean, d.CustomBooleans, orderOfBoolean, yield) &&
			orders(schemas.TypeTime, d.CustomTimes, orderOfStated, yield) &&
			orders(schemas.TypeText, d.Custom, func(string) uint64 { return 0 }, yield) && olderOrders(d, yield)
	}
}

func orders[T any](
	t schemas.ValueType, m map[string][]T, order func(T) uint64, yield func(CustomColumn, uint64) bool,
) bool {
	for key, list := range m {
		for _, v := range list {
			if !yield(CustomColumn{t, key}, order(v)) {
				return false
			}
		}
	}
	return true
}

// olderOrders yields texts as values of other types.
func olderOrders(d *schemas.Document, yield func(CustomColumn, uint64) bool) bool {
	for key := range d.Custom {
		for _, t := range schemas.ValueTypes()[1:] { // without texts
			f, _, err := Lookup(customColumns[t])
			if err != nil {
				continue // never happens: they are fields of documents
			}
			typed := customValues(d, f, key)
			if typed == d {
				continue
			}
			// Texts are removed, or this would recurse for ever.
			typed.Custom = nil
			for column, n := range CustomOrders(typed) {
				if !yield(column, n) {
					return false
				}
			}
		}
	}
	return true
}

// orderOfInteger flips the sign bit, so that negative numbers come before all others.
func orderOfInteger(n int64) uint64 { return uint64(n) ^ 1<<63 }

// orderOfFloat orders numbers by their bits (IEEE 754). For negative ones the bits are inverted.
func orderOfFloat(x float64) uint64 {
	bits := math.Float64bits(x + 0) // -0 is 0
	if bits>>63 == 1 {
		return ^bits
	}
	// Positive numbers come after all negative ones.
	return bits | 1<<63
}

func orderOfBoolean(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func orderOfTime(t time.Time) uint64 { return orderOfInteger(t.UnixMicro()) }

// orderOfNoTime is the order of a value that is not a time; no comparison accepts it.
const orderOfNoTime = 0

func orderOfStated(s string) uint64 {
	t, ok := ParseTime(s)
	if !ok {
		return orderOfNoTime
	}
	return orderOfTime(t)
}

package contentsql

import (
	"database/sql/driver"
	"fmt"
	"math"
	"slices"

	"modernc.org/sqlite"
)

// quantiles are functions that SQLite lacks, with the numbers of their arguments. As in DuckDB, quantile is
// quantile_disc, and median is quantile_cont of a half.
var quantiles = []struct {
	name       string
	values     int32
	continuous bool
}{
	{"median", 1, true},
	{"quantile", 2, false},
	{"quantile_disc", 2, false},
	{"quantile_cont", 2, true},
}

// registerQuantiles adds the functions to a driver's connections.
func registerQuantiles(d *sqlite.Driver) error {
	for _, f := range quantiles {
		err := d.RegisterFunction(f.name, &sqlite.FunctionImpl{
			NArgs: f.values, Deterministic: true,
			MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) {
				return &quantile{name: f.name, continuous: f.continuous, share: .5, given: f.values == 1}, nil
			},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// maxSample limits the numbers of one group, 8 bytes each, which are sorted in memory.
const maxSample = 16 << 20

// quantile collects the numbers of one group, or of a window's frame. NULL does not count.
type quantile struct {
	name       string
	continuous bool // interpolate between two numbers
	share      float64
	given      bool // share is set
	numbers    []float64
	reals      int // how many numbers are reals
}

// Step adds a number.
func (q *quantile) Step(_ *sqlite.FunctionContext, values []driver.Value) error {
	if len(values) == 2 {
		if err := q.setShare(values[1]); err != nil {
			return err
		}
	}
	switch v := values[0].(type) {
	case nil:
		return nil
	case int64:
		q.numbers = append(q.numbers, float64(v))
	case float64:
		q.reals++
		q.numbers = append(q.numbers, v)
	default:
		return fmt.Errorf("%s takes numbers, and not the text %.50q", q.name, fmt.Sprint(v))
	}
	if len(q.numbers) > maxSample {
		return fmt.Errorf("%s of more than %d numbers", q.name, maxSample)
	}
	return nil
}

func (q *quantile) setShare(v driver.Value) error {
	share, ok := v.(float64)
	if n, is := v.(int64); is {
		share, ok = float64(n), true
	}
	switch {
	case !ok || !(share >= 0 && share <= 1):
		return fmt.Errorf("%s takes a share from 0 to 1, and not %.50q", q.name, fmt.Sprint(v))
	case q.given && share != q.share:
		return fmt.Errorf("%s takes one share for all rows", q.name)
	}
	q.share, q.given = share, true
	return nil
}

// WindowInverse removes the oldest number.
func (q *quantile) WindowInverse(_ *sqlite.FunctionContext, values []driver.Value) error {
	switch values[0].(type) {
	case nil:
		return nil
	case float64:
		q.reals--
	}
	q.numbers = q.numbers[1:]
	return nil
}

// WindowValue returns the quantile of the numbers, or NULL without numbers.
func (q *quantile) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	n := len(q.numbers)
	if n == 0 {
		return nil, nil
	}
	list := slices.Sorted(slices.Values(q.numbers))
	if q.continuous {
		place := q.share * float64(n-1)
		low := math.Floor(place)
		a, b := list[int(low)], list[int(math.Ceil(place))]
		if a == b {
			return a, nil // also for infinity, whose difference is not a number
		}
		return a + (b-a)*(place-low), nil
	}
	v := list[max(n-int(math.Floor(float64(n)-q.share*float64(n))), 1)-1]
	const exact = 1 << 53 // beyond it floats cannot represent all integers
	if q.reals == 0 && math.Abs(v) < exact {
		return int64(v), nil
	}
	return v, nil
}

// Final frees the numbers.
func (q *quantile) Final(*sqlite.FunctionContext) { q.numbers = nil }

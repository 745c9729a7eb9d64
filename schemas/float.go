package schemas

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
)

// Float is a float64 whose JSON always has a point or an exponent: 1 is written 1.0. Tools that find out a column's
// type from its values (Polars, pandas, Spark, ClickHouse) would take the column of a 1 for whole numbers, and fail or
// guess at the first 0.5. It is read like any number.
type Float float64

// MarshalJSON writes the shortest number that is read as f, as package encoding/json does. Infinite values and NaN are
// an error.
func (f Float) MarshalJSON() ([]byte, error) { return f.AppendJSON(make([]byte, 0, 24)) }

// AppendJSON appends the result of MarshalJSON.
func (f Float) AppendJSON(b []byte) ([]byte, error) {
	switch x := float64(f); {
	case x == 0: // these two are most of all confidences and shares
		return append(b, "0.0"...), nil
	case x == 1:
		return append(b, "1.0"...), nil
	case math.IsNaN(x) || math.IsInf(x, 0):
		return nil, &json.UnsupportedValueError{Value: reflect.ValueOf(x), Str: strconv.FormatFloat(x, 'g', -1, 64)}
	default:
		return appendFloat(b, x), nil
	}
}

// appendFloat appends a finite number. As in ECMAScript, very small and very large numbers have an exponent.
func appendFloat(b []byte, x float64) []byte {
	if abs := math.Abs(x); abs < 1e-6 || abs >= 1e21 {
		return strconv.AppendFloat(b, x, 'e', -1, 64)
	}
	start := len(b)
	b = strconv.AppendFloat(b, x, 'f', -1, 64)
	if bytes.IndexByte(b[start:], '.') < 0 {
		b = append(b, '.', '0')
	}
	return b
}

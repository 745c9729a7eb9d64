package parquetfile

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// The values of a file are converted here. parquet-go gives decimals without their point, and NaN as a number. Dates
// that 64 bits of nanoseconds cannot hold become others.

// own returns the type that a column has in its file, or node for a file to be written.
func (b *builder) own(node parquet.Node) parquet.Node {
	if b.in == nil || !b.in.Leaf() {
		return node
	}
	return parquet.Leaf(b.in.Type())
}

// texts returns how the values of the column become texts.
func (b *builder) texts() func(reflect.Value, parquet.Value) bool {
	if b.in == nil || !b.in.Leaf() {
		return nil
	}
	t, is := logical(b.in).(*format.DecimalType)
	if is && (t.Scale < 0 || max(t.Scale, t.Precision) > maxDigits) {
		b.refuse(b.in, "a number that is read")
	}
	if old := b.in.Type().ConvertedType(); old != nil && *old == deprecated.Interval {
		b.refuse(b.in, "a text or a number")
	}
	c := b.in
	return func(v reflect.Value, p parquet.Value) bool {
		v.SetString(textOf(c, p))
		return true
	}
}

// numbers returns how the values of the column become booleans or numbers of a kind.
func (b *builder) numbers(kind reflect.Kind) func(reflect.Value, parquet.Value) bool {
	if b.in == nil || !b.in.Leaf() {
		return nil
	}
	switch logical(b.in).(type) {
	case *format.DecimalType, *format.DateType, *format.TimeType, *format.TimestampType:
		b.refuse(b.in, "a number that is read")
	}
	if k := b.in.Type().Kind(); k == parquet.Int96 || k == parquet.FixedLenByteArray {
		b.refuse(b.in, "a number that is read")
	}
	set, what := setInteger, "a whole number of 64 bits"
	switch kind {
	case reflect.Bool:
		set, what = setBoolean, "true or false"
	case reflect.Float64:
		set, what = setFloat, "a finite number"
	}
	c := b.in
	return func(v reflect.Value, p parquet.Value) bool {
		if p.Kind() == parquet.ByteArray && len(p.ByteArray()) == 0 {
			return false
		}
		ok := set(v, p, unsigned(c))
		if !ok && b.err == nil {
			b.err = fmt.Errorf("parquetfile: the column %s has %.60q, which is not %s: %s",
				strings.Join(c.Path(), "."), textOf(c, p), what, advice)
		}
		return ok
	}
}

func setBoolean(v reflect.Value, p parquet.Value, unsigned bool) bool {
	if p.Kind() == parquet.ByteArray {
		is, err := strconv.ParseBool(string(p.ByteArray()))
		v.SetBool(is)
		return err == nil
	}
	v.SetBool(floatOf(p, unsigned) != 0)
	return true
}

func setInteger(v reflect.Value, p parquet.Value, unsigned bool) bool {
	switch p.Kind() {
	case parquet.ByteArray:
		n, err := strconv.ParseInt(string(p.ByteArray()), 10, 64)
		v.SetInt(n)
		return err == nil
	case parquet.Int32, parquet.Int64:
		n, ok := integerOf(p, unsigned)
		v.SetInt(n)
		return ok
	}
	n := floatOf(p, unsigned)
	if n != math.Trunc(n) || n < -1<<63 || n >= 1<<63 {
		return false
	}
	v.SetInt(int64(n))
	return true
}

func setFloat(v reflect.Value, p parquet.Value, unsigned bool) bool {
	n := floatOf(p, unsigned)
	if p.Kind() == parquet.ByteArray {
		var err error
		if n, err = strconv.ParseFloat(string(p.ByteArray()), 64); err != nil {
			return false
		}
	}
	if math.IsInf(n, 0) || math.IsNaN(n) {
		return false
	}
	v.SetFloat(n)
	return true
}

// integerOf returns an integer. ok is false if it is above the highest one.
func integerOf(p parquet.Value, unsigned bool) (n int64, ok bool) {
	switch {
	case p.Kind() == parquet.Int64:
		return p.Int64(), !unsigned || p.Int64() >= 0
	case unsigned:
		return int64(p.Uint32()), true
	}
	return int64(p.Int32()), true
}

func floatOf(p parquet.Value, unsigned bool) float64 {
	switch p.Kind() {
	case parquet.Boolean:
		if p.Boolean() {
			return 1
		}
	case parquet.Int32, parquet.Int64:
		n, ok := integerOf(p, unsigned)
		if !ok {
			return float64(uint64(n))
		}
		return float64(n)
	case parquet.Float:
		return float64(p.Float())
	case parquet.Double:
		return p.Double()
	}
	return 0
}

// isMissing reports whether there is no value. Programs without null for numbers write NaN.
func isMissing(p parquet.Value) bool {
	k := p.Kind()
	return p.IsNull() || (k == parquet.Float || k == parquet.Double) && math.IsNaN(floatOf(p, false))
}

// unsigned reports whether the numbers of a column have no sign.
func unsigned(c *parquet.Column) bool {
	t, is := logical(c).(*format.IntType)
	return is && !t.IsSigned
}

// textOf returns a value of the column c as a text.
func textOf(c *parquet.Column, p parquet.Value) string {
	switch t := logical(c).(type) {
	case *format.DecimalType:
		return decimal(p, int(t.Scale))
	case *format.DateType:
		return momentOf(c, p).Format(time.DateOnly)
	case *format.TimestampType:
		return momentOf(c, p).Format(time.RFC3339Nano)
	case *format.TimeType:
		n, _ := integerOf(p, false)
		return inUnits(t.Unit, n).Format("15:04:05.999999999")
	case *format.UUIDType:
		if u := p.ByteArray(); len(u) == 16 {
			return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
		}
	}
	switch p.Kind() {
	case parquet.Boolean:
		return strconv.FormatBool(p.Boolean())
	case parquet.Int32, parquet.Int64:
		n, ok := integerOf(p, unsigned(c))
		if !ok {
			return strconv.FormatUint(uint64(n), 10)
		}
		return strconv.FormatInt(n, 10)
	case parquet.Int96:
		return momentOf(c, p).Format(time.RFC3339Nano)
	case parquet.Float:
		return strconv.FormatFloat(float64(p.Float()), 'g', -1, 32)
	case parquet.Double:
		return strconv.FormatFloat(p.Double(), 'g', -1, 64)
	}
	return string(p.ByteArray())
}

// Programs have decimals of up to 256 bits.
const maxDigits, maxDecimalBytes = 76, 32

// decimal returns a decimal number with its point.
func decimal(p parquet.Value, scale int) string {
	n := new(big.Int)
	switch p.Kind() {
	case parquet.Int32, parquet.Int64:
		i, _ := integerOf(p, false)
		n.SetInt64(i)
	default:
		b := p.ByteArray() // as two's complement, the highest byte first
		if len(b) > maxDecimalBytes {
			b = b[len(b)-maxDecimalBytes:]
		}
		n.SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	sign := ""
	if n.Sign() < 0 {
		sign = "-"
	}
	digits := n.Abs(n).String()
	if missing := scale + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	if scale == 0 {
		return sign + digits
	}
	point := len(digits) - scale
	return sign + digits[:point] + "." + digits[point:]
}

// momentOf returns the moment of a value, in whole microseconds. The column is a timestamp, a date or INT96, as older
// programs and Spark write times: nanoseconds of the day, and the Julian day.
func momentOf(c *parquet.Column, p parquet.Value) time.Time {
	const day, julian = 24 * 3600, 2440588 // Julian day of 1970-01-01
	switch t := logical(c).(type) {
	case *format.DateType:
		return time.Unix(int64(p.Int32())*day, 0).UTC()
	case *format.TimestampType:
		return inUnits(t.Unit, p.Int64()).Truncate(time.Microsecond)
	}
	i := p.Int96()
	t := time.Unix((int64(i[2])-julian)*day, int64(uint64(i[1])<<32|uint64(i[0]))).UTC()
	return t.Truncate(time.Microsecond)
}

// inUnits returns the moment that is n units after the first of 1970.
func inUnits(unit format.TimeUnit, n int64) time.Time {
	switch unit.Value.(type) {
	case *format.MilliSeconds:
		return time.UnixMilli(n).UTC()
	case *format.NanoSeconds:
		return time.Unix(0, n).UTC()
	}
	return time.UnixMicro(n).UTC()
}

package schemas

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"
)

// ValueType is the type of the values of a custom column. Each column is a list of values.
type ValueType string

// Each type has a field of Document for its values.
const (
	TypeText    ValueType = "text"    // Custom
	TypeInteger ValueType = "integer" // CustomIntegers: 64 bits
	TypeFloat   ValueType = "float"   // CustomFloats: 64 bits, finite
	TypeBoolean ValueType = "boolean" // CustomBooleans: "true" or "false"
	TypeTime    ValueType = "time"    // CustomTimes: RFC 3339, or a date alone, of the years 1678 to 2261
)

// ValueTypes returns all types.
func ValueTypes() []ValueType {
	return []ValueType{TypeText, TypeInteger, TypeFloat, TypeBoolean, TypeTime}
}

// SetCustom parses values as type t, and sets a custom column to them in the field of that type. Without values, and
// after an error, the document is unchanged.
func (d *Document) SetCustom(column string, t ValueType, values []string) (err error) {
	switch t {
	case TypeInteger:
		err = setCustom(&d.CustomIntegers, column, values, ParseInteger)
	case TypeFloat:
		err = setCustom(&d.CustomFloats, column, values, ParseFloat)
	case TypeBoolean:
		err = setCustom(&d.CustomBooleans, column, values, ParseBoolean)
	case TypeTime:
		err = setCustom(&d.CustomTimes, column, values, ParseMoment)
	case TypeText:
		err = setCustom(&d.Custom, column, values, func(s string) (string, error) { return s, nil })
	default:
		err = fmt.Errorf("there is no type %q", string(t))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", column, err)
	}
	return nil
}

func setCustom[T any](to *map[string][]T, column string, values []string, parse func(string) (T, error)) error {
	var list []T
	for _, s := range values {
		v, err := parse(s)
		if err != nil {
			return err
		}
		list = append(list, v)
	}
	if len(list) == 0 {
		return nil
	}
	if *to == nil {
		*to = map[string][]T{}
	}
	(*to)[column] = list
	return nil
}

// DropCustom removes custom columns of any type. Other documents may share the maps, which stay as they are.
func (d *Document) DropCustom(columns ...string) {
	dropCustom(&d.Custom, columns)
	dropCustom(&d.CustomIntegers, columns)
	dropCustom(&d.CustomFloats, columns)
	dropCustom(&d.CustomBooleans, columns)
	dropCustom(&d.CustomTimes, columns)
}

func dropCustom[T any](from *map[string][]T, columns []string) {
	for _, column := range columns {
		if _, is := (*from)[column]; is {
			*from = maps.Clone(*from)
			delete(*from, column)
		}
	}
}

// ParseInteger reads a value of TypeInteger.
func ParseInteger(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%.60q is not a whole number of 64 bits", s)
	}
	return n, nil
}

// ParseFloat reads a value of TypeFloat.
func ParseFloat(s string) (Float, error) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%.60q is not a finite number", s)
	}
	return Float(x), nil
}

// ParseBoolean reads a value of TypeBoolean.
func ParseBoolean(s string) (bool, error) {
	if s != "true" && s != "false" {
		return false, fmt.Errorf("%.60q is neither true nor false", s)
	}
	return s == "true", nil
}

// ParseMoment reads a value of TypeTime, and writes it as documents have it: RFC 3339 in UTC, in whole microseconds.
// The year must be one that 64 bits of nanoseconds can represent, as in pandas.
func ParseMoment(s string) (string, error) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		t, err := time.Parse(layout, s)
		if t = t.UTC(); err == nil && t.Year() >= 1678 && t.Year() <= 2261 {
			return t.Truncate(time.Microsecond).Format(time.RFC3339Nano), nil
		}
	}
	return "", fmt.Errorf("%.60q is not a time of RFC 3339, nor a date, of the years 1678 to 2261", s)
}

// HasCustom reports whether the document has values of any custom column.
func (d *Document) HasCustom() bool {
	return len(d.Custom)+len(d.CustomIntegers)+len(d.CustomFloats)+len(d.CustomBooleans)+len(d.CustomTimes) > 0
}

// CustomColumns returns the names of the custom columns with values, sorted.
func (d *Document) CustomColumns() []string {
	set := map[string]bool{}
	addKeys(set, d.Custom)
	addKeys(set, d.CustomIntegers)
	addKeys(set, d.CustomFloats)
	addKeys(set, d.CustomBooleans)
	addKeys(set, d.CustomTimes)
	return slices.Sorted(maps.Keys(set))
}

func addKeys[T any](set map[string]bool, m map[string][]T) {
	for key := range m {
		set[key] = true
	}
}

// CustomTexts returns the values of a custom column of any type as texts, or nil if there are none.
func (d *Document) CustomTexts(column string) (list []string) {
	list = append(list, d.Custom[column]...)
	for _, n := range d.CustomIntegers[column] {
		list = append(list, strconv.FormatInt(n, 10))
	}
	for _, x := range d.CustomFloats[column] {
		list = append(list, strconv.FormatFloat(float64(x), 'g', -1, 64))
	}
	for _, b := range d.CustomBooleans[column] {
		list = append(list, strconv.FormatBool(b))
	}
	return append(list, d.CustomTimes[column]...)
}

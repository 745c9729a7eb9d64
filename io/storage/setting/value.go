package setting

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// Count is a whole number from 0 in an int64, which alone would be a number of bytes:
//
//	Setting{Name: "limit", Value: (*setting.Count)(&o.Limit)}
type Count int64

// Length is a number of bytes in an int.
type Length int

// The values of flags. Package flag calls String of zero values, too.
type (
	text   string
	toggle bool
	number int
	size   int64
	span   time.Duration
)

// String hides secrets, since Beam sends all flags to job servers.
func (v *text) String() string     { return secret.Hide(string(*v)) }
func (v *text) Set(s string) error { *v = text(s); return nil }

// IsBoolFlag tells package flag that the flag needs no value.
func (v *toggle) IsBoolFlag() bool { return true }
func (v *toggle) String() string   { return strconv.FormatBool(bool(*v)) }
func (v *toggle) Set(s string) error {
	b, err := strconv.ParseBool(s)
	if err != nil {
		return errors.New("neither true nor false")
	}
	*v = toggle(b)
	return nil
}

var (
	errNumber = errors.New("not a whole number")
	errBelow  = errors.New("below 0")
)

// whole reads a whole number from 0: no setting counts down.
func whole(s string, bits int) (int64, error) {
	n, err := strconv.ParseInt(s, 10, bits)
	switch {
	case err != nil:
		return 0, errNumber
	case n < 0:
		return 0, errBelow
	}
	return n, nil
}

func (v *number) String() string { return strconv.Itoa(int(*v)) }
func (v *number) Set(s string) error {
	n, err := whole(s, strconv.IntSize)
	*v = number(n)
	return err
}

// String returns the number.
func (v *Count) String() string { return strconv.FormatInt(int64(*v), 10) }

// Set reads a whole number.
func (v *Count) Set(s string) error {
	n, err := whole(s, 64)
	*v = Count(n)
	return err
}

func (v *size) String() string { return strconv.FormatInt(int64(*v), 10) }
func (v *size) Set(s string) error {
	n, err := ParseBytes(s)
	*v = size(n)
	return err
}

// String returns the number of bytes.
func (v *Length) String() string { return strconv.Itoa(int(*v)) }

// Set reads a size, as [ParseBytes] does.
func (v *Length) Set(s string) error {
	n, err := ParseBytes(s)
	if n > math.MaxInt {
		return errBytes
	}
	*v = Length(n)
	return err
}

func (v *span) String() string { return time.Duration(*v).String() }
func (v *span) Set(s string) error {
	d, err := time.ParseDuration(s)
	switch {
	case err != nil:
		return errors.New("not a time span such as 90s, 5m or 1h30m")
	case d < 0:
		return errBelow
	}
	*v = span(d)
	return nil
}

// list replaces the default by the first value, and appends further values.
type list struct {
	to    *[]string
	given bool
}

func (v *list) String() string {
	if v.to == nil {
		return ""
	}
	shown := make([]string, len(*v.to))
	for i, item := range *v.to {
		shown[i] = secret.Hide(item)
	}
	return strings.Join(shown, ",")
}

// Set trims the items, so that "a, b" is the list that it looks like.
func (v *list) Set(s string) error {
	if !v.given {
		*v.to, v.given = nil, true
	}
	for item := range strings.SplitSeq(s, ",") {
		if item = strings.TrimSpace(item); item != "" {
			*v.to = append(*v.to, item)
		}
	}
	return nil
}

var errBytes = errors.New("not a size: write 67108864, 64MiB, 64M or 1.5GB")

// ParseBytes parses a size with an optional unit. K, M, G, T, KiB, MiB, GiB and TiB are powers of 1024. KB, MB, GB and
// TB are powers of 1000.
func ParseBytes(s string) (int64, error) {
	digits := strings.TrimRight(s, "BKMGTbkmgti ")
	n, err := strconv.ParseFloat(digits, 64)
	factor := unit(strings.ToLower(strings.TrimSpace(s[len(digits):])))
	// NaN fails this condition.
	if err != nil || factor == 0 || !(n >= 0 && n*factor < math.MaxInt64) {
		return 0, errBytes
	}
	return int64(n * factor), nil
}

// unit returns the factor of a unit in lower case, or 0 for an unknown unit.
func unit(s string) float64 {
	if s == "" || s == "b" {
		return 1
	}
	power := float64(strings.IndexByte("kmgt", s[0]) + 1)
	if power == 0 {
		return 0
	}
	switch s[1:] {
	case "", "ib":
		return math.Pow(1024, power)
	case "b":
		return math.Pow(1000, power)
	}
	return 0
}

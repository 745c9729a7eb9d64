package query

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Value is the value that a field is compared with. The field's kind determines which parts are set.
type Value struct {
	// Text is the value as written, without quotation marks and stars; for a field of texts it is the text itself.
	Text string
	// Any asks whether the field exists: `field:*`.
	Any bool
	// Before and After are the stars at the beginning and the end of a text, which match anything.
	Before, After bool
	Integer       int64   // for fields of whole numbers
	Real          float64 // for fields of numbers
	Boolean       bool
	// From and To are the period that a date means; To is the first moment after it.
	From, To time.Time
}

// String writes the value so that Parse reads it back.
func (v Value) String() string {
	if v.Any {
		return "*"
	}
	text := strings.ReplaceAll(strings.ReplaceAll(v.Text, `\`, `\\`), "*", `\*`)
	if v.Before {
		text = "*" + text
	}
	if v.After {
		text += "*"
	}
	// A text that needs no quotation marks is written without: it then has no star and no backslash.
	if isBare(v.Text, bareInValue) && !v.Before && !v.After {
		return v.Text
	}
	return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"`
}

// literal is a value from a filter, before its field interprets it. Its fields distinguish wildcard stars from those
// after a backslash.
type literal struct {
	text          string
	before, after bool
}

// NewCompare makes a comparison of a field, by its name or alias, with a value in the syntax of filters. A star at the
// beginning or the end of a text matches anything, unless a backslash is before it. The error describes the accepted
// values.
func NewCompare(field string, op Op, value string) (*Compare, error) {
	l, err := starred(value)
	if err != nil {
		return nil, err
	}
	return newCompare(field, op, l)
}

func newCompare(path string, op Op, l literal) (*Compare, error) {
	f, key, err := Lookup(path)
	if err != nil {
		return nil, err
	}
	c := &Compare{Field: f.Name, Op: op}
	if key != "" {
		c.Field += "." + key
	}
	// A star alone leaves no text. Which side it was on does not matter.
	if l.text == "" && (l.before || l.after) {
		if err := c.setAny(); err != nil {
			return nil, err
		}
		return c, nil
	}
	// A map as a whole cannot be compared with a value, but has keys.
	if f.Map && key == "" {
		return hasKey(f, op, l)
	}
	c.Value.Text = l.text
	if err := c.setValue(f, l); err != nil {
		return nil, err
	}
	return c, nil
}

// setAny makes c ask whether its field exists: `field:*` or `field = *`, and != for the negation.
func (c *Compare) setAny() error {
	c.Value = Value{Any: true}
	switch c.Op {
	case Equal:
		c.Op = Has
	case Has, NotEqual:
	default:
		return fmt.Errorf("a star alone goes with : (the field is there), not with %s", c.Op)
	}
	return nil
}

// hasKey handles `custom:price`, which asks for a key, like `custom.price:*`.
func hasKey(f Field, op Op, l literal) (*Compare, error) {
	if op != Has || l.before || l.after || l.text == "" {
		return nil, fmt.Errorf("%[1]s is a map: %[1]s:KEY asks whether it has a key, %[1]s.KEY %[2]s … for its value",
			f.Name, op)
	}
	// The key is checked as in a path: it may be empty or too long.
	if _, _, err := Lookup(f.Name + "." + l.text); err != nil {
		return nil, err
	}
	return &Compare{Field: f.Name + "." + l.text, Op: Has, Value: Value{Any: true}}, nil
}

// setValue parses the value by the field's kind, and checks that the operator fits.
func (c *Compare) setValue(f Field, l literal) error {
	if l.before || l.after {
		switch {
		case f.Kind != String:
			return fmt.Errorf("%s takes %s, a star goes with texts", f.Name, f.Kind)
		case c.Op != Equal && c.Op != NotEqual && c.Op != Has:
			return fmt.Errorf("a star goes with =, != and :, not with %s", c.Op)
		}
		c.Value.Before, c.Value.After = l.before, l.after
	}
	if c.Op == Has {
		c.setHas(f)
	}
	var err error
	v := &c.Value
	switch f.Kind {
	case String:
		if l.text == "" {
			return fmt.Errorf("an empty text: NOT %s:* asks for documents without it", c.Field)
		}
		// Texts are compared as written, so there is nothing to parse.
		return nil
	case Integer:
		v.Integer, err = strconv.ParseInt(l.text, 10, 64)
	case Real:
		v.Real, err = strconv.ParseFloat(l.text, 64)
		// ParseFloat accepts "nan" and "inf", which no document has, since JSON cannot write them. NaN would also be
		// unequal to everything, even itself.
		if math.IsNaN(v.Real) || math.IsInf(v.Real, 0) {
			err = strconv.ErrRange
		}
	case Boolean:
		return c.setBoolean(f)
	case Time:
		if v.From, v.To, err = Period(l.text); err != nil {
			return fmt.Errorf("%s takes a date: %w", f.Name, err)
		}
	case Message:
		return fmt.Errorf("%s has fields of its own: %s:* asks whether it is there", f.Name, f.Name)
	}
	if err != nil {
		return fmt.Errorf("%s takes %s, not %q", f.Name, f.Kind, clip(l.text))
	}
	return nil
}

// setHas resolves the meaning of ":". For texts it searches anywhere, unless a star at one end fixes the other end.
// Otherwise it means "=".
func (c *Compare) setHas(f Field) {
	if f.Kind != String {
		c.Op = Equal
		return
	}
	// With this operator two stars mean the same as none.
	if c.Value.Before && c.Value.After {
		c.Value.Before, c.Value.After = false, false
	}
}

func (c *Compare) setBoolean(f Field) error {
	switch {
	case c.Op != Equal && c.Op != NotEqual:
		return fmt.Errorf("%s is true or false: = and != go with it, not %s", f.Name, c.Op)
	case c.Value.Text != "true" && c.Value.Text != "false":
		return fmt.Errorf("%s takes %s, not %q", f.Name, f.Kind, clip(c.Value.Text))
	}
	c.Value.Boolean = c.Value.Text == "true"
	return nil
}

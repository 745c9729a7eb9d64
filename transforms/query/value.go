package query

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Value is what a field is compared with. Which parts of it are set follows from the field's kind.
type Value struct {
	// Text is the value as written, without quotation marks and stars: of a field of texts the text itself.
	Text string
	// Any asks whether the field is there at all: `field:*`.
	Any bool
	// Before and Behind are the stars at the beginning and the end of a text: anything may be there.
	Before, Behind bool
	Integer        int64   // of fields of whole numbers
	Real           float64 // of fields of numbers
	Boolean        bool
	// From and To are the period that a date stands for; To is the first moment after it.
	From, To time.Time
}

// String writes the value so that it is read back.
func (v Value) String() string {
	if v.Any {
		return "*"
	}
	text := strings.ReplaceAll(strings.ReplaceAll(v.Text, `\`, `\\`), "*", `\*`)
	if v.Before {
		text = "*" + text
	}
	if v.Behind {
		text += "*"
	}
	// A text that needs no quotation marks is written without: it holds no star and no backslash then.
	if isBare(v.Text, bareInValue) && !v.Before && !v.Behind {
		return v.Text
	}
	return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"`
}

// literal is a value as the filter has it, before its field says what it means: stars that stand for anything are told
// apart from those after a backslash.
type literal struct {
	text           string
	before, behind bool
}

// NewCompare makes a comparison of a field, by its name or alias, with a value as filters have it: a star at the
// beginning or the end of a text stands for anything, unless a backslash is before it. The error says what the field
// takes.
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
	// A star alone has no text left. It does not matter of which side it was taken off.
	if l.text == "" && (l.before || l.behind) {
		if err := c.setAny(); err != nil {
			return nil, err
		}
		return c, nil
	}
	// A map as a whole has no value to compare with, but for its keys.
	if f.Map && key == "" {
		return hasKey(f, op, l)
	}
	c.Value.Text = l.text
	if err := c.setValue(f, l); err != nil {
		return nil, err
	}
	return c, nil
}

// setAny makes c ask whether its field is there: `field:*` or `field = *`, and != for its contrary.
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

// hasKey is `custom:price`, which asks for a key, as `custom.price:*` does.
func hasKey(f Field, op Op, l literal) (*Compare, error) {
	if op != Has || l.before || l.behind || l.text == "" {
		return nil, fmt.Errorf("%[1]s is a map: %[1]s:KEY asks whether it has a key, %[1]s.KEY %[2]s … for its value",
			f.Name, op)
	}
	// The key is checked as it would be in a path: it may be empty or too long.
	if _, _, err := Lookup(f.Name + "." + l.text); err != nil {
		return nil, err
	}
	return &Compare{Field: f.Name + "." + l.text, Op: Has, Value: Value{Any: true}}, nil
}

// setValue reads the value as the field's kind has it, and checks that the operator goes with it.
func (c *Compare) setValue(f Field, l literal) error {
	if l.before || l.behind {
		switch {
		case f.Kind != String:
			return fmt.Errorf("%s takes %s, a star goes with texts", f.Name, f.Kind)
		case c.Op != Equal && c.Op != NotEqual && c.Op != Has:
			return fmt.Errorf("a star goes with =, != and :, not with %s", c.Op)
		}
		c.Value.Before, c.Value.Behind = l.before, l.behind
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
		// Texts are compared as they are written, so there is nothing to read.
		return nil
	case Integer:
		v.Integer, err = strconv.ParseInt(l.text, 10, 64)
	case Real:
		v.Real, err = strconv.ParseFloat(l.text, 64)
		// ParseFloat takes "nan" and "inf", which no document has: JSON cannot write them. NaN would also be equal to
		// nothing, itself included.
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

// setHas settles what ":" means: of texts it looks anywhere, unless a star at one end ties the other end; elsewhere it
// is "=".
func (c *Compare) setHas(f Field) {
	if f.Kind != String {
		c.Op = Equal
		return
	}
	// Two stars say the same as none with this operator.
	if c.Value.Before && c.Value.Behind {
		c.Value.Before, c.Value.Behind = false, false
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

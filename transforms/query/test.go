package query

import (
	"cmp"
	"strings"
	"time"
)

// Test is a comparison prepared for many values. Back ends use it for values in columns, so that they agree with
// Match. It tests one value. Of several values one that passes is enough; with NotEqual all must pass. It is safe for
// concurrent use.
type Test struct {
	c      *Compare
	needle string // for Has: the text in lower case
}

// Test prepares c. The lower case of the text is made once.
func (c *Compare) Test() *Test { return &Test{c, strings.ToLower(c.Value.Text)} }

// Missing reports whether a document without a value passes. (Without a Boolean field a document has false; without a
// field with Field.Zero it has 0.)
func (t *Test) Missing() bool { return t.c.Op == NotEqual }

// Text tests a value of a field of texts. The empty text does not count as a value.
func (t *Test) Text(s string) bool {
	v := &t.c.Value
	switch {
	// A document without a value is unequal to everything.
	case s == "":
		return t.Missing()
	case v.Any:
		return t.c.Op != NotEqual
	}
	switch t.c.Op {
	case Has:
		// Without a star, or with two, the text may be anywhere; setHas has left at most one star.
		return affixed(strings.ToLower(s), t.needle, v.Before == v.After, v.After)
	case Equal:
		return t.equal(s)
	case NotEqual:
		return !t.equal(s)
	}
	return t.ordered(strings.Compare(s, v.Text))
}

func (t *Test) equal(s string) bool {
	v := &t.c.Value
	if v.Before || v.After {
		return affixed(s, v.Text, v.Before && v.After, v.After)
	}
	return s == v.Text
}

// affixed reports whether s has part: anywhere, or at its beginning or end.
func affixed(s, part string, anywhere, first bool) bool {
	switch {
	case anywhere:
		return strings.Contains(s, part)
	case first:
		return strings.HasPrefix(s, part)
	}
	return strings.HasSuffix(s, part)
}

// Integer tests a value of a field of whole numbers.
func (t *Test) Integer(n int64) bool {
	if t.c.Value.Any {
		return t.c.Op != NotEqual
	}
	return t.ordered(cmp.Compare(n, t.c.Value.Integer))
}

// Real tests a value of a field of numbers.
func (t *Test) Real(x float64) bool {
	if t.c.Value.Any {
		return t.c.Op != NotEqual
	}
	return t.ordered(cmp.Compare(x, t.c.Value.Real))
}

// Boolean tests a value of a Boolean field. For an existence test the value must be true.
func (t *Test) Boolean(b bool) bool {
	wanted := t.c.Value.Boolean || t.c.Value.Any
	// Without a value the field is false, so missing and false are the same.
	return (b == wanted) != (t.c.Op == NotEqual)
}

// Time tests a moment. The value is a period: moments in it are equal to it, and smaller ones are before all of it.
// Less and Greater exclude the whole period: timestamp > 2026 begins with 2027.
func (t *Test) Time(at time.Time) bool {
	v := &t.c.Value
	switch {
	case v.Any:
		return t.c.Op != NotEqual
	case at.Before(v.From):
		return t.ordered(-1)
	case at.Before(v.To):
		return t.ordered(0)
	}
	return t.ordered(1)
}

// ordered reports whether the operator fits the result of a comparison: negative, 0 or positive.
func (t *Test) ordered(result int) bool {
	switch t.c.Op {
	case Less:
		return result < 0
	case LessEqual:
		return result <= 0
	case Greater:
		return result > 0
	case GreaterEqual:
		return result >= 0
	case NotEqual:
		return result != 0
	}
	return result == 0
}

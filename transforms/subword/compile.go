package subword

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxOps limits a pattern, which repeats its groups for {3,5}.
const maxOps = 10_000

// maxNested limits groups in groups.
const maxNested = 50

// compile reads a regular expression. An error names an unsupported part.
func compile(text string) (*pattern, error) {
	c := &compiler{s: text}
	code, err := c.alternatives(false)
	if err == nil && c.i < len(c.s) {
		err = fmt.Errorf("%q is not expected", c.s[c.i:])
	}
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", text, err)
	}
	return &pattern{code: append(code, op{kind: opEnd})}, nil
}

type compiler struct {
	s     string
	i     int
	depth int
	size  int
}

// alternatives reads sequences with | between them.
func (c *compiler) alternatives(fold bool) (code []op, err error) {
	if c.depth++; c.depth > maxNested {
		return nil, errors.New("too many nested groups")
	}
	defer func() { c.depth-- }()
	code, err = c.sequence(fold)
	for err == nil && c.take("|") {
		var other []op
		if other, err = c.sequence(fold); err == nil {
			// Each copies the code before it, so empty ones count, too.
			code, err = either(code, other), c.grow(2, nil)
		}
	}
	return code, err
}

// either tries a, then b. Targets of jumps are relative here until each part is placed by shift.
func either(a, b []op) []op {
	code := append([]op{{kind: opSplit, to: len(a) + 2}}, shift(a, 1)...)
	code = append(code, op{kind: opJump, to: len(a) + 2 + len(b)})
	return append(code, shift(b, len(a)+2)...)
}

// shift moves code by n instructions.
func shift(code []op, n int) []op {
	out := append([]op{}, code...)
	for i := range out {
		if out[i].kind == opSplit || out[i].kind == opJump {
			out[i].to += n
		}
	}
	return out
}

func (c *compiler) sequence(fold bool) (code []op, err error) {
	for c.i < len(c.s) && c.s[c.i] != '|' && c.s[c.i] != ')' {
		atom, err := c.atom(fold)
		if err != nil {
			return nil, err
		}
		if atom, err = c.quantified(atom); err != nil {
			return nil, err
		}
		code = append(code, shift(atom, len(code))...)
	}
	return code, nil
}

func (c *compiler) take(token string) bool {
	if strings.HasPrefix(c.s[c.i:], token) {
		c.i += len(token)
		return true
	}
	return false
}

func (c *compiler) atom(fold bool) ([]op, error) {
	switch {
	case c.take("(?!"):
		return c.look(fold, true)
	case c.take("(?="):
		return c.look(fold, false)
	case c.take("(?i:"):
		return c.group(true)
	case c.take("(?:"):
		return c.group(fold)
	case c.take("(?"), c.take("^"), c.take("$"), c.take("*"), c.take("+"), c.take("?"), c.take("{"):
		return nil, fmt.Errorf("%q is not supported", c.s[c.i-1:])
	case c.take("("):
		return c.group(fold)
	case c.take("["):
		s, err := c.class(fold)
		return one(s), err
	case c.take("."):
		return one(dotSet), nil
	}
	r, s, err := c.character()
	if err == nil && s == nil {
		s = single(r, fold)
	}
	return one(s), err
}

func one(s *set) []op { return []op{{kind: opRun, set: s, min: 1, max: 1}} }

func single(r rune, fold bool) *set {
	s := &set{}
	if fold {
		s.addFolded(r)
	} else {
		s.add(r, r)
	}
	return s.ready()
}

func (c *compiler) group(fold bool) ([]op, error) {
	code, err := c.alternatives(fold)
	if err == nil && !c.take(")") {
		err = errors.New("a group is not closed")
	}
	return code, err
}

func (c *compiler) look(fold, negative bool) ([]op, error) {
	code, err := c.group(fold)
	return []op{{kind: opLook, inner: &pattern{code: append(code, op{kind: opEnd})}, negative: negative}}, err
}

// character reads a character, or an escape for one or for a set.
func (c *compiler) character() (r rune, s *set, err error) {
	r, size := utf8.DecodeRuneInString(c.s[c.i:])
	c.i += size
	if r != '\\' {
		return r, nil, nil
	}
	if c.i >= len(c.s) {
		return 0, nil, errors.New(`it ends with \`)
	}
	r, size = utf8.DecodeRuneInString(c.s[c.i:])
	c.i += size
	if s := escaped(r); s != nil {
		return 0, s, nil
	}
	switch r {
	case 'n':
		return '\n', nil, nil
	case 'r':
		return '\r', nil, nil
	case 't':
		return '\t', nil, nil
	case 'f':
		return '\f', nil, nil
	case 'v':
		return '\v', nil, nil
	case 'p', 'P':
		s, err := c.property(r == 'P')
		return 0, s, err
	case 'x', 'u':
		r, err := c.code(r)
		return r, nil, err
	}
	if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
		return 0, nil, fmt.Errorf(`\%c is not supported`, r)
	}
	return r, nil, nil
}

// code reads the digits of \x41, \x{1F600} or \u0041.
func (c *compiler) code(kind rune) (rune, error) {
	digits := c.s[c.i:min(len(c.s), c.i+2)]
	if kind == 'u' {
		digits = c.s[c.i:min(len(c.s), c.i+4)]
	}
	c.i += len(digits)
	if strings.HasPrefix(digits, "{") {
		var ok bool
		c.i -= len(digits)
		if digits, _, ok = strings.Cut(c.s[c.i+1:], "}"); !ok {
			return 0, errors.New("a { is not closed")
		}
		c.i += len(digits) + 2
	}
	n, err := strconv.ParseUint(digits, 16, 21)
	return rune(n), err
}

// property reads {Lu}, {^Lu} or L.
func (c *compiler) property(negative bool) (*set, error) {
	name := c.s[c.i:min(len(c.s), c.i+1)]
	c.i += len(name)
	if name == "{" {
		var ok bool
		if name, _, ok = strings.Cut(c.s[c.i:], "}"); !ok {
			return nil, errors.New("a { is not closed")
		}
		c.i += len(name) + 1
	}
	name, inverse := strings.CutPrefix(name, "^")
	s := property(name)
	if s == nil {
		return nil, fmt.Errorf("no property %q", name)
	}
	if negative != inverse {
		s = not(s)
	}
	return s, nil
}

// class reads a set after its [.
func (c *compiler) class(fold bool) (*set, error) {
	if c.depth++; c.depth > maxNested {
		return nil, errors.New("too many nested sets")
	}
	defer func() { c.depth-- }()
	s := &set{negative: c.take("^")}
	for first := true; ; first = false {
		switch {
		case c.i >= len(c.s):
			return nil, errors.New("a set is not closed")
		case !first && c.take("]"):
			return s.ready(), nil
		case c.take("&&"):
			return c.both(s, fold)
		case c.take("["):
			if strings.HasPrefix(c.s[c.i:], ":") {
				return nil, errors.New("[: is not supported")
			}
			inner, err := c.class(fold)
			if err != nil {
				return nil, err
			}
			s.sets = append(s.sets, inner)
			continue
		}
		if err := c.members(s, fold); err != nil {
			return nil, err
		}
	}
}

// both reads the second set of an intersection.
func (c *compiler) both(s *set, fold bool) (*set, error) {
	other, err := c.class(fold)
	if err != nil {
		return nil, err
	}
	left := &set{tables: s.tables, sets: s.sets}
	return (&set{also: []*set{left.ready(), other}, negative: s.negative}).ready(), nil
}

// members reads a character, a range or an escape of a set.
func (c *compiler) members(s *set, fold bool) error {
	r, inner, err := c.character()
	if err != nil {
		return err
	}
	if inner != nil {
		s.sets = append(s.sets, inner)
		return nil
	}
	if rest := c.s[c.i:]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
		c.i++
		high, inner, err := c.character()
		if err != nil || inner != nil || high < r {
			return errors.Join(err, errors.New("a range is not one"))
		}
		if fold && high-r > 1000 {
			return errors.New("a long range without case is not supported")
		}
		s.add(r, high)
		for ; fold && r <= high; r++ {
			s.addFolded(r)
		}
		return nil
	}
	if s.add(r, r); fold {
		s.addFolded(r)
	}
	return nil
}

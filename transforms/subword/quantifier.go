package subword

import (
	"errors"
	"strconv"
	"strings"
)

// quantified reads ?, *, + or {2,3} after an atom, and a + that gives nothing back.
func (c *compiler) quantified(atom []op) ([]op, error) {
	low, high, is, err := c.count()
	if err != nil || !is {
		return atom, c.grow(len(atom), err)
	}
	if c.take("?") {
		return nil, errors.New("lazy quantifiers are not supported")
	}
	atomic := c.take("+")
	if len(atom) == 1 && atom[0].kind == opRun && atom[0].min == 1 && atom[0].max == 1 {
		o := atom[0]
		o.min, o.max, o.atomic = low, high, atomic
		return []op{o}, c.grow(1, nil)
	}
	if atomic {
		return nil, errors.New("a group that gives nothing back is not supported")
	}
	var code []op
	add := func(part []op) error {
		code = append(code, shift(part, len(code))...)
		return c.grow(len(part), nil)
	}
	for range low {
		if err := add(atom); err != nil {
			return nil, err
		}
	}
	if high < 0 {
		loop := append([]op{{kind: opSplit, to: len(atom) + 2}}, shift(atom, 1)...)
		if empty(atom) {
			return nil, errors.New("a repeated group that may be empty is not supported")
		}
		return code, add(append(loop, op{kind: opJump}))
	}
	for range high - low {
		maybe := append([]op{{kind: opSplit, to: len(atom) + 1}}, shift(atom, 1)...)
		if err := add(maybe); err != nil {
			return nil, err
		}
	}
	return code, nil
}

// count reads a quantifier; high is -1 for any number.
func (c *compiler) count() (low, high int, is bool, err error) {
	switch {
	case c.take("?"):
		return 0, 1, true, nil
	case c.take("*"):
		return 0, -1, true, nil
	case c.take("+"):
		return 1, -1, true, nil
	case !c.take("{"):
		return 0, 0, false, nil
	}
	inside, _, closed := strings.Cut(c.s[c.i:], "}")
	c.i += min(len(inside)+1, len(c.s)-c.i)
	first, second, ranged := strings.Cut(inside, ",")
	low, err = strconv.Atoi(first)
	switch {
	case !ranged:
		high = low
	case second == "":
		high = -1
	case err == nil:
		high, err = strconv.Atoi(second)
	}
	if err != nil || !closed || low < 0 || low > 1000 || high > 1000 || high >= 0 && high < low {
		return 0, 0, false, errors.New("a quantifier is not one")
	}
	return low, high, true, nil
}

// grow counts instructions.
func (c *compiler) grow(n int, err error) error {
	if c.size += n; err == nil && c.size > maxOps {
		err = errors.New("it is too long")
	}
	return err
}

// empty reports whether code may match nothing: without a walk, whether all of its runs may.
func empty(code []op) bool {
	for _, o := range code {
		if o.kind == opRun && o.min > 0 {
			return false
		}
	}
	return true
}

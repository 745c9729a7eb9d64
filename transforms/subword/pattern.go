package subword

import (
	"errors"
	"unicode/utf8"
)

// pattern is a regular expression as tokenizers use them: with lookahead, which package regexp does not have. The first
// alternative that matches counts, as in Perl.
type pattern struct {
	code  []op
	stack []branch
	steps int // left for the current text
}

// op is an instruction.
type op struct {
	kind     opKind
	set      *set // of opRun
	min, max int  // of opRun; max -1 for any
	atomic   bool // opRun gives nothing back
	to       int  // of opJump; of opSplit the second way
	inner    *pattern
	negative bool // opLook
}

type opKind uint8

const (
	opRun   opKind = iota // min to max characters of a set
	opSplit               // the next instruction, or else the one at to
	opJump
	opLook // inner matches here, or does not
	opEnd
)

// branch is where matching goes on if the current way fails: at position high, or for a run at earlier ones down to
// low.
type branch struct{ pc, low, high int }

// stepsPerByte limits backtracking. Patterns of tokenizers take fewer than ten.
const stepsPerByte = 200

var errSteps = errors.New("the pattern takes too many steps on this text")

// reset begins a text.
func (p *pattern) reset(text string) { p.steps = 1000 + stepsPerByte*len(text) }

// match returns the end of the match that begins at i, or -1. A match may be empty.
func (p *pattern) match(s string, i int) (int, error) {
	p.stack = p.stack[:0]
	pc := 0
	for {
		if p.steps--; p.steps < 0 {
			return -1, errSteps
		}
		ok := true
		switch o := &p.code[pc]; o.kind {
		case opEnd:
			return i, nil
		case opJump:
			pc = o.to
			continue
		case opSplit:
			p.stack = append(p.stack, branch{o.to, i, i})
		case opLook:
			o.inner.steps = p.steps
			end, err := o.inner.match(s, i)
			if p.steps = o.inner.steps; err != nil {
				return -1, err
			}
			ok = (end >= 0) != o.negative
		case opRun:
			i, ok = p.run(o, s, i, pc+1)
		}
		if pc++; ok {
			continue
		}
		if i, pc = p.back(s); pc < 0 {
			return -1, nil
		}
	}
}

// run takes as many characters as it can.
func (p *pattern) run(o *op, s string, i, next int) (end int, ok bool) {
	low, n := i, 0
	for i < len(s) && (o.max < 0 || n < o.max) {
		size := o.set.at(s, i)
		if size == 0 {
			break
		}
		i += size
		if n++; n == o.min {
			low = i
		}
		p.steps--
	}
	if n < o.min {
		return i, false
	}
	if i > low && !o.atomic {
		p.stack = append(p.stack, branch{next, low, i})
	}
	return i, true
}

// back returns the next way to try, or -1 for pc.
func (p *pattern) back(s string) (i, pc int) {
	if len(p.stack) == 0 {
		return 0, -1
	}
	b := &p.stack[len(p.stack)-1]
	i, pc = b.high, b.pc
	if b.low < b.high {
		_, size := utf8.DecodeLastRuneInString(s[:b.high])
		i = max(b.low, b.high-size)
		b.high = i
	}
	if b.low == b.high {
		p.stack = p.stack[:len(p.stack)-1]
	}
	return i, pc
}

// each calls do with the parts of a text: those that match, and those between them. It skips empty matches.
func (p *pattern) each(s string, do func(from, to int, is bool)) error {
	p.reset(s)
	from := 0
	for i := 0; i < len(s); {
		end, err := p.match(s, i)
		if err != nil {
			return err
		}
		if end <= i {
			_, size := utf8.DecodeRuneInString(s[i:])
			i += size
			continue
		}
		if from < i {
			do(from, i, false)
		}
		do(i, end, true)
		i, from = end, end
	}
	if from < len(s) {
		do(from, len(s), false)
	}
	return nil
}

// clone returns a pattern for another goroutine.
func (p *pattern) clone() *pattern {
	if p == nil {
		return nil
	}
	q := &pattern{code: append([]op{}, p.code...)}
	for i := range q.code {
		q.code[i].inner = q.code[i].inner.clone()
	}
	return q
}

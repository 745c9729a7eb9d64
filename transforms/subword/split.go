package subword

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// splitter divides pieces. It belongs to one goroutine; clone returns one for another.
type splitter interface {
	split(p piece, do func(piece)) error
	clone() splitter
}

// gpt2 is the pattern of ByteLevel.
const gpt2 = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

// readSplitters reads the pre-tokenizer of a file. raw reports whether the model's words are bytes.
func readSplitters(data json.RawMessage) (list []splitter, raw bool, err error) {
	if len(data) == 0 || string(data) == "null" {
		return nil, false, nil
	}
	var r rule
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, false, fmt.Errorf("pre-tokenizer: %w", err)
	}
	if r.Type != "Sequence" {
		list, err := r.splitters()
		return list, r.Type == "ByteLevel", err
	}
	for _, part := range r.Pretokenizers {
		if raw {
			return nil, false, errors.New("a pre-tokenizer after ByteLevel is not supported")
		}
		var inner []splitter
		if inner, raw, err = readSplitters(part); err != nil {
			return nil, false, err
		}
		list = append(list, inner...)
	}
	return list, raw, nil
}

func (r *rule) splitters() (list []splitter, err error) {
	switch r.Type {
	case "ByteLevel":
		if is(r.AddPrefixSpace) {
			list = append(list, prefix{" "})
		}
		if is(r.UseRegex) {
			return append(list, mustSplit(gpt2, isolated, false)), nil
		}
		return list, nil
	case "Metaspace":
		return r.metaspace()
	case "Split":
		return r.pattern()
	case "Whitespace":
		return []splitter{mustSplit(`\w+|[^\w\s]+`, removed, true)}, nil
	case "WhitespaceSplit":
		return []splitter{mustSplit(`\s`, removed, false)}, nil
	case "BertPreTokenizer":
		return []splitter{mustSplit(`\s`, removed, false), mustSplit(punctuation, isolated, false)}, nil
	case "Punctuation":
		b, err := readBehavior(r.Behavior, isolated)
		return []splitter{mustSplit(punctuation, b, false)}, err
	case "Digits":
		if r.IndividualDigits {
			return []splitter{mustSplit(`\p{N}`, isolated, false)}, nil
		}
		return []splitter{mustSplit(`\p{N}`, contiguous, false)}, nil
	case "CharDelimiterSplit":
		return []splitter{&literal{r.Delimiter, removed, false}}, nil
	}
	return nil, fmt.Errorf("pre-tokenizer %s is not supported", r.Type)
}

// punctuation is BERT's: signs of ASCII too.
const punctuation = "[!-/:-@\\[-`{-~\\p{P}]"

func (r *rule) pattern() ([]splitter, error) {
	b, err := readBehavior(r.Behavior, "")
	switch {
	case err != nil:
		return nil, err
	case r.Pattern == nil:
		return nil, errors.New("pre-tokenizer Split has no pattern")
	case r.Pattern.String != nil:
		return []splitter{&literal{*r.Pattern.String, b, r.Invert}}, nil
	case r.Pattern.Regex == nil:
		return nil, errors.New("pre-tokenizer Split has a pattern of an unknown kind")
	}
	p, err := compile(*r.Pattern.Regex)
	return []splitter{&regex{p, b, r.Invert}}, err
}

// metaspace writes spaces as ▁, as SentencePiece does.
func (r *rule) metaspace() ([]splitter, error) {
	m := meta{replacement: r.Replacement, scheme: "always"}
	if r.PrependScheme != nil {
		m.scheme = *r.PrependScheme
	} else if !is(r.AddPrefixSpace) {
		m.scheme = "never"
	}
	if m.replacement == "" {
		return nil, errors.New("pre-tokenizer Metaspace has no replacement")
	}
	if !is(r.Split) {
		return []splitter{m}, nil
	}
	return []splitter{m, &literal{m.replacement, withNext, false}}, nil
}

type meta struct{ replacement, scheme string }

func (m meta) clone() splitter { return m }

func (m meta) split(p piece, do func(piece)) error {
	p.text = strings.ReplaceAll(p.text, " ", m.replacement)
	if (m.scheme == "always" || m.scheme == "first" && p.first) && !strings.HasPrefix(p.text, m.replacement) {
		p.text = m.replacement + p.text
	}
	do(p)
	return nil
}

// prefix writes a text before pieces that do not begin with it.
type prefix struct{ text string }

func (x prefix) clone() splitter { return x }

func (x prefix) split(p piece, do func(piece)) error {
	if !strings.HasPrefix(p.text, x.text) {
		p.text = x.text + p.text
	}
	do(p)
	return nil
}

// behavior says what becomes of the matches of a pattern.
type behavior string

const (
	removed    behavior = "Removed"
	isolated   behavior = "Isolated"
	withLast   behavior = "MergedWithPrevious"
	withNext   behavior = "MergedWithNext"
	contiguous behavior = "Contiguous"
)

func readBehavior(s string, usual behavior) (behavior, error) {
	switch b := behavior(s); b {
	case removed, isolated, withLast, withNext, contiguous:
		return b, nil
	case "":
		if usual != "" {
			return usual, nil
		}
	}
	return "", fmt.Errorf("behavior %q is not supported", s)
}

// literal divides at a text.
type literal struct {
	text string
	behavior
	invert bool
}

func (l *literal) clone() splitter { return l }

func (l *literal) split(p piece, do func(piece)) error {
	parts := divider{p: p, behavior: l.behavior, invert: l.invert, do: do}
	rest := 0
	for l.text != "" {
		i := strings.Index(p.text[rest:], l.text)
		if i < 0 {
			break
		}
		if i > 0 {
			parts.add(rest, rest+i, false)
		}
		parts.add(rest+i, rest+i+len(l.text), true)
		rest += i + len(l.text)
	}
	if rest < len(p.text) {
		parts.add(rest, len(p.text), false)
	}
	parts.end()
	return nil
}

// regex divides at the matches of a pattern.
type regex struct {
	*pattern
	behavior
	invert bool
}

func mustSplit(text string, b behavior, invert bool) *regex {
	p, err := compile(text)
	if err != nil {
		panic(err) // our own patterns
	}
	return &regex{p, b, invert}
}

func (r *regex) clone() splitter { return &regex{r.pattern.clone(), r.behavior, r.invert} }

func (r *regex) split(p piece, do func(piece)) error {
	parts := divider{p: p, behavior: r.behavior, invert: r.invert, do: do}
	err := r.each(p.text, parts.add)
	parts.end()
	return err
}

// divider makes the pieces of matches and of the parts between them.
type divider struct {
	p piece
	behavior
	invert   bool
	do       func(piece)
	from, to int  // of a piece that may grow
	open     bool // there is one
	last     bool // it is a match
}

// add adds a part. Parts come in order.
func (d *divider) add(from, to int, match bool) {
	match = match != d.invert
	if d.open && d.joins(match) {
		d.to, d.last = to, match
		return
	}
	d.end()
	if match && d.behavior == removed {
		return
	}
	d.from, d.to, d.open, d.last = from, to, true, match
}

// joins reports whether a part belongs to the one before it.
func (d *divider) joins(match bool) bool {
	switch d.behavior {
	case withLast:
		return match && !d.last
	case withNext:
		return d.last && !match
	case contiguous:
		return d.last == match
	}
	return false
}

// end makes the open piece.
func (d *divider) end() {
	if d.open {
		d.do(piece{d.p.text[d.from:d.to], d.p.first && d.from == 0})
		d.open = false
	}
}

package access

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/gleaner-web/gleaner/transforms/pattern"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// MaxBytes and maxRules limit a file: rules are written by hand, and each costs time in every query.
const (
	MaxBytes = 1 << 20
	maxRules = 5_000
	maxNodes = 100_000
)

// Error is a mistake in a file of rules.
type Error struct {
	Line int // from 1
	Text string
}

// Error returns the line and the mistake, as "12: no action".
func (e *Error) Error() string { return strconv.Itoa(e.Line) + ": " + e.Text }

func mistake(at *yaml.Node, format string, args ...any) error {
	return &Error{Line: max(at.Line, 1), Text: fmt.Sprintf(format, args...)}
}

// Parse parses a file of rules. Files that the rules name are read by open. Each error is an *Error.
func Parse(data []byte, open func(name string) ([]byte, error)) (*Rules, error) {
	if len(data) > MaxBytes {
		return nil, &Error{1, fmt.Sprintf("the file has more than %d bytes", MaxBytes)}
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	var file, more yaml.Node
	if err := d.Decode(&file); err != nil {
		return nil, ofYAML(err)
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, mistake(&more, "a file has one document")
	}
	left := maxNodes
	if err := plain(&file, &left); err != nil {
		return nil, err
	}
	return rulesOf(file.Content[0], open)
}

// lineOf finds the line in an error of the YAML package.
var lineOf = pattern.Lazy(`line (\d+): (.*)`)

func ofYAML(err error) error {
	if errors.Is(err, io.EOF) {
		return &Error{1, "the file is empty; it needs at least a default: allow, list or deny"}
	}
	if m := lineOf().FindStringSubmatch(err.Error()); m != nil {
		n, _ := strconv.Atoi(m[1]) // of digits
		return &Error{max(n, 1), m[2]}
	}
	return &Error{1, err.Error()}
}

// plain refuses what makes rules hard to read: references to other places of the file, and keys that are there twice.
func plain(n *yaml.Node, left *int) error {
	if *left--; *left < 0 {
		return mistake(n, "the file has too many values")
	}
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return mistake(n, "a file of rules has no anchors and aliases")
	}
	seen := map[string]bool{}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			if child.Kind != yaml.ScalarNode || seen[child.Value] {
				return mistake(child, "the key %q is there twice, or is not a word", child.Value)
			}
			seen[child.Value] = true
		}
		if err := plain(child, left); err != nil {
			return err
		}
	}
	return nil
}

func rulesOf(file *yaml.Node, open func(string) ([]byte, error)) (*Rules, error) {
	if file.Kind != yaml.MappingNode {
		return nil, mistake(file, "the file has the keys default and rules")
	}
	r := &Rules{}
	for i := 0; i < len(file.Content); i += 2 {
		key, value := file.Content[i], file.Content[i+1]
		var err error
		switch key.Value {
		case "default":
			r.standard, err = actionOf(value)
		case "anonymous":
			r.Anonymous, err = boolOf(value)
		case "rules":
			r.list, err = listOf(value, open)
		default:
			err = mistake(key, "unknown key %q: the file has default, anonymous and rules", clip(key.Value))
		}
		if err != nil {
			return nil, err
		}
	}
	if r.standard == "" {
		return nil, mistake(file, "default is missing: allow, list or deny, for captures that no rule fits")
	}
	return r, nil
}

func listOf(n *yaml.Node, open func(string) ([]byte, error)) (rules []rule, err error) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil, nil
	}
	if n.Kind != yaml.SequenceNode {
		return nil, mistake(n, "rules is a list: each rule begins with a dash")
	}
	for _, one := range n.Content {
		some, err := entryOf(one, open)
		if err != nil {
			return nil, err
		}
		if rules = append(rules, some...); len(rules) > maxRules {
			return nil, mistake(one, "there are more than %d rules", maxRules)
		}
	}
	return rules, nil
}

// entryOf parses an entry of the list: a rule, or a file of pywb's rules.
func entryOf(n *yaml.Node, open func(string) ([]byte, error)) ([]rule, error) {
	if n.Kind != yaml.MappingNode {
		return nil, mistake(n, "a rule has keys, such as host and action")
	}
	r, file := rule{}, (*yaml.Node)(nil)
	var tests []*yaml.Node
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Value == "aclj" {
			file = value
			continue
		}
		if key.Value != "action" && key.Value != "message" {
			tests = append(tests, key)
		}
		if err := r.set(key, value); err != nil {
			return nil, err
		}
	}
	switch {
	case file != nil:
		return aclj(file, r, open)
	case r.action == "":
		return nil, mistake(n, "the rule has no action: allow, list or deny")
	case len(tests) == 0:
		return nil, mistake(n, "the rule fits everything: use default, or name readers or captures")
	case r.message != "" && r.action != list:
		return nil, mistake(n, "only the action list has a message")
	}
	return []rule{r.cautious()}, nil
}

// set sets one key of a rule.
func (r *rule) set(key, value *yaml.Node) (err error) {
	if set := readers[key.Value]; set != nil {
		return eachOf(value, func(text string) error { return set(r, text) })
	}
	if make := captures[key.Value]; make != nil {
		var any []query.Expr
		err = eachOf(value, func(text string) error {
			e, err := make(text)
			any = append(any, e)
			return err
		})
		r.captures = allOf(r.captures, oneOf(any))
		return err
	}
	switch key.Value {
	case "action":
		r.action, err = actionOf(value)
		return err
	case "name", "message":
		text, err := textOf(value)
		if key.Value == "message" {
			r.message = text
		}
		return err
	case "older", "younger", "before", "after":
		return r.setAge(key.Value, value)
	case "since", "until":
		at, err := dayOf(value)
		if key.Value == "since" {
			r.since = at
		} else {
			r.until = at
		}
		return err
	}
	return mistake(key, "unknown key %q of a rule", clip(key.Value))
}

func (r *rule) setAge(key string, value *yaml.Node) error {
	a := age{older: key == "older" || key == "before"}
	var err error
	if key == "before" || key == "after" {
		a.at, err = dayOf(value)
	} else {
		err = a.setPeriod(value)
	}
	r.ages = append(r.ages, a)
	return err
}

var period = pattern.Lazy(`^(\d{1,4}) (day|month|year)s?$`)

func (a *age) setPeriod(n *yaml.Node) error {
	text, err := textOf(n)
	if err != nil {
		return err
	}
	m := period().FindStringSubmatch(text)
	if m == nil {
		return mistake(n, "%q is not a period, such as 90 days, 6 months or 70 years", clip(text))
	}
	count, _ := strconv.Atoi(m[1]) // of digits
	switch m[2] {
	case "day":
		a.days = count
	case "month":
		a.months = count
	default:
		a.years = count
	}
	return nil
}

// dayOf parses a date: the beginning of a day, month or year in UTC.
func dayOf(n *yaml.Node) (time.Time, error) {
	text, err := textOf(n)
	if err != nil {
		return time.Time{}, err
	}
	for _, layout := range []string{"2006-01-02", "2006-01", "2006", time.RFC3339} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, mistake(n, "%q is not a date, such as 2030-01-01 or 1990", clip(text))
}

// readers are the keys for readers.
var readers = map[string]func(r *rule, text string) error{
	"role": func(r *rule, text string) error {
		if !slices.Contains([]string{"nobody", "viewer", "editor", "admin"}, text) {
			return fmt.Errorf("%q is not a role: nobody, viewer, editor, admin", clip(text))
		}
		r.roles = append(r.roles, text)
		return nil
	},
	"user": func(r *rule, text string) error {
		r.users = append(r.users, text)
		return nil
	},
	"token": func(r *rule, text string) error {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not the number of a token: see /account", clip(text))
		}
		r.tokens = append(r.tokens, n)
		return nil
	},
	"address": func(r *rule, text string) error {
		p, err := networkOf(text)
		r.addresses = append(r.addresses, p)
		return err
	},
	"collection": func(r *rule, text string) error {
		r.collections = append(r.collections, text)
		return nil
	},
}

// networkOf parses a network, or an address as a network of one.
func networkOf(text string) (netip.Prefix, error) {
	if ip, err := netip.ParseAddr(text); err == nil && ip.Zone() == "" {
		ip = ip.Unmap()
		return netip.PrefixFrom(ip, ip.BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	if err != nil || p.Addr().Is4In6() {
		return p, fmt.Errorf("%q is not an address or a network, such as 192.0.2.0/24", clip(text))
	}
	if p != p.Masked() {
		return p, fmt.Errorf("%q has bits after its network: %v?", clip(text), p.Masked())
	}
	return p, nil
}

// eachOf calls use for a text, or for each text of a list.
func eachOf(n *yaml.Node, use func(text string) error) error {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	// An empty list would fit everything.
	if len(items) == 0 {
		return mistake(n, "the list is empty")
	}
	for _, item := range items {
		text, err := textOf(item)
		if err != nil {
			return err
		}
		if err := use(text); err != nil {
			return mistake(item, "%v", err)
		}
	}
	return nil
}

func textOf(n *yaml.Node) (string, error) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || strings.TrimSpace(n.Value) == "" {
		return "", mistake(n, "a value is missing here")
	}
	return strings.TrimSpace(n.Value), nil
}

func boolOf(n *yaml.Node) (bool, error) {
	switch n.Value {
	case "yes", "true":
		return true, nil
	case "no", "false":
		return false, nil
	}
	return false, mistake(n, "%q is neither yes nor no", clip(n.Value))
}

func actionOf(n *yaml.Node) (action, error) {
	a := action(n.Value)
	if n.Kind != yaml.ScalarNode || a != allow && a != list && a != deny {
		return "", mistake(n, "%q is not an action: allow, list (without text and replay) or deny (as if it did not exist)",
			clip(n.Value))
	}
	return a, nil
}

func clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}

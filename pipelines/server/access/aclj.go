package access

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// aclj makes rules of a file of pywb: lines of a SURT, a dash and JSON, in the order in which they are tried. Its words
// exclude and block are deny and list here. An age of the entry is pywb's embargo, which allow_ignore_embargo passes.
func aclj(at *yaml.Node, entry rule, open func(string) ([]byte, error)) (rules []rule, err error) {
	name, err := textOf(at)
	if err != nil {
		return nil, err
	}
	if entry.action != "" || entry.captures != nil {
		return nil, mistake(at, "an entry with aclj has neither an action nor captures: the file names them")
	}
	data, err := open(name)
	if err != nil {
		return nil, mistake(at, "%v", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, MaxBytes)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		some, err := ofLine(line, entry)
		if err != nil {
			return nil, mistake(at, "%s:%d: %v", name, n, err)
		}
		rules = append(rules, some...)
	}
	if err := lines.Err(); err != nil {
		return nil, mistake(at, "%s: %v", name, err)
	}
	// Captures that no line fits have the embargo too.
	if len(entry.ages) > 0 {
		entry.action = deny
		rules = append(rules, entry)
	}
	return rules, nil
}

// ofLine makes the rules of a line: one, or two for an embargo.
func ofLine(line string, entry rule) ([]rule, error) {
	key, rest, _ := strings.Cut(line, " ")
	// Between the key and the JSON is a dash in the place of a time.
	rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), "-"))
	var said struct{ Access, User string }
	if err := json.Unmarshal([]byte(rest), &said); err != nil {
		return nil, fmt.Errorf("a line is a SURT, a dash and JSON: %w", err)
	}
	r := entry
	r.ages = nil
	if said.User != "" {
		r.users = []string{said.User}
	}
	if exact, is := strings.CutSuffix(key, "###"); is {
		r.captures = &query.Compare{Field: "surt", Op: query.Equal, Value: query.Value{Text: exact}}
	} else if key != "" {
		r.captures = begins(key)
	}
	var embargo []rule
	if len(entry.ages) > 0 && said.Access == "allow" {
		late := r
		late.ages, late.action = entry.ages, deny
		embargo = append(embargo, late)
	}
	switch said.Access {
	case "allow", "allow_ignore_embargo":
		r.action = allow
	case "block":
		r.action = list
	case "exclude":
		r.action = deny
	default:
		return nil, fmt.Errorf("access is allow, allow_ignore_embargo, block or exclude, not %q", clip(said.Access))
	}
	return append(embargo, r.cautious()), nil
}

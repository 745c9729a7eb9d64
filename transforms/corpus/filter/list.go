package filter

import (
	"fmt"
	"iter"
	"maps"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// A set holds the lines of a list, in lower case, without empty lines and comments.
type set map[string]struct{}

func setOf(lines []string) set {
	s := set{}
	for line := range linesOf(lines) {
		s[line] = struct{}{}
	}
	return s
}

// linesOf yields the lines that are neither empty nor comments, in lower case.
func linesOf(lines []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, line := range lines {
			line = strings.ToLower(strings.TrimSpace(line))
			if line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// hostsOf returns the hosts of a list in the form that documents have. A line may be a URL without a path, and may
// begin with "*." or a dot.
func hostsOf(lines []string) (set, error) {
	s := set{}
	for line := range linesOf(lines) {
		_, name, isURL := strings.Cut(line, "://")
		if !isURL {
			name = line
		}
		name = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(name, "/"), "*"), ".")
		host, _ := urlkey.Site("http://" + name)
		if host == "" || strings.ContainsAny(name, " \t/?#@*|^,") {
			return nil, fmt.Errorf("%q is no host", line)
		}
		s[host] = struct{}{}
	}
	return s, nil
}

func (s set) all() iter.Seq[string] { return maps.Keys(s) }

// has reports whether the set has a host or one of its parent domains.
func (s set) has(host string) bool {
	for host != "" && len(s) > 0 {
		if _, ok := s[host]; ok {
			return true
		}
		_, host, _ = strings.Cut(host, ".")
	}
	return false
}

package filter

import (
	"iter"
	"maps"
	"strings"
)

// A set holds the lines of a list, in lower case, without empty lines and comments.
type set map[string]struct{}

func setOf(lines []string) set {
	s := set{}
	for _, line := range lines {
		if line = strings.ToLower(strings.TrimSpace(line)); line != "" && line[0] != '#' {
			s[line] = struct{}{}
		}
	}
	return s
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

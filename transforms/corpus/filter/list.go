package filter

import (
	"iter"
	"maps"
	"strings"
)

// A set is the lines of a list that is not empty and no comment, in lower case.
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

// has reports whether a host or one of the domains that it is in is in the set.
func (s set) has(host string) bool {
	for host != "" && len(s) > 0 {
		if _, ok := s[host]; ok {
			return true
		}
		_, host, _ = strings.Cut(host, ".")
	}
	return false
}

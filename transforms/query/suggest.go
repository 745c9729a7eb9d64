package query

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxSuggested bounds the names whose distance is measured, which takes the product of the lengths.
const maxSuggested = 64

// suggestion returns the field nearest to an unknown name, if it is near enough to be a typing error.
func suggestion(name string) string {
	if len(name) > maxSuggested {
		return ""
	}
	// A third of the letters may be wrong, and two of a short name.
	best, distance := "", max(2, utf8.RuneCountInString(name)/3)+1
	consider := func(known string) {
		if d := levenshtein(strings.ToLower(name), known); d < distance {
			best, distance = known, d
		}
	}
	// They are sorted, so that ties have the same result each time. Aliases come first, since people type them.
	for _, alias := range slices.Sorted(maps.Keys(aliases)) {
		consider(alias)
	}
	list, _ := fields()
	for _, f := range list {
		consider(f.Name)
	}
	if best == "" {
		return "; docs/documents.md has the fields"
	}
	return "; did you mean " + best + "?"
}

// levenshtein counts the letters to insert, delete or replace to turn a into b (Levenshtein 1966; by rows, after
// Wagner and Fischer 1974).
func levenshtein(a, b string) int {
	target := []rune(b)
	row := make([]int, len(target)+1)
	for j := range row {
		row[j] = j
	}
	i := 0
	for _, r := range a {
		i++
		diagonal := row[0]
		row[0] = i
		for j, t := range target {
			cost := diagonal
			if r != t {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(row[j+1]+1, row[j]+1, cost)
		}
	}
	return row[len(target)]
}

// clip shortens a part of a filter that a message repeats.
func clip(s string) string {
	const most = 60 // runes: messages stay on a line
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}

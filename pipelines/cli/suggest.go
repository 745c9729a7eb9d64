package cli

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Suggest is "; did you mean …?" when one of the words is near, and "" otherwise: the one with the fewest typing
// errors, or else the shortest that begins with word, or that word begins with.
// Words are sorted by length, so that the shortest of equally near ones wins and the answer is always the same.
func Suggest(word string, words []string, prefix string) string {
	typed := strings.ReplaceAll(strings.ToLower(word), "-", "_")
	best, least := "", len(word)/3+2 // the same number of typing errors for each length, or so
	words = slices.SortedFunc(slices.Values(words), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	// The second condition leaves out words that have nothing in common with what was typed.
	for _, w := range words {
		if d := distance(typed, w); d < least && d < max(len(typed), len(w)) {
			best, least = w, d
		}
	}
	// A beginning counts only if nothing was near.
	for _, w := range words {
		if best == "" && len(typed) > 1 && (strings.HasPrefix(w, typed) || len(w) > 2 && strings.HasPrefix(typed, w)) {
			best = w
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s%s?", prefix, best)
}

// maxWord bounds the work of distance, in bytes; no flag is as long, and what is longer is far from everything.
const maxWord = 64

// distance is the number of bytes to insert, delete, replace or swap with the next to come from a to b (optimal
// string alignment).
func distance(a, b string) int {
	if len(a) > maxWord || len(b) > maxWord {
		return math.MaxInt
	}
	// 33 KB, for one word at a time.
	var d [maxWord + 1][maxWord + 1]int
	for i := range len(a) + 1 {
		for j := range len(b) + 1 {
			d[i][j] = step(&d, a, b, i, j)
		}
	}
	return d[len(a)][len(b)]
}

// step is one cell of the table: the least of the ways that lead there.
func step(d *[maxWord + 1][maxWord + 1]int, a, b string, i, j int) int {
	// From or to an empty word it takes a step for each byte.
	if i == 0 || j == 0 {
		return i + j
	}
	replace := d[i-1][j-1]
	if a[i-1] != b[j-1] {
		replace++
	}
	n := min(d[i-1][j]+1, d[i][j-1]+1, replace)
	// Two neighbours that were typed in the wrong order count as one error.
	if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
		n = min(n, d[i-2][j-2]+1)
	}
	return n
}

package cli

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Suggest returns "; did you mean …?" with the most similar of the words, or "". Similar means few typing errors, or
// that one word is the beginning of the other. Of equally similar words the shortest wins.
func Suggest(word string, words []string, prefix string) string {
	typed := strings.ReplaceAll(strings.ToLower(word), "-", "_")
	best, least := "", len(word)/3+2 // the same number of typing errors for each length, or so
	words = slices.SortedFunc(slices.Values(words), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	// The second condition excludes words without a common letter.
	for _, w := range words {
		if d := distance(typed, w); d < least && d < max(len(typed), len(w)) {
			best, least = w, d
		}
	}
	// Beginnings count only if no word is similar.
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

// maxWord limits the words of distance, in bytes. No flag is longer.
const maxWord = 64

// distance returns how many bytes must be inserted, deleted, replaced or swapped to turn a into b (optimal string
// alignment).
func distance(a, b string) int {
	if len(a) > maxWord || len(b) > maxWord {
		return math.MaxInt
	}
	var d [maxWord + 1][maxWord + 1]int
	for i := range len(a) + 1 {
		for j := range len(b) + 1 {
			d[i][j] = step(&d, a, b, i, j)
		}
	}
	return d[len(a)][len(b)]
}

// step returns a cell of the table of distances.
func step(d *[maxWord + 1][maxWord + 1]int, a, b string, i, j int) int {
	// An empty word takes one step for each byte.
	if i == 0 || j == 0 {
		return i + j
	}
	replace := d[i-1][j-1]
	if a[i-1] != b[j-1] {
		replace++
	}
	n := min(d[i-1][j]+1, d[i][j-1]+1, replace)
	// Two swapped neighbours count as one error.
	if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
		n = min(n, d[i-2][j-2]+1)
	}
	return n
}

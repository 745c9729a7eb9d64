package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

// ceiling is how many sentences may break a rule: the word "words" or "length" after a kind of text, as in
// "comments words".
type ceiling map[string]int

func readCeilings(name string) (ceiling, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	c := ceiling{}
	for line := range strings.Lines(string(b)) {
		var kind, what string
		var n int
		if _, err := fmt.Sscan(line, &kind, &what, &n); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", name, line, err)
		}
		c[kind+" "+what] = n
	}
	return c, nil
}

// now returns the counts in the form of ceilings.
func now(kinds map[string]*count) ceiling {
	c := ceiling{}
	for kind, n := range kinds {
		c[kind+" words"], c[kind+" length"] = n.words, n.length
	}
	return c
}

// writeCeilings lowers ceilings to the counts. None rises.
func writeCeilings(name string, old ceiling, kinds map[string]*count) error {
	counts := now(kinds)
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		n := counts[key]
		if limit, ok := old[key]; ok {
			n = min(n, limit)
		}
		fmt.Fprintln(&b, key, n)
	}
	return os.WriteFile(name, []byte(b.String()), 0o644)
}

// above reports counts above their ceilings. A kind without a ceiling is above it.
func above(w io.Writer, limits ceiling, kinds map[string]*count) (err error) {
	counts := now(kinds)
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		if counts[key] > limits[key] {
			fmt.Fprintf(w, "%s: %d, the ceiling is %d\n", key, counts[key], limits[key])
			err = errAbove
		}
	}
	return err
}

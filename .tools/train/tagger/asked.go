package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// plainWord is of words that may be names: letters, and signs within.
var plainWord = regexp.MustCompile(`^[a-z][a-z'&-]+$`)

// asked returns the first of words, so many, that the teacher is asked about.
func asked(words []string, most int) (plain []string) {
	for _, w := range words {
		if len(plain) < most && plainWord.MatchString(w) {
			plain = append(plain, w)
		}
	}
	return plain
}

// written returns words as they are written in pages as names: with the capitals that most of those have that have any,
// or with one at the beginning.
func written(words, pages []string) []string {
	forms := map[string]map[string]int{}
	for _, p := range pages {
		for _, w := range strings.FieldsFunc(p, func(r rune) bool { return !unicode.IsLetter(r) && r != '&' && r != '-' }) {
			if l := strings.ToLower(w); l != w {
				if forms[l] == nil {
					forms[l] = map[string]int{}
				}
				forms[l][w]++
			}
		}
	}
	var out []string
	for _, w := range words {
		best, most := strings.ToUpper(w[:1])+w[1:], 0
		for f, n := range forms[w] {
			// Of two that are as usual the first by the alphabet, so that the answer is the same each time.
			if n > most || n == most && f < best {
				best, most = f, n
			}
		}
		out = append(out, best)
	}
	return out
}

// readKinds reads what the teacher says of each of words, and returns their kinds.
func readKinds(dir string, words []string) (map[string]int, error) {
	data, err := os.ReadFile(filepath.Join(dir, "words"))
	if err != nil {
		return nil, err
	}
	if len(data) != len(words)*model.Labels*4 {
		return nil, errSilver
	}
	kinds := map[string]int{}
	for i, r := range readRows(data) {
		kinds[words[i]] = kindOf(&r)
	}
	return kinds, nil
}

// kindOf returns the kind of a word by the probabilities of its labels: for each type one of three steps.
func kindOf(r *row) int {
	kind, step := 1, 1 // 0 is of words that were not asked about
	for t := range int(model.Types) {
		switch p := r[1+4*t] + r[2+4*t] + r[3+4*t] + r[4+4*t]; {
		case p >= 0.5:
			kind += 2 * step
		case p >= 0.1:
			kind += step
		}
		step *= 3
	}
	return kind
}

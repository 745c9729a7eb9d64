package main

import (
	"context"
	"fmt"
	"os"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/corpus/minhash"
	"github.com/gleaner-web/gleaner/transforms/quality"
)

// near finds the texts of a collection that share a band with an earlier one. Program minhash.py does the same by
// Rensa. Both read all texts first, which is not counted.
func near(name string) error {
	part, _, err := holdings.Whole(folder.Open(context.Background(), name, nil))
	if err != nil {
		return err
	}
	var texts, languages []string
	for d, err := range part.Documents(context.Background()) {
		if err != nil {
			return err
		}
		if d.Text != "" {
			texts, languages = append(texts, d.Text), append(languages, d.Language)
		}
	}
	before := cputime.Self()
	var m minhash.Maker
	var seen [minhash.NumBands]map[uint64]bool
	for i := range seen {
		seen[i] = map[uint64]bool{}
	}
	found := 0
	for i, text := range texts {
		bands, _ := m.Bands(text, quality.Unspaced(languages[i]))
		like := false
		for j, b := range bands {
			like = like || seen[j][b]
			seen[j][b] = true
		}
		if like {
			found++
		}
	}
	_, err = fmt.Fprintf(os.Stdout, "gleaner: %d texts, %d like an earlier one, %.2f s CPU\n", len(texts), found,
		(cputime.Self() - before).Seconds())
	return err
}

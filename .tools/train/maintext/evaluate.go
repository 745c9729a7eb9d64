package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
)

// figures holds the quality of predictions on a group of pages.
type figures struct {
	pages        int
	words, grams float64 // F1 of words and of runs of four words, summed over pages
	snippets     snippets
	typed        int // pages whose type is right
}

// evaluate compares predictions with the labels, by set and by type of page.
func evaluate(samples []sample, args []string, w io.Writer) error {
	predictions, err := readPredictions(args[0])
	if err != nil {
		return err
	}
	type key struct{ set, id string }
	told := map[key]prediction{}
	for _, p := range predictions {
		told[key{p.Set, p.ID}] = p
	}
	groups := map[string]*figures{}
	for i := range samples {
		s := &samples[i]
		text := told[key{s.Set, s.ID}].Text
		names := []string{s.Set}
		if s.Set == "wcxb" { // pages of the other sets are articles
			names = append(names, s.Set+" "+s.Type)
		}
		var words, grams float64
		if s.With == nil {
			got, want := tokens(text), tokens(s.Text)
			words, grams = overlap(got, want, 1), overlap(got, want, 4)
		}
		for _, name := range names {
			g := groups[name]
			if g == nil {
				g = &figures{}
				groups[name] = g
			}
			g.pages++
			if told[key{s.Set, s.ID}].Type == s.Type {
				g.typed++
			}
			g.words += words
			g.grams += grams
			g.snippets.add(s, text)
		}
	}
	var names []string
	for name := range groups {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		g := groups[name]
		n := float64(g.pages)
		line := fmt.Sprintf("%-20s %5d pages  words %.4f  runs of four %.4f", name, g.pages, g.words/n, g.grams/n)
		if g.words == 0 {
			line = fmt.Sprintf("%-20s %5d pages  snippets %.4f", name, g.pages, g.snippets.f1())
		}
		if g.typed > 0 { // other extractors return no types
			line += fmt.Sprintf("  typed rightly %.3f", float64(g.typed)/n)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

func readPredictions(file string) (all []prediction, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	for d := json.NewDecoder(f); ; {
		var p prediction
		if err := d.Decode(&p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, p)
	}
}

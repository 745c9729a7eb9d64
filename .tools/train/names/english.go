package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger"
)

// printEnglish prints names that the English tagger finds in the development part of the Web Content eXtraction
// Benchmark. A line has the type, the name and the number of its pages, if that is two or more. The lists also serve
// the other languages, since many names are written alike.
func printEnglish(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "ground-truth", "*.json"))
	if err != nil {
		return err
	}
	t := tagger.New(tagger.Options{MinConfidence: 0.6})
	count := map[[2]string]int{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var page struct {
			Truth struct {
				Content string `json:"main_content"`
			} `json:"ground_truth"`
		}
		if err := json.Unmarshal(data, &page); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		on := map[[2]string]bool{}
		for _, m := range t.Tag(page.Truth.Content, "en", nil) {
			on[[2]string{m.Type, page.Truth.Content[m.Start:m.End]}] = true
		}
		for k := range on {
			count[k]++
		}
	}
	var lines []string
	for k, n := range count {
		if n > 1 {
			lines = append(lines, fmt.Sprintf("%s\t%s\t%d", k[0], k[1], n))
		}
	}
	slices.Sort(lines)
	for _, l := range lines {
		fmt.Println(l)
	}
	return nil
}

package tagger

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// pages returns the main texts of the first n pages of the Web Content eXtraction Benchmark's development part.
func pages(tb testing.TB, n int) []string {
	tb.Helper()
	names, err := filepath.Glob("../../../../shared/corpora/maintext/wcxb-dev/ground-truth/*.json")
	if err != nil || len(names) < n {
		tb.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	var texts []string
	for _, name := range names[:n] {
		data, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		var page struct {
			Truth struct {
				Content string `json:"main_content"`
			} `json:"ground_truth"`
		}
		if err := json.Unmarshal(data, &page); err != nil {
			tb.Fatal(err)
		}
		texts = append(texts, page.Truth.Content)
	}
	return texts
}

var tokenPattern = regexp.MustCompile(`[\pL\pN]+|[^\pL\pN\s]`)

// countTokens counts words and punctuation.
func countTokens(text string) int { return len(tokenPattern.FindAllStringIndex(text, -1)) }

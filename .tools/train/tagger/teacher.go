package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// pageBytes limits the text of a page. Few pages are longer, and pages differ more than the parts of one page.
const pageBytes = 9000

// readPages reads the main text of English pages. It skips those in the list of judged names, which evaluates the
// model.
func readPages(dir, judged string) (pages []string, err error) {
	list, err := os.ReadFile(judged)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "ground-truth/*.json"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	for _, f := range files {
		if id := strings.TrimSuffix(filepath.Base(f), ".json"); strings.Contains(string(list), "\n"+id+"\t") {
			continue
		}
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		var page struct {
			Truth struct {
				Content string `json:"main_content"`
			} `json:"ground_truth"`
		}
		if err := json.Unmarshal(data, &page); err != nil {
			return nil, err
		}
		if text := beginning(page.Truth.Content, pageBytes); isEnglish(text) {
			pages = append(pages, text)
		}
	}
	return pages, nil
}

// beginning returns at most limit bytes of text. It cuts at the last line if that keeps more than half, or at a word.
func beginning(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = text[:limit]
	if i := strings.LastIndexByte(text, '\n'); i > limit/2 {
		return text[:i]
	}
	if i := strings.LastIndexByte(text, ' '); i > 0 {
		text = text[:i]
	}
	return strings.ToValidUTF8(text, "")
}

// isEnglish reports whether at least 2 % of the words are very common English words.
func isEnglish(text string) bool {
	words, usual := 0, 0
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		words++
		switch w {
		case "the", "and", "of", "to", "a":
			usual++
		}
	}
	return words > 0 && usual*50 >= words
}

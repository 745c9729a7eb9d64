package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// source has the input: documents, and sentences by language.
type source struct {
	documents []*schemas.Document
	sentences map[string][]string
	words     []string // for host names and paths
	mean      int      // bytes of a document's text
}

// maxLine is in bytes.
const maxLine = 1 << 20

// load reads the documents with text in a collection, and the texts of other languages.
func load(ctx context.Context, from, texts string) (*source, error) {
	s := &source{sentences: map[string][]string{}}
	part, _, err := holdings.Whole(folder.Open(ctx, from, nil))
	if err != nil {
		return nil, err
	}
	for d, err := range part.Documents(ctx) {
		if err != nil {
			return nil, err
		}
		if d.Text == "" || d.MainHTML == "" {
			continue
		}
		s.documents = append(s.documents, d)
		s.mean += len(d.Text)
		s.add(d.Language, d.Text)
	}
	if len(s.sentences["en"]) == 0 {
		return nil, fmt.Errorf("%s has no English documents with text and main_html, which rows are made of", from)
	}
	s.mean /= len(s.documents)
	s.words = words(s.sentences["en"])
	return s, s.loadTexts(texts)
}

// add splits a text into sentences: at line ends, and after full stops with a blank.
func (s *source) add(language, text string) {
	for line := range strings.Lines(text) {
		for sentence := range strings.SplitAfterSeq(strings.TrimSpace(line), ". ") {
			if sentence = strings.TrimSpace(sentence); len(sentence) >= 20 {
				s.sentences[language] = append(s.sentences[language], sentence)
			}
		}
	}
}

// loadTexts adds the sentences of a file of texts.
func (s *source) loadTexts(name string) error {
	if name == "" {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // nothing is written
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		if language, text, ok := strings.Cut(lines.Text(), "\t"); ok {
			s.add(language, strings.ReplaceAll(text, `\n`, "\n"))
		}
	}
	return errors.Join(lines.Err(), z.Close())
}

// words returns the first thousands of distinct words with only the letters a to z.
func words(sentences []string) (list []string) {
	seen := map[string]bool{}
	for _, sentence := range sentences {
		for w := range strings.FieldsSeq(strings.ToLower(sentence)) {
			plain := len(w) > 2 && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") == ""
			if plain && !seen[w] {
				seen[w] = true
				list = append(list, w)
			}
		}
		if len(list) > 5000 {
			break
		}
	}
	return list
}

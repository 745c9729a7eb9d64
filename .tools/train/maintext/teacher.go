package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
)

// pages writes the samples of one set or all sets for another extractor, one per line of JSON.
func pages(samples []sample, args []string, w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range samples {
		s := &samples[i]
		if args[0] != s.Set && args[0] != "all" {
			continue
		}
		src, err := s.html()
		if err != nil {
			return err
		}
		line := struct {
			Set  string `json:"set"`
			ID   string `json:"id"`
			URL  string `json:"url"`
			HTML string `json:"html"`
		}{s.Set, s.ID, s.URL, string(src)}
		if err := e.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// teach sets the texts of teacher.jsonl in a folder for the samples with snippets.
func teach(samples []sample, dir string) error {
	predictions, err := readPredictions(filepath.Join(dir, "teacher.jsonl"))
	if err != nil {
		return err
	}
	texts := map[[2]string]string{}
	for _, p := range predictions {
		texts[[2]string{p.Set, p.ID}] = p.Text
	}
	for i := range samples {
		s := &samples[i]
		text, ok := texts[[2]string{s.Set, s.ID}]
		if s.With != nil && !ok {
			return fmt.Errorf("teacher.jsonl has no text of %s %s", s.Set, s.ID)
		}
		s.taught = text
	}
	return nil
}

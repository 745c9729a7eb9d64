package main

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"

	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/maintext/score"
	"github.com/gleaner-web/gleaner/transforms/page"
)

const folds = 5

// fold returns the fold of a host.
func fold(host string) int { return int(crc32.ChecksumIEEE([]byte("5fold"+host)) % folds) }

// foldModels reads the model of each fold, which has not seen the fold's hosts.
func foldModels(dir string) (models [folds]*score.Model, err error) {
	for i := range models {
		b, err := read(filepath.Join(dir, fmt.Sprintf("model%d.bin", i)))
		if err != nil {
			return models, err
		}
		if models[i], err = score.ParseModel(b); err != nil {
			return models, err
		}
	}
	return models, nil
}

// prediction is a page's text by an extractor.
type prediction struct {
	Set  string `json:"set"`
	ID   string `json:"id"`
	Text string `json:"text"`
	Type string `json:"type,omitempty"` // of page, if the extractor returns it
}

// predict writes the samples' main text, each by the model that has not seen its host.
func predict(samples []sample, args []string, w io.Writer) error {
	models, err := foldModels(args[0])
	if err != nil {
		return err
	}
	var x maintext.Extractor
	var r page.Parser
	e := json.NewEncoder(w)
	for i := range samples {
		s := &samples[i]
		src, err := s.html()
		if err != nil {
			return err
		}
		p := r.Parse(src, page.Options{URL: s.URL})
		res := x.Extract(p, maintext.Options{Model: models[fold(s.Host)]})
		if err := e.Encode(prediction{Set: s.Set, ID: s.ID, Text: res.Text, Type: res.Type.String()}); err != nil {
			return err
		}
	}
	return nil
}

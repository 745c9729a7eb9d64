package main

import (
	"encoding/gob"
	"os"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

type saved struct {
	W, P, C []byte
	V       []vector
	Cl      []int
	F       []uint8
}

func cachedLexicon(dir, file string) (*lexicon, error) {
	var s saved
	if f, err := os.Open(file); err == nil {
		err = gob.NewDecoder(f).Decode(&s)
		f.Close()
		l := &lexicon{rowVec: s.V}
		l.rowCluster = s.Cl
		l.file = model.NewLexicon(s.W, s.P, s.C, len(s.V))
		return l, err
	}
	l, err := buildLexicon(dir)
	if err != nil {
		return nil, err
	}
	s.V = l.rowVec
	s.W, s.P, s.C = l.file.Tables()
	s.Cl = l.rowCluster
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return l, gob.NewEncoder(f).Encode(s)
}

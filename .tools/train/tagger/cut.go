package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// A cutText is a text as the teacher and the net read it. Offsets are in characters.
type cutText struct {
	Set    string // web, tweets, noisy, noisyDev or page
	Text   string
	Tokens [][2]int
	Within []int      // of each token the number of its sentence
	Names  [][3]int   // and their type
	Known  [][]uint32 // of each token the rows of the net's table
}

// writeTexts writes into a folder the texts that the teacher and the net learn from, one in a line, in JSON, with the
// pages that the teacher labels; and the vectors of the lexicon's rows, float32 in little endian.
func writeTexts(dir string, lex *lexicon, c corpora, pages []string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	for _, d := range slices.Concat(c.web, c.tweets, c.noisy) {
		set := [domains]string{"web", "tweets", "noisy"}[d.domain]
		if err := e.Encode(cut(&lex.file, set, d.text, d.names)); err != nil {
			return err
		}
	}
	for _, p := range pages {
		if err := e.Encode(cut(&lex.file, "page", p, nil)); err != nil {
			return err
		}
	}
	for _, d := range c.noisyDev {
		if err := e.Encode(cut(&lex.file, "noisyDev", d.text, d.names)); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "texts"), out.Bytes(), 0o644); err != nil {
		return err
	}
	out.Reset()
	if err := binary.Write(&out, binary.LittleEndian, lex.rowVec); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "vectors"), out.Bytes(), 0o644)
}

func cut(lex *model.Lexicon, set, text string, names []model.Span) cutText {
	at := make([]int, len(text)+1) // of each byte the character that begins there
	n := 0
	for i := range text {
		at[i] = n
		n++
	}
	at[len(text)] = n
	// Empty, not null: the teacher counts them.
	t := cutText{Set: set, Text: text, Tokens: [][2]int{}, Names: [][3]int{}}
	var tokens []model.Token
	tokens, t.Known, t.Within = model.Known(lex, text)
	for _, x := range tokens {
		t.Tokens = append(t.Tokens, [2]int{at[x.Start], at[x.End]})
	}
	for _, x := range names {
		t.Names = append(t.Names, [3]int{at[x.Start], at[x.End], int(x.Type)})
	}
	return t
}

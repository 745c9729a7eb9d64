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

// cutText is a text for the teacher and the net. Offsets are in characters.
type cutText struct {
	Set    string // web, tweets, noisy, noisyDev or page
	Text   string
	Tokens [][2]int
	Within []int      // index of each token's sentence
	Names  [][3]int   // start, end and type
	Known  [][]uint32 // rows of the net's table, of each token
}

// writeTexts writes the texts for the teacher and the net into a folder, with the pages for the teacher to label. A
// text is a line of JSON. It also writes the vectors of the lexicon's rows, float32 in little endian.
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
	at := make([]int, len(text)+1) // index of the character at each byte
	n := 0
	for i := range text {
		at[i] = n
		n++
	}
	at[len(text)] = n
	// These are empty, not null, because the teacher counts them.
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

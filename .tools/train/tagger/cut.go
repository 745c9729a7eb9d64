package main

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// A cutText is a text as the teacher reads it. Offsets are in characters.
type cutText struct {
	Set    string // web, tweets, noisy, page or word
	Text   string
	Tokens [][2]int
	Runs   [][2]int // of tokens
	Names  [][3]int // and their type
}

// writeTexts writes the texts that the teacher learns from, and the pages and words that it labels, one in a line, in
// JSON.
func writeTexts(name string, lex *model.Lexicon, c corpora, pages, words []string) error {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	for _, d := range slices.Concat(c.web, c.tweets, c.noisy) {
		if err := e.Encode(cut(lex, [domains]string{"web", "tweets", "noisy"}[d.domain], d.text, d.names)); err != nil {
			return err
		}
	}
	for _, p := range pages {
		if err := e.Encode(cut(lex, "page", p, nil)); err != nil {
			return err
		}
	}
	for _, w := range words {
		whole := [][2]int{{0, utf8.RuneCountInString(w)}}
		t := cutText{Set: "word", Text: w, Tokens: whole, Runs: [][2]int{{0, 1}}, Names: [][3]int{}}
		if err := e.Encode(t); err != nil {
			return err
		}
	}
	return os.WriteFile(name, out.Bytes(), 0o644)
}

func cut(lex *model.Lexicon, set, text string, names []model.Span) cutText {
	at := make([]int, len(text)+1) // of each byte the character that begins there
	n := 0
	for i := range text {
		at[i] = n
		n++
	}
	at[len(text)] = n
	tokens, runs := model.Cut(lex, text)
	// Empty, not null: the teacher counts them.
	t := cutText{Set: set, Text: text, Tokens: [][2]int{}, Runs: append([][2]int{}, runs...), Names: [][3]int{}}
	for _, x := range tokens {
		t.Tokens = append(t.Tokens, [2]int{at[x.Start], at[x.End]})
	}
	for _, x := range names {
		t.Names = append(t.Names, [3]int{at[x.Start], at[x.End], int(x.Type)})
	}
	return t
}

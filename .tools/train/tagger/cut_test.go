package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// Offsets are in characters, not bytes. Lists without elements are empty, not null. Words have the rows of the
// lexicon.
func TestWriteTexts(t *testing.T) {
	lex := &lexicon{
		file:   model.NewLexicon(make([]byte, 8*8), make([]byte, 4*8), 1),
		rowVec: []vector{{99: .5}},
	}
	zola := []model.Span{{Start: 5, End: 16, Type: model.Person}}
	c := corpora{
		web:      []labelled{{domain: web, text: "für Émile Zola\n", names: zola}},
		noisyDev: []labelled{{domain: noisy}},
	}
	dir := t.TempDir()
	if err := writeTexts(dir, lex, c, []string{"no\nno"}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "texts"))
	if err != nil {
		t.Fatal(err)
	}
	var got []cutText
	for line := range bytes.Lines(data) {
		var x cutText
		if err := json.Unmarshal(line, &x); err != nil {
			t.Fatal(err)
		}
		for _, known := range x.Known {
			// The word has ten rows and is not in the lexicon.
			if len(known) != 10 || known[0] != 0 {
				t.Errorf("%q is known by %d", x.Text, known)
			}
		}
		if len(x.Known) != len(x.Tokens) {
			t.Errorf("of %q %d of %d tokens are known", x.Text, len(x.Known), len(x.Tokens))
		}
		x.Known = nil
		got = append(got, x)
	}
	want := []cutText{
		{
			Set: "web", Text: "für Émile Zola\n", Tokens: [][2]int{{0, 3}, {4, 9}, {10, 14}},
			Within: []int{0, 0, 0}, Names: [][3]int{{4, 14, int(model.Person)}},
		},
		{
			Set: "page", Text: "no\nno", Tokens: [][2]int{{0, 2}, {3, 5}},
			Within: []int{0, 1}, Names: [][3]int{},
		},
		{Set: "noisyDev", Tokens: [][2]int{}, Names: [][3]int{}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	vectors, err := os.ReadFile(filepath.Join(dir, "vectors"))
	if err != nil || len(vectors) != 4*dims || !bytes.HasSuffix(vectors, []byte{0, 0, 0, 0x3F}) {
		t.Errorf("vectors are %d bytes, %v", len(vectors), err)
	}
}

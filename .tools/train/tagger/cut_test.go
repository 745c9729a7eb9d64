package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// The teacher counts characters, not bytes, and gets empty lists where there is nothing.
func TestWriteTexts(t *testing.T) {
	lex := model.NewLexicon(make([]byte, 8*8), make([]byte, 4*8), make([]byte, model.Clusters), 1)
	c := corpora{web: []labelled{{domain: web, text: "für Émile Zola\n", names: []model.Span{{Start: 5, End: 16, Type: model.Person}}}}}
	name := filepath.Join(t.TempDir(), "texts")
	if err := writeTexts(name, &lex, c, []string{"no"}, []string{"Émile"}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := json.Marshal(cutText{
		Set: "web", Text: "für Émile Zola\n", Tokens: [][2]int{{0, 3}, {4, 9}, {10, 14}}, Runs: [][2]int{{1, 3}},
		Names: [][3]int{{4, 14, int(model.Person)}},
	})
	want := string(first) + "\n" + `{"Set":"page","Text":"no","Tokens":[[0,2]],"Runs":[],"Names":[]}` + "\n" +
		`{"Set":"word","Text":"Émile","Tokens":[[0,5]],"Runs":[[0,1]],"Names":[]}` + "\n"
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
}

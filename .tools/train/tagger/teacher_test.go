package main

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// Pages that are judged by hand and pages of other languages teach nothing; the others give whole words.
func TestReadPages(t *testing.T) {
	dir := t.TempDir()
	judged := filepath.Join(dir, "names.tsv")
	files := map[string]string{
		judged:                               "page\ttype\n2\tperson\n",
		filepath.Join(dir, "ground-truth/1"): "The end of a day",
		filepath.Join(dir, "ground-truth/2"): "The judged one",
		filepath.Join(dir, "ground-truth/3"): "Das Ende eines Tages",
		filepath.Join(dir, "ground-truth/4"): strings.Repeat("the word ", 200),
	}
	if err := os.Mkdir(filepath.Join(dir, "ground-truth"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if name != judged {
			name, text = name+".json", `{"ground_truth":{"main_content":"`+text+`"}}`
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readPages(dir, judged)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"The end of a day", strings.TrimSpace(strings.Repeat("the word ", 167))[:1497]}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

func TestBeginning(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"short", "short"},
		{"one two\nthree four", "one two"},
		{"a\nb cdefghijklm", "a\nb"},
		{"Gr\u00fc\u00dfe\u00fc\u00fc\u00fc\u00fc", "Gr\u00fc\u00dfe\u00fc"},
	} {
		if got := beginning(test.text, 10); got != test.want {
			t.Errorf("beginning(%q, 10) = %q, want %q", test.text, got, test.want)
		}
	}
}

// Of two pages the teacher has labelled the first, and of the second only a part of the run.
func TestReadSilver(t *testing.T) {
	lex := model.NewLexicon(make([]byte, 8*8), make([]byte, 4*8), make([]byte, model.Clusters), 1)
	pages := []string{"see Anna Lee there", "see Rome Times there"}
	values := make([]float32, 4*model.Labels)
	values[1], values[model.Labels+3] = 1, 1
	for i := range values[3*model.Labels:] {
		values[3*model.Labels+i] = -1
	}
	write := func(values []float32) string {
		dir := t.TempDir()
		data := make([]byte, 4*len(values))
		for i, x := range values {
			binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(x))
		}
		if err := os.WriteFile(filepath.Join(dir, "pages"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	got, err := readSilver(&lex, pages, write(values))
	if err != nil || len(got) != 1 {
		t.Fatalf("readSilver = %d examples, %v, want one", len(got), err)
	}
	if e := got[0]; e.domain != web || e.times() != silver || len(e.soft) != 2 || e.soft[0][1] != 0 || e.soft[1][3] != 0 || e.soft[0][0] > -10 {
		t.Errorf("readSilver = domain %d, times %v, %v", e.domain, e.times(), e.soft)
	}
	for _, wrong := range [][]float32{values[:3*model.Labels], append(values, 1)} {
		if _, err := readSilver(&lex, pages, write(wrong)); !errors.Is(err, errSilver) {
			t.Errorf("readSilver of %d values of %d: %v, want errSilver", len(wrong), len(values), err)
		}
	}
}

// What the teacher says becomes probabilities of paths: a name that begins must end.
func TestTrainer_want(t *testing.T) {
	var trainer trainer
	gold, pairs := trainer.want(&example{Example: model.Example{Labels: []uint8{1, 3, 0}}})
	if gold[0][1] != 1 || gold[1][3] != 1 || gold[2][0] != 1 || pairs[0][1] != 1 || pairs[1][3] != 1 || pairs[3][0] != 1 || pairs[0][0] != 1 {
		t.Errorf("want of labels = %v, %v", gold, pairs)
	}
	soft := make([]row, 2)
	for i := range soft {
		for y := range soft[i] {
			soft[i][y] = float32(math.Log(1e-5))
		}
	}
	// The first token is said to begin a person, and the second is in doubt between the end of it and no name.
	soft[0][1], soft[1][3], soft[1][0] = 0, float32(math.Log(.4)), float32(math.Log(.6))
	got, pairs := trainer.want(&example{soft: soft})
	if got[0][1] < .99 || got[1][3] < .99 || pairs[1][3] < .99 {
		t.Errorf("want of the teacher's scores = %v, %v", got, pairs)
	}
}

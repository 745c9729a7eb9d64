package main

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// write writes a file into a folder of the test, and returns its name.
func write(t *testing.T, name, content string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// corpus returns a file of pages as NTREX-128 has them.
func corpus(t *testing.T, content string) string {
	t.Helper()
	var b strings.Builder
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, "corpus.gz", b.String())
}

const pages = "fr\tIl habite à Lyon.\\nElle aime Paris.\nde\tNein.\nfr\tAnne va à Lyon.\\nAnne aime Lyon.\n"

const labelsOfPages = "# 0 2\n0\t13\t17\tplace\n1\t10\t15\tplace\n# 2 4\n2\t0\t4\tperson\n2\t11\t15\tplace\n" +
	"3\t0\t4\tperson\n3\t10\t14\tplace\n"

func TestReadLabels(t *testing.T) {
	lines, err := readLines(corpus(t, pages), "fr")
	if err != nil || len(lines) != 4 || lines[1] != "Elle aime Paris." {
		t.Fatalf("readLines = %q, %v", lines, err)
	}
	texts, err := readLabels(write(t, "fr.tsv", labelsOfPages), lines)
	if err != nil || len(texts) != 2 {
		t.Fatalf("readLabels = %d texts, %v", len(texts), err)
	}
	var names []string
	for _, x := range texts {
		for _, n := range x.names {
			names = append(names, x.text[n.Start:n.End])
		}
	}
	if want := []string{"Lyon", "Paris", "Anne", "Lyon", "Anne", "Lyon"}; !slices.Equal(names, want) {
		t.Errorf("names %q, want %q", names, want)
	}
	if _, err := readLabels(write(t, "bad.tsv", "# 0 1\nword\n"), lines); err == nil {
		t.Error("read labels without numbers")
	}
}

// All steps on four sentences: the model finds the names that it has learnt.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	o := options{
		language: "fr", corpus: corpus(t, pages), out: filepath.Join(dir, "fr.bin"), labels: dir, rows: 10, epochs: 10,
		lists: write(t, "lists.tsv", "4\tlyon\n1\tanne\n"),
	}
	if err := os.WriteFile(filepath.Join(dir, "fr.tsv"), []byte(labelsOfPages), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run(o); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(o.out)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.DecodeLinear(file)
	if err != nil {
		t.Fatal(err)
	}
	text := "Anne aime Lyon."
	var s model.Scratch
	found := m.Find(text, &s, nil)
	if len(found) != 2 || found[0].Type != model.Person || text[found[1].Start:found[1].End] != "Lyon" {
		t.Errorf("found %v", found)
	}
	o.develop = true
	if err := run(o); err != nil {
		t.Error(err)
	}
	o.lists = "none"
	if run(o) == nil {
		t.Error("learnt without lists")
	}
}

func TestMonotone(t *testing.T) {
	got := monotone([]float64{5, 1, 9}, []float64{10, 10, 9})
	if len(got) != 3 || got[0] != got[1] || got[1] >= got[2] || got[0] < 0.2 || got[0] > 0.4 {
		t.Errorf("monotone = %v", got)
	}
}

func TestTrainer_best(t *testing.T) {
	tr := newTrainer(&model.Linear{Weights: make([]byte, model.Row)}, options{})
	emit := make([][labels]float32, 2)
	// An inner label cannot begin a name, so the second best path wins.
	emit[0][2], emit[0][4] = 9, 5
	if got := tr.best(emit); !slices.Equal(got, []uint8{4, 0}) {
		t.Errorf("best = %v", got)
	}
}

package contentdb

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/transforms/meaning"
	"github.com/gleaner-web/gleaner/transforms/meaning/standard"
)

const (
	teacherDim = 512
	// teacherAsks and teacherPassages bound the questions of a set and the passages of a document: the teacher is slow.
	teacherAsks, teacherPassages = 600, 4
	// leastGain is the share of the teacher's gain over a search by words that the table must keep.
	leastGain = .85
)

// TestMeasureAbout_teacher compares the table with the sentence model it is made from, on the sets of TestMeasureAbout
// and their kept half. It installs the model by pip, with the version and checksum of .tools/meaning/requirements.txt.
// A document's score is that of its nearest passage, for both.
func TestMeasureAbout_teacher(t *testing.T) {
	folder := os.Getenv("GLEANER_ABOUT")
	if folder == "" || os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("GLEANER_SLOW is not set, or GLEANER_ABOUT names no collection")
	}
	python := teacherPython(t)
	source, err := OpenPath(t.Context(), folder, Options{NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = source.Close() }()
	for _, set := range []struct {
		name string
		of   func(*testing.T, *DB) *asked
	}{{"title", titles}, {"anchor", anchors}, {"faq", answers}} {
		t.Run(set.name, func(t *testing.T) {
			a := set.of(t, source).sample()
			a.compare(t, python)
		})
	}
}

// teacherPython makes an environment of Python with the sentence model, and returns its interpreter.
func teacherPython(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	python := filepath.Join(dir, "bin", "python")
	for _, args := range [][]string{
		{"python3", "-m", "venv", dir},
		{python, "-m", "pip", "install", "-q", "-r", "../../../.tools/meaning/requirements.txt"},
	} {
		if out, err := exec.CommandContext(t.Context(), args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Skipf("the sentence model cannot be installed: %v\n%s", err, out)
		}
	}
	return python
}

// sample keeps some questions of the kept half, and the documents that answer them.
func (a *asked) sample() *asked {
	kept := slices.DeleteFunc(slices.Clone(a.asks), func(q ask) bool { return hashText(q.host)%2 == 0 })
	step := (len(kept) + teacherAsks - 1) / teacherAsks
	s, wanted := &asked{}, map[string]bool{}
	for i := 0; i < len(kept); i += step {
		s.asks = append(s.asks, kept[i])
		wanted[kept[i].answer] = true
	}
	for _, d := range a.documents {
		if wanted[d.URL] {
			s.documents = append(s.documents, d)
		}
	}
	return s
}

// compare logs the figures of both, and checks the gain.
func (a *asked) compare(t *testing.T, python string) {
	var texts []string
	var owners []int // document of each passage
	for i, d := range a.documents {
		for _, s := range meaning.Split(d.Text, teacherPassages) {
			texts, owners = append(texts, d.Text[s.From:s.To]), append(owners, i)
		}
	}
	passages := len(texts)
	for _, q := range a.asks {
		texts = append(texts, q.text)
	}
	m, err := standard.Model()
	if err != nil {
		t.Fatal(err)
	}
	e := meaning.NewEncoder(m)
	own := make([][]float32, len(texts))
	for i, text := range texts {
		own[i] = slices.Clone(e.Vector(text))
	}
	db, err := OpenPath(t.Context(), collectiontest.Make(t, "a", a.documents...), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var words figures
	for _, q := range a.asks {
		words.add(slices.Index(byWords(t, db, q.text), q.answer) + 1)
	}
	table := a.ranked(own[:passages], own[passages:], owners)
	taught := teach(t, python, texts)
	teacher := a.ranked(taught[:passages], taught[passages:], owners)
	n := words.n
	ndcg := (table.ndcg - words.ndcg) / (teacher.ndcg - words.ndcg)
	recall := (table.recall - words.recall) / (teacher.recall - words.recall)
	t.Logf("%.0f questions, %d passages; nDCG@10 and recall@20: words %.3f %.3f, table %.3f %.3f, teacher %.3f %.3f; "+
		"share of its gain %.2f %.2f", n, passages, words.ndcg/n, words.recall/n, table.ndcg/n, table.recall/n,
		teacher.ndcg/n, teacher.recall/n, ndcg, recall)
	if ndcg < leastGain || recall < leastGain {
		t.Errorf("the table keeps %.2f and %.2f of the teacher's gain, want %.2f", ndcg, recall, leastGain)
	}
}

// ranked returns the figures of vectors of passages and questions.
func (a *asked) ranked(passages, questions [][]float32, owners []int) (f figures) {
	at := map[string]int{}
	for i, d := range a.documents {
		at[d.URL] = i
	}
	for i, q := range a.asks {
		scores := slices.Repeat([]float64{math.Inf(-1)}, len(a.documents))
		for k, p := range passages {
			var sum float64
			for j, x := range p {
				sum += float64(x) * float64(questions[i][j])
			}
			scores[owners[k]] = max(scores[owners[k]], sum)
		}
		rank, right := 1, at[q.answer]
		for k, s := range scores {
			if k != right && s >= scores[right] {
				rank++
			}
		}
		f.add(rank)
	}
	return f
}

// teach returns the sentence model's vectors of texts.
func teach(t *testing.T, python string, texts []string) [][]float32 {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "texts.json"), filepath.Join(dir, "vectors")
	data, err := json.Marshal(texts)
	if err == nil {
		err = os.WriteFile(in, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), python, "../../../.tools/meaning/teacher.py", in, out)
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if data, err = os.ReadFile(out); err != nil {
		t.Fatal(err)
	}
	if len(data) != 4*teacherDim*len(texts) {
		t.Fatal(fmt.Errorf("%d bytes for %d texts", len(data), len(texts)))
	}
	list := make([][]float32, len(texts))
	for i := range list {
		list[i] = make([]float32, teacherDim)
		for k := range list[i] {
			list[i][k] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*(i*teacherDim+k):]))
		}
	}
	return list
}

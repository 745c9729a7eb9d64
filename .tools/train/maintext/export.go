package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/maintext/score"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// tables are the files that train.py reads, in one folder.
type tables struct {
	dir   string
	files map[string]*os.File
	bufs  map[string]*bufio.Writer
}

func newTables(dir string) *tables {
	return &tables{dir, map[string]*os.File{}, map[string]*bufio.Writer{}}
}

// file returns the writer of a file. It creates the file on the first call.
func (t *tables) file(name string) (*bufio.Writer, error) {
	if w := t.bufs[name]; w != nil {
		return w, nil
	}
	f, err := os.Create(filepath.Join(t.dir, name))
	if err != nil {
		return nil, err
	}
	t.files[name], t.bufs[name] = f, bufio.NewWriterSize(f, 1<<20)
	return t.bufs[name], nil
}

// add appends numbers to a file.
func (t *tables) add(name string, numbers any) error {
	w, err := t.file(name)
	if err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, numbers)
}

// line appends v as a line of JSON.
func (t *tables) line(name string, v any) error {
	w, err := t.file(name)
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(v)
}

func (t *tables) close() error {
	for name, f := range t.files {
		if err := t.bufs[name].Flush(); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// pageRow describes a page for train.py.
type pageRow struct {
	Set, ID, Host, Type string
	Blocks              int
	Words               int // of the labelled text; 0 if there is none
}

// exportFirst writes the features of the first pass and the labels of the blocks.
func exportFirst(samples []sample, args []string, _ io.Writer) error {
	if err := teach(samples, args[0]); err != nil {
		return err
	}
	t := newTables(args[0])
	var f score.Features
	err := eachPage(samples, func(s *sample, p *page.Page) error {
		labels, weights := s.labels(p)
		row := pageRow{s.Set, s.ID, s.Host, s.Type, len(p.Blocks), len(tokens(s.Text))}
		for name, numbers := range map[string]any{
			"first.f32": f.First(p), "labels.f32": labels, "weights.f32": weights,
		} {
			if err := t.add(name, numbers); err != nil {
				return err
			}
		}
		return t.line("pages.jsonl", row)
	})
	if err != nil {
		return err
	}
	return t.close()
}

// eachPage calls see with each page that models are trained on. A page is valid until the next call.
func eachPage(samples []sample, see func(s *sample, p *page.Page) error) error {
	var r page.Parser
	for i := range samples {
		s := &samples[i]
		if s.Set == feeds || s.Set == cleanEval {
			continue
		}
		p, err := s.page(&r)
		if err != nil {
			return err
		}
		if err := see(s, p); err != nil {
			return err
		}
	}
	return nil
}

// teacherTrust is the weight of a label from go-trafilatura. Such labels replace those of people on the pages of
// trafilatura's evaluation, which have only snippets.
const teacherTrust = 0.3

// labels returns a label for each block, and its weight.
func (s *sample) labels(p *page.Page) (labels, weights []float32) {
	weights = make([]float32, len(p.Blocks))
	if s.With != nil {
		labels = align(p, s.taught)
		for i := range p.Blocks {
			text := strings.Join(strings.Fields(string(p.Text[p.Blocks[i].Start:p.Blocks[i].End])), " ")
			weights[i] = teacherTrust
			if has(text, s.Without) {
				labels[i], weights[i] = 0, 1
			}
			if has(text, s.With) {
				labels[i], weights[i] = 1, 1
			}
		}
		return labels, weights
	}
	// The other sets have weight 0: only the types of their pages are learnt.
	trust := map[string]float32{"wcxb": 1, "readability": 0.4, "chinese": 1}[s.Set]
	for i := range weights {
		weights[i] = trust
	}
	return align(p, s.Text), weights
}

func has(text string, snippets []string) bool {
	for _, s := range snippets {
		if s != "" && strings.Contains(text, strings.Join(strings.Fields(s), " ")) {
			return true
		}
	}
	return false
}

// exportKinds writes the training data of the forest of kinds: the features of all pages, with the URL and without
// it. Each page is scored by the model of a fold that has not seen its host.
func exportKinds(samples []sample, args []string, _ io.Writer) error {
	models, err := foldModels(args[0])
	if err != nil {
		return err
	}
	t := newTables(args[0])
	var f score.Features
	err = eachPage(samples, func(s *sample, p *page.Page) error {
		kind, nameless := f.Kinds(models[fold(s.Host)], p)
		if err := t.add("kinds.f32", append(kind, nameless...)); err != nil {
			return err
		}
		return t.line("kinds.jsonl", pageRow{s.Set, s.ID, s.Host, s.Type, len(p.Blocks), len(tokens(s.Text))})
	})
	if err != nil {
		return err
	}
	return t.close()
}

// exportSecond writes the features of pages and of the second pass over the scores that train.py wrote.
func exportSecond(samples []sample, args []string, _ io.Writer) error {
	t := newTables(args[0])
	var f score.Features
	scores, err := readFloats(filepath.Join(t.dir, "scores1.f32"))
	if err != nil {
		return err
	}
	err = eachPage(samples, func(s *sample, p *page.Page) error {
		if len(p.Blocks) > len(scores) {
			return fmt.Errorf("%s: no scores", s.ID)
		}
		kind, nameless, rows := f.Second(p, scores[:len(p.Blocks)])
		scores = scores[len(p.Blocks):]
		if err := t.add("second.f32", rows); err != nil {
			return err
		}
		return t.add("kinds.f32", append(kind, nameless...))
	})
	if err != nil {
		return err
	}
	if err := t.line("second.json", map[string]int{"KindsAt": f.KindsAt()}); err != nil {
		return err
	}
	return t.close()
}

func readFloats(file string) ([]float32, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	numbers := make([]float32, len(b)/4)
	_, err = binary.Decode(b, binary.LittleEndian, numbers)
	return numbers, err
}

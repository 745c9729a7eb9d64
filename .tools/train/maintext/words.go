package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/maintext/score"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// Parameters of the learning of words: stochastic gradient descent with AdaGrad. Of the penalties from 4 to 40 and
// one by hosts, this one had the least loss on unseen hosts: .3290, against .3309 and .3332. Two rounds instead of
// three have .3313.
const (
	wordRounds  = 3
	wordRate    = 0.1
	wordPenalty = 13    // on the square of each weight; the loss is a sum over the blocks
	wordScale   = 0.025 // unit of weights; the largest are cut to 127
)

// wordTable holds the terms of all blocks of the training data.
type wordTable struct {
	labels, weights []float32
	folds           []uint8
	ends            []int // of each block's terms
	slots           []uint32
	fields          []uint8
	values          []float32 // 1 / sqrt(number of the block's terms in the field)
}

// learnWords learns from words with each pair of folds left out. It writes the models for each fold left out, and for
// none, and the features of all blocks for them. The features of a block never come from words learnt on its own
// fold: otherwise the forests would trust words too much.
func learnWords(samples []sample, args []string, _ io.Writer) error {
	t, err := readWordTable(samples, args[0])
	if err != nil {
		return err
	}
	// features[k] are for the forests that do not see fold k. The last ones are for the forests that see all.
	features := make([][]float32, folds+1)
	for k := range features {
		features[k] = make([]float32, len(t.labels)*(score.Fields+1))
	}
	type pair struct{ a, b int }
	pairs := []pair{{folds, folds}}
	for a := range folds {
		for b := range a + 1 {
			pairs = append(pairs, pair{a, b})
		}
	}
	failed := make([]error, len(pairs))
	var work sync.WaitGroup
	for first := range 2 { // as many as train.py has processes
		work.Go(func() {
			for i := first; i < len(pairs); i += 2 {
				a, b := pairs[i].a, pairs[i].b
				w := t.learn(a, b)
				t.fill(w, a, features[b])
				t.fill(w, b, features[a])
				if a == b {
					t.fill(w, a, features[folds])
					failed[i] = writeWords(w, args[0], a)
				}
			}
		})
	}
	work.Wait()
	if err := errors.Join(failed...); err != nil {
		return err
	}
	out := newTables(args[0])
	for _, f := range features {
		if err := out.add("words.f32", f); err != nil {
			return err
		}
	}
	return out.close()
}

// writeWords writes a model of words for ParseModel.
func writeWords(w *score.Words, dir string, without int) error {
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, w) // a buffer never fails
	return os.WriteFile(filepath.Join(dir, fmt.Sprintf("words%d.bin", without)), b.Bytes(), 0o644)
}

// readWordTable reads the terms of all pages, and the labels and weights from exportFirst and train.py.
func readWordTable(samples []sample, dir string) (*wordTable, error) {
	t := &wordTable{}
	var err error
	if t.labels, err = readFloats(filepath.Join(dir, "labels.f32")); err != nil {
		return nil, err
	}
	if t.weights, err = readFloats(filepath.Join(dir, "importance.f32")); err != nil {
		return nil, err
	}
	var f score.Features
	err = eachPage(samples, func(s *sample, p *page.Page) error {
		t.add(&f, p, uint8(fold(s.Host)))
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(t.ends) != len(t.labels) || len(t.ends) != len(t.weights) {
		return nil, fmt.Errorf("%d blocks, %d labels, %d weights", len(t.ends), len(t.labels), len(t.weights))
	}
	return t, nil
}

// add adds the terms of a page.
func (t *wordTable) add(f *score.Features, p *page.Page, fold uint8) {
	counts := make([][score.Fields]int32, len(p.Blocks))
	first, last := len(t.slots), 0
	end := func(block int) {
		for ; last < block; last++ {
			t.ends, t.folds = append(t.ends, len(t.slots)), append(t.folds, fold)
		}
	}
	f.Terms(p, func(block int, slot uint32, field int) {
		end(block)
		counts[block][field]++
		t.slots, t.fields = append(t.slots, slot), append(t.fields, uint8(field))
	})
	end(len(p.Blocks))
	at := first
	for i := range counts {
		for ; at < t.ends[len(t.ends)-len(counts)+i]; at++ {
			t.values = append(t.values, float32(1/math.Sqrt(float64(counts[i][t.fields[at]]))))
		}
	}
}

// terms returns the range of the terms of block i.
func (t *wordTable) terms(i int) (from, to int) {
	if i > 0 {
		from = t.ends[i-1]
	}
	return from, t.ends[i]
}

// learn learns from all folds except a and b. The blocks are shuffled the same way each time.
func (t *wordTable) learn(a, b int) *score.Words {
	var rows []int
	for i, f := range t.folds {
		if t.weights[i] > 0 && int(f) != a && int(f) != b {
			rows = append(rows, i)
		}
	}
	penalties, moved := t.penalties(rows), make([]float32, score.WordSlots)
	weights := make([]float32, score.WordSlots)
	for i := range moved {
		moved[i] = 1
	}
	bias, biasMoved := float32(0), float32(1)
	random := rand.New(rand.NewSource(1))
	for range wordRounds {
		random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for _, i := range rows {
			from, to := t.terms(i)
			x := bias
			for k := from; k < to; k++ {
				x += weights[t.slots[k]] * t.values[k]
			}
			slope := t.weights[i] * (float32(1/(1+math.Exp(-float64(x)))) - t.labels[i])
			biasMoved += slope * slope
			bias -= wordRate * slope / root(biasMoved)
			for k := from; k < to; k++ {
				s := t.slots[k]
				g := slope*t.values[k] + penalties[s]*weights[s]
				moved[s] += g * g
				weights[s] -= wordRate * g / root(moved[s])
			}
		}
	}
	w := &score.Words{Scale: wordScale}
	for i, x := range weights {
		w.Weights[i] = int8(max(-127, min(127, math.Round(float64(x/wordScale)))))
	}
	return w
}

func root(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// penalties returns the penalty of each weight per term, so that all weights have the same in a round.
func (t *wordTable) penalties(rows []int) []float32 {
	p := make([]float32, score.WordSlots)
	for _, i := range rows {
		from, to := t.terms(i)
		for k := from; k < to; k++ {
			p[t.slots[k]]++
		}
	}
	for i := range p {
		p[i] = wordPenalty / max(1, p[i])
	}
	return p
}

// fill sets the features of the blocks of a fold.
func (t *wordTable) fill(w *score.Words, fold int, features []float32) {
	for i, f := range t.folds {
		if int(f) != fold {
			continue
		}
		var sums, counts [score.Fields]int32
		from, to := t.terms(i)
		for k := from; k < to; k++ {
			sums[t.fields[k]] += int32(w.Weights[t.slots[k]])
			counts[t.fields[k]]++
		}
		copy(features[i*(score.Fields+1):], score.WordFeatures(&sums, &counts, w.Scale))
	}
}

package main

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

func sorted(m map[uint64]uint8) []uint64 { return slices.Sorted(maps.Keys(m)) }

const labels = model.Labels

// trainer learns by the averaged perceptron. For each run it finds the best path of labels, and moves the weights from
// this path to the right one. The result is the mean of all weights on the way.
type trainer struct {
	m        *model.Linear
	o        options
	w, sum   []float32 // of rows
	t, tsum  [labels][labels]float32
	known    []bool // rows that occur twice or more
	step     float32
	random   *rand.Rand
	examples []model.Example
}

// learn sets the weights of m.
func learn(m *model.Linear, o options, texts []text) {
	t := newTrainer(m, o)
	t.learn(texts)
	t.export()
}

func newTrainer(m *model.Linear, o options) *trainer {
	n := len(m.Weights) / model.Row * labels
	return &trainer{
		m: m, o: o, w: make([]float32, n), sum: make([]float32, n), known: make([]bool, n/labels),
		random: rand.New(rand.NewPCG(1, 2)), step: 1,
	}
}

func (t *trainer) learn(texts []text) {
	names, missed := 0, 0
	for _, x := range texts {
		all, n := t.m.Examples(x.text, x.names)
		names, missed = names+len(x.names), missed+n
		t.examples = append(t.examples, all...)
	}
	seen := make([]uint8, len(t.known))
	for _, e := range t.examples {
		for _, rows := range e.Rows {
			for _, r := range rows {
				seen[r] = min(seen[r]+1, 2)
				t.known[r] = seen[r] > 1
			}
		}
	}
	fmt.Printf("%d runs, %d names, %d not in runs\n", len(t.examples), names, missed)
	order := make([]int, len(t.examples))
	for i := range order {
		order[i] = i
	}
	for range t.o.epochs {
		t.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			t.update(&t.examples[i])
			t.step++
		}
	}
}

// update moves the weights for one run. Some features are left out at random, so that words do not hide the others.
func (t *trainer) update(e *model.Example) {
	rows := make([][]uint32, len(e.Rows))
	emit := make([][labels]float32, len(e.Rows))
	for i := range e.Rows {
		for k, r := range e.Rows[i] {
			if !t.known[r] || k > 0 && t.random.Float64() < t.o.drop {
				continue
			}
			rows[i] = append(rows[i], r)
			for y := range labels {
				emit[i][y] += t.w[int(r)*labels+y]
			}
		}
		// A path that differs must be worse by a margin.
		for y := range labels {
			if y != int(e.Labels[i]) {
				emit[i][y]++
			}
		}
	}
	path := t.best(emit)
	before, wrong := uint8(0), uint8(0)
	for i := range path {
		right, y := e.Labels[i], path[i]
		if right != y {
			for _, r := range rows[i] {
				t.move(int(r)*labels+int(right), 1)
				t.move(int(r)*labels+int(y), -1)
			}
		}
		t.moveTransition(before, right, 1)
		t.moveTransition(wrong, y, -1)
		before, wrong = right, y
	}
	t.moveTransition(before, 0, 1)
	t.moveTransition(wrong, 0, -1)
}

func (t *trainer) move(i int, by float32) {
	t.w[i] += by
	t.sum[i] += by * t.step
}

func (t *trainer) moveTransition(x, y uint8, by float32) {
	t.t[x][y] += by
	t.tsum[x][y] += by * t.step
}

// best returns the path with the highest sum.
func (t *trainer) best(emit [][labels]float32) []uint8 {
	const never = float32(-1e9)
	n := len(emit)
	score := make([][labels]float32, n)
	from := make([][labels]uint8, n)
	for i := range emit {
		for y := range labels {
			score[i][y] = never
			for x := range labels {
				s := float32(0)
				if i == 0 {
					if x > 0 {
						break
					}
				} else if s = score[i-1][x]; s <= never {
					continue
				}
				if !model.Follows(x, y) {
					continue
				}
				if s += t.t[x][y]; s > score[i][y] {
					score[i][y], from[i][y] = s, uint8(x)
				}
			}
			score[i][y] += emit[i][y]
		}
	}
	best, at := never, uint8(0)
	for y := range labels {
		if s := score[n-1][y] + t.t[y][0]; model.Follows(y, 0) && s > best {
			best, at = s, uint8(y)
		}
	}
	path := make([]uint8, n)
	for i := n - 1; i >= 0; i-- {
		path[i] = at
		at = from[i][at]
	}
	return path
}

// export writes the means of the weights into the model. One in a thousand exceeds a byte and is cut.
func (t *trainer) export() {
	mean := make([]float32, len(t.w))
	var sizes []float32
	for i := range t.w {
		mean[i] = t.w[i] - t.sum[i]/t.step
		if mean[i] != 0 {
			sizes = append(sizes, max(mean[i], -mean[i]))
		}
	}
	slices.Sort(sizes)
	scale := 1 / (1 - float32(t.o.drop)/2)
	scale *= 127 / sizes[len(sizes)*999/1000]
	round := func(x float32) float64 { return math.Round(float64(x * scale)) }
	for i := range mean {
		t.m.Weights[i/labels*model.Row+i%labels] = byte(128 + int(max(-127, min(127, round(mean[i])))))
	}
	for x := range labels {
		for y := range labels {
			t.m.Chain.Transitions[x][y] = int32(round(t.t[x][y] - t.tsum[x][y]/t.step))
		}
	}
	t.m.Chain.Vote, t.m.Chain.VoteCap = int32(t.o.vote), int32(t.o.voteCap)
	fmt.Printf("%d weights, scale %.1f\n", len(sizes), scale)
}

package model

import "iter"

// Width is how many values the net knows a token by, Layers how often each token looks at its neighbours, and Window
// how many values it sees then: its own and those of the tokens beside it.
const (
	Width     = 64
	Layers    = 2
	Window    = 3 * Width
	NetScores = 16 // of which Labels are used
)

// What 1 is in the net's whole numbers: in its table, in what it makes of tokens, and in its weights.
const (
	EmbedUnit  = 1 << 5
	ValueUnit  = 1 << 8
	WeightUnit = 1 << weightBits
	weightBits = 12
	scoreBits  = 8 + weightBits - 5 // of its scores beyond those of Chain, whose unit is 32
)

// A Net is a small neural network that scores the labels of tokens: a token is the sum of rows of a table, each layer
// adds to it what it makes of the token and its neighbours, and the last one makes scores of it. What is below 0 is cut
// off. All is whole numbers, so every processor computes the same.
//
// Weights stand as a processor takes them: for each pair of values, the pairs of weights of all that is computed.
type Net struct {
	Table  []byte // rows of Width signed bytes: of the lexicon's words, then of what known.go knows
	Layers [Layers]Affine
	Out    Affine
}

// An Affine is what values are multiplied by, and what is added to that.
type Affine struct {
	Weights []int16
	Bias    []int32
}

// NewNet returns a net of zeroes for a lexicon of so many rows.
func NewNet(lexicon int) Net {
	n := Net{Table: make([]byte, (lexicon+knownRows)*Width), Out: newAffine(Width, NetScores)}
	for i := range n.Layers {
		n.Layers[i] = newAffine(Window, Width)
	}
	return n
}

func newAffine(inputs, outputs int) Affine {
	return Affine{Weights: make([]int16, inputs*outputs), Bias: make([]int32, outputs)}
}

// netPart is how many tokens of a sentence the net reads at a time, so that its memory does not grow with the sentence.
const netPart = 128

// netScratch is the memory that the net needs: the values of a part's tokens before and behind a layer, of those that
// it sees beside the part, and of one at each end that stays zero.
type netScratch struct {
	a, b [(netPart + 2*Layers + 2) * Width]int16
}

// read appends to emit the scores of the tokens of runs, which are all of one sentence.
func (n *Net) read(d *document, runs []run, s *netScratch, emit []scores) []scores {
	for first := runs[0].first; ; first = max(first+netPart, runs[0].first) {
		emit = n.readPart(d, runs, first, s, emit)
		// A sentence may be as long as the text: no part looks again at the runs that are read.
		for len(runs) > 0 && runs[0].end <= first+netPart {
			runs = runs[1:]
		}
		if len(runs) == 0 {
			return emit
		}
	}
}

// readPart is read for the part of the sentence that begins with the token first. What stands beyond the ends of the
// sentence is zero, in each layer.
func (n *Net) readPart(d *document, runs []run, first int, s *netScratch, emit []scores) []scores {
	within, style := runs[0].within, runs[0].style
	from, to := max(within.first, first-Layers), min(within.end, first+netPart+Layers)
	before, behind := &s.a, &s.b
	// at is where the values of a token begin.
	at := func(i int) int { return (i - from + 1) * Width }
	for _, values := range []*[len(s.a)]int16{before, behind} {
		clear(values[:Width])
		clear(values[at(to) : at(to)+Width])
	}
	for i := range near(runs, first, Layers) {
		var rows [mostKnown]uint32
		n.embed(d.known(i, style, i == within.first, &rows), (*[Width]int16)(before[at(i):]))
	}
	for l := range n.Layers {
		// What follows it looks at one token less on each side.
		for i := range near(runs, first, Layers-1-l) {
			n.Layers[l].layer((*[Window]int16)(before[at(i)-Width:]), (*[Width]int16)(behind[at(i):]))
		}
		before, behind = behind, before
	}
	for i := range near(runs, first, 0) {
		out := n.Out.scores((*[Width]int16)(before[at(i):]))
		var e scores
		for y := range e {
			e[y] = out[y] >> scoreBits
		}
		emit = append(emit, e)
	}
	return emit
}

// near yields the tokens of runs, and so many on each side, that belong to the part of the sentence that begins with
// the token first: each once, in their order. No run ends before that.
func near(runs []run, first, around int) iter.Seq[int] {
	return func(yield func(int) bool) {
		within := runs[0].within
		done, to := max(within.first, first-around), min(within.end, first+netPart+around)
		for i := range runs {
			r := &runs[i]
			if r.first >= first+netPart {
				return
			}
			done = max(done, r.first-around)
			for ; done < min(to, r.end+around); done++ {
				if !yield(done) {
					return
				}
			}
		}
	}
}

// embedGeneric sets values to the sum of rows of the table.
func (n *Net) embedGeneric(rows []uint32, values *[Width]int16) {
	*values = [Width]int16{}
	for _, r := range rows {
		row := n.Table[int(r)*Width : int(r)*Width+Width]
		for k := range values {
			values[k] += int16(int8(row[k]))
		}
	}
	for k, v := range values {
		values[k] = max(0, v) * (ValueUnit / EmbedUnit)
	}
}

// layerGeneric sets values to those of the token in the middle of the window and what the layer makes of the window.
func (a *Affine) layerGeneric(window *[Window]int16, values *[Width]int16) {
	sums := [Width]int32(a.Bias)
	multiply(sums[:], a.Weights, window[:])
	for k, v := range sums {
		x := int32(window[Width+k]) + max(0, v>>weightBits)
		values[k] = int16(min(x, 1<<15-1))
	}
}

// scoresGeneric returns the scores of labels.
func (a *Affine) scoresGeneric(values *[Width]int16) [NetScores]int32 {
	sums := [NetScores]int32(a.Bias)
	multiply(sums[:], a.Weights, values[:])
	return sums
}

// multiply adds to sums the products of values and weights.
func multiply(sums []int32, weights, values []int16) {
	for k := 0; k < len(values); k += 2 {
		x, y := int32(values[k]), int32(values[k+1])
		// Many are: what was below 0.
		if x|y == 0 {
			continue
		}
		w := weights[k*len(sums) : (k+2)*len(sums)]
		for o := range sums {
			sums[o] += x*int32(w[2*o]) + y*int32(w[2*o+1])
		}
	}
}

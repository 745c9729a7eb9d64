package model

import "iter"

// Width is the number of values per token, and Layers the number of layers. Window is the number of values that a
// layer sees: those of a token and its two neighbours.
const (
	Width     = 64
	Layers    = 2
	Window    = 3 * Width
	NetScores = 16 // of which Labels are used
)

// The value of 1 in the net's integers: in its table, in a token's values, and in its weights.
const (
	EmbedUnit  = 1 << 5
	ValueUnit  = 1 << 8
	WeightUnit = 1 << weightBits
	weightBits = 12
	scoreBits  = 8 + weightBits - 5 // of its scores beyond those of Chain, whose unit is 1/32
)

// Net is a small neural network that scores the labels of tokens. A token is the sum of rows of a table. Each layer
// adds a function of the token and its neighbours, and the last layer gives scores. Negative values become 0. All
// numbers are integers, so every processor computes the same.
//
// Weights are in the order of processor instructions: for each pair of values, the pairs of weights of all outputs.
type Net struct {
	Table  []byte // rows of Width signed bytes: of the lexicon's words, then of the features in known.go
	Layers [Layers]Affine
	Out    Affine
}

// Affine is a layer's weights and biases.
type Affine struct {
	Weights []int16
	Bias    []int32
}

// NewNet returns a net of zeroes for a lexicon with so many rows.
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

// netPart is how many tokens of a sentence the net reads at a time, so that its memory does not grow with the
// sentence.
const netPart = 128

// netScratch is memory for the net. It has the values of a part's tokens before and after a layer, of tokens beside
// the part, and a zero token at each end. It also has the rows of these tokens.
type netScratch struct {
	a, b    [(netPart + 2*Layers + 2) * Width]int16
	rows    [netPart + 2*Layers][mostKnown]uint32
	known   [netPart + 2*Layers]uint8 // number of rows of each
	touched byte
}

// look sets the rows of the tokens that the part needs, of which the first is from. The lexicon and the net's table are
// larger than the processor's caches. So all entries are requested before the first is read, and all rows before the
// first is added: the waits for memory overlap.
func (s *netScratch) look(n *Net, d *document, runs []run, first, from int) {
	for i := range near(runs, first, Layers) {
		s.touched |= d.lexicon.touch(d.tokens[i].hash)
	}
	within, style := runs[0].within, runs[0].style
	for i := range near(runs, first, Layers) {
		rows := d.known(i, style, i == within.first, &s.rows[i-from])
		s.known[i-from] = uint8(len(rows))
		n.request(rows)
	}
}

// read appends to emit the scores of the tokens of runs, which are all of one sentence.
func (n *Net) read(d *document, runs []run, s *netScratch, emit []scores) []scores {
	for first := runs[0].first; ; first = max(first+netPart, runs[0].first) {
		emit = n.readPart(d, runs, first, s, emit)
		// A sentence may be as long as the text, so each part skips the runs already read.
		for len(runs) > 0 && runs[0].end <= first+netPart {
			runs = runs[1:]
		}
		if len(runs) == 0 {
			return emit
		}
	}
}

// readPart is read for the part of the sentence that begins with token first. Values beyond the sentence are zero, in
// each layer.
func (n *Net) readPart(d *document, runs []run, first int, s *netScratch, emit []scores) []scores {
	within := runs[0].within
	from, to := max(within.first, first-Layers), min(within.end, first+netPart+Layers)
	before, behind := &s.a, &s.b
	// at is the index of a token's values.
	at := func(i int) int { return (i - from + 1) * Width }
	for _, values := range []*[len(s.a)]int16{before, behind} {
		clear(values[:Width])
		clear(values[at(to) : at(to)+Width])
	}
	s.look(n, d, runs, first, from)
	for i := range near(runs, first, Layers) {
		k := i - from
		n.embed(s.rows[k][:s.known[k]], (*[Width]int16)(before[at(i):]))
	}
	for l := range n.Layers {
		// The next layer sees one token less on each side.
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

// near yields the tokens of runs and their neighbours up to around, within the part of the sentence from token first:
// each once, in order. No run ends before first.
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

// layerGeneric sets values to those of the window's middle token plus the layer's output for the window.
func (a *Affine) layerGeneric(window *[Window]int16, values *[Width]int16) {
	sums := [Width]int32(a.Bias)
	multiply(sums[:], a.Weights, window[:])
	finishLayer(&sums, window, values)
}

// finishLayer adds the positive sums, as values, to the middle token's.
func finishLayer(sums *[Width]int32, window *[Window]int16, values *[Width]int16) {
	for k, v := range sums {
		x := int32(window[Width+k]) + max(0, v>>weightBits)
		values[k] = int16(min(x, 1<<15-1))
	}
}

func (a *Affine) scoresGeneric(values *[Width]int16) [NetScores]int32 {
	sums := [NetScores]int32(a.Bias)
	multiply(sums[:], a.Weights, values[:])
	return sums
}

// multiply adds the products of values and weights to sums.
func multiply(sums []int32, weights, values []int16) {
	for k := 0; k < len(values); k += 2 {
		x, y := int32(values[k]), int32(values[k+1])
		// Many are zero, as negative values were cut off.
		if x|y == 0 {
			continue
		}
		w := weights[k*len(sums) : (k+2)*len(sums)]
		for o := range sums {
			sums[o] += x*int32(w[2*o]) + y*int32(w[2*o+1])
		}
	}
}

package model

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Each processor must find the same names.
func TestNet_sameOnAllProcessors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	n := Net{Table: make([]byte, 100*Width)}
	for i := range n.Table {
		n.Table[i] = byte(r.IntN(256))
	}
	for range 100 {
		rows := make([]uint32, r.IntN(mostKnown+1))
		for i := range rows {
			rows[i] = uint32(r.IntN(100))
		}
		var want, got [Width]int16
		n.embedGeneric(rows, &want)
		n.embed(rows, &got)
		if got != want {
			t.Fatalf("rows %d give %d, want %d", rows, got, want)
		}
	}
	layer, out := newAffine(Window, Width), newAffine(Width, NetScores)
	for _, a := range []Affine{layer, out} {
		for i := range a.Weights {
			a.Weights[i] = int16(r.IntN(1<<16) - 1<<15)
		}
		for i := range a.Bias {
			a.Bias[i] = int32(r.Uint32())
		}
	}
	for tenths := range 100 {
		var window [Window]int16
		for i := range window {
			// From no zeroes to zeroes only.
			if r.IntN(10) >= tenths%11 {
				window[i] = int16(r.IntN(1 << 15))
			}
		}
		var want, got [Width]int16
		layer.layerGeneric(&window, &want)
		layer.layer(&window, &got)
		if got != want {
			t.Fatalf("values behind a layer are %d, want %d", got, want)
		}
		if got, want := out.scores(&want), out.scoresGeneric(&want); got != want {
			t.Fatalf("scores are %d, want %d", got, want)
		}
	}
}

// TestLattice_sameOnAllProcessors: each processor must find the same paths.
func TestLattice_sameOnAllProcessors(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	var l lattice
	for n := 1; n < 200; n++ {
		var c Chain
		for x := range c.Transitions {
			for y := range c.Transitions[x] {
				c.Transitions[x][y] = int32(r.IntN(1<<12) - 1<<11)
			}
		}
		l.emit, l.of = make([]scores, n), nil
		for i := range l.emit {
			for y := range l.emit[i] {
				l.emit[i][y] = int32(r.IntN(1<<16) - 1<<15)
			}
		}
		l.resize(n)
		l.best(&c)
		got := slices.Clone(l.fore)
		l.forwardGeneric(&c)
		if !slices.Equal(got, l.fore) {
			t.Fatalf("scores of %d tokens are %d, want %d", n, got, l.fore)
		}
	}
}

func BenchmarkNet_layer(b *testing.B) {
	a := newAffine(Window, Width)
	var window [Window]int16
	for i := range window {
		window[i] = int16(i % 3)
	}
	var values [Width]int16
	for b.Loop() {
		a.layer(&window, &values)
	}
}

// The runs of a sentence are read together and in parts. Each token must see the same neighbours as when it is read
// alone.
func TestNet_read(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	m := small()
	for i := range m.Net.Table {
		m.Net.Table[i] = byte(r.IntN(64) - 32)
	}
	for _, a := range m.Net.affines() {
		for i := range a.Weights {
			a.Weights[i] = int16(r.IntN(WeightUnit) - WeightUnit/2)
		}
	}
	// Runs are separated by 1 to 7 words, so that some see the same words and others do not. One run is longer than a
	// part.
	text := "before it"
	for range 100 {
		text += " Anna" + strings.Repeat(" club of", r.IntN(4)) + " so so" + strings.Repeat(" met", r.IntN(5))
	}
	text += strings.Repeat(" Anna Club of London 12", 100) + " behind it"
	var d document
	d.load(text, &m.Lexicon)
	if len(d.sentences) != 1 || len(d.runs) < 50 || d.runs[len(d.runs)-1].end-d.runs[len(d.runs)-1].first < 2*netPart {
		t.Fatalf("%d sentences, %d runs, want one with many, the last long", len(d.sentences), len(d.runs))
	}
	var s netScratch
	got := m.Net.read(&d, d.runs, &s, nil)
	var want []scores
	for _, r := range d.runs {
		for i := r.first; i < r.end; i++ {
			alone := r
			alone.sentence = sentence{i, i + 1}
			want = m.Net.read(&d, []run{alone}, new(netScratch), want)
		}
	}
	if !slices.Equal(got, want) || got[0] == (scores{}) || got[0] == got[1] {
		t.Error("scores of tokens of runs are not those of the same tokens read one by one")
	}
}

// TestNet_embed_missingRow compares the assembly with Go for a row after the last.
func TestNet_embed_missingRow(t *testing.T) {
	n := Net{Table: make([]byte, 100*Width)}
	for _, row := range []uint32{100, 1<<32 - 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("row %d of 100 gives no panic", row)
				}
			}()
			n.embed([]uint32{1, row}, new([Width]int16))
		}()
	}
}

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
	table := make([]byte, 100*Width)
	for i := range table {
		table[i] = byte(r.IntN(256))
	}
	for range 100 {
		rows := make([]uint32, r.IntN(mostKnown+1))
		for i := range rows {
			rows[i] = uint32(r.IntN(100))
		}
		var want, got [Width]int16
		sumRowsGeneric(table, rows, &want)
		sumRows(table, rows, &got)
		if got != want {
			t.Fatalf("rows %d have sums %d, want %d", rows, got, want)
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
	for range 100 {
		var window [Window]int16
		for i := range window {
			window[i] = int16(max(0, r.IntN(1<<16)-1<<15))
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

// A run is read in parts, which must see of each other what the whole would.
func TestNet_read_parts(t *testing.T) {
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
	var d document
	d.load("before it "+strings.Repeat("Anna Club of London 12 ", 100)+"behind it", &m.Lexicon)
	if len(d.runs) != 1 || d.runs[0].end-d.runs[0].first < 2*netPart {
		t.Fatalf("%d runs, want a long one", len(d.runs))
	}
	run := &d.runs[0]
	n := run.end - run.first
	got, want := make([]scores, n), make([]scores, n)
	var s netScratch
	m.Net.read(&d, run, &s, got)
	for i := range n {
		m.Net.readPart(&d, run, run.first+i, run.first+i+1, &s, want[i:i+1])
	}
	if !slices.Equal(got, want) || got[0] == (scores{}) || got[0] == got[n-1] {
		t.Errorf("scores of a run in parts of %d tokens are not those of its tokens one by one", netPart)
	}
}

package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// readNet reads a net as pupil.py wrote it, and quantizes its weights.
func readNet(name string, lexicon int) (n model.Net, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return n, err
	}
	n = model.NewNet(lexicon)
	want := len(n.Table) + model.Layers*model.Width*(model.Window+1) + model.Labels*(model.Width+1)
	if len(data) != 4*want {
		return n, fmt.Errorf("%s: %d bytes for %d numbers", name, len(data), want)
	}
	at := 0
	next := func() float64 {
		at += 4
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(data[at-4:])))
	}
	for i := range n.Table {
		n.Table[i] = byte(int8(whole(next(), model.EmbedUnit, math.MaxInt8)))
	}
	for l := range n.Layers {
		readAffine(&n.Layers[l], model.Window, model.Width, model.Width, next)
	}
	readAffine(&n.Out, model.Width, model.Labels, model.NetScores, next)
	return n, nil
}

// readAffine reads the weights from inputs to outputs, and pairs those of two inputs.
func readAffine(a *model.Affine, inputs, outputs, size int, next func() float64) {
	for i := range inputs {
		for o := range outputs {
			a.Weights[(i/2*size+o)*2+i%2] = int16(whole(next(), model.WeightUnit, math.MaxInt16))
		}
	}
	for o := range outputs {
		a.Bias[o] = int32(whole(next(), model.WeightUnit*model.ValueUnit, math.MaxInt32))
	}
}

// whole returns x in units, rounded and clamped to ±most.
func whole(x, unit, most float64) float64 { return max(-most, min(most, math.Round(x*unit))) }

package main

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// The file has the weights input by input; in memory they are in pairs of inputs. Large ones are clamped.
func TestReadNet(t *testing.T) {
	n := model.NewNet(1)
	size := len(n.Table) + model.Layers*model.Width*(model.Window+1) + model.Labels*(model.Width+1)
	data := make([]byte, 4*size)
	set := func(i int, x float32) { binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(x)) }
	set(0, -1)
	set(1, 99)
	layer := len(n.Table)
	set(layer+3*model.Width+5, .5) // of the first layer, input 3, output 5
	set(layer+model.Window*model.Width+5, -2)
	out := layer + model.Layers*model.Width*(model.Window+1)
	set(out+2*model.Labels+7, 1)
	name := filepath.Join(t.TempDir(), "0")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	n, err := readNet(name, 1)
	if err != nil {
		t.Fatal(err)
	}
	for what, is := range map[string]bool{
		"the table":            int8(n.Table[0]) == -model.EmbedUnit,
		"what does not fit":    n.Table[1] == math.MaxInt8,
		"a weight":             n.Layers[0].Weights[(1*model.Width+5)*2+1] == model.WeightUnit/2,
		"what is added":        n.Layers[0].Bias[5] == -2*model.WeightUnit*model.ValueUnit,
		"a weight of a label":  n.Out.Weights[(1*model.NetScores+7)*2] == model.WeightUnit,
		"nothing else of them": n.Out.Weights[0] == 0 && n.Layers[1].Weights[0] == 0,
	} {
		if !is {
			t.Errorf("%s is not as it was written", what)
		}
	}
	if _, err := readNet(name, 2); err == nil {
		t.Error("a net of another lexicon is read")
	}
}

package score

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Model is three forests of regression trees and the weights of words. It is read-only, so goroutines may share it.
type Model struct {
	first  forest // scores blocks
	kind   forest // finds the kind of page
	second forest // scores blocks, given the first scores and the kind
	words  Words  // features for both
}

// errModel is any defect of a model's bytes. The file is built in, so only trainers would need more detail.
var errModel = errors.New("score: not a model")

// magic begins a model. The number changes with the format, not with the weights.
const magic = "GLEANER MAINTEXT 4\n"

// ParseModel reads a model as train.py writes it: the magic line, three forests and the words.
func ParseModel(b []byte) (*Model, error) {
	m := &Model{}
	b, ok := bytes.CutPrefix(b, []byte(magic))
	if !ok {
		return nil, errModel
	}
	var err error
	for _, f := range []struct {
		*forest
		shared *features
	}{{&m.first, &sharedFirst}, {&m.kind, &features{}}, {&m.second, &sharedSecond}} {
		if b, err = f.parse(b, f.shared); err != nil {
			return nil, err
		}
	}
	if m.first.classes != 1 || m.kind.classes != Kinds || m.second.classes != 1 {
		return nil, errModel
	}
	return m, m.words.parse(b)
}

type forestHead struct{ Features, Classes, Trees uint16 }

func (f *forest) parse(b []byte, shared *features) (rest []byte, err error) {
	var head forestHead
	n, err := binary.Decode(b, binary.LittleEndian, &head)
	if err != nil {
		return nil, errModel
	}
	f.features, f.classes = int(head.Features), int(head.Classes)
	// A feature's number must fit in a byte.
	if f.features > rowSize || f.classes == 0 {
		return nil, fmt.Errorf("%w: %d features, %d classes", errModel, f.features, f.classes)
	}
	b = b[n:]
	f.trees = make([]tree, head.Trees)
	for i := range f.trees {
		if b, err = f.trees[i].parse(b, f.features); err != nil {
			return nil, fmt.Errorf("tree %d: %w", i, err)
		}
		f.flat.add(&f.trees[i], shared)
	}
	return b, nil
}

// parse reads a tree: the number of nodes, then for each its threshold, feature and left child. A left child of 0
// means a leaf, with its value in the threshold.
func (t *tree) parse(b []byte, features int) (rest []byte, err error) {
	const size = 6 // bytes of a node
	if len(b) == 0 || b[0] == 0 || b[0] > treeNodes || len(b) < 1+size*int(b[0]) {
		return nil, errModel
	}
	n := int(b[0])
	b = b[1:]
	// Children come after their parents, so depths are known in one pass.
	var depths [treeNodes]int
	for i := range n {
		x, feature, left := math.Float32frombits(binary.LittleEndian.Uint32(b)), b[4], b[5]
		b = b[size:]
		// A leaf points to itself for any row: nothing is above infinity.
		if left == 0 {
			t.nodes[i] = node{float32(math.Inf(1)), 0, uint8(i)}
			t.values[i] = x
			continue
		}
		// Children after their parent make sure that a walk ends. A node with two parents would make more ways than
		// leaves.
		if int(left) <= i || int(left)+1 >= n || depths[left]+depths[left+1] > 0 || int(feature) >= features {
			return nil, errModel
		}
		t.nodes[i] = node{x, feature, left}
		depths[left], depths[left+1] = depths[i]+1, depths[i]+1
		t.depth = max(t.depth, depths[i]+1)
	}
	return b, nil
}

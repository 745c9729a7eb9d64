package model

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// magic begins a model's file. In little endian follow:
//
//   - the numbers of bytes of the lexicon's words and phrases, and of its rows, as 32 bits each;
//   - the weights of votes, the transitions, the confidences;
//   - the net's layers with weights of 16 bits, then the tables as they are used.
//
// A change of the format needs a new magic.
const magic = "gleaner tagger 3"

// ErrFormat is the error for a file that is not a model of this version.
var ErrFormat = errors.New("model: not a model of this version")

const (
	headSize = len(magic) + 3*4 + 2*4 + 4*Labels*Labels + int(Types)*Margins
	netSize  = Layers*(2*Window+4)*Width + (2*Width+4)*NetScores
)

// Encode returns the file of m, which Decode reads.
func (m *Model) Encode() []byte {
	l, c := &m.Lexicon, &m.Chain
	b := []byte(magic)
	for _, n := range []int{len(l.words), len(l.phrases), l.rows, int(c.Vote), int(c.VoteCap)} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	for x := range c.Transitions {
		for _, v := range c.Transitions[x] {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
	}
	for kind := range c.Confidence {
		b = append(b, c.Confidence[kind][:]...)
	}
	for _, a := range m.Net.affines() {
		for _, v := range a.Weights {
			b = binary.LittleEndian.AppendUint16(b, uint16(v))
		}
		for _, v := range a.Bias {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
	}
	for _, table := range [][]byte{l.words, l.phrases, m.Net.Table} {
		b = append(b, table...)
	}
	return b
}

// affines are the layers in the file's order.
func (n *Net) affines() (all []*Affine) {
	for i := range n.Layers {
		all = append(all, &n.Layers[i])
	}
	return append(all, &n.Out)
}

// Decode returns the model in file, which must not change while the model is in use. It checks sizes, not the tables'
// contents. The tables share the file's memory, which saves a copy of eight megabytes.
func Decode(file []byte) (*Model, error) {
	if len(file) < headSize+netSize || string(file[:len(magic)]) != magic {
		return nil, ErrFormat
	}
	// Numbers are signed, like scores.
	number := func(i int) int { return int(int32(binary.LittleEndian.Uint32(file[len(magic)+4*i:]))) }
	words, phrases, rows := number(0), number(1), number(2)
	// All sizes are checked before anything is cut, so cut cannot fail.
	if !isTable(words, 8) || !isTable(phrases, 4) || rows < Clusters || rows > 1<<17 ||
		len(file) != headSize+netSize+words+phrases+(rows+knownRows)*Width {
		return nil, ErrFormat
	}
	m := &Model{}
	m.Chain.Vote, m.Chain.VoteCap = int32(number(3)), int32(number(4))
	for x := range Labels {
		for y := range Labels {
			m.Chain.Transitions[x][y] = int32(number(5 + x*Labels + y))
		}
	}
	// cut takes the next n bytes of the file.
	cut := func(n int) (part []byte) {
		part, file = file[:n], file[n:]
		return part
	}
	// The header was read by offsets, except the confidences at its end.
	cut(headSize - int(Types)*Margins)
	for kind := range m.Chain.Confidence {
		copy(m.Chain.Confidence[kind][:], cut(Margins))
	}
	m.Net.Out = newAffine(Width, NetScores)
	for i := range m.Net.Layers {
		m.Net.Layers[i] = newAffine(Window, Width)
	}
	for _, a := range m.Net.affines() {
		for i := range a.Weights {
			a.Weights[i] = int16(binary.LittleEndian.Uint16(cut(2)))
		}
		for i := range a.Bias {
			a.Bias[i] = int32(binary.LittleEndian.Uint32(cut(4)))
		}
	}
	table := cut(words)
	m.Lexicon = NewLexicon(table, cut(phrases), rows)
	m.Net.Table = file
	return m, nil
}

// isTable reports whether n bytes hold a power of two of slots of this size, at most 16 MiB. Tables use a mask instead
// of a division.
func isTable(n, size int) bool {
	return n >= size && n <= 1<<24 && n%size == 0 && bits.OnesCount(uint(n/size)) == 1
}

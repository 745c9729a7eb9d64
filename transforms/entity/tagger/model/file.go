package model

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// magic begins a model's file. Behind it, in little endian: the numbers of bytes of the lexicon's words and phrases,
// and of its rows, as 32 bits each; how votes count; the transitions; the confidences; and then the tables as they are
// used. A change of features, labels or hashes needs a new one.
const magic = "gleaner tagger 2"

// ErrFormat is returned for a file that is not a model of this version.
var ErrFormat = errors.New("model: not a model of this version")

const (
	headSize = len(magic) + 3*4 + 2*4 + 4*Labels*Labels + int(Types)*Margins
)

// Encode returns the file of m. Decode takes what it returns.
func (m *Model) Encode() []byte {
	l, w := &m.Lexicon, &m.Weights
	b := []byte(magic)
	for _, n := range []int{len(l.words), len(l.phrases), l.rows, int(w.Vote), int(w.VoteCap)} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	for x := range w.Transitions {
		for _, v := range w.Transitions[x] {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
	}
	for kind := range w.Confidence {
		b = append(b, w.Confidence[kind][:]...)
	}
	b = append(append(b, l.coarse...), l.words...)
	return append(append(b, l.phrases...), w.Rows...)
}

// Decode returns the model in file, which must not be changed as long as the model is in use. Sizes are checked; what
// the tables hold is taken as the trainer wrote it. Tables refer to the file's memory, so decoding costs no copy of
// ten megabytes.
func Decode(file []byte) (*Model, error) {
	if len(file) < headSize+Clusters || string(file[:len(magic)]) != magic {
		return nil, ErrFormat
	}
	// Numbers are signed, as weights are.
	number := func(i int) int { return int(int32(binary.LittleEndian.Uint32(file[len(magic)+4*i:]))) }
	words, phrases, rows := number(0), number(1), number(2)
	weights := Rows(rows) * RowSize
	// All sizes are checked before anything is cut, so cut cannot fail.
	if !isTable(words, 8) || !isTable(phrases, 4) || rows < Clusters || rows > 1<<17 ||
		len(file) != headSize+Clusters+words+phrases+weights {
		return nil, ErrFormat
	}
	m := &Model{}
	m.Weights.Vote, m.Weights.VoteCap = int32(number(3)), int32(number(4))
	for x := range Labels {
		for y := range Labels {
			m.Weights.Transitions[x][y] = int32(number(5 + x*Labels + y))
		}
	}
	// It takes the next n bytes of the file.
	cut := func(n int) (part []byte) {
		part, file = file[:n], file[n:]
		return part
	}
	// The head was read by its offsets, but for the confidences at its end.
	cut(headSize - int(Types)*Margins)
	for kind := range m.Weights.Confidence {
		copy(m.Weights.Confidence[kind][:], cut(Margins))
	}
	// In the order of the file.
	coarse, table := cut(Clusters), cut(words)
	m.Lexicon = NewLexicon(table, cut(phrases), coarse, rows)
	m.Weights.Rows = file
	return m, nil
}

// Rows returns how many rows of weights a model has whose lexicon has so many. Words have rows of their own for the
// three places of a window.
func Rows(lexicon int) int { return HashedRows + 3*lexicon }

// isTable reports whether n bytes hold a power of two of slots of this size, 16 MiB at most. Tables are used with a
// mask in the place of a division.
func isTable(n, size int) bool {
	return n >= size && n <= 1<<24 && n%size == 0 && bits.OnesCount(uint(n/size)) == 1
}

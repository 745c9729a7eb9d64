package meaning

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/gleaner-web/gleaner/transforms/subword"
)

const (
	// minDim and maxDim bound the numbers of a vector. Fewer say nothing, and more are not made by averaging tokens.
	minDim = 8
	maxDim = 1024
	// probe shows whether words can be looked up one by one: see Model.whole.
	probe = "a Text, of some words; über 12.5 and more"
)

// Model is a table of vectors with its tokenizer. Several goroutines may use it.
type Model struct {
	// ID identifies the model: vectors of different models cannot be compared.
	ID       string
	Dim      int  // numbers of a vector
	Standard bool // it is part of the program: see package standard
	// Near is the least cosine of a text and a passage about it, or 0 if nobody has measured it.
	Near float64

	tokens  *subword.Tokenizer
	unknown int32 // token of what the tokenizer does not know, or -1
	rows    int
	values  []float32 // rows of Dim numbers; nil if they are packed
	packed  []byte    // rows of Dim/2 bytes, each with two numbers of 4 bits
	weights []float32 // of tokens; nil if all are 1
	mapping []int32   // rows of tokens; nil if token and row are the same
	whole   bool      // a text must be given to the tokenizer as a whole
}

// Parse reads a model: a file in the format safetensors and a tokenizer.json.
//
// The tensors are those of Model2Vec:
//
//   - embeddings: a row for each token
//   - weights: a factor for each token
//   - mapping: the row of each token, if there are fewer rows than tokens
//
// The last two may be missing. Values are floating-point numbers or 8-bit integers. Gleaner's own table has 4-bit
// integers, in the tensor packed. Each of its bytes has two of them, the first in the low bits, and 8 stands for 0. The
// files must not be changed later.
func Parse(tensors, tokenizer []byte) (*Model, error) {
	list, err := readTensors(tensors)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	sum.Write(tensors)
	sum.Write(tokenizer)
	m := &Model{ID: hex.EncodeToString(sum.Sum(nil)[:8])}
	if err := m.table(list); err != nil {
		return nil, err
	}
	if m.tokens, err = subword.Parse("tokenizer.json", tokenizer); err != nil {
		return nil, fmt.Errorf("meaning: %w", err)
	}
	if m.unknown, err = unknownIn(tokenizer); err != nil {
		return nil, err
	}
	m.whole, err = m.needsWhole()
	return m, err
}

// table takes the tensors of a file.
func (m *Model) table(list map[string]tensor) (err error) {
	values, has := list["embeddings"]
	packed, isPacked := list["packed"]
	switch {
	case has && len(values.Shape) == 2 && !isPacked:
		m.rows, m.Dim = int(values.Shape[0]), int(values.Shape[1])
		m.values, err = values.floats()
	case isPacked && len(packed.Shape) == 2 && packed.Type == "U8" && !has:
		m.rows, m.Dim, m.packed = int(packed.Shape[0]), 2*int(packed.Shape[1]), packed.data
	default:
		err = errors.New("the file has no tensor embeddings with a row for each token")
	}
	if err == nil && (m.Dim < minDim || m.Dim > maxDim || m.Dim%8 != 0 || m.rows == 0) {
		err = fmt.Errorf("a vector has %d numbers: a multiple of 8 from %d to %d is supported", m.Dim, minDim, maxDim)
	}
	if t, has := list["weights"]; has && err == nil {
		m.weights, err = t.floats()
	}
	if t, has := list["mapping"]; has && err == nil {
		var rows []float32
		rows, err = t.floats()
		m.mapping = make([]int32, len(rows))
		for i, row := range rows {
			m.mapping[i] = int32(row) // exact below 1<<24
		}
	}
	for _, v := range m.values {
		if err == nil && (math.IsNaN(float64(v)) || math.Abs(float64(v)) > 1e6) {
			err = errors.New("a number of a vector is not finite, or above a million")
		}
	}
	if err != nil {
		return fmt.Errorf("meaning: %w", err)
	}
	return nil
}

// unknownIn returns the token of unknown words of a tokenizer, which says nothing about a text, or -1.
func unknownIn(tokenizer []byte) (int32, error) {
	var f struct {
		Model struct {
			Unk   *string         `json:"unk_token"`
			UnkID *int32          `json:"unk_id"`
			Vocab json.RawMessage `json:"vocab"`
		} `json:"model"`
	}
	if err := json.Unmarshal(tokenizer, &f); err != nil {
		return 0, fmt.Errorf("meaning: the tokenizer: %w", err)
	}
	if f.Model.UnkID != nil {
		return *f.Model.UnkID, nil
	}
	ids := map[string]int32{}
	if f.Model.Unk == nil || json.Unmarshal(f.Model.Vocab, &ids) != nil {
		return -1, nil
	}
	if id, has := ids[*f.Model.Unk]; has {
		return id, nil
	}
	return -1, nil
}

// needsWhole reports whether the tokens of a text differ from those of its words.
func (m *Model) needsWhole() (bool, error) {
	all, err := m.tokens.Tokens(probe)
	if err != nil {
		return false, fmt.Errorf("meaning: %w", err)
	}
	var single []int32
	for word := range words(probe) {
		ids, err := m.tokens.Tokens(probe[word.From:word.To])
		if err != nil {
			return false, fmt.Errorf("meaning: %w", err)
		}
		single = append(single, ids...)
	}
	if len(all) != len(single) {
		return true, nil
	}
	for i := range all {
		if all[i] != single[i] {
			return true, nil
		}
	}
	return false, nil
}

// row returns the row and the weight of a token. The weight is 0 for a token that the table lacks.
func (m *Model) row(token int32) (row int, weight float32) {
	if token == m.unknown || token < 0 {
		return 0, 0
	}
	weight = 1
	if m.weights != nil {
		if int(token) >= len(m.weights) {
			return 0, 0
		}
		weight = m.weights[token]
	}
	row = int(token)
	if m.mapping != nil {
		if row >= len(m.mapping) {
			return 0, 0
		}
		row = int(m.mapping[row])
	}
	if row < 0 || row >= m.rows {
		return 0, 0
	}
	return row, weight
}

// add adds the vector of a token to sum.
func (m *Model) add(sum []float32, token int32) {
	row, weight := m.row(token)
	switch {
	case weight == 0:
	case m.values != nil:
		for i, v := range m.values[row*m.Dim : (row+1)*m.Dim] {
			sum[i] += float32(weight * v) // the conversion keeps other processors from rounding once only
		}
	default:
		m.addPacked(sum, m.packed[row*m.Dim/2:(row+1)*m.Dim/2], weight)
	}
}

func (m *Model) addPacked(sum []float32, row []byte, weight float32) {
	var of [16]float32
	for k := range of {
		of[k] = weight * float32(k-8)
	}
	sum = sum[:2*len(row)]
	for i, b := range row {
		sum[2*i] += of[b&15]
		sum[2*i+1] += of[b>>4]
	}
}

package model

import "encoding/binary"

// linearMagic begins the file of a Linear. In little endian follow:
//
//   - the script and whether articles are elided, a byte each; two bytes of zero;
//   - the numbers of bytes of lists and weights, and the weights of votes, as 32 bits each;
//   - the transitions, the confidences, the lists, and the weights.
const linearMagic = "gleaner linear 2"

const linearHead = len(linearMagic) + 4 + 4*4 + 4*Labels*Labels + int(Types)*Margins

// Encode returns the file of m, which DecodeLinear reads.
func (m *Linear) Encode() []byte {
	b := append([]byte(linearMagic), byte(m.Script), 0, 0, 0)
	if m.Elides {
		b[len(b)-3] = 1
	}
	for _, n := range []int{len(m.Lists), len(m.Weights), int(m.Chain.Vote), int(m.Chain.VoteCap)} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	for x := range m.Chain.Transitions {
		for _, v := range m.Chain.Transitions[x] {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
	}
	for kind := range m.Chain.Confidence {
		b = append(b, m.Chain.Confidence[kind][:]...)
	}
	return append(append(b, m.Lists...), m.Weights...)
}

// DecodeLinear returns the model in file, which must not change while the model is in use. It checks sizes, not the
// tables' contents. The tables share the file's memory.
func DecodeLinear(file []byte) (*Linear, error) {
	n := len(linearMagic)
	if len(file) < linearHead || string(file[:n]) != linearMagic || Script(file[n]) >= scripts {
		return nil, ErrFormat
	}
	number := func(i int) int { return int(int32(binary.LittleEndian.Uint32(file[n+4+4*i:]))) }
	lists, weights := number(0), number(1)
	if !isTable(lists, 4) || !isTable(weights, Row) || len(file) != linearHead+lists+weights {
		return nil, ErrFormat
	}
	m := &Linear{Script: Script(file[n]), Elides: file[n+1] != 0}
	m.Chain.Vote, m.Chain.VoteCap = int32(number(2)), int32(number(3))
	for x := range Labels {
		for y := range Labels {
			m.Chain.Transitions[x][y] = int32(number(4 + x*Labels + y))
		}
	}
	at := linearHead - int(Types)*Margins
	for kind := range m.Chain.Confidence {
		at += copy(m.Chain.Confidence[kind][:], file[at:at+Margins])
	}
	m.Lists, m.Weights = file[at:at+lists], file[at+lists:]
	return m, nil
}

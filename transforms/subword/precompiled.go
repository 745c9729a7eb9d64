package subword

import (
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// charsmap is a compiled rule of SentencePiece: a double array from texts to what they become (Darts-clone, Yata 2013).
type charsmap struct {
	units []uint32
	texts string // each ends with 0
}

// maxCluster limits the characters that are looked up together, in bytes, as in tokenizers.
const maxCluster = 6

// precompiled reads a rule: the length of the array in bytes, the array, and the texts.
func precompiled(data []byte) (func(string) string, error) {
	if len(data) == 0 {
		return func(s string) string { return s }, nil
	}
	if len(data) < 4 {
		return nil, errors.New("normalizer Precompiled is too short")
	}
	n := binary.LittleEndian.Uint32(data)
	data = data[4:]
	if uint64(n) > uint64(len(data)) || n%4 != 0 {
		return nil, errors.New("normalizer Precompiled is too short")
	}
	m := &charsmap{units: make([]uint32, n/4), texts: string(data[n:])}
	for i := range m.units {
		m.units[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return m.normalize, nil
}

func (m *charsmap) normalize(s string) string {
	var b strings.Builder
	state := -1
	for s != "" {
		var cluster string
		cluster, s, _, state = uniseg.FirstGraphemeClusterInString(s, state)
		if len(cluster) < maxCluster {
			if to, ok := m.lookUp(cluster); ok {
				b.WriteString(to)
				continue
			}
		}
		for cluster != "" {
			_, size := utf8.DecodeRuneInString(cluster)
			if to, ok := m.lookUp(cluster[:size]); ok {
				b.WriteString(to)
			} else {
				b.WriteString(cluster[:size])
			}
			cluster = cluster[size:]
		}
	}
	return b.String()
}

// lookUp returns what the shortest text becomes with which s begins. tokenizers puts it in place of all of s.
func (m *charsmap) lookUp(s string) (to string, ok bool) {
	if len(m.units) == 0 {
		return "", false
	}
	node := offset(m.units[0])
	for _, c := range []byte(s) {
		if c == 0 {
			return "", false
		}
		node ^= uint32(c)
		if int(node) >= len(m.units) {
			return "", false
		}
		unit := m.units[node]
		if unit&(1<<31|0xff) != uint32(c) { // its label
			return "", false
		}
		node ^= offset(unit)
		if unit>>8&1 == 0 { // no text ends here
			continue
		}
		if int(node) >= len(m.units) {
			return "", false
		}
		at := m.units[node] & (1<<31 - 1)
		if int(at) > len(m.texts) {
			return "", false
		}
		to, _, _ = strings.Cut(m.texts[at:], "\x00")
		return to, true
	}
	return "", false
}

// offset is where the nodes after a unit are.
func offset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }

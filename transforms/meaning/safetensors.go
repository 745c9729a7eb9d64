package meaning

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// maxHeader bounds the header of a file, as the library safetensors does.
const maxHeader = 100 << 20

// tensor is a tensor of a file.
type tensor struct {
	Type    string   `json:"dtype"`
	Shape   []uint64 `json:"shape"`
	Offsets []uint64 `json:"data_offsets"`
	data    []byte
}

// bytesOf are the sizes of the types of values.
var bytesOf = map[string]uint64{"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I8": 1, "U8": 1}

// readTensors reads a file in the format safetensors: the length of a header in JSON, the header, and the values.
func readTensors(file []byte) (map[string]tensor, error) {
	if len(file) < 8 {
		return nil, fmt.Errorf("meaning: the file has %d bytes, which is no safetensors file", len(file))
	}
	n := binary.LittleEndian.Uint64(file)
	if n > maxHeader || n > uint64(len(file)-8) {
		return nil, fmt.Errorf("meaning: not a safetensors file: its header has %d bytes", n)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(file[8:8+n], &raw); err != nil {
		return nil, fmt.Errorf("meaning: the header of the safetensors file: %w", err)
	}
	values := file[8+n:]
	tensors := map[string]tensor{}
	for name, text := range raw {
		if name == "__metadata__" {
			continue
		}
		var t tensor
		if err := json.Unmarshal(text, &t); err != nil {
			return nil, fmt.Errorf("meaning: tensor %s: %w", name, err)
		}
		if err := t.find(values); err != nil {
			return nil, fmt.Errorf("meaning: tensor %s: %w", name, err)
		}
		tensors[name] = t
	}
	return tensors, nil
}

// find finds the values of a tensor, and checks their number.
func (t *tensor) find(values []byte) error {
	if len(t.Offsets) != 2 || t.Offsets[0] > t.Offsets[1] || t.Offsets[1] > uint64(len(values)) {
		return fmt.Errorf("its values are outside the file")
	}
	t.data = values[t.Offsets[0]:t.Offsets[1]]
	want := bytesOf[t.Type]
	if want == 0 {
		return nil // a type that no table has
	}
	for _, n := range t.Shape {
		if n > math.MaxInt32 || want > math.MaxInt32*8 {
			return fmt.Errorf("it is too large")
		}
		want *= n
	}
	if want != uint64(len(t.data)) {
		return fmt.Errorf("it has %d bytes and not %d", len(t.data), want)
	}
	return nil
}

// floats returns the values of a tensor of numbers.
func (t *tensor) floats() ([]float32, error) {
	size := bytesOf[t.Type]
	if size == 0 {
		return nil, fmt.Errorf("values of type %s are not supported", t.Type)
	}
	list := make([]float32, uint64(len(t.data))/size)
	for i := range list {
		list[i] = t.at(i)
	}
	return list, nil
}

// at returns a value.
func (t *tensor) at(i int) float32 {
	switch t.Type {
	case "F64":
		return float32(math.Float64frombits(binary.LittleEndian.Uint64(t.data[8*i:])))
	case "F32":
		return math.Float32frombits(binary.LittleEndian.Uint32(t.data[4*i:]))
	case "F16":
		return half(binary.LittleEndian.Uint16(t.data[2*i:]))
	case "BF16":
		return math.Float32frombits(uint32(binary.LittleEndian.Uint16(t.data[2*i:])) << 16)
	case "I64":
		return float32(int64(binary.LittleEndian.Uint64(t.data[8*i:])))
	case "I32":
		return float32(int32(binary.LittleEndian.Uint32(t.data[4*i:])))
	case "I8":
		return float32(int8(t.data[i]))
	}
	return float32(t.data[i])
}

// half returns the value of a number of IEEE 754's binary16.
func half(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&1023)
	switch exponent {
	case 0:
		v := float32(fraction) / (1 << 24)
		if sign != 0 {
			v = -v
		}
		return v
	case 31:
		return math.Float32frombits(sign | 255<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

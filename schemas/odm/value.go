package odm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Type is what the values of a column are.
type Type uint8

// The types: in Java and, after, in Go.
const (
	Bytes   Type = iota + 1 // byte[], []byte: as they are
	String                  // String, string: UTF-8
	Long                    // Long, int64: 8 bytes, big-endian
	Integer                 // Integer, int32: 4 bytes, big-endian
	Short                   // Short, int16: 2 bytes, big-endian
	Double                  // Double, float64: the bits of IEEE 754 as a Long
	Float                   // Float, float32: likewise as an Integer
	Boolean                 // Boolean, bool: a byte; Java writes 255 for true, and reads all but 0 as true
)

var typeNames = [...]string{
	Bytes: "[]byte", String: "string", Long: "int64", Integer: "int32", Short: "int16", Double: "float64",
	Float:   "float32",
	Boolean: "bool",
}

// String is the type in Go.
func (t Type) String() string {
	if t == 0 || int(t) >= len(typeNames) {
		return fmt.Sprintf("Type(%d)", uint8(t))
	}
	return typeNames[t]
}

// ErrValue is a value that is not of its column's type.
var ErrValue = errors.New("not of the column's type")

// Encode is the bytes of a value, whose Go type is the one that the type has.
func (t Type) Encode(value any) ([]byte, error) {
	switch v := value.(type) {
	case []byte:
		if t == Bytes {
			return v, nil
		}
	case string:
		if t == String {
			return []byte(v), nil
		}
	case int64:
		if t == Long {
			return binary.BigEndian.AppendUint64(nil, uint64(v)), nil
		}
	case int32:
		if t == Integer {
			return binary.BigEndian.AppendUint32(nil, uint32(v)), nil
		}
	case int16:
		if t == Short {
			return binary.BigEndian.AppendUint16(nil, uint16(v)), nil
		}
	case float64:
		if t == Double {
			return binary.BigEndian.AppendUint64(nil, math.Float64bits(v)), nil
		}
	case float32:
		if t == Float {
			return binary.BigEndian.AppendUint32(nil, math.Float32bits(v)), nil
		}
	case bool:
		if t == Boolean && v {
			return []byte{255}, nil
		} else if t == Boolean {
			return []byte{0}, nil
		}
	}
	return nil, fmt.Errorf("odm: a %T for a %v: %w", value, t, ErrValue)
}

// sizes are how many bytes values have, of types that say so.
var sizes = [...]int{Long: 8, Integer: 4, Short: 2, Double: 8, Float: 4, Boolean: 1}

// Decode is the inverse of Encode. Of bytes the result is b itself.
func (t Type) Decode(b []byte) (any, error) {
	switch t {
	case Bytes:
		return b, nil
	case String:
		return string(b), nil
	}
	if int(t) >= len(sizes) || sizes[t] == 0 || len(b) != sizes[t] {
		return nil, fmt.Errorf("odm: %d bytes for a %v: %w", len(b), t, ErrValue)
	}
	switch t {
	case Long:
		return int64(binary.BigEndian.Uint64(b)), nil
	case Integer:
		return int32(binary.BigEndian.Uint32(b)), nil
	case Short:
		return int16(binary.BigEndian.Uint16(b)), nil
	case Double:
		return math.Float64frombits(binary.BigEndian.Uint64(b)), nil
	case Float:
		return math.Float32frombits(binary.BigEndian.Uint32(b)), nil
	}
	return b[0] != 0, nil
}

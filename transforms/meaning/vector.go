package meaning

import "math"

// Quantized is a vector as an index keeps it.
type Quantized struct {
	Values []int8   // the vector, divided by Scale
	Scale  float32  // 0 for a vector without length
	Signs  []uint64 // a bit for each number, set if it is positive
}

// Quantize rounds a vector to integers of 8 bits.
func Quantize(v []float32) Quantized {
	q := Quantized{Values: make([]int8, len(v)), Signs: make([]uint64, (len(v)+63)/64)}
	var most float32
	for _, x := range v {
		most = max(most, x, -x)
	}
	if most == 0 {
		return q
	}
	q.Scale = most / 127
	for i, x := range v {
		q.Values[i] = int8(math.RoundToEven(float64(x / q.Scale)))
		if x > 0 {
			q.Signs[i/64] |= 1 << (i % 64)
		}
	}
	return q
}

// Dot returns the product of two quantized vectors without their scales.
func Dot(a, b []int8) int32 {
	var s0, s1, s2, s3 int32
	b = b[:len(a)]
	n := len(a) &^ 3
	for i := 0; i < n; i += 4 {
		s0 += int32(a[i]) * int32(b[i])
		s1 += int32(a[i+1]) * int32(b[i+1])
		s2 += int32(a[i+2]) * int32(b[i+2])
		s3 += int32(a[i+3]) * int32(b[i+3])
	}
	return s0 + s1 + s2 + s3
}

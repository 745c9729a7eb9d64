package contentdb

import (
	"encoding/binary"
	"math"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// Keys are bytes for package extsort, made of the parts of a query.Key in the sequence of an order: comparing bytes
// compares keys.

// appendVersion appends a key that sorts versions of a page together, the newest last. The place at its end makes keys
// unique.
func appendVersion(b []byte, k query.Key) []byte {
	return appendPlace(appendMoment(appendText(b, k.SURT), k, false), k)
}

// page returns the part of such a key that all versions of a page share.
func page(key []byte) []byte {
	for i := 0; i+1 < len(key); i++ {
		if key[i] == 0 { // 00 FF is a zero byte of the SURT, 00 00 its end
			if key[i+1] == 0 {
				return key[:i+2]
			}
			i++
		}
	}
	return key
}

// appendOrder appends a key that sorts as the order does. Relevance is like Newest, because texts have no scores here.
func appendOrder(b []byte, k query.Key, o query.Order) []byte {
	switch o {
	case query.SURT:
		return appendPlace(appendMoment(appendText(b, k.SURT), k, false), k)
	case query.Oldest:
		return appendPlace(appendText(appendMoment(b, k, false), k.SURT), k)
	case query.Length:
		// All bits but the sign are flipped, so that greater comes first.
		b = binary.BigEndian.AppendUint64(b, uint64(k.Length)^(1<<63-1))
	}
	return appendPlace(appendText(appendMoment(b, k, true), k.SURT), k)
}

// appendMoment appends the time, in microseconds; an unknown time is the oldest.
func appendMoment(b []byte, k query.Key, descending bool) []byte {
	n := int64(math.MinInt64)
	if !k.Timestamp.IsZero() {
		n = k.Timestamp.UnixMicro()
	}
	u := uint64(n) ^ 1<<63 // flipped sign bit: negative first
	if descending {
		// All bits flipped: greater first.
		u = ^u
	}
	return binary.BigEndian.AppendUint64(b, u)
}

// appendPlace appends the location of the record, which is unique.
func appendPlace(b []byte, k query.Key) []byte {
	b = appendText(b, k.Filename)
	// Big-endian, so that bytes compare as numbers do; the sign bit as in appendMoment.
	b = binary.BigEndian.AppendUint64(b, uint64(k.Offset)^1<<63)
	return binary.BigEndian.AppendUint64(b, uint64(k.Sequence)^1<<63)
}

// appendText appends a text and its end, 00 00. A zero byte inside becomes 00 FF, so that no text is a prefix of
// another.
func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		b = append(b, s[i])
		if s[i] == 0 {
			b = append(b, 0xff)
		}
	}
	return append(b, 0, 0)
}

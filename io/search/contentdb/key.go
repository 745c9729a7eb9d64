package contentdb

import (
	"encoding/binary"
	"math"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// Keys are the bytes that package extsort compares. Each is made of the parts of a query.Key in the sequence that an
// order asks for, so that comparing bytes is comparing keys.

// appendVersion appends a key by which the versions of a page stand together, the newest one last.
// The place comes last, so no two captures have the same key.
func appendVersion(b []byte, k query.Key) []byte {
	return appendPlace(appendMoment(appendText(b, k.SURT), k, false), k)
}

// page is the part of such a key that the versions of one page share.
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

// appendOrder appends a key that sorts as the order does. Relevance is Newest here: nothing tells how well a text fits.
func appendOrder(b []byte, k query.Key, o query.Order) []byte {
	switch o {
	case query.SURT:
		return appendPlace(appendMoment(appendText(b, k.SURT), k, false), k)
	case query.Oldest:
		return appendPlace(appendText(appendMoment(b, k, false), k.SURT), k)
	case query.Length:
		// All bits turned but the sign's: what is greater comes first.
		b = binary.BigEndian.AppendUint64(b, uint64(k.Length)^(1<<63-1))
	}
	return appendPlace(appendText(appendMoment(b, k, true), k.SURT), k)
}

// appendMoment appends the time, in microseconds; one that is not known is older than all.
func appendMoment(b []byte, k query.Key, descending bool) []byte {
	n := int64(math.MinInt64)
	if !k.Timestamp.IsZero() {
		n = k.Timestamp.UnixMicro()
	}
	u := uint64(n) ^ 1<<63 // the sign bit turned, so that what is negative comes first
	if descending {
		// All bits turned: what is greater comes first.
		u = ^u
	}
	return binary.BigEndian.AppendUint64(b, u)
}

// appendPlace appends where the record is, which tells any two captures apart.
func appendPlace(b []byte, k query.Key) []byte {
	b = appendText(b, k.Filename)
	// Big-endian, so that bytes compare as numbers do; the sign bit as in appendMoment.
	b = binary.BigEndian.AppendUint64(b, uint64(k.Offset)^1<<63)
	return binary.BigEndian.AppendUint64(b, uint64(k.Sequence)^1<<63)
}

// appendText appends a text and its end, 00 00; a zero byte in it is 00 FF, so that no text is the beginning of
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

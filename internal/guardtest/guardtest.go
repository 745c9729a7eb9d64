// Package guardtest tests that decoders write only where they may.
package guardtest

import (
	"bytes"
	"testing"
)

const guard = 64 // bytes around each buffer

var filler = []byte{0xa5}

// Buffer is a copy of content with room after it, in the middle of a larger slice.
type Buffer struct {
	Slice        []byte // the copy, with the room as its capacity
	content, all []byte
}

// New returns a buffer of content.
func New(content []byte, room int) Buffer {
	all := make([]byte, guard+len(content)+room+guard)
	copy(all, bytes.Repeat(filler, guard))
	copy(all[len(all)-guard:], bytes.Repeat(filler, guard))
	copy(all[guard:], content)
	return Buffer{all[guard : guard+len(content) : guard+len(content)+room], content, all}
}

// Check fails the test if anything but the room has changed.
func (b Buffer) Check(tb testing.TB) {
	tb.Helper()
	before, after := b.all[:guard], b.all[guard+cap(b.Slice):]
	untouched := bytes.Count(before, filler) + bytes.Count(after, filler)
	if !bytes.Equal(b.Slice, b.content) || untouched != 2*guard {
		tb.Fatal("Decode wrote where it must not")
	}
}

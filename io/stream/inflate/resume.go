package inflate

// DecodeBlock is Decode, but it also stops where a block ends; see [Decoder.AtBlock]. It can do so without progress
// in src and dst, because the bits that end a block may be left from the last call.
func (d *Decoder) DecodeBlock(dst, src []byte) (out []byte, used int, err error) {
	return d.decode(dst, src, true)
}

// AtBlock reports whether the decoder is between two blocks. Then bits of the last used byte, 0 to 7, belong to the
// next block. From there another decoder can continue with Resume.
func (d *Decoder) AtBlock() (bits uint, ok bool) { return d.n, d.state == inHeader }

// Resume begins in the middle of a stream, where AtBlock has returned true for bits. last is the byte before the next
// one. At the first call of Decode, dst must end with the history bytes decoded before this place. They are 32 KiB, or
// all if there were fewer.
func (d *Decoder) Resume(bits uint, last byte, history int) {
	d.Reset()
	if bits > 0 {
		d.n = bits & 7
		d.bits = uint64(last) >> (8 - d.n)
	}
	d.window = min(history, windowSize)
}

//go:build !purego

package zstd

func (d *Decoder) fast(c *cursor) {
	if limit := min(c.limit, cap(c.dst)-outMargin); d.block.roomy(c, limit) {
		d.block.fastGeneric(c, limit, d.frame.window)
	}
}

func (h *huffman) fast4(dst []byte, quarter int, s *[4]bitReader) (done int) {
	return h.fast4Generic(dst, quarter, s)
}

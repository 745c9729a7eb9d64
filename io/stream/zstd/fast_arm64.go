//go:build !purego

package zstd

import "unsafe"

func (d *Decoder) fast(c *cursor) {
	if limit := min(c.limit, cap(c.dst)-outMargin); d.block.roomy(c, limit) {
		d.block.fastGeneric(c, limit, d.frame.window)
	}
}

func (h *huffman) lanes(dst unsafe.Pointer, quarter, last int, l *[4]lane) (done int) {
	return h.lanesGeneric(dst, quarter, last, l)
}

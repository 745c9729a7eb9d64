package parquetscan

// levelsV2 decodes the levels, which precede the values uncompressed, and returns the stored values.
func (r *reader) levelsV2(h *header, b []byte) ([]byte, error) {
	// Repetition levels come first in both versions.
	rep, def := b[:h.repBytes], b[h.repBytes:h.repBytes+h.defBytes]
	if err := r.levels(rep, def); err != nil {
		return nil, err
	}
	return b[h.repBytes+h.defBytes:], nil
}

// valuesV2 decompresses the values.
func (r *reader) valuesV2(h *header, b []byte) ([]byte, error) {
	if !h.packed {
		return b, nil
	}
	size := int(h.plain - h.repBytes - h.defBytes)
	// If all values are null, some writers store nothing at all.
	if size == 0 {
		return nil, nil
	}
	var err error
	r.plain, err = decompress(r.plain, b, r.chunk.codec, size)
	return r.plain, err
}

// levelsV1 decompresses the page, and decodes the levels, each after its length.
func (r *reader) levelsV1(h *header, b []byte) ([]byte, error) {
	var err error
	if b, err = decompress(r.plain, b, r.chunk.codec, int(h.plain)); err != nil {
		return nil, err
	}
	// Without compression b is the reader's window, which must not become the page buffer.
	if r.chunk.codec != codecNone {
		r.plain = b
	}
	var rep, def []byte
	// Levels that can only be 0 are not stored.
	if r.chunk.leaf.rep > 0 {
		if rep, b, err = sizedPart(b); err != nil {
			return nil, err
		}
	}
	if r.chunk.leaf.def > 0 {
		if def, b, err = sizedPart(b); err != nil {
			return nil, err
		}
	}
	return b, r.levels(rep, def)
}

// sizedPart splits off the part whose length, in four bytes, precedes it.
func sizedPart(b []byte) (part, rest []byte, err error) {
	if len(b) < 4 {
		return nil, nil, errShort("levels")
	}
	n := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
	if b = b[4:]; n > uint64(len(b)) {
		return nil, nil, errShort("levels")
	}
	return b[:n], b[n:], nil
}

// levels decodes the levels of the page.
func (r *reader) levels(rep, def []byte) (err error) {
	p, l := &r.page, r.chunk.leaf
	if l.rep > 0 {
		if p.rep, err = appendLevels(p.rep, p.entries, bitWidth(l.rep), rep); err != nil {
			return err
		}
	}
	if l.def > 0 {
		p.def, err = appendLevels(p.def, p.entries, bitWidth(l.def), def)
	}
	return err
}

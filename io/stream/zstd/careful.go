package zstd

// execute decodes and executes the block's sequences until the block ends or dst is full. src is the block.
func (d *Decoder) execute(c *cursor, src []byte) (ended bool, err error) {
	b := &d.block
	b.bits.src = src[b.stream:]
	// src belongs to the caller, and must not be kept.
	defer func() { b.bits.src = nil }()
	for {
		// The rest of the last sequence comes first; dst may have lacked room for it.
		if full, err := d.write(c); full || err != nil {
			return false, err
		}
		if b.left > 0 {
			// The fast loop decodes sequences; if it stops without one, the next one is decoded here.
			if d.fast(c); b.copyMatch == 0 {
				err = b.next()
			}
			// The remaining literals follow the last sequence.
		} else if b.copyLiterals = len(b.literals) - b.used; b.copyLiterals == 0 {
			// All bits of the block have to be used.
			if !b.bits.atEnd() {
				err = errBits
			}
			return true, err
		}
		if err == nil {
			err = d.check(c)
		}
		if err != nil {
			return false, err
		}
	}
}

// next decodes a sequence (RFC 8878 section 3.1.1.4).
func (b *block) next() error {
	// The bits have this order: offset, match length, literal length.
	offset, ok1 := b.bits.read(b.offset.extra())
	match, ok2 := b.bits.read(b.matchLength.extra())
	literals, ok3 := b.bits.read(b.literalLength.extra())
	if !ok1 || !ok2 || !ok3 {
		return errBits
	}
	b.copyLiterals = int(b.literalLength.value()) + int(literals)
	b.copyMatch = int(b.matchLength.value()) + int(match)
	b.distance = int(b.recall(b.offset.value()+uint32(offset), b.copyLiterals == 0))
	// No states follow the last sequence.
	if b.left--; b.left == 0 {
		return nil
	}
	// The states have this order: literal length, match length, offset.
	literals, ok1 = b.bits.read(b.literalLength.bits())
	match, ok2 = b.bits.read(b.matchLength.bits())
	offset, ok3 = b.bits.read(b.offset.bits())
	if !ok1 || !ok2 || !ok3 {
		return errBits
	}
	b.literalLength = b.literalLengths.states[(b.literalLength.next()+literals)&tableMask]
	b.matchLength = b.matchLengths.states[(b.matchLength.next()+match)&tableMask]
	b.offset = b.offsets.states[(b.offset.next()+offset)&tableMask]
	return nil
}

// recall returns the distance of an offset, and stores it (RFC 8878 section 3.1.1.5).
func (b *block) recall(offset uint32, noLiterals bool) (distance uint32) {
	r := &b.recent
	i := offset - 1 // index of the recalled distance; 3 for a new one
	// Without literals the first of the recent distances would continue the last match, so the index shifts by one.
	if noLiterals {
		i++
	}
	switch {
	case offset > 3:
		i, distance = 3, offset-3
	case i == 3:
		// The most recent distance, less one.
		distance = r[0] - 1
	default:
		distance = r[i]
	}
	// The used distance moves to the front; those before it move back.
	if i > 1 {
		r[2] = r[1]
	}
	if i > 0 {
		r[1] = r[0]
	}
	r[0] = distance
	return distance
}

// check returns an error unless the decoded sequence may be written.
func (d *Decoder) check(c *cursor) error {
	b := &d.block
	made := d.made + int64(len(c.dst)-c.from+b.copyLiterals) // at the start of the match
	distance := int64(b.distance)
	switch {
	case b.copyLiterals > len(b.literals)-b.used:
		return errLiterals
	// More than the remaining size of the block.
	case b.copyLiterals+b.copyMatch > c.limit-len(c.dst):
		return errBlockSize
	case b.copyMatch == 0: // these are the literals after the last sequence
	case distance == 0:
		return errNoDistance
	case distance > made && made <= d.frame.window:
		// RFC 8878 section 5 also allows a distance beyond the window. But then the match must end within the
		// dictionary: dst may lack the frame's beginning.
		back := distance - made
		if back > int64(len(b.dictionary)) || distance > d.frame.window && int64(b.copyMatch) > back {
			return errDistance
		}
	case distance > d.frame.window:
		return errDistance
	}
	return nil
}

// write writes the rest of a sequence, as far as dst has room.
func (d *Decoder) write(c *cursor) (full bool, err error) {
	b := &d.block
	n := min(b.copyLiterals, cap(c.dst)-len(c.dst))
	c.dst = append(c.dst, b.literals[b.used:b.used+n]...)
	b.used += n
	b.copyLiterals -= n
	// In pieces: a match may overlap its own output, and then repeats it.
	for b.copyMatch > 0 && b.copyLiterals == 0 && len(c.dst) < cap(c.dst) {
		from := d.match(c)
		if len(from) == 0 {
			return false, errDistance
		}
		n := min(b.copyMatch, len(from), cap(c.dst)-len(c.dst))
		c.dst = append(c.dst, from[:n]...)
		b.copyMatch -= n
	}
	return b.copyLiterals+b.copyMatch > 0, nil
}

// match returns the beginning of the match, which is repeated if the match is longer. It is empty if dst lacks the
// bytes.
func (d *Decoder) match(c *cursor) []byte {
	b, end := &d.block, len(c.dst)
	if back := int64(b.distance) - d.made - int64(end-c.from); back > 0 {
		// It begins in the dictionary, which precedes the frame.
		return b.dictionary[len(b.dictionary)-int(back):]
	}
	if b.distance > end-c.low {
		return nil
	}
	return c.dst[end-b.distance:]
}

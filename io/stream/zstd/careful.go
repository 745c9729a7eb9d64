package zstd

// execute decodes the block's sequences and writes what they say, until the block ends or dst is full. src is the
// block.
func (d *Decoder) execute(c *cursor, src []byte) (ended bool, err error) {
	b := &d.block
	b.bits.src = src[b.stream:]
	// src is the caller's, and must not be held on to.
	defer func() { b.bits.src = nil }()
	for {
		// First what is left of the last sequence, which may have been more than dst had room for.
		if full, err := d.write(c); full || err != nil {
			return false, err
		}
		if b.left > 0 {
			// As many sequences as the fast loop takes; where that stops with none in hand, the next one is decoded
			// here.
			if d.fast(c); b.copyMatch == 0 {
				err = b.next()
			}
			// Behind the last sequence come the literals that are left.
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
	// Offset, match length, literal length: the bits come in this order.
	offset, ok1 := b.bits.read(b.offset.extra())
	match, ok2 := b.bits.read(b.matchLength.extra())
	literals, ok3 := b.bits.read(b.literalLength.extra())
	if !ok1 || !ok2 || !ok3 {
		return errBits
	}
	b.copyLiterals = int(b.literalLength.value()) + int(literals)
	b.copyMatch = int(b.matchLength.value()) + int(match)
	b.distance = int(b.recall(b.offset.value()+uint32(offset), b.copyLiterals == 0))
	// The last sequence has no states after it.
	if b.left--; b.left == 0 {
		return nil
	}
	// And the states in this one: literal length, match length, offset.
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

// recall returns the distance that an offset means, and remembers it (RFC 8878 section 3.1.1.5).
func (b *block) recall(offset uint32, noLiterals bool) (distance uint32) {
	r := &b.recent
	i := offset - 1 // of what is recalled; 3 for a distance that is new
	// Without literals the first of the recent distances would continue the last match, so what is meant moves by
	// one.
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
	// What was used moves to the front; those before it move back.
	if i > 1 {
		r[2] = r[1]
	}
	if i > 0 {
		r[1] = r[0]
	}
	r[0] = distance
	return distance
}

// check reports whether the sequence that was decoded may be written.
func (d *Decoder) check(c *cursor) error {
	b := &d.block
	made := d.made + int64(len(c.dst)-c.from+b.copyLiterals) // when the match begins
	distance := int64(b.distance)
	switch {
	case b.copyLiterals > len(b.literals)-b.used:
		return errLiterals
	// More than the block may still have.
	case b.copyLiterals+b.copyMatch > c.limit-len(c.dst):
		return errBlockSize
	case b.copyMatch == 0: // these are the literals after the last sequence
	case distance == 0:
		return errNoDistance
	case distance > made && made <= d.frame.window:
		// RFC 8878 section 5 allows a distance beyond the window too. But then the match must end with the dictionary: dst
		// need not have the frame's beginning.
		back := distance - made
		if back > int64(len(b.dictionary)) || distance > d.frame.window && int64(b.copyMatch) > back {
			return errDistance
		}
	case distance > d.frame.window:
		return errDistance
	}
	return nil
}

// write writes what is to come of a sequence, as far as dst has room.
func (d *Decoder) write(c *cursor) (full bool, err error) {
	b := &d.block
	n := min(b.copyLiterals, cap(c.dst)-len(c.dst))
	c.dst = append(c.dst, b.literals[b.used:b.used+n]...)
	b.used += n
	b.copyLiterals -= n
	// In pieces: a match may overlap what it makes, and then repeats it.
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

// match returns what the match begins with, which is repeated if the match is longer. It is nothing when dst does not
// hold what it should.
func (d *Decoder) match(c *cursor) []byte {
	b, end := &d.block, len(c.dst)
	if back := int64(b.distance) - d.made - int64(end-c.from); back > 0 {
		// It begins in the dictionary, which is before the frame.
		return b.dictionary[len(b.dictionary)-int(back):]
	}
	if b.distance > end-c.low {
		return nil
	}
	return c.dst[end-b.distance:]
}

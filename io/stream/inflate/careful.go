package inflate

// careful decodes symbols one by one, checking each step, until the block ends or dst or src is too short. It uses
// whole symbols, and a length only with its distance.
func (d *Decoder) careful(t *tables, c *cursor) (ended bool, err error) {
	for {
		c.fill()
		e := find(t.litlen[:], litlenBits, c.bits)
		switch {
		case e.size() > c.n:
			return false, nil
		case e&literal != 0:
			if len(c.dst) == cap(c.dst) {
				return false, nil
			}
			c.dst = append(c.dst, e.literal())
			c.skip(e.size())
			continue
		case e&endBlock != 0:
			c.skip(e.size())
			return true, nil
		case e&special != 0:
			return false, errSymbol
		}
		if whole, err := d.match(t, c, e); err != nil || !whole {
			return false, err
		}
	}
}

// match decodes the distance that follows a length, and writes the match as far as dst has room. It returns false if
// dst or src is too short.
func (d *Decoder) match(t *tables, c *cursor, length entry) (whole bool, err error) {
	rest := c.bits >> length.size()
	e := find(t.dist[:], distBits, rest)
	switch {
	case length.size()+e.size() > c.n:
		return false, nil
	case e&special != 0:
		return false, errSymbol
	}
	d.length, d.dist = length.value(c.bits), e.value(rest)
	c.skip(length.size() + e.size())
	if err := d.copyMatch(c); err != nil {
		return false, err
	}
	return d.length == 0, nil
}

package parquetscan

import "fmt"

// cursor iterates over the entries of a column, row by row. An entry is a value, or the level at which it is missing.
type cursor struct {
	// It only goes forward, like its reader.
	r     *reader
	leaf  *leaf
	pages int // pages of the reader when page was loaded
	i     int // next entry of the page
	value int // index in the page's values, if the next entry is a value
	row   int // row of the next entry at level 0
}

// load makes the reader's page the cursor's.
func (c *cursor) load() {
	// The reader reuses its page; only the number shows a new one.
	if c.pages != c.r.pages {
		c.pages, c.i, c.value, c.row = c.r.pages, 0, 0, c.r.page.first
	}
}

// to advances to the first entry of a row, which must not be before entries already read.
func (c *cursor) to(row int) error {
	if err := c.r.seek(row); err != nil {
		return err
	}
	c.load()
	p := &c.r.page
	// A required column outside lists has one value a row and no levels, so the position is computed.
	if c.leaf.rep == 0 && c.leaf.def == 0 {
		c.i, c.value, c.row = row-p.first, row-p.first, row
		return nil
	}
	// Otherwise entries are skipped, because only levels show how many values precede a row. A row begins at repetition
	// level 0; c.row is incremented there.
	i, at := c.i, c.row
	if at > row {
		return c.lost()
	}
	if c.leaf.rep == 0 {
		i, at = min(c.i+row-c.row, p.entries), row
	} else {
		for i < p.entries && (at != row || p.rep[i] != 0) {
			if p.rep[i] == 0 {
				at++
			}
			i++
		}
	}
	c.value += i - c.i
	if c.leaf.def > 0 {
		c.value += count(p.def[c.i:i], c.leaf.def) - (i - c.i)
	}
	c.i, c.row = i, at
	if i < p.entries {
		return nil
	}
	return c.lost()
}

func (c *cursor) lost() error {
	return fmt.Errorf("%w: column %s has other rows than those beside it", ErrFormat, c.leaf.path)
}

// pass skips an existing entry.
func (c *cursor) pass() {
	p := &c.r.page
	// c.row is incremented at a row's first entry, so within a row it is the next row's number.
	if c.leaf.rep == 0 || p.rep[c.i] == 0 {
		c.row++
	}
	// Only entries of the full level have a value.
	if c.leaf.def == 0 || p.def[c.i] == c.leaf.def {
		c.value++
	}
	c.i++
}

// more reports whether there is another entry of the current row or of the next one. A row in pages of version 1 may
// continue in the next page.
func (c *cursor) more() (bool, error) {
	for c.i >= c.r.page.entries {
		// If pages end with rows, nothing follows.
		if c.r.aligned || c.r.pos >= c.r.chunk.end {
			return false, nil
		}
		// -1: the page is wanted whatever its rows. It may not be a data page, hence the loop.
		if err := c.r.next(-1); err != nil {
			return false, err
		}
		c.load()
	}
	return true, nil
}

// def returns the definition level of the next entry.
func (c *cursor) def() (uint8, error) {
	more, err := c.more()
	switch {
	case err != nil:
		return 0, err
	case !more:
		return 0, c.lost()
	case c.leaf.def == 0:
		return 0, nil
	}
	return c.r.page.def[c.i], nil
}

// repeats reports whether the next entry continues the list of a level.
func (c *cursor) repeats(level uint8) (bool, error) {
	more, err := c.more()
	// A lower level begins another element of an outer list, or another row.
	return more && c.r.page.rep[c.i] >= level, err
}

// take consumes the next entry. It returns the page's values and the index of the entry's value, or -1 for a null.
func (c *cursor) take() (v *values, i int, err error) {
	def, err := c.def()
	if err != nil {
		return nil, 0, err
	}
	p := &c.r.page
	v, i = &p.values, c.value
	// A null has neither a value nor an index in the page.
	if c.leaf.def > 0 && def != c.leaf.def {
		i = -1
	} else if c.r.indexed {
		v, i = c.r.dict, int(p.index[c.value])
	}
	c.pass()
	return v, i, nil
}

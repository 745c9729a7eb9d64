package parquetscan

import "fmt"

// cursor goes over the entries of a column, row by row. An entry is a value, or says at which level there is none.
type cursor struct {
	// It goes forward only, as its reader does.
	r     *reader
	leaf  *leaf
	pages int // of the reader, when page was its last one
	i     int // the next entry of the page
	value int // of the page, if the next entry is one
	row   int // that the next entry at level 0 begins
}

// load makes the reader's page the cursor's.
func (c *cursor) load() {
	// The reader reuses its page: that it is another one is recognised by the number alone.
	if c.pages != c.r.pages {
		c.pages, c.i, c.value, c.row = c.r.pages, 0, 0, c.r.page.first
	}
}

// to goes to the first entry of a row, which is not before those that were read.
func (c *cursor) to(row int) error {
	if err := c.r.seek(row); err != nil {
		return err
	}
	c.load()
	p := &c.r.page
	// A required column outside of lists has one value a row and no levels: the place is computed.
	if c.leaf.rep == 0 && c.leaf.def == 0 {
		c.i, c.value, c.row = row-p.first, row-p.first, row
		return nil
	}
	// Otherwise entries are passed: how many values are before a row is recognised by the levels alone. A row begins at an
	// entry of repetition level 0; others belong to the row before, and c.row is counted at the first of them.
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

// pass goes after an entry, which is there.
func (c *cursor) pass() {
	p := &c.r.page
	// c.row is counted when a row's first entry is passed, so inside of a row it is already the next one's
	// number.
	if c.leaf.rep == 0 || p.rep[c.i] == 0 {
		c.row++
	}
	// Only entries of the full level have a value; all others are nulls at some depth.
	if c.leaf.def == 0 || p.def[c.i] == c.leaf.def {
		c.value++
	}
	c.i++
}

// more reports whether there is another entry of the row that was gone to, or of the next one. A row of a page of
// version 1 may go on in the next page.
func (c *cursor) more() (bool, error) {
	for c.i >= c.r.page.entries {
		// Where rows end with pages nothing can follow.
		if c.r.aligned || c.r.pos >= c.r.chunk.end {
			return false, nil
		}
		// -1: the page is wanted whatever rows are in it. It may also be one that is not data page, hence
		// the loop.
		if err := c.r.next(-1); err != nil {
			return false, err
		}
		c.load()
	}
	return true, nil
}

// def is the definition level of the next entry.
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

// repeats reports whether the next entry goes on in the list of a level.
func (c *cursor) repeats(level uint8) (bool, error) {
	more, err := c.more()
	// Entries of a lower level begin another element of a list around, or another row.
	return more && c.r.page.rep[c.i] >= level, err
}

// take returns the values of the page, and which of them the next entry is: -1 when it is none. It goes after it.
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

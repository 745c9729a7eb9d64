//go:build !purego

package inflate

func (t *tables) fast(c *cursor) error { return t.fastGeneric(c) }

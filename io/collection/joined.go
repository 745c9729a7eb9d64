package collection

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// MaxSegments limits the segments that a unit notes, because those of a whole run are joined in memory. Archives
// written in segments have about one a gigabyte.
const MaxSegments = 10_000

// JoinedKey returns the key of Joined in a plan whose units have these keys, in order.
func JoinedKey(keys []string) string {
	h := sha256.New()
	h.Write([]byte("joined"))
	for _, k := range keys {
		h.Write([]byte(k))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// NeedsJoin reports whether the results of a plan of total units have segments but no result of Joined(total).
func NeedsJoin(results []schemas.UnitResult, total int) bool {
	return slices.ContainsFunc(results, func(r schemas.UnitResult) bool { return len(r.Segments) > 0 }) &&
		!slices.ContainsFunc(results, func(r schemas.UnitResult) bool { return r.ID == total })
}

// compareJoined keeps the unit of joined records if no other unit is done again, because then the segments are the
// same. Otherwise it drops the unit, which will be done again under its key. It removes the unit from rows.
func (c *Collection) compareJoined(p *plan, rows map[string]Row, key string) error {
	r, ok := rows[key]
	if !ok {
		return nil
	}
	delete(rows, key)
	whole, err := c.verify(r)
	if err != nil {
		return err
	}
	switch {
	case !whole: // made again with the same bytes
	// A unit that is done again may have other segments.
	case len(p.todo) > 0 || !NeedsJoin(p.done, p.total):
		p.drop = append(p.drop, r)
	default:
		p.keep(r, p.total)
	}
	return nil
}

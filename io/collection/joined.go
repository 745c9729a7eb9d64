package collection

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// MaxSegments bounds the segments that a unit notes, since all of a run are in memory when they are joined. An archive
// that is written in segments has one a gigabyte or so.
const MaxSegments = 10_000

// Joined is the unit of the records that are joined from the segments of all others. It stands after a plan of total
// units, reads what they have noted, and is done when all of them are.
func Joined(total int) schemas.Unit {
	return schemas.Unit{ID: total, Inputs: []schemas.Range{}}
}

// JoinedKey is the key of Joined in a plan whose units have these keys, in their order.
func JoinedKey(keys []string) string {
	h := sha256.New()
	h.Write([]byte("joined")) // a hash never fails to write
	for _, k := range keys {
		h.Write([]byte(k))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// NeedsJoin reports whether the results of a plan of total units have segments and Joined(total) is not among them.
func NeedsJoin(results []schemas.UnitResult, total int) bool {
	return slices.ContainsFunc(results, func(r schemas.UnitResult) bool { return len(r.Segments) > 0 }) &&
		!slices.ContainsFunc(results, func(r schemas.UnitResult) bool { return r.ID == total })
}

// compareJoined keeps the unit of joined records when no other unit is done again: then its segments are the same.
// Otherwise it is dropped, since it will be done again by its key. It is taken from rows.
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
	case !whole: // what is missing is made again, and is the same
	// Segments of a unit that is done again may change, and the records that are joined of them.
	case len(p.todo) > 0 || !NeedsJoin(p.done, p.total):
		p.drop = append(p.drop, r)
	default:
		p.keep(r, p.total)
	}
	return nil
}

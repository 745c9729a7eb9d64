package ledger

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

// Joined returns the unit of the records that are joined from the segments of all other units. It follows a plan of
// total units, reads what they noted, and is done after all of them.
func Joined(total int) schemas.Unit {
	return schemas.Unit{ID: total, Inputs: []schemas.Range{}}
}

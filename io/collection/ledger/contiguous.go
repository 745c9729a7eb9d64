package ledger

import (
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/schemas"
)

var (
	// ErrDiffers means that a unit was done twice with different bytes.
	ErrDiffers = errors.New("two attempts at one unit wrote different bytes")
	// ErrRanges means that a range of a file does not begin where the range before it ended.
	ErrRanges = errors.New("two ranges of a file do not meet")
)

// Contiguous checks that each range of a file begins where the range before it ended (ErrRanges). If not, two workers
// lost or repeated records. Units are in order.
func Contiguous(units []schemas.UnitResult) error {
	arrived := map[string]int64{}
	for _, u := range units {
		for _, in := range u.Inputs {
			at, known := arrived[in.File]
			if in.Start > 0 && known && at != in.Start {
				return fmt.Errorf("%w: %s: reading arrived at byte %d, and unit %d began at byte %d: "+
					"was the file changed, or read by different versions?", ErrRanges, in.File, at, u.ID, in.Start)
			}
			if arrived[in.File] = in.Next; in.Next == 0 {
				delete(arrived, in.File) // unknown
			}
		}
	}
	return nil
}

// Describe lists shards with the first digits of their hashes, for error messages.
func Describe(shards []schemas.Shard) []string {
	list := make([]string, len(shards))
	for i, s := range shards {
		list[i] = fmt.Sprintf("%s (%.12s)", s.Name, s.SHA256)
	}
	return list
}

package collection

import (
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
)

// Rows reads all rows, by key. It leaves out rows with invalid content: a run does their units again.
func (c *Collection) Rows() (map[string]ledger.Row, error) {
	rows, _, err := ledger.ReadRows(c.f, c.known)
	return rows, err
}

// verify reports whether all shards of a row exist. A shard whose bytes have changed is ErrChanged. Shards whose
// documents were moved count as existing.
func (c *Collection) verify(files ledger.Listing, r ledger.Row) (whole bool, err error) {
	compacted, err := c.movedShards()
	if err != nil {
		return false, err
	}
	whole = true
	for i, s := range r.Shards {
		// Its documents are in shared shards, which are verified by their own names.
		if compacted.Has(s) {
			continue
		}
		var at time.Time
		if i < len(r.Modified) {
			// Rows without times keep the zero time, which is never equal, so the bytes are compared.
			at = time.Unix(0, r.Modified[i])
		}
		there, err := files.Verify(s.Name, s, at)
		if err != nil {
			return false, err
		}
		whole = whole && there
	}
	return whole, nil
}

// dropRow removes a unit. Shards go first: a crash leaves at most a row without shards.
func (c *Collection) dropRow(r ledger.Row) error {
	for _, s := range r.Shards {
		if err := c.removeShard(s.Name); err != nil {
			return err
		}
	}
	return c.f.Remove(holdings.Hidden(ledger.RowFile(r.Key)))
}

package collection

import (
	"errors"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// settlePending corrects the row of a unit whose replacement was interrupted, when some shards may be new and others
// old. The takedown continues when it is repeated.
func (c *Collection) settlePending(next ledger.Row) error {
	row, err := ledger.ReadRow(c.f, ledger.RowFile(next.Key), next.Key)
	if errors.Is(err, ledger.ErrContent) {
		return nil // tasks refuse it
	}
	if err != nil {
		return err
	}
	changed := false
	for i, s := range row.Shards {
		j := slices.IndexFunc(next.Shards, func(n schemas.Shard) bool { return n.Name == s.Name && n.SHA256 != s.SHA256 })
		if j < 0 {
			continue
		}
		// The hash distinguishes the old shard from the new one.
		if _, sum, err := ledger.HashFile(c.f, s.Name); err != nil || sum != next.Shards[j].SHA256 {
			continue // the old shard, or missing, which Resume reports
		}
		row.Shards[i], changed = next.Shards[j], true
		settleCounts(&row, next, s.Name)
		if i < len(row.Modified) && j < len(next.Modified) {
			row.Modified[i] = next.Modified[j]
		}
	}
	if !changed {
		return nil
	}
	data, err := folder.EncodeJSON(row)
	if err != nil {
		return err
	}
	return c.f.Write(holdings.Hidden(ledger.RowFile(row.Key)), data)
}

// settleCounts gives a row the counts that belong to a replaced shard.
func settleCounts(row *ledger.Row, next ledger.Row, name string) {
	p, _ := holdings.FileTypeOf(name)
	before := row.Counts
	switch p.Kind {
	case holdings.KindCaptures: // replaced last: the other shards are new too
		row.Counts, row.Hosts = next.Counts, next.Hosts
	// The other counts belong to shards that may not be replaced yet.
	case holdings.KindDocuments:
		row.Counts, row.Hosts = next.Counts, next.Hosts
		row.TakenDown, row.Rejects, row.ByReject, row.Feeds = before.TakenDown, before.Rejects, before.ByReject, before.Feeds
		row.Links, row.Data = before.Links, before.Data
	case holdings.KindFeeds:
		row.Feeds = next.Feeds
	case holdings.KindLinks:
		row.Links = next.Links
	case holdings.KindData:
		row.Data = next.Data
	case holdings.KindRejects:
		row.Rejects, row.ByReject = next.Rejects, next.ByReject
	}
}

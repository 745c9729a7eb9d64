package care

import (
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/schemas"
)

// tallyMoved counts the documents of units whose documents were moved and that have fewer than their rows say. The
// sources files, a byte or two a row, identify these units; only shards with some of their documents are read.
func (t *removal) tallyMoved(rows map[string]ledger.Row, k ledger.Compaction) error {
	if len(k.Sources) == 0 {
		return nil
	}
	// Most units have lost nothing: this reads only the small lists.
	left := make([]int64, len(k.Sources))
	for _, s := range k.Shards {
		sources, err := ledger.ReadSources(t.f, s)
		if err != nil {
			return err
		}
		for _, at := range sources {
			// The file indexes the shard's list, which indexes the compaction's.
			left[s.Sources[at]]++
		}
	}
	documents := make(map[string]int64, len(rows))
	for key, r := range rows {
		documents[ledger.UnitOfKey(key)] = r.Counts.Documents
	}
	t.fewer = map[string]*tally{}
	for i, source := range k.Sources {
		// A source without a row is of a removed unit, which Finish settles.
		if n, there := documents[source.Unit]; there && n != left[i] {
			t.fewer[source.Unit] = newTally()
		}
	}
	for _, s := range k.Shards {
		if err := t.tallyShared(k, s); err != nil {
			return err
		}
	}
	return nil
}

// tallyShared counts the documents of these units in one shard.
func (t *removal) tallyShared(k ledger.Compaction, s ledger.CompactShard) error {
	if !slices.ContainsFunc(s.Sources, func(i int) bool { return t.fewer[k.Sources[i].Unit] != nil }) {
		return nil
	}
	return shard.Each(t.f, s, func(source int, d *schemas.Document) error {
		if left := t.fewer[k.Sources[source].Unit]; left != nil {
			left.add(d)
		}
		return t.ctx.Err()
	})
}

// withoutHosts removes hosts that were taken down from a unit's counts. It is for units that wrote only texts, whose
// documents cannot be counted again.
func (t *removal) withoutHosts(h *schemas.Hosts) *schemas.Hosts {
	gone := func(c schemas.HostCount) bool { return t.list.Has("http://" + c.Host + "/") }
	if h == nil || !slices.ContainsFunc(h.Top, gone) {
		return h
	}
	out := *h
	out.Top = slices.DeleteFunc(slices.Clone(h.Top), gone)
	out.Distinct -= int64(len(h.Top) - len(out.Top))
	return &out
}

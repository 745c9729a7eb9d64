package care

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/schemas"
)

// Refinish writes the manifest of a finished run again, from the rows of its units. It is for changes of shards that do
// not change the run's options. Without a manifest it returns fs.ErrNotExist.
func Refinish(c Collection) error {
	m, err := ledger.Finished(c.Folder())
	if err != nil {
		return err
	}
	rows, err := wholeRows(c, m)
	if err != nil {
		return err
	}
	// By shard names, because a manifest has no keys.
	byUnit := make(map[string]ledger.Row, len(rows))
	for key, r := range rows {
		byUnit[ledger.UnitOfKey(key)] = r
	}
	var results []schemas.UnitResult
	for _, u := range m.Units {
		unit, err := ledger.UnitOfShards(u.Shards)
		if err != nil {
			return err
		}
		r, ok := byUnit[unit]
		if !ok {
			continue // a shared shard
		}
		r.ID, r.Segments, r.MadeWith = len(results), nil, u.MadeWith // its segments were joined
		results = append(results, r.UnitResult)
	}
	named := ledger.UnitsOf(m)
	return c.Replace(m, results, others(rows, func(r ledger.Row) bool { return named[ledger.UnitOfKey(r.Key)] }))
}

// wholeRows returns the rows. A unit of m without a row is an error, because the next manifest would leave it out.
func wholeRows(c Collection, m schemas.Manifest) (map[string]ledger.Row, error) {
	k, err := c.Compaction()
	if err != nil {
		return nil, err
	}
	rows, err := c.Rows()
	if err != nil {
		return nil, err
	}
	if lost := ledger.Lost(m, k, rows); len(lost) > 0 {
		return nil, fmt.Errorf("%w: %d of %d units have no valid row in %s, such as unit %d with %s: nothing was changed. "+
			"Restore the files of these rows, or run ingest with the archives of these units again", ledger.ErrContent,
			len(lost), len(m.Units), c.Folder().Path(holdings.HiddenDir), lost[0].ID, ledger.Describe(lost[0].Shards))
	}
	return rows, nil
}

// others returns the keys of the rows that are not ours, sorted.
func others(rows map[string]ledger.Row, ours func(ledger.Row) bool) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		if !ours(rows[key]) {
			keys = append(keys, key)
		}
	}
	return keys
}

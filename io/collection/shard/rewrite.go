package shard

import (
	"fmt"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Rewrite rewrites a shard with the documents for which keep is true; source is an index into the
// sources of the compaction. If none
// are kept, the result has 0 rows and no file.
func Rewrite(
	f folder.Folder, order parquetfile.Order, s ledger.CompactShard, keep func(source int, d *schemas.Document) bool,
) (ledger.CompactShard, error) {
	sources, err := ledger.ReadSources(f, s)
	if err != nil {
		return s, err
	}
	// Rows are already in order, so no sort is needed.
	w := NewShared(f, order, s.Month)
	defer w.Discard()
	at, record := 0, []byte(nil)
	for d, err := range holdings.ReadParquet(f, s.Shard) {
		if err == nil && at == len(sources) {
			err = ledger.ErrContent
		}
		if err != nil {
			return s, fmt.Errorf("%s: %w", s.Name, err)
		}
		source := s.Sources[sources[at]]
		at++
		if !keep(source, d) {
			continue
		}
		if record, err = parquetfile.AppendRecord(record[:0], d); err != nil {
			return s, err
		}
		if err := w.Add(source, record); err != nil {
			return s, err
		}
	}
	if w.rows == 0 {
		return ledger.CompactShard{}, nil
	}
	return w.Finish()
}

package collection

import (
	"fmt"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// rewriteShared rewrites a shard with the documents for which keep is true; source is an index into the
// sources of the compaction. If none
// are kept, the result has 0 rows and no file.
func rewriteShared(
	f folder.Folder, order parquetfile.Order, s CompactShard, keep func(source int, d *schemas.Document) bool,
) (CompactShard, error) {
	sources, err := readSources(f, s)
	if err != nil {
		return s, err
	}
	// Rows are already in order, so no sort is needed.
	w := newSharedWriter(f, order, s.Month)
	defer w.discard()
	at, record := 0, []byte(nil)
	for d, err := range holdings.ReadParquet(f, s.Shard) {
		if err == nil && at == len(sources) {
			err = ErrContent
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
		if err := w.add(source, record); err != nil {
			return s, err
		}
	}
	if w.rows == 0 {
		return CompactShard{}, nil
	}
	return w.finish()
}

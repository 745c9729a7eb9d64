package shard

import (
	"fmt"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Rewrite rewrites a shard with the documents for which keep is true; source is an index into the sources of the
// compaction. If none are kept, the result has 0 rows and no file.
func Rewrite(
	f folder.Folder, order parquetfile.Order, s ledger.CompactShard, keep func(source int, d *schemas.Document) bool,
) (ledger.CompactShard, error) {
	// Rows are already in order, so no sort is needed.
	w := NewShared(f, order, s.Month)
	defer w.Discard()
	var record []byte
	err := Each(f, s, func(source int, d *schemas.Document) (err error) {
		if !keep(source, d) {
			return nil
		}
		if record, err = parquetfile.AppendRecord(record[:0], d); err != nil {
			return err
		}
		return w.Add(source, record)
	})
	if err != nil {
		return s, err
	}
	if w.rows == 0 {
		return ledger.CompactShard{}, nil
	}
	return w.Finish()
}

// Each calls do for each document of a shared shard, with its source as for Rewrite, up to the first error.
func Each(f folder.Folder, s ledger.CompactShard, do func(source int, d *schemas.Document) error) error {
	sources, err := ledger.ReadSources(f, s)
	if err != nil {
		return err
	}
	at := 0
	for d, err := range holdings.ReadParquet(f, s.Shard) {
		// The sources are a list in another file, one a row: a different length means damage.
		if err == nil && at == len(sources) {
			err = ledger.ErrContent
		}
		if err == nil {
			err = do(s.Sources[sources[at]], d)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		at++
	}
	return nil
}

package contentdb

import (
	"context"
	"slices"

	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/schemas"
)

// maxOriginals bounds what is looked at for one revisit: a digest may be that of a picture on every page.
const maxOriginals = 10_000

// Originals are the captures of the collection that may be what a revisit refers to, the best first: see package
// revisit. d has revisit.Columns, and so do they.
func (db *DB) Originals(ctx context.Context, d *schemas.Document) ([]*schemas.Document, error) {
	w := revisit.WantedBy(d)
	// Captures that nothing better than a 304 points to: they are taken if no other way finds more.
	var weak []*schemas.Document
	// The whole collection is looked at only for what the page does not tell.
	for _, where := range w.Ways() {
		var list []*schemas.Document
		for c, err := range db.Each(ctx, where, revisit.Columns) {
			if err != nil {
				return nil, err
			}
			// The filters take more than originals: a page has other captures as well.
			if w.Evidence(c) != revisit.None {
				list = append(list, c)
			}
			if len(list) == maxOriginals {
				break
			}
		}
		if list = w.Best(list); len(list) > 0 && w.Evidence(list[0]) > revisit.Unmodified {
			return list, nil
		}
		weak = append(weak, list...)
	}
	return weak, nil
}

// Spoken is how many captures have a language and no text: revisits, by what they refer to.
func (db *DB) Spoken(ctx context.Context) (int64, error) {
	set, err := db.revisits(ctx, revisit.Filled)
	return set.Spoken(), err
}

// revisits is what revisits have of their originals, for a question that reads some columns; nil where it needs none.
func (db *DB) revisits(ctx context.Context, columns []string) (*revisit.Set, error) {
	if !revisit.Touches(columns) || db.o.Files == nil && !revisit.Has(db.manifest) {
		return nil, nil
	}
	db.filling.Lock() // over the reading, too: of many who ask at once one reads
	defer db.filling.Unlock()
	if db.filled {
		return db.set, nil
	}
	// All shards, columnar ones and those of lines, since an original may be in any of them. Cloned, because append could
	// write into a list that others read.
	set, err := revisit.Read(ctx, db.part.Folder, append(slices.Clone(db.columnar), db.lines.DocumentShards()...))
	// An error is not kept: the next question tries again.
	if err != nil {
		return nil, err
	}
	db.set, db.filled = set, true
	return set, nil
}

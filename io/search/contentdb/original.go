package contentdb

import (
	"context"
	"slices"

	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// maxOriginals limits the candidates for one revisit: a digest may be that of a picture on every page.
const maxOriginals = 10_000

// Originals returns the captures that a revisit may refer to, the best first: see package revisit. d and the results
// have revisit.Columns. Captures that may not be read are not among them.
func (db *DB) Originals(ctx context.Context, d *schemas.Document) ([]*schemas.Document, error) {
	return db.originals(ctx, d, revisit.Columns)
}

// OriginalsOnPage is Originals among the captures of the revisit's page and of the page that it names. It reads no
// others.
func (db *DB) OriginalsOnPage(ctx context.Context, d *schemas.Document) ([]*schemas.Document, error) {
	w := revisit.WantedBy(d)
	return db.originalsIn(ctx, w, w.OnPages(), revisit.Columns)
}

// originals is Originals with more columns.
func (db *DB) originals(ctx context.Context, d *schemas.Document, columns []string) ([]*schemas.Document, error) {
	w := revisit.WantedBy(d)
	return db.originalsIn(ctx, w, w.Ways(), columns)
}

// originalsIn returns the possible originals that one of the ways finds.
func (db *DB) originalsIn(
	ctx context.Context, w revisit.Wanted, ways []query.Expr, columns []string,
) ([]*schemas.Document, error) {
	// Candidates that only a 304 response suggests, used if nothing better is found.
	var weak []*schemas.Document
	// The whole collection is searched only if the page is not enough.
	for _, where := range ways {
		var list []*schemas.Document
		for c, err := range db.all().Each(ctx, where, columns) {
			if err != nil {
				return nil, err
			}
			// The filters also match other captures of the page.
			if db.MayRead(c) && w.Evidence(c) != revisit.None {
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

// Revisits returns what all revisits of the collection take from their originals, or nil without revisits. The first
// call reads the collection. It does not know what a reader may read.
func (db *DB) Revisits(ctx context.Context) (*revisit.Set, error) {
	return db.revisits(ctx, revisit.Filled)
}

// revisits returns the values of originals for revisits, for a query that reads these columns, or nil if it needs none.
func (db *DB) revisits(ctx context.Context, columns []string) (*revisit.Set, error) {
	if db.whole != nil {
		return db.all().revisits(ctx, columns)
	}
	if !revisit.Touches(columns) || db.o.Files == nil && !revisit.Has(db.manifest) {
		return nil, nil
	}
	db.filling.Lock() // held while reading, so that only one of several callers reads
	defer db.filling.Unlock()
	if db.filled {
		return db.set, nil
	}
	// An original may be in any shard. Cloned, because append could write to a shared list.
	set, err := revisit.Read(ctx, db.part.Folder, append(slices.Clone(db.columnar), db.lines.DocumentShards()...))
	// Errors are not cached: the next query tries again.
	if err != nil {
		return nil, err
	}
	db.set, db.filled = set, true
	return set, nil
}

package contentdb

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// scan yields the rows that a query must examine. Usually these match its filter. With query.Query.At, these are all
// rows captured by then, because versions that do not match hide older ones.
func (db *DB) scan(ctx context.Context, q query.Query, columns []string) iter.Seq2[candidate, error] {
	test := query.Compile(q.Where)
	return func(yield func(candidate, error) bool) {
		// Only a hint: the Parquet reader skips pages that cannot match, and each row is tested again below.
		read := q.Where
		if !q.At.IsZero() {
			read = query.Until(q.At) // for Parquet; lines are read whole
		}
		for d, err := range db.rows(ctx, read, columns) {
			if err != nil {
				yield(candidate{}, err)
				return
			}
			r := candidate{d: d, taken: test(d)}
			// Without query.Query.At, a row that does not match hides no other row.
			if !q.At.IsZero() && query.KeyOf(d).Timestamp.After(q.At) || q.At.IsZero() && !r.taken {
				continue
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// rows yields the documents that where may match, with at least the given columns, in any order.
func (db *DB) rows(ctx context.Context, where query.Expr, columns []string) iter.Seq2[*schemas.Document, error] {
	if columns == nil {
		// The Parquet reader needs names.
		columns = Columns()
	}
	return func(yield func(*schemas.Document, error) bool) {
		set, err := db.revisits(ctx, columns)
		if err != nil {
			yield(nil, fmt.Errorf("contentdb: %w", err))
			return
		}
		for d, err := range db.tableRows(ctx, set.Wider(where), union(columns, keyColumns)) {
			if err != nil {
				yield(nil, fmt.Errorf("contentdb: %w", err))
				return
			}
			set.Fill(d)
			if !yield(d, nil) {
				return
			}
		}
		for d, err := range db.lines.Documents(ctx) {
			if err == nil {
				set.Fill(d)
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// tableRows is rows of Parquet. The last are those of other programs, which need not know our keys of a URL.
func (db *DB) tableRows(ctx context.Context, where query.Expr, columns []string) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		for r, err := range db.shards.Rows(ctx, where, columns) {
			if !yield(r.Document, err) || err != nil {
				return
			}
		}
		columns = union(columns, []string{"url", "host", "domain"})
		stated, _ := query.Split(where, func(e query.Expr) bool {
			c, is := e.(*query.Compare)
			return is && !slices.Contains(derived, c.Field)
		})
		for _, s := range db.foreign {
			for r, err := range db.shards.In(ctx, s, stated, columns) {
				if err == nil {
					holdings.Complete(r.Document, s.Name, r.Number+1)
				}
				if !yield(r.Document, err) || err != nil {
					return
				}
			}
		}
	}
}

// derived are the columns that are filled in, and url, whose comparisons become bounds of surt.
var derived = []string{"url", "surt", "host", "domain", "filename", "offset", "sequence"}

// divide splits the document shards of p into Parquet and JSON lines. Of units with both it takes Parquet, which allows
// reading single columns.
func divide(p holdings.Part) (columnar []schemas.Shard, lines holdings.Part) {
	has := map[string]bool{}
	for _, s := range p.Shards {
		// Both formats hold the same documents.
		if unit, ok := parquetUnit(s); ok {
			columnar = append(columnar, s)
			has[unit] = true
		}
	}
	lines = holdings.Part{Folder: p.Folder}
	for _, s := range p.Shards {
		unit, _, _ := strings.Cut(s.Name, ".")
		if _, isParquet := parquetUnit(s); !isParquet && !has[unit] {
			lines.Shards = append(lines.Shards, s)
		}
	}
	return columnar, lines
}

// parquetUnit returns the name of a Parquet document shard without extension, which both formats of a unit share.
func parquetUnit(s schemas.Shard) (string, bool) {
	unit, _, _ := strings.Cut(s.Name, ".")
	return unit, holdings.IsTable(s)
}

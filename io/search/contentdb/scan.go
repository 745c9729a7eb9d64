package contentdb

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// scan yields the rows of the shards that a question has to look at: those that its filter takes, or with a moment all
// that were captured by then, since a version that the filter does not take hides older ones.
func (db *DB) scan(ctx context.Context, q query.Query, columns []string) iter.Seq2[candidate, error] {
	// Once for all rows.
	test := query.Compile(q.Where)
	return func(yield func(candidate, error) bool) {
		// For the Parquet reader it is a hint: pages that cannot have an answer are skipped, and each row is tested
		// here again.
		read := q.Where
		if !q.At.IsZero() {
			read = query.Until(q.At) // of Parquet; lines are read whole
		}
		for d, err := range db.rows(ctx, read, columns) {
			if err != nil {
				yield(candidate{}, err)
				return
			}
			r := candidate{d: d, taken: test(d)}
			// Without a moment a row that the filter does not take is not an answer, and hides none.
			if !q.At.IsZero() && query.KeyOf(d).Timestamp.After(q.At) || q.At.IsZero() && !r.taken {
				continue
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// rows yields the documents that where may take, with the columns at least. Their order means nothing.
func (db *DB) rows(ctx context.Context, where query.Expr, columns []string) iter.Seq2[*schemas.Document, error] {
	if columns == nil {
		// The Parquet reader wants names; nil means all only here.
		columns = Columns()
	}
	return func(yield func(*schemas.Document, error) bool) {
		set, err := db.revisits(ctx, columns)
		if err != nil {
			yield(nil, fmt.Errorf("contentdb: %w", err))
			return
		}
		for r, err := range db.shards.Rows(ctx, set.Wider(where), union(columns, keyColumns)) {
			if err != nil {
				yield(nil, fmt.Errorf("contentdb: %w", err))
				return
			}
			set.Fill(r.Document)
			if !yield(r.Document, nil) {
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

// divide tells the shards of documents that are Parquet from those of JSON lines. Of a unit that has both the Parquet
// is taken, which is read by the columns that are asked for.
func divide(p holdings.Part) (columnar []schemas.Shard, lines holdings.Part) {
	has := map[string]bool{}
	for _, s := range p.Shards {
		// Both formats hold the same documents, and only one of them may be counted.
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

// parquetUnit is the beginning of the name of a Parquet shard of documents, which is the same in each format of a
// unit's documents.
func parquetUnit(s schemas.Shard) (string, bool) {
	unit, _, _ := strings.Cut(s.Name, ".")
	return unit, holdings.IsTable(s)
}

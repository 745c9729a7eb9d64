// Package bigtable implements [rowstore.Store] with a table of Google's Bigtable, for pipelines on Dataflow.
//
//	client, err := bigtable.NewClient(ctx, "project", "instance") // cloud.google.com/go/bigtable
//	s := bigtable.New(client.Open("pages"))
//
// The client finds credentials in its environment, and repeats requests that may succeed. Bigtable advises rows of at
// most 100 MB and refuses those above 256 MB, so payloads of often captured pages do not belong there.
//
// The library adds 50 MB to a program, so none of our commands has it.
package bigtable

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"time"

	"cloud.google.com/go/bigtable"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// Store is a table.
type Store struct{ t bigtable.TableAPI }

// New returns a table. The policy of its families limits versions: bigtable.NoGcPolicy keeps all.
func New(t bigtable.TableAPI) *Store { return &Store{t} }

var _ rowstore.Store = (*Store)(nil)

// stamp returns a version: Bigtable counts microseconds, and tables keep whole milliseconds of them.
func stamp(t time.Time) bigtable.Timestamp { return bigtable.Timestamp(rowstore.Millis(t) * 1000) }

// batchBytes is the approximate size of values in one request, because gRPC limits the size of messages.
const batchBytes = 4 << 20

// Put writes cells.
func (s *Store) Put(ctx context.Context, rows []rowstore.Row) error {
	if err := rowstore.Check(rows); err != nil {
		return fmt.Errorf("bigtable: %w", err)
	}
	var keys []string
	var changes []*bigtable.Mutation
	size := 0
	// Merge leaves one cell of each version, the last.
	for _, r := range rowstore.Merge(rows) {
		if len(r.Cells) == 0 {
			continue
		}
		m := bigtable.NewMutation()
		for _, c := range r.Cells {
			m.Set(c.Family, c.Qualifier, stamp(c.Time), c.Value)
			size += len(c.Value) + len(c.Qualifier)
		}
		if keys, changes = append(keys, r.Key), append(changes, m); size >= batchBytes {
			if err := s.apply(ctx, keys, changes); err != nil {
				return err
			}
			keys, changes, size = nil, nil, 0
		}
	}
	return s.apply(ctx, keys, changes)
}

func (s *Store) apply(ctx context.Context, keys []string, changes []*bigtable.Mutation) error {
	if len(keys) == 0 {
		return ctx.Err()
	}
	each, err := s.t.ApplyBulk(ctx, keys, changes)
	// The errors of rows come first: err alone does not say which rows failed.
	for i, e := range each {
		if e != nil {
			return failed(ctx, fmt.Sprintf("row %.80q", keys[i]), e)
		}
	}
	return failed(ctx, "writing", err)
}

// failed gives an error one of the contract's kinds. Codes identify errors of the request.
func failed(ctx context.Context, what string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("bigtable: %s: %w", what, ctx.Err())
	}
	switch status.Code(err) {
	case codes.InvalidArgument, codes.NotFound, codes.FailedPrecondition, codes.PermissionDenied:
		return fmt.Errorf("bigtable: %s: %w", what, errors.Join(rowstore.ErrRefused, err))
	}
	return fmt.Errorf("bigtable: %s: %w", what, err)
}

// Get returns a row.
func (s *Store) Get(ctx context.Context, key string, r rowstore.Range) (rowstore.Row, error) {
	// Filters apply to scans only.
	r.Where = nil
	row, err := s.t.ReadRow(ctx, key, bigtable.RowFilter(filter(r)))
	out := rowOf(row)
	out.Key = key
	return out, failed(ctx, "reading", err)
}

// Scan returns rows.
func (s *Store) Scan(ctx context.Context, r rowstore.Range) iter.Seq2[rowstore.Row, error] {
	return func(yield func(rowstore.Row, error) bool) {
		var ranges bigtable.RowRangeList
		for _, span := range r.Spans() {
			switch {
			case span.To == "":
				ranges = append(ranges, bigtable.InfiniteRange(span.From))
			case span.From < span.To:
				ranges = append(ranges, bigtable.NewRange(span.From, span.To))
			}
		}
		if len(ranges) == 0 {
			return // an empty list would mean all rows
		}
		options := []bigtable.ReadOption{bigtable.RowFilter(filter(r))}
		if r.Limit > 0 {
			options = append(options, bigtable.LimitRows(int64(r.Limit)))
		}
		more := true
		err := s.t.ReadRows(ctx, ranges, func(row bigtable.Row) bool {
			// If this is false, the client stops the stream without an error.
			more = yield(rowOf(row), nil)
			return more
		}, options...)
		if err != nil && more {
			yield(rowstore.Row{}, failed(ctx, "reading", err))
		}
	}
}

// filter returns the filter for the cells to read, and for the rows.
func filter(r rowstore.Range) bigtable.Filter {
	// The order counts: versions are counted among those that the bounds of time have left.
	chain := []bigtable.Filter{times(r)}
	if r.Families != nil {
		quoted := make([]string, len(r.Families))
		for i, f := range r.Families {
			// Names of families are regular expressions (RE2) here, and match as a whole.
			quoted[i] = regexp.QuoteMeta(f)
		}
		chain = append(chain, bigtable.FamilyFilter(strings.Join(quoted, "|")))
	}
	if r.Versions >= 0 {
		chain = append(chain, bigtable.LatestNFilter(max(1, r.Versions)))
	}
	out := chained(chain...)
	// The condition and the output both apply to the whole row, so that neither depends on the other.
	if r.Where != nil {
		return bigtable.ConditionFilter(taken(r, r.Where), out, nil)
	}
	return out
}

func chained(chain ...bigtable.Filter) bigtable.Filter {
	if len(chain) == 1 {
		return chain[0]
	}
	return bigtable.ChainFilters(chain...)
}

func times(r rowstore.Range) bigtable.Filter {
	till := bigtable.Timestamp(0) // no limit
	if !r.Till.IsZero() {
		till = stamp(r.Till)
	}
	since := bigtable.Timestamp(0)
	if !r.Since.IsZero() {
		since = stamp(r.Since)
	}
	if r.NoTime() {
		return bigtable.BlockAllFilter()
	}
	return bigtable.TimestampRangeFilterMicros(since, till)
}

// taken passes a cell of a row if f takes the row, and none otherwise.
func taken(r rowstore.Range, f rowstore.Filter) bigtable.Filter {
	switch f := f.(type) {
	case rowstore.Column:
		// Ranges compare bytes, where other filters parse regular expressions. A range up to the same text with a zero
		// byte matches that text alone.
		chain := []bigtable.Filter{bigtable.ColumnRangeFilter(f.Family, f.Qualifier, f.Qualifier+"\x00"), times(r)}
		if f.Value != nil {
			chain = append(chain, bigtable.ValueRangeFilter(f.Value, append(slices.Clone(f.Value), 0)))
		}
		return chained(chain...)
	case rowstore.Any:
		switch len(f) {
		case 0:
			return bigtable.BlockAllFilter()
		case 1:
			return taken(r, f[0])
		}
		each := make([]bigtable.Filter, len(f))
		for i, x := range f {
			each[i] = taken(r, x)
		}
		return bigtable.InterleaveFilters(each...)
	case rowstore.All:
		all := bigtable.PassAllFilter()
		// Backwards, so that each condition contains the later ones: nested conditions are the service's "and".
		for i, x := range slices.Backward(f) {
			if i == len(f)-1 {
				all = taken(r, x)
				continue
			}
			all = bigtable.ConditionFilter(taken(r, x), all, nil)
		}
		return all
	}
	return bigtable.PassAllFilter()
}

// rowOf returns a row in the contract's order.
func rowOf(row bigtable.Row) (out rowstore.Row) {
	out.Key = row.Key()
	for family, items := range row {
		for _, x := range items {
			out.Cells = append(out.Cells, rowstore.Cell{
				Family: family, Qualifier: strings.TrimPrefix(x.Column, family+":"), Time: rowstore.At(int64(x.Timestamp) / 1000),
				Value: x.Value,
			})
		}
	}
	slices.SortFunc(out.Cells, rowstore.Cell.Compare)
	return out
}

// Delete removes versions: the whole row, or in each of its columns the versions before a time.
func (s *Store) Delete(ctx context.Context, key string, till time.Time) error {
	m := bigtable.NewMutation()
	if till.IsZero() {
		m.DeleteRow()
		return failed(ctx, "deleting", s.t.Apply(ctx, key, m))
	}
	if rowstore.Millis(till) == 0 {
		return nil
	}
	columns := bigtable.ChainFilters(
		times(rowstore.Range{Till: till}), bigtable.LatestNFilter(1), bigtable.StripValueFilter(),
	)
	row, err := s.t.ReadRow(ctx, key, bigtable.RowFilter(columns))
	if err != nil || len(row) == 0 {
		return failed(ctx, "deleting", err)
	}
	for _, c := range rowOf(row).Cells {
		m.DeleteTimestampRange(c.Family, c.Qualifier, 0, stamp(till))
	}
	return failed(ctx, "deleting", s.t.Apply(ctx, key, m))
}

// Splits returns keys that Bigtable has sampled.
func (s *Store) Splits(ctx context.Context) ([]string, error) {
	keys, err := s.t.SampleRowKeys(ctx)
	keys = slices.DeleteFunc(keys, func(k string) bool { return k == "" }) // the empty key is the table's end
	return keys, failed(ctx, "sampling", err)
}

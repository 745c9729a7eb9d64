//go:build !noiceberg && !local

package lake

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// ErrDeletes means that delete files remove rows of a snapshot (merge on read), which this package does not apply.
// Spark rewrites the data instead where the table's write.delete.mode, update.mode and merge.mode are copy-on-write,
// the default.
var ErrDeletes = errors.New("lake: rows of the table are deleted by delete files, which gleaner does not read: " +
	"rewrite the data files with the program that deleted them (Spark: CALL system.rewrite_data_files with " +
	"'delete-file-threshold', '1')")

// File is a data file of a snapshot.
type File struct {
	Name    string // in the collection's folder
	Bytes   int64
	Records int64
	// SURT and Time are bounds over all rows that have a value, both inclusive. A bound of SURTs may be shortened, and
	// is then wider than the rows. They are empty and zero if they are not known or no row has a value.
	SURT [2]string
	Time [2]time.Time

	format  iceberg.FileFormat
	content iceberg.ManifestEntryContent
}

// Ours reports whether the file is a shard of the collection. Other programs insert or rewrite all other files.
func (f File) Ours() bool { return shardPattern().MatchString(f.Name) }

// Plan returns the files of a snapshot that may hold rows for q, sorted by name. It reads only manifests: their bounds
// of surt, timestamp, status, language and mime_detected. The caller tests the other conditions of q on the rows. The
// zero Query returns all files.
//
// With q.At, a newer row that q.Where rejects may hide an older one. So only conditions that are the same for all
// versions of a page select files.
func (t *Table) Plan(ctx context.Context, p Point, q query.Query) ([]File, error) {
	now, err := t.load(ctx)
	if err != nil {
		return nil, err
	}
	s, err := find(now.Metadata(), p)
	if err != nil || s == nil {
		return nil, err
	}
	where := pushed(q, now.Schema())
	// The library skips first the manifests and then the files that the bounds exclude.
	tasks, err := now.Scan(table.WithSnapshotID(s.SnapshotID), table.WithRowFilter(where)).PlanFiles(ctx)
	if err != nil {
		return nil, fmt.Errorf("lake: plan: %w", err)
	}
	var files []File
	for _, task := range tasks {
		// Rows that somebody has deleted must not come back in an answer.
		if len(task.DeleteFiles)+len(task.EqualityDeleteFiles)+len(task.DeletionVectorFiles) > 0 {
			return nil, fmt.Errorf("%w (snapshot %d)", ErrDeletes, s.SnapshotID)
		}
		f, err := fileOf(now, task.File)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	// A large file is planned as several splits.
	return slices.CompactFunc(files, func(a, b File) bool { return a.Name == b.Name }), nil
}

// fileOf describes a data file.
func fileOf(now *table.Table, d iceberg.DataFile) (File, error) {
	name, err := nameIn(now.Location(), d.FilePath())
	if err != nil {
		return File{}, err
	}
	if d.FileFormat() != iceberg.ParquetFile {
		return File{}, fmt.Errorf("lake: %s is %s, and Parquet alone is read", name, d.FileFormat())
	}
	f := File{Name: name, Bytes: d.FileSizeBytes(), Records: d.Count()}
	low, high := d.LowerBoundValues(), d.UpperBoundValues()
	if c, ok := now.Schema().FindFieldByName("surt"); ok {
		f.SURT = [2]string{string(low[c.ID]), string(high[c.ID])}
	}
	if c, ok := now.Schema().FindFieldByName("timestamp"); ok && len(low[c.ID]) == 8 && len(high[c.ID]) == 8 {
		f.Time = [2]time.Time{moment(low[c.ID]), moment(high[c.ID])}
	}
	return f, nil
}

// moment decodes a timestamp in Iceberg's binary form.
func moment(b []byte) time.Time { return time.UnixMicro(int64(binary.LittleEndian.Uint64(b))).UTC() }

// pushed returns the part of a query that manifests can answer. All rows that q takes, or has to know, pass it.
func pushed(q query.Query, schema *iceberg.Schema) iceberg.BooleanExpression {
	if q.At.IsZero() {
		return push(q.Where, schema, bounded)
	}
	// All versions of a page share its SURT, so a skipped file has none of them. Status or language may differ between
	// versions.
	where := push(q.Where, schema, []string{"surt"})
	if _, ok := schema.FindFieldByName("timestamp"); !ok {
		return where
	}
	until := iceberg.LessThanEqual(iceberg.Reference("timestamp"), iceberg.Timestamp(q.At.UnixMicro()))
	// A row without a timestamp is older than all others.
	return iceberg.NewAnd(where, iceberg.NewOr(until, iceberg.IsNull(iceberg.Reference("timestamp"))))
}

// push returns an expression over some columns that all rows pass which e takes.
func push(e query.Expr, schema *iceberg.Schema, columns []string) iceberg.BooleanExpression {
	switch e := e.(type) {
	case *query.And:
		// Parts that cannot be pushed are AlwaysTrue and change nothing.
		var all iceberg.BooleanExpression = iceberg.AlwaysTrue{}
		for _, x := range e.List {
			all = iceberg.NewAnd(all, push(x, schema, columns))
		}
		return all
	case *query.Or:
		// A part that cannot be pushed is AlwaysTrue, and makes the whole disjunction true.
		var any iceberg.BooleanExpression = iceberg.AlwaysFalse{}
		for _, x := range e.List {
			any = iceberg.NewOr(any, push(x, schema, columns))
		}
		return any
	case *query.Compare:
		// The rows decide about a column that the table lacks: there its absence has a meaning.
		if _, ok := schema.FindFieldByName(e.Field); ok && slices.Contains(columns, e.Field) {
			return compareTo(e)
		}
	}
	return iceberg.AlwaysTrue{} // a negation, or a field that manifests lack
}

// compareTo returns a comparison as an Iceberg expression. A row without the field never passes.
func compareTo(c *query.Compare) iceberg.BooleanExpression {
	column := iceberg.Reference(c.Field)
	f, _, err := query.Lookup(c.Field)
	v := c.Value
	switch {
	// A negation would need bounds over all rows, but manifests only say which values may occur.
	case err != nil || c.Op == query.NotEqual || c.Op == query.Has || v.Any || v.Before:
	case f.Kind == query.Time:
		return compareTime(column, c.Op, v)
	case f.Kind == query.Integer:
		return compareWith(column, c.Op, v.Integer)
	// A text with a wildcard at its end is a prefix, which bounds of texts can test.
	case f.Kind == query.String && v.After && c.Op == query.Equal:
		return iceberg.StartsWith(column, v.Text)
	case f.Kind == query.String && !v.After:
		return compareWith(column, c.Op, v.Text)
	}
	return iceberg.AlwaysTrue{}
}

// compareWith compares a column with one value.
func compareWith[T int64 | string | iceberg.Timestamp](
	column iceberg.Reference, op query.Op, v T,
) iceberg.BooleanExpression {
	switch op {
	case query.Equal:
		return iceberg.EqualTo(column, v)
	case query.Less:
		return iceberg.LessThan(column, v)
	case query.LessEqual:
		return iceberg.LessThanEqual(column, v)
	case query.Greater:
		return iceberg.GreaterThan(column, v)
	case query.GreaterEqual:
		return iceberg.GreaterThanEqual(column, v)
	}
	return iceberg.AlwaysTrue{}
}

// compareTime compares with a period, [From, To).
func compareTime(column iceberg.Reference, op query.Op, v query.Value) iceberg.BooleanExpression {
	from, to := iceberg.Timestamp(v.From.UnixMicro()), iceberg.Timestamp(v.To.UnixMicro())
	switch op {
	case query.Equal:
		return iceberg.NewAnd(iceberg.GreaterThanEqual(column, from), iceberg.LessThan(column, to))
	case query.Less:
		return iceberg.LessThan(column, from)
	case query.LessEqual:
		return iceberg.LessThan(column, to)
	case query.Greater:
		return iceberg.GreaterThanEqual(column, to)
	case query.GreaterEqual:
		return iceberg.GreaterThanEqual(column, from)
	}
	return iceberg.AlwaysTrue{}
}

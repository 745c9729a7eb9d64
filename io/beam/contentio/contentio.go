// Package contentio queries collections in pipelines: it does the work of pipelines/query as Beam transforms, for
// graphs of your own, on any runner.
//
//	q := query.Query{Where: where} // of query.Parse(`language = fr AND mime_detected = "application/pdf"`)
//	pages := contentio.Query(s, "gs://bucket/news", q, "url", "title", "text")
//
// The result equals that of the embedded query (package contentdb) except for its order: a PCollection has none.
// query.Query.Order decides which captures a limit keeps.
//
// One worker reads each unit's shards: Parquet page by page, with the filter on columns (package parquetscan), and JSON
// lines whole. The newest version of each page is then found by SURT. Runners do that on each worker first, and shuffle
// the rest. So the shuffle has the requested columns of the rows that the filter takes. A query for text and main_html
// of many pages shuffles these, and one for all versions shuffles nothing.
//
// A takedown, or another change that replaces or removes shards during the reading, fails the pipeline with the text of
// holdings.ErrChanged. Run it again in this case, as the command query does.
//
// Write makes a collection of documents, for example of a query's result.
package contentio

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/beam/collectionio"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/parquetscan"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

func init() {
	beam.RegisterDoFn(&scanFn{})
	beam.RegisterDoFn(&documentFn{})
	beam.RegisterDoFn(&limitFn{})
	beam.RegisterFunction(newer)
	beam.RegisterFunction(apart)
	beam.RegisterType(reflect.TypeFor[schemas.Document]())
}

// Read returns all captures of the collection called dir, a path or a gs:// or s3:// URL, as schemas.Document. The
// columns are names of schemas.Document's fields; Read adds those that identify captures. Without columns it reads all.
func Read(s beam.Scope, dir string, columns ...string) beam.PCollection {
	return Query(s.Scope("contentio.Read"), dir, query.Query{AllVersions: true}, columns...)
}

// Query returns the captures that q selects, like Read. It panics if the graph cannot be built. The query may fail
// q.Check or have a position, or its filter may have no text form, such as an empty query.Or. An unknown column fails
// the pipeline.
func Query(s beam.Scope, dir string, q query.Query, columns ...string) beam.PCollection {
	s = s.Scope("contentio.Query")
	o := optionsOf(q, columns)
	rows := beam.ParDo(s, &scanFn{Options: o}, collectionio.Units(s, dir))
	if !q.AllVersions {
		rows = beam.CombinePerKey(s, newer, rows)
	}
	rows = beam.ParDo(s, apart, rows)
	if q.Limit > 0 {
		rows = beam.Combine(s, &limitFn{Options: o}, rows)
	}
	return beam.ParDo(s, &documentFn{Options: o}, rows)
}

// options are a query in the form that travels to workers.
type options struct {
	Where   string
	At      string // RFC 3339; empty: none
	Order   query.Order
	Limit   int
	Sample  int64
	Columns []string // empty: all
}

func optionsOf(q query.Query, columns []string) options {
	o := options{Order: q.Order, Limit: q.Limit, Sample: q.Sample, Columns: columns}
	if q.Order == query.Length && len(columns) > 0 {
		o.Columns = append(slices.Clone(columns), "length")
	}
	err := q.Check()
	if q.Where != nil {
		o.Where = q.Where.String()
		if again, bad := query.Parse(o.Where); bad != nil || again == nil || again.String() != o.Where {
			err = errors.Join(err, bad, errors.New("a filter that has no form in the grammar"))
		}
	}
	if q.After != nil {
		err = errors.Join(err, errors.New("a mark says where a page of an ordered answer begins, and a PCollection has "+
			"no order"))
	}
	if !q.At.IsZero() {
		o.At = q.At.Format(time.RFC3339Nano)
	}
	if err != nil {
		panic(fmt.Errorf("contentio: %w", err))
	}
	return o
}

// where returns the filter with the sample, or nil.
func (o options) where() (query.Expr, error) {
	q := query.Query{Sample: o.Sample}
	if o.Where != "" {
		var err error
		if q.Where, err = query.Parse(o.Where); err != nil {
			return nil, err
		}
	}
	return q.Sampled().Where, nil
}

// version is a candidate capture in the form that travels.
type version struct {
	// Taken reports whether the filter takes it. With query.Query.At, versions that it rejects hide older ones.
	Taken    bool              `json:"taken"`
	Document *schemas.Document `json:"document"` // if it is not taken, only its key
}

// scanFn reads the rows of a unit.
type scanFn struct {
	Options options
	// sets have the originals of revisits by collection; each worker reads them once.
	sets map[string]*revisit.Set
}

// keys are the columns that identify and order captures.
var keys = []string{"surt", "timestamp", "filename", "offset", "sequence"}

// ProcessElement emits a unit's versions by their SURTs.
func (f *scanFn) ProcessElement(ctx context.Context, row []byte, emit func(string, []byte)) error {
	var u collectionio.Unit
	if err := json.Unmarshal(row, &u); err != nil {
		return err
	}
	where, err := f.Options.where()
	if err != nil {
		return err
	}
	read, taken := where, query.Compile(where)
	if f.Options.At != "" {
		at, err := time.Parse(time.RFC3339Nano, f.Options.At)
		if err != nil {
			return err
		}
		read = query.Until(at)
	}
	old := query.Compile(read)
	return collectionio.InFolder(ctx, u.Dir, func(dir folder.Folder) error {
		set, err := f.revisits(ctx, u.Dir, dir, f.columns(where))
		if err != nil {
			return err
		}
		for d, err := range documents(ctx, dir, u.Shards, set.Wider(read), f.columns(where)) {
			if err != nil {
				return err
			}
			set.Fill(d)
			if !old(d) {
				continue // of JSON lines, which are read whole
			}
			v := version{taken(d), d}
			if !v.Taken {
				v.Document = key(d)
			}
			b, err := json.Marshal(v)
			if err != nil {
				return err
			}
			emit(d.SURT, b)
		}
		return nil
	})
}

// revisits returns the data of revisits' originals in a collection for a query that reads some columns. It returns nil
// if the query needs none.
func (f *scanFn) revisits(
	ctx context.Context, name string, dir folder.Folder, columns []string,
) (*revisit.Set, error) {
	if set, is := f.sets[name]; is || !revisit.Touches(columns) {
		return set, nil
	}
	var set *revisit.Set
	all, m, err := holdings.Whole(dir)
	if err == nil && revisit.Has(m) {
		set, err = revisit.Read(ctx, dir, all.DocumentShards())
	}
	if err != nil {
		return nil, err
	}
	if f.sets == nil {
		f.sets = map[string]*revisit.Set{}
	}
	f.sets[name] = set
	return set, nil
}

// key returns a document with only its identifying fields.
func key(d *schemas.Document) *schemas.Document {
	return &schemas.Document{
		SURT: d.SURT, Timestamp: d.Timestamp, Filename: d.Filename, Offset: d.Offset, Sequence: d.Sequence,
	}
}

// columns returns the columns to read: nil for all.
func (f *scanFn) columns(where query.Expr) []string {
	if len(f.Options.Columns) == 0 {
		return nil
	}
	all := slices.Concat(f.Options.Columns, keys, query.Columns(where))
	slices.Sort(all)
	return slices.Compact(all)
}

// documents yields the documents of a unit that where takes; for JSON lines it yields all.
func documents(
	ctx context.Context, f folder.Folder, shards []schemas.Shard, where query.Expr, columns []string,
) iter.Seq2[*schemas.Document, error] {
	var columnar []schemas.Shard
	for _, s := range shards {
		if holdings.IsTable(s) {
			columnar = append(columnar, s)
		}
	}
	if len(columnar) == 0 {
		return holdings.Part{Folder: f, Shards: shards}.Documents(ctx)
	}
	return func(yield func(*schemas.Document, error) bool) {
		for r, err := range parquetscan.NewShards(f, columnar).Rows(ctx, where, columns) {
			if !yield(r.Document, err) {
				return
			}
		}
	}
}

// newer returns the newer one of two versions of a page.
func newer(a, b []byte) ([]byte, error) {
	ka, err := keyOf(a)
	if err != nil {
		return nil, err
	}
	kb, err := keyOf(b)
	if err != nil {
		return nil, err
	}
	if kb.Newer(ka) {
		return b, nil
	}
	return a, nil
}

// keyOf returns the key of a version, in microseconds as in collections.
func keyOf(b []byte) (query.Key, error) {
	var v version
	if err := json.Unmarshal(b, &v); err != nil {
		return query.Key{}, err
	}
	k := query.KeyOf(v.Document)
	k.Timestamp = k.Timestamp.Truncate(time.Microsecond)
	return k, nil
}

// apart drops the SURTs of versions, and leaves out versions that the filter rejects.
func apart(_ string, b []byte, emit func([]byte)) {
	if bytes.HasPrefix(b, []byte(`{"taken":true`)) {
		emit(b)
	}
}

// limitFn keeps the first captures of an order.
type limitFn struct{ Options options }

// CreateAccumulator returns an empty accumulator.
func (*limitFn) CreateAccumulator() [][]byte { return nil }

// AddInput adds a capture.
func (f *limitFn) AddInput(kept [][]byte, b []byte) ([][]byte, error) {
	if kept = append(kept, b); len(kept) < 2*f.Options.Limit+64 {
		return kept, nil
	}
	return f.cut(kept)
}

// MergeAccumulators keeps the first captures of both.
func (f *limitFn) MergeAccumulators(a, b [][]byte) ([][]byte, error) {
	return f.cut(slices.Concat(a, b))
}

// ExtractOutput makes one element of the captures: a JSON array.
func (f *limitFn) ExtractOutput(kept [][]byte) ([]byte, error) {
	kept, err := f.cut(kept)
	if err != nil {
		return nil, err
	}
	list := make([]json.RawMessage, len(kept))
	for i, b := range kept {
		list[i] = b
	}
	return json.Marshal(list)
}

// cut keeps the captures within the limit.
func (f *limitFn) cut(kept [][]byte) ([][]byte, error) {
	type entry struct {
		key query.Key
		b   []byte
	}
	list := make([]entry, len(kept))
	for i, b := range kept {
		k, err := keyOf(b)
		if err != nil {
			return nil, err
		}
		list[i] = entry{k, b}
	}
	slices.SortFunc(list, func(a, b entry) int { return f.Options.Order.Compare(a.key, b.key) })
	list = list[:min(len(list), f.Options.Limit)]
	out := make([][]byte, len(list))
	for i, e := range list {
		out[i] = e.b
	}
	return out, nil
}

// documentFn makes documents of versions.
type documentFn struct{ Options options }

// ProcessElement emits the document of a version, or of each in a list of versions, with the requested columns.
func (f *documentFn) ProcessElement(b []byte, emit func(schemas.Document)) error {
	list := []version{{}}
	var err error
	if f.Options.Limit > 0 {
		err = json.Unmarshal(b, &list)
	} else {
		err = json.Unmarshal(b, &list[0])
	}
	for _, v := range list {
		if err == nil {
			emit(f.project(v.Document))
		}
	}
	return err
}

// project removes columns that were read only for the filter.
func (f *documentFn) project(d *schemas.Document) schemas.Document {
	if len(f.Options.Columns) == 0 {
		return *d
	}
	var out schemas.Document
	from, to := reflect.ValueOf(d).Elem(), reflect.ValueOf(&out).Elem()
	for i := range from.NumField() {
		name, _, _ := strings.Cut(from.Type().Field(i).Tag.Get("json"), ",")
		if slices.Contains(f.Options.Columns, name) || slices.Contains(keys, name) {
			to.Field(i).Set(from.Field(i))
		}
	}
	return out
}

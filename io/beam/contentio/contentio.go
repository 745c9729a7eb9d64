// Package contentio asks collections in pipelines: what pipelines/query answers on one machine, as Beam transforms for
// graphs of your own, on any runner.
//
//	q := query.Query{Where: where} // of query.Parse(`language = fr AND mime_detected = "application/pdf"`)
//	pages := contentio.Query(s, "gs://bucket/news", q, "url", "title", "text")
//
// The captures are those that the embedded query gives (package contentdb), except for their order: a PCollection has
// none. query.Query.Order says which captures a limit leaves.
//
// Each unit's shards are read by one worker: Parquet page by page, with what columns can tell of the filter (package
// parquetscan), JSON lines whole. Then the newest version of each page is found, by SURT; runners do that on each
// worker first, and shuffle the rest. So what crosses the shuffle are the columns that are asked for, of rows that the
// filter takes: asking for text and main_html of many pages shuffles these, and asking for all versions shuffles
// nothing.
//
// A takedown, or another change that replaces or removes shards while they are read, fails the pipeline with the words
// of holdings.ErrChanged: run it again. The command query does.
//
// Write makes a collection of documents, such as an answer.
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

// Read are all captures of the collection called dir, a path or a gs:// or s3:// URL, with the columns that are named
// as schemas.Document names its fields, and those that tell captures apart; all columns when none is. They are of type
// schemas.Document.
func Read(s beam.Scope, dir string, columns ...string) beam.PCollection {
	return Query(s.Scope("contentio.Read"), dir, query.Query{AllVersions: true}, columns...)
}

// Query are the captures that q asks for, likewise. It panics on a query that does not pass q.Check, that has a mark,
// or whose filter no text makes, as an empty query.Or: the graph is not to be built. A column that does not exist
// fails the pipeline.
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

// options are a query as it travels to workers.
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

// where is the filter with the sample, nil for none.
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

// version is a capture that may be an answer, as it travels.
type version struct {
	// Taken reports whether the filter takes it. With query.Query.At, versions that it does not take hide older ones.
	Taken    bool              `json:"taken"`
	Document *schemas.Document `json:"document"` // when it is not taken, its key alone
}

// scanFn reads the rows of a unit.
type scanFn struct {
	Options options
	// What revisits have of their originals, by collection: one worker reads it once.
	sets map[string]*revisit.Set
}

// keys are the columns that tell captures apart and put them in order.
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

// revisits is what revisits of a collection have of their originals, for a question that reads some columns; nil where
// it needs none.
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

// key is a document that has nothing but what tells it apart.
func key(d *schemas.Document) *schemas.Document {
	return &schemas.Document{
		SURT: d.SURT, Timestamp: d.Timestamp, Filename: d.Filename, Offset: d.Offset, Sequence: d.Sequence,
	}
}

// columns are those to read: nil for all.
func (f *scanFn) columns(where query.Expr) []string {
	if len(f.Options.Columns) == 0 {
		return nil
	}
	all := slices.Concat(f.Options.Columns, keys, query.Columns(where))
	slices.Sort(all)
	return slices.Compact(all)
}

// documents yields the documents of a unit that where takes, or of JSON lines all.
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

// newer is the newer one of two versions of a page.
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

// keyOf is the key of a version, by microseconds as collections have them.
func keyOf(b []byte) (query.Key, error) {
	var v version
	if err := json.Unmarshal(b, &v); err != nil {
		return query.Key{}, err
	}
	k := query.KeyOf(v.Document)
	k.Timestamp = k.Timestamp.Truncate(time.Microsecond)
	return k, nil
}

// apart takes versions from their SURTs, and leaves those out that the filter does not take.
func apart(_ string, b []byte, emit func([]byte)) {
	if bytes.HasPrefix(b, []byte(`{"taken":true`)) {
		emit(b)
	}
}

// limitFn keeps the first captures of an order.
type limitFn struct{ Options options }

// CreateAccumulator has none.
func (*limitFn) CreateAccumulator() [][]byte { return nil }

// AddInput adds a capture.
func (f *limitFn) AddInput(kept [][]byte, b []byte) ([][]byte, error) {
	if kept = append(kept, b); len(kept) < 2*f.Options.Limit+64 {
		return kept, nil
	}
	return f.cut(kept)
}

// MergeAccumulators keeps the first of both.
func (f *limitFn) MergeAccumulators(a, b [][]byte) ([][]byte, error) {
	return f.cut(slices.Concat(a, b))
}

// ExtractOutput makes one element of the captures: an array of JSON.
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

// cut leaves those that the limit lets stay.
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

// ProcessElement emits a version's document, or those of a list of versions, with the columns that are asked for.
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

// project leaves the columns out that were read for the filter alone.
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

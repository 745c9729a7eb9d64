// Package captureio reads archives into pipelines: it provides [work.Plan] and [work.Reader] as Beam transforms, for
// graphs of your own. pipelines/ingest does not use it. There, one function reads, enriches and writes a unit, so that
// payloads never cross a shuffle.
//
//	p, s := beam.NewPipelineWithRoot()
//	captures, rejects := captureio.Read(s, captureio.Options{}, "crawls/**/*.warc.gz")
//	documents := stages.Enrich(s, enrich.Options{}, captures)
//	contentio.Write(s, contentio.WriteOptions{Dir: "out", Shards: 8}, documents)
package captureio

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/schemas"
)

func init() {
	beam.RegisterDoFn(&planFn{})
	beam.RegisterDoFn(&readFn{})
	beam.RegisterType(reflect.TypeFor[schemas.Capture]())
	beam.RegisterType(reflect.TypeFor[schemas.Reject]())
}

// Options are the options of Read. The zero value takes the defaults.
type Options struct {
	UnitSize int64 // compressed bytes for one worker at a time; 64 MiB
	MaxBody  int64 // bytes of a decoded body; 32 MiB
}

// Read reads the captures of the named archives: files, folders, patterns, lists and URLs, as in [blob.Store.Expand].
// The second collection has the rejects. Captures of one unit come in the order of the archive; units come in any
// order. Parts of segmented records are not joined: the first segment is a capture with the flag segment. Emitted
// captures cannot be withdrawn: if a compressed member turns out to be damaged after them, they have no flag for it. A
// reject of kind inflate names the member.
func Read(s beam.Scope, o Options, names ...string) (captures, rejects beam.PCollection) {
	s = s.Scope("captureio.Read")
	o.UnitSize = cmp.Or(o.UnitSize, work.DefaultSize)
	list := strings.Join(names, separator)
	units := beam.ParDo(s, &planFn{UnitSize: o.UnitSize}, beam.Create(s, list))
	return beam.ParDo2(s, &readFn{MaxBody: o.MaxBody}, beam.Reshuffle(s, units))
}

// separator is in no file name. The names travel as one element, because they are sorted and made unique together.
const separator = "\x00"

// planFn divides the inputs into units.
type planFn struct{ UnitSize int64 }

// ProcessElement takes the names and emits units as JSON.
func (f *planFn) ProcessElement(ctx context.Context, list string, emit func([]byte)) error {
	store := blob.New(blob.Options{})
	files, err := work.Files(ctx, store, strings.Split(list, separator), nil, f.UnitSize)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	units, err := work.Plan(ctx, store, files, f.UnitSize)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	for _, u := range units {
		row, err := json.Marshal(u)
		if err != nil {
			return err
		}
		emit(row)
	}
	return store.Close()
}

// readFn reads one unit for each element.
type readFn struct {
	MaxBody int64

	store *blob.Store
}

// Setup makes the store.
func (f *readFn) Setup() { f.store = blob.New(blob.Options{}) }

// ProcessElement emits the unit's captures and rejects.
func (f *readFn) ProcessElement(ctx context.Context, row []byte, captures func(schemas.Capture),
	rejects func(schemas.Reject),
) error {
	var u schemas.Unit
	if err := json.Unmarshal(row, &u); err != nil {
		return err
	}
	r := work.NewReader(f.store, u, archive.Options{MaxBody: f.MaxBody})
	for item, err := range r.All(ctx) {
		if err != nil {
			return err
		}
		if item.Reject != nil {
			rejects(*item.Reject)
		} else {
			captures(*item.Capture)
		}
	}
	return nil
}

// Teardown closes the store.
func (f *readFn) Teardown() error { return f.store.Close() }

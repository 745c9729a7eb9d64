// Package collectionio reads collections into pipelines: it provides [holdings.Part] as Beam transforms, for graphs of
// your own. It reads the folder that pipelines/ingest writes, on a disk that all workers share or in a bucket.
//
//	p, s := beam.NewPipelineWithRoot()
//	documents := collectionio.Documents(s, "gs://bucket/news")
//	rejects := collectionio.Rejects(s, "gs://bucket/news")
//
// One worker reads each shard, one record after the other; records of different shards come in any order. The manifest
// is read when the pipeline runs, which fails for a folder without a finished run.
package collectionio

import (
	"context"
	"encoding/json"
	"iter"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

func init() {
	beam.RegisterDoFn(&planFn{})
	beam.RegisterDoFn(&documentsFn{})
	beam.RegisterDoFn(&rejectsFn{})
	beam.RegisterDoFn(&feedsFn{})
	beam.RegisterDoFn(&capturesFn{})
	beam.RegisterType(reflect.TypeFor[schemas.Document]())
	beam.RegisterType(reflect.TypeFor[schemas.Reject]())
	beam.RegisterType(reflect.TypeFor[schemas.FeedCapture]())
	beam.RegisterType(reflect.TypeFor[cdx.Line]())
}

// Documents returns the documents of the collection called dir, a path or a gs:// or s3:// URL, as schemas.Document.
func Documents(s beam.Scope, dir string) beam.PCollection {
	s = s.Scope("collectionio.Documents")
	return beam.ParDo(s, &documentsFn{}, Units(s, dir))
}

// Rejects returns the rejects of reading and enriching, as schemas.Reject.
func Rejects(s beam.Scope, dir string) beam.PCollection {
	s = s.Scope("collectionio.Rejects")
	return beam.ParDo(s, &rejectsFn{}, Units(s, dir))
}

// Feeds returns the feeds, as schemas.FeedCapture. There are none if they were not requested.
func Feeds(s beam.Scope, dir string) beam.PCollection {
	s = s.Scope("collectionio.Feeds")
	return beam.ParDo(s, &feedsFn{}, Units(s, dir))
}

// Captures returns the lines of the index, as cdx.Line.
func Captures(s beam.Scope, dir string) beam.PCollection {
	s = s.Scope("collectionio.Captures")
	return beam.ParDo(s, &capturesFn{}, Units(s, dir))
}

// read emits the records of one kind in a unit.
func read[T any](
	ctx context.Context, row []byte, records func(holdings.Part, context.Context) iter.Seq2[T, error], emit func(T),
) error {
	var u Unit
	if err := json.Unmarshal(row, &u); err != nil {
		return err
	}
	return InFolder(ctx, u.Dir, func(f folder.Folder) error {
		for r, err := range records(holdings.Part{Folder: f, Shards: u.Shards}, ctx) {
			if err != nil {
				return err
			}
			emit(r)
		}
		return nil
	})
}

// documentsFn reads the documents of a unit.
type documentsFn struct{}

// ProcessElement emits them.
func (*documentsFn) ProcessElement(ctx context.Context, row []byte, emit func(schemas.Document)) error {
	return read(ctx, row, holdings.Part.Documents, func(d *schemas.Document) { emit(*d) })
}

// rejectsFn reads the rejects of a unit.
type rejectsFn struct{}

// ProcessElement emits them.
func (*rejectsFn) ProcessElement(ctx context.Context, row []byte, emit func(schemas.Reject)) error {
	return read(ctx, row, holdings.Part.Rejects, emit)
}

// feedsFn reads the feeds of a unit.
type feedsFn struct{}

// ProcessElement emits them.
func (*feedsFn) ProcessElement(ctx context.Context, row []byte, emit func(schemas.FeedCapture)) error {
	return read(ctx, row, holdings.Part.Feeds, emit)
}

// capturesFn reads the index of a unit.
type capturesFn struct{}

// ProcessElement emits its lines.
func (*capturesFn) ProcessElement(ctx context.Context, row []byte, emit func(cdx.Line)) error {
	return read(ctx, row, holdings.Part.Captures, emit)
}

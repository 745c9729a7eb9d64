// Package elasticio writes documents from pipelines to an index of Elasticsearch or OpenSearch, for graphs of your own.
// pipelines/ingest does not use it, see there. What is written, and what happens when a server is busy, is told in
// package elastic.
//
//	rejects := elasticio.Write(s, elastic.Options{Hosts: hosts, Index: "pages"}, documents)
//
// A bundle is done when all its documents are in the index, so that a runner that repeats a bundle writes its documents
// again under their ids: each is there once. A bundle holds three batches in memory.
package elasticio

import (
	"context"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/schemas"
)

func init() {
	register.DoFn2x1[elastic.Document, func(schemas.Reject), error](&writeFn{})
	register.DoFn1x2[schemas.Document, elastic.Document, error](&documentFn{})
	register.Emitter1[schemas.Reject]()
	beam.RegisterType(reflect.TypeFor[elastic.Document]())
	beam.RegisterType(reflect.TypeFor[schemas.Document]())
	beam.RegisterType(reflect.TypeFor[schemas.Reject]())
}

// Write writes docs, a collection of elastic.Document, and returns a collection of schemas.Reject: what the server
// refused.
func Write(s beam.Scope, o elastic.Options, docs beam.PCollection) beam.PCollection {
	return beam.ParDo(s.Scope("elasticio.Write"), &writeFn{Options: o}, docs)
}

// WriteDocuments is Write for a collection of schemas.Document, which goes to an index of the model elastic.Gleaner,
// each capture's by itself.
func WriteDocuments(s beam.Scope, o elastic.Options, docs beam.PCollection) beam.PCollection {
	s = s.Scope("elasticio.WriteDocuments")
	o.Model = elastic.Gleaner
	return Write(s, o, beam.ParDo(s, &documentFn{}, docs))
}

// documentFn makes documents of an index.
type documentFn struct{}

// ProcessElement returns the document of the index about d.
func (*documentFn) ProcessElement(d schemas.Document) (elastic.Document, error) {
	return elastic.FromDocument(&d, elastic.CaptureID(&d))
}

// writeFn writes documents, a bundle's with one writer.
type writeFn struct {
	Options elastic.Options

	client  *elastic.Client
	writer  *elastic.Writer
	rejects []schemas.Reject // of the bundle, not yet emitted
}

// Setup connects to the cluster and makes the index, once a worker.
func (f *writeFn) Setup(ctx context.Context) (err error) {
	f.client, err = elastic.Open(ctx, f.Options)
	return err
}

// StartBundle begins a bundle; the one before may have failed.
func (f *writeFn) StartBundle(ctx context.Context, _ func(schemas.Reject)) {
	if f.writer != nil {
		f.writer.Abort()
	}
	f.rejects = nil
	f.writer = f.client.NewWriter(ctx, func(r schemas.Reject) error {
		f.rejects = append(f.rejects, r)
		return nil
	})
}

// ProcessElement writes d, and emits what was refused of earlier ones.
func (f *writeFn) ProcessElement(d elastic.Document, emit func(schemas.Reject)) error {
	err := f.writer.Write(d)
	f.emit(emit)
	return err
}

// FinishBundle returns when all documents are in the index or refused.
func (f *writeFn) FinishBundle(_ context.Context, emit func(schemas.Reject)) error {
	err := f.writer.Close()
	f.emit(emit)
	return err
}

func (f *writeFn) emit(emit func(schemas.Reject)) {
	for _, r := range f.rejects {
		emit(r)
	}
	f.rejects = nil
}

// Teardown ends what Setup and a failed bundle left.
func (f *writeFn) Teardown() {
	if f.writer != nil {
		f.writer.Abort()
	}
	if f.client != nil {
		f.client.Close()
	}
}

// Package stages are the transforms as Beam transforms, for graphs of your own.
//
//	captures, _ := captureio.Read(s, captureio.Options{}, "crawls/")
//	documents := stages.Enrich(s, enrich.Options{Extract: []string{"text", "language"}}, captures)
//
// PDF, office files and the like are read in child processes. For that the program begins with run.Main, run.Init or
// docsandbox.Main.
package stages

import (
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

func init() {
	beam.RegisterDoFn(&enrichFn{})
	beam.RegisterType(reflect.TypeFor[schemas.Capture]())
	beam.RegisterType(reflect.TypeFor[schemas.Document]())
}

// Enrich makes a schemas.Document of each schemas.Capture. Options that enrich.New refuses fail the pipeline.
func Enrich(s beam.Scope, o enrich.Options, captures beam.PCollection) beam.PCollection {
	return beam.ParDo(s.Scope("stages.Enrich"), &enrichFn{Options: o}, captures)
}

// enrichFn enriches one capture an element.
type enrichFn struct {
	Options enrich.Options

	enricher  *enrich.Enricher
	documents *docsandbox.Reader
}

// Setup makes the enricher. It is asked for one capture at a time.
func (f *enrichFn) Setup() (err error) {
	if f.documents, err = docsandbox.New(1); err != nil {
		return err
	}
	if f.enricher, err = enrich.New(f.Options); err != nil {
		return err
	}
	f.enricher.ReadDocumentsBy(f.documents.Read)
	return nil
}

// ProcessElement returns the capture's document.
func (f *enrichFn) ProcessElement(c schemas.Capture) (schemas.Document, error) {
	return *f.enricher.Document(&c), f.documents.Err()
}

// Teardown ends the children that read documents. Beam calls it after a Setup that failed, too.
func (f *enrichFn) Teardown() {
	if f.documents != nil {
		f.documents.Close()
	}
}

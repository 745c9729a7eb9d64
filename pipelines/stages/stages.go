// Package stages has the transforms as Beam transforms for your own graphs.
//
//	captures, _ := captureio.Read(s, captureio.Options{}, "crawls/")
//	documents := stages.Enrich(s, enrich.Options{Extract: []string{"text", "language"}}, captures)
//
// Child processes read PDF, office files and the like. For that, begin the program with run.Main, run.Init or
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

// Enrich makes a schemas.Document of each schemas.Capture. The pipeline fails if enrich.New refuses the options.
func Enrich(s beam.Scope, o enrich.Options, captures beam.PCollection) beam.PCollection {
	return beam.ParDo(s.Scope("stages.Enrich"), &enrichFn{Options: o}, captures)
}

// enrichFn enriches one capture per element.
type enrichFn struct {
	Options enrich.Options

	enricher  *enrich.Enricher
	documents *docsandbox.Reader
}

// Setup makes the enricher, which gets one capture at a time.
func (f *enrichFn) Setup() (err error) {
	if f.documents, err = docsandbox.New(1); err != nil {
		return err
	}
	if f.enricher, err = enrich.New(f.Options); err != nil {
		return err
	}
	f.enricher.ReadDocumentsBy(f.documents.Read)
	f.enricher.ReadPicturesBy(f.documents.Examine)
	return nil
}

// ProcessElement returns the document of a capture.
func (f *enrichFn) ProcessElement(c schemas.Capture) (schemas.Document, error) {
	return *f.enricher.Document(&c), f.documents.Err()
}

// Teardown ends the children. Beam calls it even after a failed Setup.
func (f *enrichFn) Teardown() {
	if f.documents != nil {
		f.documents.Close()
	}
}

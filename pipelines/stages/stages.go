// Package stages are the transforms as Beam transforms, for graphs of your own.
//
//	captures, _ := captureio.Read(s, captureio.Options{}, "crawls/")
//	documents := stages.Enrich(s, enrich.Options{Extract: []string{"text", "language"}}, captures)
package stages

import (
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

func init() {
	register.DoFn1x1[schemas.Capture, schemas.Document](&enrichFn{})
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

	enricher *enrich.Enricher
}

// Setup makes the enricher.
func (f *enrichFn) Setup() (err error) {
	f.enricher, err = enrich.New(f.Options)
	return err
}

// ProcessElement returns the capture's document.
func (f *enrichFn) ProcessElement(c schemas.Capture) schemas.Document {
	return *f.enricher.Document(&c)
}

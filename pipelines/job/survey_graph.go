//go:build !local

package job

import (
	"context"
	"encoding/json"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
)

// By reflection, like the functions of the other graph: see package batch.
func init() {
	beam.RegisterDoFn(&samplesFn{})
	beam.RegisterDoFn(&templateFn{})
	beam.RegisterDoFn(&tableFn{})
}

// submitSurvey does the first pass on a runner.
func (c *Request) submitSurvey(ctx context.Context, out *collection.Collection, f folder.Folder, s surveyPass) error {
	pipeline, root := beam.NewPipelineWithRoot()
	if err := buildSurvey(root, s.o, s.todo, s.done); err != nil {
		return err
	}
	return c.pipeline(ctx, out, f, pipeline)
}

// buildSurvey makes the graph of the first pass.
func buildSurvey(s beam.Scope, o Options, todo, done batch.Listing) error {
	s = s.Scope("Find site templates")
	var keys []beam.PCollection
	if len(todo.Files) > 0 {
		rows, err := batch.Do(s, surveying, surveyed{o}, todo)
		if err != nil {
			return err
		}
		keys = append(keys, rows)
	}
	// A unit whose file is there goes straight to the samples: its key is all that they need.
	if len(done.Files) > 0 {
		rows, err := batch.Read(s, surveying, surveyed{o}, done)
		if err != nil {
			return err
		}
		keys = append(keys, rows)
	}
	samples := beam.ParDo(s, &samplesFn{Options: o}, beam.Flatten(s, keys...))
	// Samples of a host come together from all units; what crosses the shuffle is small, since a sample is
	// bounded.
	rows := beam.ParDo(s, &templateFn{}, beam.GroupByKey(s, samples))
	rows = beam.Flatten(s, rows, beam.Create(s, []byte("{}"))) // so that there is a table also when no host has a template
	beam.ParDo0(s, &tableFn{Options: o}, beam.GroupByKey(s, beam.AddFixedKey(s, rows)))
	return nil
}

// samplesFn emits the samples of a unit by their hosts.
type samplesFn struct{ Options Options }

// ProcessElement takes the key of a unit's file, as JSON.
func (f *samplesFn) ProcessElement(ctx context.Context, row []byte, emit func(string, []byte)) error {
	return samples(ctx, f.Options, row, func(host string, sample []byte) error {
		emit(host, sample)
		return nil
	})
}

// templateFn emits the template of a host that has one.
type templateFn struct{}

// ProcessElement takes all samples of a host; a runner may deliver some of them twice.
// What is merged twice changes nothing in a Sample.
func (*templateFn) ProcessElement(host string, next func(*[]byte) bool, emit func([]byte)) error {
	all := map[string]*sitetemplate.Sample{}
	// b is a new slice each time, so that no row can overwrite the one before it.
	for b := []byte(nil); next(&b); b = nil {
		if err := mergeSample(all, host, b); err != nil {
			return err
		}
	}
	row, ok := templateRow(host, all[host])
	if !ok {
		return nil
	}
	data, err := json.Marshal(row)
	if err != nil {
		return err
	}
	emit(data)
	return nil
}

// tableFn writes the table of all templates.
type tableFn struct{ Options Options }

// ProcessElement takes the templates of all hosts.
func (f *tableFn) ProcessElement(ctx context.Context, _ int, next func(*[]byte) bool) error {
	// The fixed key brings all rows to one worker. Rows without a host, such as the first, are no templates.
	rows, err := run.DecodeRows[sitetemplate.Row](next)
	if err != nil {
		return err
	}
	return writeTable(ctx, f.Options, rows)
}

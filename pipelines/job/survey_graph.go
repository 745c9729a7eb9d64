//go:build !local

package job

import (
	"context"
	"encoding/json"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
)

// By reflection, like the functions of the other graph: see package batch.
func init() {
	beam.RegisterDoFn(&samplesFn{})
	beam.RegisterDoFn(&templateFn{})
	beam.RegisterDoFn(&tableFn{})
}

// submitSurvey runs the first pass on a runner.
func submitSurvey(ctx context.Context, s batch.Submission, o unit.Job, todo, done batch.Listing) error {
	pipeline, root := beam.NewPipelineWithRoot()
	if err := buildSurvey(root, o, todo, done); err != nil {
		return err
	}
	return s.Run(ctx, pipeline)
}

func buildSurvey(s beam.Scope, o unit.Job, todo, done batch.Listing) error {
	s = s.Scope("Find site templates")
	var keys []beam.PCollection
	if len(todo.Files) > 0 {
		rows, err := batch.Do(s, surveying, surveyed{ingest{o}}, todo)
		if err != nil {
			return err
		}
		keys = append(keys, rows)
	}
	// Units whose files exist need only their keys.
	if len(done.Files) > 0 {
		rows, err := batch.Read(s, surveying, surveyed{ingest{o}}, done)
		if err != nil {
			return err
		}
		keys = append(keys, rows)
	}
	samples := beam.ParDo(s, &samplesFn{Job: o}, beam.Flatten(s, keys...))
	// Bounded samples keep the shuffle small.
	rows := beam.ParDo(s, &templateFn{}, beam.GroupByKey(s, samples))
	rows = beam.Flatten(s, rows, beam.Create(s, []byte("{}"))) // makes an empty table if no host has a template
	beam.ParDo0(s, &tableFn{Job: o}, beam.GroupByKey(s, beam.AddFixedKey(s, rows)))
	return nil
}

// samplesFn emits the samples of a unit by host.
type samplesFn struct{ Job unit.Job }

// ProcessElement takes the key of a unit's file, as JSON.
func (f *samplesFn) ProcessElement(ctx context.Context, row []byte, emit func(string, []byte)) error {
	return samples(ctx, f.Job, row, func(host string, sample []byte) error {
		emit(host, sample)
		return nil
	})
}

type templateFn struct{}

// ProcessElement takes all samples of a host. Duplicates from the runner are harmless: merging a sample twice changes
// nothing.
func (*templateFn) ProcessElement(host string, next func(*[]byte) bool, emit func([]byte)) error {
	all := map[string]*sitetemplate.Sample{}
	// A new slice each time, so that no row overwrites the one before.
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

type tableFn struct{ Job unit.Job }

// ProcessElement takes the templates of all hosts.
func (f *tableFn) ProcessElement(ctx context.Context, _ int, next func(*[]byte) bool) error {
	// The fixed key brings all rows to one worker. Rows without a host, such as the constant one, are not templates.
	rows, err := run.DecodeRows[sitetemplate.Row](next)
	if err != nil {
		return err
	}
	return writeTable(ctx, f.Job, rows)
}

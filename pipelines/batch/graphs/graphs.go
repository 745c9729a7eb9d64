//go:build !local

// Package graphs runs graphs of Beam that commands build themselves, which is all of them except those of package
// batch. Programs built with -tags local run them by Beam's direct runner, the only one that they have.
package graphs

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// Run runs p to its end; see run.Pipeline.
func Run(ctx context.Context, p *beam.Pipeline, runner string) error {
	_, err := run.Pipeline(ctx, p, runner)
	return err
}

// Submit runs p, which writes the folder of s; see batch.Submission.
func Submit(ctx context.Context, s batch.Submission, p *beam.Pipeline) error { return s.Run(ctx, p) }

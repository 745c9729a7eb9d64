//go:build local

// Package graphs runs graphs of Beam that commands build themselves. This program was built with -tags local, and has
// Beam's direct runner only.
package graphs

import (
	"context"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	//lint:ignore SA1019 the fastest on one machine by far
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/direct"

	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// Beam may be initialized only once.
var initOnce = sync.OnceFunc(func() {
	beamlog.LogLevel = "warn" // at info every runner prints the plan
	// A test may have started Beam.
	if !beam.Initialized() {
		beam.Init()
	}
	cli.UseLog() // after Init, which sets its own
})

// Run runs p to its end in this process.
func Run(ctx context.Context, p *beam.Pipeline, runner string) error {
	if err := run.CheckRunner(runner); err != nil {
		return err
	}
	initOnce()
	// Libraries log much about an interrupt.
	defer context.AfterFunc(ctx, cli.Silence)()
	_, err := direct.Execute(ctx, p)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Submit runs p, which writes the folder of s.
func Submit(ctx context.Context, s batch.Submission, p *beam.Pipeline) error {
	return Run(ctx, p, s.Runner)
}

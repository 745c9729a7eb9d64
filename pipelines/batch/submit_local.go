//go:build local

package batch

import (
	"context"

	"github.com/gleaner-web/gleaner/pipelines/run"
)

// submit refuses the runner, since a program built with -tags local has none.
func (s Submission) submit(context.Context, string, Work, Listing, Listing) error {
	return run.CheckRunner(s.Runner)
}

package job

import (
	"context"
	"errors"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/sheet"
)

// SavePage writes a page about the collection and the last run beside the manifest. It reads what Run wrote, so the
// page does not depend on the process that did the work.
func SavePage(ctx context.Context, p *plan.Plan) (err error) {
	f := p.Request.OpenFolder(ctx, "")
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := sheet.Save(ctx, f); err != nil {
		return cli.OutputError(err)
	}
	return nil
}

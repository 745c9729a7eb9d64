package job

import (
	"context"
	"errors"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/sheet"
)

// SavePage writes what the folder holds, and what the last run did, as one page beside the manifest. It is called
// after Run, and reads what that wrote: so the page is the same whoever did the work.
func (p *Plan) SavePage(ctx context.Context) (err error) {
	f := openOutput(ctx, p.options)
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := sheet.Save(ctx, f); err != nil {
		return cli.OutputError(err)
	}
	return nil
}

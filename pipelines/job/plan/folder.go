package plan

import (
	"context"
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// readFolder reads what the output folder has. With --fresh the plan is the one for an empty folder. A dry run shows
// the job for all units and needs no bucket.
func readFolder(ctx context.Context, c Request) (h *standing.Folder, err error) {
	if c.Fresh || run.DryRun() {
		return standing.Empty(), nil
	}
	f := c.OpenFolder(ctx, "")
	defer func() { err = errors.Join(err, f.Close()) }()
	h, err = standing.Read(f)
	return h, OutputError(err)
}

// busyOr returns the error of a run that is at work in the folder, or else the refusal: what the folder holds may be
// otherwise after that run. A bucket's lock may take a minute to ask, so buckets have the refusal.
func (c *Request) busyOr(ctx context.Context, refusal error) error {
	if c.Shown || blob.IsRemote(c.Output) {
		return refusal
	}
	f := c.OpenFolder(ctx, "")
	defer func() { _ = f.Close() }() // nothing was written
	if err := claim.CheckFree(f); errors.Is(err, claim.ErrBusy) {
		return fmt.Errorf("%s: %w", c.Output, err)
	}
	return refusal
}

// Division names the rules by which a run divides archives.
func (c *Request) Division() string { return fmt.Sprintf("%d %s", c.UnitSize, archive.Version) }

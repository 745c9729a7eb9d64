package view

import (
	"context"

	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
)

// mostSteps bounds the revisits of revisits.
const mostSteps = 8

// revisited returns a revisit with the text of its original.
func revisited(ctx context.Context, now *shelf.Snapshot, d *schemas.Document) (*schemas.Document, error) {
	o := d
	for range mostSteps {
		originals, err := now.DB.Originals(ctx, o)
		if err != nil {
			return nil, changed(err)
		}
		if len(originals) == 0 {
			break
		}
		if o, err = readAt(ctx, now, originals[0], nil); err != nil {
			return nil, changed(err)
		}
		if o.RecordType != schemas.TypeRevisit {
			whole := *d
			whole.Text, whole.MainHTML, whole.Language = o.Text, o.MainHTML, o.Language
			return &whole, nil
		}
	}
	return nil, &Error{
		Kind: NotFound, Title: "The text of this revisit is not here",
		Detail: "A revisit has no payload: its text is that of an earlier capture, which this collection does not have.",
	}
}

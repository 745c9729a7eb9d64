package docsandbox

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/gleaner-web/gleaner/io/child/sandbox"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/picture"
)

// The tasks for images. That of a thumbnail is its side in pixels.
const (
	taskExamine  = "examine"
	taskPosition = "examine+position"
)

// image is the answer for an image.
type image struct {
	Info      *schemas.Image
	Thumbnail []byte
	Kind      schemas.Kind `json:",omitempty"` // of the error
	Error     string       `json:",omitempty"`
}

// handleImage runs in a child.
func handleImage(task, mime string, body []byte) (a image) {
	var err error
	if task == taskExamine || task == taskPosition {
		a.Info, err = picture.Examine(mime, body, picture.Options{Position: task == taskPosition})
	} else {
		side, _ := strconv.Atoi(task) // 0 is made 1
		a.Thumbnail, err = picture.Thumbnail(mime, body, side)
	}
	if err != nil {
		a.Kind, a.Error = picture.KindOf(err), err.Error()
	}
	return a
}

func encodeImage(a image) []byte {
	b, err := json.Marshal(a)
	if err != nil {
		panic(err) // it has only strings and numbers, which always encode
	}
	return b
}

// Examine is picture.Examine in a child process. Errors are of the type picture.Failure.
func (r *Reader) Examine(mime string, body []byte, o picture.Options) (*schemas.Image, error) {
	task := taskExamine
	if o.Position {
		task = taskPosition
	}
	a, err := r.image(context.Background(), task+" "+mime, body)
	return a.Info, err
}

// Thumbnail is picture.Thumbnail in a child process. Errors are of the type picture.Failure, or the cause of ctx.
func (r *Reader) Thumbnail(ctx context.Context, mime string, body []byte, side int) ([]byte, error) {
	a, err := r.image(ctx, strconv.Itoa(side)+" "+mime, body)
	return a.Thumbnail, err
}

// image sends an image to a child.
func (r *Reader) image(ctx context.Context, request string, body []byte) (a image, err error) {
	if len(body) > picture.MaxBody {
		return a, &picture.Failure{Kind: schemas.KindLimit, Message: picture.ErrLimit.Error()}
	}
	reply, err := r.pool.Do(ctx, request, body)
	if err == nil && json.Unmarshal(reply, &a) != nil {
		err = sandbox.ErrCrashed // no handler of ours replies so
	}
	switch {
	case err == nil && a.Kind == "":
		return a, nil
	case err == nil:
		return a, &picture.Failure{Kind: a.Kind, Message: a.Error}
	case ctx.Err() != nil:
		return a, context.Cause(ctx)
	case errors.Is(err, sandbox.ErrTimeout):
		return a, &picture.Failure{Kind: schemas.KindTimeout, Message: "reading was given up after 10 s of processor time"}
	case !errors.Is(err, sandbox.ErrCrashed) && !errors.Is(err, sandbox.ErrLimit):
		r.fail(err)
	}
	return a, &picture.Failure{Kind: schemas.KindCrashed, Message: "the process that read it died, twice"}
}

package gs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"cloud.google.com/go/storage"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// object returns a handle of the newest version of the object at name, a URL.
func (g *service) object(name string) (*storage.ObjectHandle, error) {
	b, object, err := g.bucket(name)
	if err != nil {
		return nil, err
	}
	return b.Object(object), nil
}

// Put writes an object. replaced is the generation that it must have now, blob.Absent for none, or "" for any. If it
// has another, the error is blob.ErrChanged. The whole object appears when the writer is closed, or nothing does.
func (g *service) Put(ctx context.Context, name string, body *io.SectionReader, replaced string) (blob.Info, error) {
	o, err := g.object(name)
	if err != nil {
		return blob.Info{}, err
	}
	switch replaced {
	// No condition: an existing object is replaced.
	case "":
	case blob.Absent:
		o = o.If(storage.Conditions{DoesNotExist: true})
	default:
		generation, err := strconv.ParseInt(replaced, 10, 64)
		if err != nil {
			return blob.Info{}, fmt.Errorf("%w: %s: generation %q", blob.ErrSyntax, name, replaced)
		}
		o = o.If(storage.Conditions{GenerationMatch: generation})
	}
	// Closing the writer would make an object of the bytes so far. The library's documentation says to cancel the
	// context instead.
	ctx, cancel := context.WithCancel(ctx) // canceling it abandons an upload
	defer cancel()
	w := o.NewWriter(ctx)
	// The library keeps each chunk in memory until the server has it, so that it can send it again.
	if w.ChunkSize = blob.PartBytes; body.Size() <= blob.PartBytes {
		w.ChunkSize = 0 // in one request
	}
	// A condition may fail here already, because the library sends data during the write.
	if _, err := io.Copy(w, body); err != nil {
		return blob.Info{}, blob.Unmatched(err)
	}
	if err := w.Close(); err != nil {
		return blob.Info{}, blob.Unmatched(err)
	}
	return googleInfo(w.Attrs()), nil
}

// Copy makes the server copy an object, without a download.
func (g *service) Copy(ctx context.Context, from, to string) error {
	source, err := g.object(from)
	if err != nil {
		return err
	}
	target, err := g.object(to)
	if err != nil {
		return err
	}
	// Run repeats requests itself while the server moves the bytes. Large objects in another location take several
	// requests.
	_, err = target.CopierFrom(source).Run(ctx)
	return err
}

// Remove removes an object. It accepts a missing one: an earlier attempt may have removed it although its answer was
// lost.
func (g *service) Remove(ctx context.Context, name string) error {
	o, err := g.object(name)
	if err != nil {
		return err
	}
	if err := o.Delete(ctx); !errors.Is(err, storage.ErrObjectNotExist) {
		return err
	}
	return nil
}

// Sweep has nothing to do: Google drops unfinished uploads, and does not charge for them.
func (g *service) Sweep(context.Context, string) error { return nil }

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

// object is a handle of the newest version of what name, a URL, stands for.
func (g *service) object(name string) (*storage.ObjectHandle, error) {
	b, object, err := g.bucket(name)
	if err != nil {
		return nil, err
	}
	return b.Object(object), nil
}

// Put writes an object. replaced is the generation that it must have now, blob.Absent for none, or "" for any;
// where it has another the error is blob.ErrChanged. The object appears whole when the writer is closed, or not at
// all.
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
			return blob.Info{}, fmt.Errorf("blob: %s: generation %q: %w", name, replaced, blob.ErrSyntax)
		}
		o = o.If(storage.Conditions{GenerationMatch: generation})
	}
	// Closing the writer would make an object of the bytes written so far. To cancel its context is how the library's
	// documentation says to end it without.
	ctx, cancel := context.WithCancel(ctx) // which is how an upload is given up
	defer cancel()
	w := o.NewWriter(ctx)
	// In chunks the library keeps each in memory until the server has it, so that it can send it again.
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

// Copy has the server copy an object; its bytes do not come here.
func (g *service) Copy(ctx context.Context, from, to string) error {
	source, err := g.object(from)
	if err != nil {
		return err
	}
	target, err := g.object(to)
	if err != nil {
		return err
	}
	// Run asks again by itself while the server moves the bytes, which takes several requests for large objects in
	// another location.
	_, err = target.CopierFrom(source).Run(ctx)
	return err
}

// Remove removes an object. One that is gone already is removed: an attempt before this one may have done it, and
// its answer been lost.
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

// sweep has nothing to do: Google forgets uploads that were broken off, and asks nothing for them.
func (g *service) Sweep(context.Context, string) error { return nil }

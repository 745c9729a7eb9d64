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

func (g *service) object(name string) (*storage.ObjectHandle, error) {
	b, object, err := g.bucket(name)
	if err != nil {
		return nil, err
	}
	return b.Object(object), nil
}

func (g *service) Put(ctx context.Context, name string, body *io.SectionReader, replaced string) (blob.Info, error) {
	o, err := g.object(name)
	if err != nil {
		return blob.Info{}, err
	}
	switch replaced {
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
	ctx, cancel := context.WithCancel(ctx) // which is how an upload is given up
	defer cancel()
	w := o.NewWriter(ctx)
	if w.ChunkSize = blob.PartBytes; body.Size() <= blob.PartBytes {
		w.ChunkSize = 0 // in one request
	}
	if _, err := io.Copy(w, body); err != nil {
		return blob.Info{}, blob.Unmatched(err)
	}
	if err := w.Close(); err != nil {
		return blob.Info{}, blob.Unmatched(err)
	}
	return googleInfo(w.Attrs()), nil
}

func (g *service) Copy(ctx context.Context, from, to string) error {
	source, err := g.object(from)
	if err != nil {
		return err
	}
	target, err := g.object(to)
	if err != nil {
		return err
	}
	_, err = target.CopierFrom(source).Run(ctx)
	return err
}

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

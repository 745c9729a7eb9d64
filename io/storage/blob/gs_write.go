package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"cloud.google.com/go/storage"
)

// partBytes is how much of an upload is sent at a time.
const partBytes = 16 << 20

func (g *googleStorage) object(name string) (*storage.ObjectHandle, error) {
	b, object, err := g.bucket(name)
	if err != nil {
		return nil, err
	}
	return b.Object(object), nil
}

func (g *googleStorage) put(ctx context.Context, name string, body *io.SectionReader, replaced string) (Info, error) {
	o, err := g.object(name)
	if err != nil {
		return Info{}, err
	}
	switch replaced {
	case "":
	case Absent:
		o = o.If(storage.Conditions{DoesNotExist: true})
	default:
		generation, err := strconv.ParseInt(replaced, 10, 64)
		if err != nil {
			return Info{}, fmt.Errorf("blob: %s: generation %q: %w", name, replaced, ErrSyntax)
		}
		o = o.If(storage.Conditions{GenerationMatch: generation})
	}
	ctx, cancel := context.WithCancel(ctx) // which is how an upload is given up
	defer cancel()
	w := o.NewWriter(ctx)
	if w.ChunkSize = partBytes; body.Size() <= partBytes {
		w.ChunkSize = 0 // in one request
	}
	if _, err := io.Copy(w, body); err != nil {
		return Info{}, unmatched(err)
	}
	if err := w.Close(); err != nil {
		return Info{}, unmatched(err)
	}
	return googleInfo(w.Attrs()), nil
}

// unmatched tells failures of a condition from others.
func unmatched(err error) error {
	if code := statusOf(err); code == http.StatusPreconditionFailed || code == http.StatusConflict {
		return kinded{ErrChanged, err}
	}
	return err
}

func (g *googleStorage) copy(ctx context.Context, from, to string) error {
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

func (g *googleStorage) remove(ctx context.Context, name string) error {
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
func (g *googleStorage) sweep(context.Context, string) error { return nil }

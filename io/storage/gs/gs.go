// Package gs gives package blob the files of Google Cloud Storage, gs://bucket/name. It is imported for that alone, by
// programs that are to read or write there:
//
//	import _ "github.com/gleaner-web/gleaner/io/storage/gs"
//
// It brings Google's client library along.
package gs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"cloud.google.com/go/storage"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

func init() {
	blob.Register("gs", blob.Driver{Connect: connect, Status: status, NoBucket: noBucket})
}

// status is the HTTP status that an error of the client library stands for, or 0.
func status(err error) int {
	var refused *googleapi.Error
	switch {
	case errors.As(err, &refused):
		return refused.Code
	case errors.Is(err, storage.ErrObjectNotExist), errors.Is(err, storage.ErrBucketNotExist):
		return http.StatusNotFound
	}
	return 0
}

func noBucket(err error) bool { return errors.Is(err, storage.ErrBucketNotExist) }

// service is Google Cloud Storage. A version of a file is a generation of an object.
type service struct {
	client  *storage.Client
	project string // that is billed for requests, of buckets whose requesters pay
	wait    blob.Patience
}

func connect(ctx context.Context, o blob.Options) (blob.Service, error) {
	var opts []option.ClientOption
	if o.UserAgent != "" {
		opts = append(opts, option.WithUserAgent(o.UserAgent))
	}
	if o.GoogleEndpoint != "" {
		opts = append(opts, option.WithEndpoint(o.GoogleEndpoint), option.WithoutAuthentication())
	}
	client, err := storage.NewClient(ctx, opts...)
	if err != nil { // there are no credentials; public buckets need none
		client, err = storage.NewClient(ctx, append(opts, option.WithoutAuthentication())...)
	}
	if err != nil {
		return nil, fmt.Errorf("connect to Google Cloud Storage: %w", err)
	}
	client.SetRetry(storage.WithPolicy(storage.RetryNever)) // because we try again ourselves
	return &service{client, o.RequesterPays, o.Patience}, nil
}

func (g *service) Close() error { return g.client.Close() }

func (g *service) bucket(name string) (b *storage.BucketHandle, object string, err error) {
	bucket, object, err := blob.SplitBucket(name)
	if err != nil {
		return nil, "", err
	}
	b = g.client.Bucket(bucket)
	if g.project != "" {
		b = b.UserProject(g.project)
	}
	return b, object, nil
}

func (g *service) Stat(ctx context.Context, name string) (blob.Info, error) {
	b, object, err := g.bucket(name)
	if err != nil {
		return blob.Info{}, err
	}
	var attrs *storage.ObjectAttrs
	err = g.wait.Retry(ctx, name, func(ctx context.Context, _ func()) (err error) {
		attrs, err = b.Object(object).Attrs(ctx)
		return err
	})
	if err != nil {
		return blob.Info{}, err
	}
	return googleInfo(attrs), nil
}

func googleInfo(attrs *storage.ObjectAttrs) blob.Info {
	return blob.Info{
		Name:     "gs://" + attrs.Bucket + "/" + attrs.Name,
		Size:     attrs.Size,
		Stamp:    strconv.FormatInt(attrs.Generation, 10),
		Modified: attrs.Created, // of this generation: Updated is also that of its metadata
	}
}

func (g *service) List(ctx context.Context, prefix string, found func(blob.Info)) error {
	b, object, err := g.bucket(prefix)
	if err != nil {
		return err
	}
	query := &storage.Query{Prefix: object}
	if err := query.SetAttrSelection([]string{"Bucket", "Name", "Size", "Generation", "Created"}); err != nil {
		return fmt.Errorf("blob: list: %w", err)
	}
	var all []blob.Info
	err = g.wait.Retry(ctx, prefix, func(ctx context.Context, alive func()) (err error) {
		all, err = googleList(b.Objects(ctx, query), all[:0], alive)
		return err
	})
	for _, info := range all {
		found(info)
	}
	return err
}

// googleList appends what a listing yields.
func googleList(objects *storage.ObjectIterator, all []blob.Info, alive func()) ([]blob.Info, error) {
	for {
		alive()
		attrs, err := objects.Next()
		if errors.Is(err, iterator.Done) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, googleInfo(attrs))
	}
}

func (g *service) Get(ctx context.Context, info blob.Info, off, n int64) (io.ReadCloser, error) {
	b, object, err := g.bucket(info.Name)
	if err != nil {
		return nil, err
	}
	generation, err := strconv.ParseInt(info.Stamp, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("blob: %s: generation %q: %w", info.Name, info.Stamp, blob.ErrSyntax)
	}
	// ReadCompressed: objects that carry Content-Encoding: gzip would else be inflated by the server, which knows no
	// ranges of them.
	handle := b.Object(object).Generation(generation).ReadCompressed(true)
	r, err := handle.NewRangeReader(ctx, off, n)
	if errors.Is(err, storage.ErrObjectNotExist) {
		return nil, blob.OfKind(blob.ErrChanged, err)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

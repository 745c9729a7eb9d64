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

// Package blob knows no cloud library: a program that does not import this package is not linked with one.
func init() {
	blob.Register("gs", blob.Driver{Connect: connect, Status: status, NoBucket: noBucket})
}

// status is the HTTP status that an error of the client library stands for, or 0.
func status(err error) int {
	// A pointer: the library returns *googleapi.Error for whatever the server answered with a status of its own,
	// but turns some 404 into errors of its own first.
	var refused *googleapi.Error
	switch {
	case errors.As(err, &refused):
		return refused.Code
	case errors.Is(err, storage.ErrObjectNotExist), errors.Is(err, storage.ErrBucketNotExist):
		return http.StatusNotFound
	}
	return 0
}

// noBucket tells a bucket that is not there from an object that is not: the user mends the one elsewhere than the
// other.
func noBucket(err error) bool { return errors.Is(err, storage.ErrBucketNotExist) }

// service is Google Cloud Storage. A version of a file is a generation of an object.
type service struct {
	client  *storage.Client
	project string // that is billed for requests, of buckets whose requesters pay
	wait    blob.Patience
}

// connect makes the client. It asks the network for credentials at most, and for no bucket, so that it succeeds
// where a single bucket is not reached.
func connect(ctx context.Context, o blob.Options) (blob.Service, error) {
	var opts []option.ClientOption
	if o.UserAgent != "" {
		opts = append(opts, option.WithUserAgent(o.UserAgent))
	}
	// A server that stands in for Google's has no use for credentials, and must not get to see those of the user.
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
	// Both trying would multiply: eight attempts of ours, each with the library's own, and pauses that nobody has
	// set.
	client.SetRetry(storage.WithPolicy(storage.RetryNever)) // because we try again ourselves
	return &service{client, o.RequesterPays, o.Patience}, nil
}

func (g *service) Close() error { return g.client.Close() }

// bucket returns a handle of the bucket in name, a URL gs://bucket/object, and the rest of it. It makes no request.
func (g *service) bucket(name string) (b *storage.BucketHandle, object string, err error) {
	bucket, object, err := blob.SplitBucket(name)
	if err != nil {
		return nil, "", err
	}
	b = g.client.Bucket(bucket)
	if g.project != "" {
		// Without this, requester-pays buckets refuse every request.
		b = b.UserProject(g.project)
	}
	return b, object, nil
}

// Stat describes the newest generation of an object: the one that Get then asks for by its number.
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

// googleInfo is the description of one generation. Its number is the stamp: Google gives a new one whenever the
// content is written, even if with the same bytes.
func googleInfo(attrs *storage.ObjectAttrs) blob.Info {
	return blob.Info{
		Name:     "gs://" + attrs.Bucket + "/" + attrs.Name,
		Size:     attrs.Size,
		Stamp:    strconv.FormatInt(attrs.Generation, 10),
		Modified: attrs.Created, // of this generation: Updated is also that of its metadata
	}
}

// List calls its function for all objects whose name begins with prefix, as Service demands. It reads the whole listing
// before the first call, because a listing that breaks off starts again.
func (g *service) List(ctx context.Context, prefix string, found func(blob.Info)) error {
	b, object, err := g.bucket(prefix)
	if err != nil {
		return err
	}
	// No Delimiter: objects beneath "folders" are listed too, for to Google a slash is a byte of a name like
	// others.
	query := &storage.Query{Prefix: object}
	// Those that googleInfo reads: of millions of objects the others, lists of access among them, would be most of
	// the answer.
	if err := query.SetAttrSelection([]string{"Bucket", "Name", "Size", "Generation", "Created"}); err != nil {
		return fmt.Errorf("blob: list: %w", err)
	}
	var all []blob.Info
	err = g.wait.Retry(ctx, prefix, func(ctx context.Context, alive func()) (err error) {
		// The array is kept, the findings of an attempt that failed are not: else a file would be listed twice.
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
		// Before each object and not for the whole listing: pages come one by one, and of a large bucket all take
		// minutes.
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

// Get opens the n bytes at off of the generation that info tells. It tries once: the caller counts attempts, which
// break in the midst of a stream as well as here.
func (g *service) Get(ctx context.Context, info blob.Info, off, n int64) (io.ReadCloser, error) {
	b, object, err := g.bucket(info.Name)
	if err != nil {
		return nil, err
	}
	// The stamp may come from the list of a run that began on another day, so it is not taken on trust.
	generation, err := strconv.ParseInt(info.Stamp, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("blob: %s: generation %q: %w", info.Name, info.Stamp, blob.ErrSyntax)
	}
	// ReadCompressed: objects that carry Content-Encoding: gzip would else be inflated by the server, which knows no
	// ranges of them.
	handle := b.Object(object).Generation(generation).ReadCompressed(true)
	r, err := handle.NewRangeReader(ctx, off, n)
	// The object may exist in a newer generation; the one not found is the requested generation.
	if errors.Is(err, storage.ErrObjectNotExist) {
		return nil, blob.OfKind(blob.ErrChanged, err)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

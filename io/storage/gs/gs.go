// Package gs gives package blob the files of Google Cloud Storage, gs://bucket/name. Programs that read or write there
// import it for this effect alone:
//
//	import _ "github.com/gleaner-web/gleaner/io/storage/gs"
//
// It includes Google's client library.
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

// Package blob imports no cloud library, so a program without this package does not include one.
func init() {
	blob.Register("gs", blob.Driver{Connect: connect, Status: status, NoBucket: noBucket})
}

// status returns the HTTP status of an error of the client library, or 0.
func status(err error) int {
	// It is a pointer: the library returns *googleapi.Error for an answer with a status. It first turns some 404 into
	// its own errors.
	var refused *googleapi.Error
	switch {
	case errors.As(err, &refused):
		return refused.Code
	case errors.Is(err, storage.ErrObjectNotExist), errors.Is(err, storage.ErrBucketNotExist):
		return http.StatusNotFound
	}
	return 0
}

// noBucket reports whether the bucket itself is missing, and not an object: the user fixes the two in different places.
func noBucket(err error) bool { return errors.Is(err, storage.ErrBucketNotExist) }

// service is Google Cloud Storage. A generation of an object identifies the version of a file.
type service struct {
	client  *storage.Client
	project string // billed for requests to requester-pays buckets
	wait    blob.Patience
}

// connect makes the client. It may request credentials, but accesses no bucket, so that one unreachable bucket does not
// make it fail.
func connect(ctx context.Context, o blob.Options) (blob.Service, error) {
	var opts []option.ClientOption
	if o.UserAgent != "" {
		opts = append(opts, option.WithUserAgent(o.UserAgent))
	}
	// A replacement server needs no credentials, and must not see those of the user.
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
	// Two retry loops would multiply: eight attempts of ours, each with the library's own and with its pauses.
	client.SetRetry(storage.WithPolicy(storage.RetryNever)) // because we try again ourselves
	return &service{client, o.RequesterPays, o.Patience}, nil
}

func (g *service) Close() error { return g.client.Close() }

// bucket returns a handle of the bucket in name, a URL gs://bucket/object, and the object. It makes no request.
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

// Stat describes the newest generation of an object, which Get then requests by its number.
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

// googleInfo describes one generation. Its number is the stamp: Google assigns a new one for each write, even with the
// same bytes.
func googleInfo(attrs *storage.ObjectAttrs) blob.Info {
	return blob.Info{
		Name:     "gs://" + attrs.Bucket + "/" + attrs.Name,
		Size:     attrs.Size,
		Stamp:    strconv.FormatInt(attrs.Generation, 10),
		Modified: attrs.Created, // of this generation: Updated also changes with its metadata
	}
}

// List calls its function for all objects whose name begins with prefix, as Service demands. It reads the whole listing
// before the first call, because a broken listing starts again.
func (g *service) List(ctx context.Context, prefix string, found func(blob.Info)) error {
	b, object, err := g.bucket(prefix)
	if err != nil {
		return err
	}
	// Without a Delimiter objects beneath "folders" are listed too: to Google a slash is like any other byte of a name.
	query := &storage.Query{Prefix: object}
	// Only the attributes that googleInfo reads: for millions of objects the others, such as access lists, would be
	// most of the answer.
	if err := query.SetAttrSelection([]string{"Bucket", "Name", "Size", "Generation", "Created"}); err != nil {
		return fmt.Errorf("blob: list: %w", err)
	}
	var all []blob.Info
	err = g.wait.Retry(ctx, prefix, func(ctx context.Context, alive func()) (err error) {
		// The array is reused, but the results of a failed attempt are not: otherwise a file would be listed twice.
		all, err = googleList(b.Objects(ctx, query), all[:0], alive)
		return err
	})
	for _, info := range all {
		found(info)
	}
	return err
}

// googleList appends the objects of a listing.
func googleList(objects *storage.ObjectIterator, all []blob.Info, alive func()) ([]blob.Info, error) {
	for {
		// Called before each object: pages come one by one, and all pages of a large bucket take minutes.
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

// Get opens the n bytes at off of the generation in info. It tries once: the caller counts attempts, which may also
// break in the middle of a stream.
func (g *service) Get(ctx context.Context, info blob.Info, off, n int64) (io.ReadCloser, error) {
	b, object, err := g.bucket(info.Name)
	if err != nil {
		return nil, err
	}
	// The stamp may come from the list of an earlier run, so it is checked.
	generation, err := strconv.ParseInt(info.Stamp, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: generation %q", blob.ErrSyntax, info.Name, info.Stamp)
	}
	// ReadCompressed: otherwise the server would decompress objects with Content-Encoding: gzip, and it supports no
	// ranges of them.
	handle := b.Object(object).Generation(generation).ReadCompressed(true)
	r, err := handle.NewRangeReader(ctx, off, n)
	// The object may exist in a newer generation; only the requested generation is missing.
	if errors.Is(err, storage.ErrObjectNotExist) {
		return nil, blob.OfKind(blob.ErrChanged, err)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

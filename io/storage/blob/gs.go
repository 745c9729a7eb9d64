package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cloud.google.com/go/storage"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// googleStorage is Google Cloud Storage. A version of a file is a generation of an object.
type googleStorage struct {
	client  *storage.Client
	project string // that is billed for requests, of buckets whose requesters pay
	wait    Patience
}

func newGoogleStorage(ctx context.Context, o Options, wait Patience) (remote, error) {
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
	return &googleStorage{client, o.RequesterPays, wait}, nil
}

func (g *googleStorage) close() error { return g.client.Close() }

func (g *googleStorage) bucket(name string) (b *storage.BucketHandle, object string, err error) {
	bucket, object, err := splitBucket(name)
	if err != nil {
		return nil, "", err
	}
	b = g.client.Bucket(bucket)
	if g.project != "" {
		b = b.UserProject(g.project)
	}
	return b, object, nil
}

func (g *googleStorage) stat(ctx context.Context, name string) (Info, error) {
	b, object, err := g.bucket(name)
	if err != nil {
		return Info{}, err
	}
	var attrs *storage.ObjectAttrs
	err = g.wait.retry(ctx, name, func(ctx context.Context, _ func()) (err error) {
		attrs, err = b.Object(object).Attrs(ctx)
		return err
	})
	if err != nil {
		return Info{}, err
	}
	return googleInfo(attrs), nil
}

func googleInfo(attrs *storage.ObjectAttrs) Info {
	return Info{
		Name:     "gs://" + attrs.Bucket + "/" + attrs.Name,
		Size:     attrs.Size,
		Stamp:    strconv.FormatInt(attrs.Generation, 10),
		Modified: attrs.Created, // of this generation: Updated is also that of its metadata
	}
}

func (g *googleStorage) list(ctx context.Context, prefix string, found func(Info)) error {
	b, object, err := g.bucket(prefix)
	if err != nil {
		return err
	}
	query := &storage.Query{Prefix: object}
	if err := query.SetAttrSelection([]string{"Bucket", "Name", "Size", "Generation", "Created"}); err != nil {
		return fmt.Errorf("blob: list: %w", err)
	}
	var all []Info
	err = g.wait.retry(ctx, prefix, func(ctx context.Context, alive func()) (err error) {
		all, err = googleList(b.Objects(ctx, query), all[:0], alive)
		return err
	})
	for _, info := range all {
		found(info)
	}
	return err
}

// googleList appends what a listing yields.
func googleList(objects *storage.ObjectIterator, all []Info, alive func()) ([]Info, error) {
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

func (g *googleStorage) get(ctx context.Context, info Info, off, n int64) (io.ReadCloser, error) {
	b, object, err := g.bucket(info.Name)
	if err != nil {
		return nil, err
	}
	generation, err := strconv.ParseInt(info.Stamp, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("blob: %s: generation %q: %w", info.Name, info.Stamp, ErrSyntax)
	}
	// ReadCompressed: objects that carry Content-Encoding: gzip would else be inflated by the server, which knows no
	// ranges of them.
	handle := b.Object(object).Generation(generation).ReadCompressed(true)
	r, err := handle.NewRangeReader(ctx, off, n)
	if errors.Is(err, storage.ErrObjectNotExist) {
		return nil, kinded{ErrChanged, err}
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// splitBucket divides "gs://bucket/object", and likewise names of other schemes.
func splitBucket(name string) (bucket, object string, err error) {
	_, rest, _ := strings.Cut(name, "://")
	bucket, object, _ = strings.Cut(rest, "/")
	if secret.Hides(name) {
		return "", "", &InputError{name, "credentials are no part of a bucket's name: docs/object-storage.md says where they are taken from", ErrSyntax}
	}
	if bucket == "" || strings.ContainsAny(bucket, meta) {
		return "", "", &InputError{name, "a bucket must be named", ErrSyntax}
	}
	return bucket, object, nil
}

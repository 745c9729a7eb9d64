// Package s3 gives package blob the files of Amazon's Simple Storage Service and of compatible servers,
// s3://bucket/name. Programs that read or write there import it for this effect alone:
//
//	import _ "github.com/gleaner-web/gleaner/io/storage/s3"
//
// It includes Amazon's client library.
package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

func init() {
	blob.Register("s3", blob.Driver{Connect: connect, Status: status, NoBucket: noBucket})
}

// status returns the HTTP status of an error of the client library, or 0. It tests for a method, because the library
// has several types for a refusal, its own and one for each service, all with this method.
func status(err error) int {
	var refused interface{ HTTPStatusCode() int }
	if errors.As(err, &refused) {
		return refused.HTTPStatusCode()
	}
	return 0
}

// noBucket reports whether the bucket itself is missing, and not an object: both have status 404.
func noBucket(err error) bool { return isCode(err, "NoSuchBucket") }

// isCode reports whether an error has this code of Amazon's.
func isCode(err error, code string) bool {
	var api smithy.APIError
	return errors.As(err, &api) && api.ErrorCode() == code
}

// service is Amazon's Simple Storage Service, or a compatible server. An entity tag identifies the version of a file.
type service struct {
	// client is safe for concurrent use; Amazon's documentation says so of all its clients.
	client *s3.Client
	// payer is empty or "requester". Each request repeats it, because the client has no option for it.
	payer types.RequestPayer
	wait  blob.Patience
}

// connect takes endpoint, region and credentials from the usual places of Amazon's tools: AWS_ENDPOINT_URL, AWS_REGION,
// AWS_PROFILE, ~/.aws and so on. Without credentials it does not sign requests, which is enough for public buckets.
func connect(ctx context.Context, o blob.Options) (blob.Service, error) {
	// The library's own log is silenced: it would write errors to standard error that we report or fix ourselves.
	cfg, err := config.LoadDefaultConfig(ctx, config.WithAppID(o.UserAgent), config.WithLogger(logging.Nop{}))
	if err != nil {
		return nil, fmt.Errorf("configure S3: %w", err)
	}
	if cfg.Region == "" {
		cfg.Region = "us-east-1" // the bucket sends the right one, and other servers ignore it
	}
	// Only fetching the credentials shows whether there are any: the library looks in files and the environment, and
	// asks the machine. Without this test each request would fail.
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		cfg.Credentials = aws.AnonymousCredentials{}
	}
	client := s3.NewFromConfig(cfg, func(s *s3.Options) {
		s.UsePathStyle = s.BaseEndpoint != nil // few servers other than Amazon's have a host name for each bucket
		s.RetryMaxAttempts = 1                 // because we try again ourselves
		s.Retryer = aws.NopRetryer{}
	})
	// blob.Patience has the pauses between our attempts, for which the library has no setting.
	g := &service{client: client, wait: o.Patience}
	if o.RequesterPays != "" {
		g.payer = types.RequestPayerRequester
	}
	return g, nil
}

// Close does nothing: Amazon's client needs no closing, and its idle connections end by themselves.
func (g *service) Close() error { return nil }

// Stat describes the object at name by a HEAD request. Its stamp is the entity tag, with its quotes.
func (g *service) Stat(ctx context.Context, name string) (blob.Info, error) {
	bucket, key, err := blob.SplitBucket(name)
	if err != nil {
		return blob.Info{}, err
	}
	var head *s3.HeadObjectOutput
	err = g.wait.Retry(ctx, name, func(ctx context.Context, _ func()) (err error) {
		// An answer to HEAD has no body, so a refusal is a bare status, also for a missing bucket.
		head, err = g.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &bucket, Key: &key, RequestPayer: g.payer})
		return err
	})
	if err != nil {
		return blob.Info{}, err
	}
	// The library uses pointers for optional values; these functions read nil as zero.
	return blob.Info{
		Name: name, Size: aws.ToInt64(head.ContentLength), Stamp: aws.ToString(head.ETag),
		Modified: aws.ToTime(head.LastModified),
	}, nil
}

// List calls its function for all objects whose name begins with prefix, as Service demands. A page holds up to 1000
// objects; each page is retried by itself, so no object is reported twice.
func (g *service) List(ctx context.Context, prefix string, found func(blob.Info)) error {
	bucket, key, err := blob.SplitBucket(prefix)
	if err != nil {
		// blob.SplitBucket also accepts a URL without an object: then key is empty and covers the whole bucket.
		return err
	}
	pages := s3.NewListObjectsV2Paginator(g.client, &s3.ListObjectsV2Input{
		Bucket: &bucket, Prefix: &key,
		RequestPayer: g.payer,
	})
	for pages.HasMorePages() {
		var page *s3.ListObjectsV2Output
		err := g.wait.Retry(ctx, prefix, func(ctx context.Context, _ func()) (err error) {
			// A paginator advances only when the page has arrived, so a failed page is requested again.
			page, err = pages.NextPage(ctx)
			return err
		})
		if err != nil {
			return err
		}
		for _, o := range page.Contents {
			found(blob.Info{
				Name: "s3://" + bucket + "/" + aws.ToString(o.Key), Size: aws.ToInt64(o.Size), Stamp: aws.ToString(o.ETag),
				Modified: aws.ToTime(o.LastModified),
			})
		}
	}
	return nil
}

// Get opens the n bytes at off of the version in info. It tries once; the caller counts attempts.
func (g *service) Get(ctx context.Context, info blob.Info, off, n int64) (io.ReadCloser, error) {
	bucket, key, err := blob.SplitBucket(info.Name)
	if err != nil {
		return nil, err
	}
	got, err := g.client.GetObject(ctx, &s3.GetObjectInput{
		// If-Match makes the server compare and answer in one step, so no version can slip in between.
		Bucket: &bucket, Key: &key, IfMatch: &info.Stamp, RequestPayer: g.payer,
		Range: aws.String(blob.ByteRange(off, n)),
	})
	// 404 and 416 are changes too: the object existed with that length when info was made.
	switch code := blob.StatusOf(err); {
	case code == http.StatusPreconditionFailed, code == http.StatusNotFound,
		code == http.StatusRequestedRangeNotSatisfiable:
		return nil, blob.OfKind(blob.ErrChanged, err)
	case err != nil:
		return nil, err
	case aws.ToString(got.ETag) != info.Stamp: // for a server that ignores If-Match
		return nil, errors.Join(blob.Changed(info.Name), got.Body.Close())
	// A server without ranges answers 200 and the whole object.
	case aws.ToString(got.ContentRange) == "":
		return blob.Whole{ReadCloser: got.Body}, nil
	case !strings.HasPrefix(aws.ToString(got.ContentRange), fmt.Sprintf("bytes %d-", off)):
		err := &blob.InputError{Arg: info.Name, Reason: "the server gives other parts of files", Err: errors.ErrUnsupported}
		return nil, errors.Join(err, got.Body.Close())
	}
	// The body holds a connection until the caller closes it.
	return got.Body, nil
}

// Package s3 gives package blob the files of Amazon's Simple Storage Service and of servers that speak its protocol,
// s3://bucket/name. It is imported for that alone, by programs that are to read or write there:
//
//	import _ "github.com/gleaner-web/gleaner/io/storage/s3"
//
// It brings Amazon's client library along.
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

// status is the HTTP status that an error of the client library stands for, or 0.
// The type is not named: Amazon's library has several for a refusal, of its own and of each service, and all have
// this method.
func status(err error) int {
	var refused interface{ HTTPStatusCode() int }
	if errors.As(err, &refused) {
		return refused.HTTPStatusCode()
	}
	return 0
}

// noBucket tells a bucket that is not there from an object that is not: both are status 404.
func noBucket(err error) bool { return isCode(err, "NoSuchBucket") }

// isCode reports whether an error is what Amazon calls so.
func isCode(err error, code string) bool {
	var api smithy.APIError
	return errors.As(err, &api) && api.ErrorCode() == code
}

// service is Amazon's Simple Storage Service, or a server that speaks its protocol. A version of a file is identified
// by its entity tag.
type service struct {
	// client may be used by several goroutines; Amazon's documentation says so of all its clients.
	client *s3.Client
	// payer is empty or "requester", which each request has to say again: there is no option of the client for it.
	payer types.RequestPayer
	wait  blob.Patience
}

// connect takes endpoint, region and credentials from where all of Amazon's tools take them: AWS_ENDPOINT_URL,
// AWS_REGION, AWS_PROFILE, ~/.aws and so on. Where there are no credentials, requests are not signed, which is enough
// for public buckets.
func connect(ctx context.Context, o blob.Options) (blob.Service, error) {
	// The library's own log is silenced: it would write to standard error of what we report or mend ourselves.
	cfg, err := config.LoadDefaultConfig(ctx, config.WithAppID(o.UserAgent), config.WithLogger(logging.Nop{}))
	if err != nil {
		return nil, fmt.Errorf("configure S3: %w", err)
	}
	if cfg.Region == "" {
		cfg.Region = "us-east-1" // the bucket sends the right one, and servers other than Amazon's ignore it
	}
	// To fetch them once, now, is the only way to find out whether there are any; the library looks in files, in
	// the environment, and asks the machine it runs on. Without this, each request would fail.
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		cfg.Credentials = aws.AnonymousCredentials{}
	}
	client := s3.NewFromConfig(cfg, func(s *s3.Options) {
		s.UsePathStyle = s.BaseEndpoint != nil // few servers but Amazon's have a host name for each bucket
		s.RetryMaxAttempts = 1                 // because we try again ourselves
		s.Retryer = aws.NopRetryer{}
	})
	// The pauses between our attempts are those of blob.Patience, for which the library has no setting.
	g := &service{client: client, wait: o.Patience}
	if o.RequesterPays != "" {
		g.payer = types.RequestPayerRequester
	}
	return g, nil
}

// Close does nothing: Amazon's client has nothing to close, and its idle connections end by themselves.
func (g *service) Close() error { return nil }

// Stat describes the object that name stands for by a HEAD request. Its stamp is the entity tag, with its quotes.
func (g *service) Stat(ctx context.Context, name string) (blob.Info, error) {
	bucket, key, err := blob.SplitBucket(name)
	if err != nil {
		return blob.Info{}, err
	}
	var head *s3.HeadObjectOutput
	err = g.wait.Retry(ctx, name, func(ctx context.Context, _ func()) (err error) {
		// A HEAD request has no body, so a refusal is a bare status: of a bucket that is not there, too.
		head, err = g.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &bucket, Key: &key, RequestPayer: g.payer})
		return err
	})
	if err != nil {
		return blob.Info{}, err
	}
	// The library gives pointers for all that a server may leave out; these functions read nil as zero.
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
		// blob.SplitBucket takes a URL without an object too: then key is empty and stands for all that is in the
		// bucket.
		return err
	}
	pages := s3.NewListObjectsV2Paginator(g.client, &s3.ListObjectsV2Input{
		Bucket: &bucket, Prefix: &key,
		RequestPayer: g.payer,
	})
	for pages.HasMorePages() {
		var page *s3.ListObjectsV2Output
		err := g.wait.Retry(ctx, prefix, func(ctx context.Context, _ func()) (err error) {
			// A paginator moves on only when the page has come, so that after a failure the same one is asked for.
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

// Get opens the n bytes at off of the version that info tells. It tries once; the caller counts attempts.
func (g *service) Get(ctx context.Context, info blob.Info, off, n int64) (io.ReadCloser, error) {
	bucket, key, err := blob.SplitBucket(info.Name)
	if err != nil {
		return nil, err
	}
	got, err := g.client.GetObject(ctx, &s3.GetObjectInput{
		// If-Match makes the server compare and give in one step: no version can slip in between.
		Bucket: &bucket, Key: &key, IfMatch: &info.Stamp, RequestPayer: g.payer,
		Range: aws.String(blob.ByteRange(off, n)),
	})
	// 404 and 416 are changes, too: the object was there, and that long, when info was made.
	switch code := blob.StatusOf(err); {
	case code == http.StatusPreconditionFailed, code == http.StatusNotFound,
		code == http.StatusRequestedRangeNotSatisfiable:
		return nil, blob.OfKind(blob.ErrChanged, err)
	case err != nil:
		return nil, err
	case aws.ToString(got.ETag) != info.Stamp: // of a server that knows no If-Match
		return nil, errors.Join(blob.Changed(info.Name), got.Body.Close())
	// A server without ranges answers 200 and the whole object.
	case aws.ToString(got.ContentRange) == "":
		return blob.Whole{ReadCloser: got.Body}, nil
	case !strings.HasPrefix(aws.ToString(got.ContentRange), fmt.Sprintf("bytes %d-", off)):
		err := &blob.InputError{Arg: info.Name, Reason: "the server gives other parts of files", Err: errors.ErrUnsupported}
		return nil, errors.Join(err, got.Body.Close())
	}
	// The body holds a connection until it is closed, which is the caller's to do.
	return got.Body, nil
}

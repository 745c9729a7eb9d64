package blob

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
	"github.com/aws/smithy-go/logging"
)

// simpleStorage is Amazon's Simple Storage Service, or a server that speaks its protocol. A version of a file is what
// has one entity tag.
type simpleStorage struct {
	client *s3.Client
	payer  types.RequestPayer
	wait   Patience
}

// newSimpleStorage takes endpoint, region and credentials from where all of Amazon's tools take them: AWS_ENDPOINT_URL,
// AWS_REGION, AWS_PROFILE, ~/.aws and so on. Where there are no credentials, requests are not signed, which is enough
// for public buckets.
func newSimpleStorage(ctx context.Context, o Options, wait Patience) (remote, error) {
	cfg, err := config.LoadDefaultConfig(ctx, config.WithAppID(o.UserAgent), config.WithLogger(logging.Nop{}))
	if err != nil {
		return nil, fmt.Errorf("configure S3: %w", err)
	}
	if cfg.Region == "" {
		cfg.Region = "us-east-1" // it is told the right one by the bucket, and other servers than Amazon's do not care
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		cfg.Credentials = aws.AnonymousCredentials{}
	}
	client := s3.NewFromConfig(cfg, func(s *s3.Options) {
		s.UsePathStyle = s.BaseEndpoint != nil // few servers but Amazon's have a host name for each bucket
		s.RetryMaxAttempts = 1                 // because we try again ourselves
		s.Retryer = aws.NopRetryer{}
	})
	g := &simpleStorage{client: client, wait: wait}
	if o.RequesterPays != "" {
		g.payer = types.RequestPayerRequester
	}
	return g, nil
}

func (g *simpleStorage) close() error { return nil }

func (g *simpleStorage) stat(ctx context.Context, name string) (Info, error) {
	bucket, key, err := splitBucket(name)
	if err != nil {
		return Info{}, err
	}
	var head *s3.HeadObjectOutput
	err = g.wait.retry(ctx, name, func(ctx context.Context, _ func()) (err error) {
		head, err = g.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &bucket, Key: &key, RequestPayer: g.payer})
		return err
	})
	if err != nil {
		return Info{}, err
	}
	return Info{Name: name, Size: aws.ToInt64(head.ContentLength), Stamp: aws.ToString(head.ETag), Modified: aws.ToTime(head.LastModified)}, nil
}

func (g *simpleStorage) list(ctx context.Context, prefix string, found func(Info)) error {
	bucket, key, err := splitBucket(prefix)
	if err != nil {
		return err
	}
	pages := s3.NewListObjectsV2Paginator(g.client, &s3.ListObjectsV2Input{Bucket: &bucket, Prefix: &key, RequestPayer: g.payer})
	for pages.HasMorePages() {
		var page *s3.ListObjectsV2Output
		err := g.wait.retry(ctx, prefix, func(ctx context.Context, _ func()) (err error) {
			page, err = pages.NextPage(ctx)
			return err
		})
		if err != nil {
			return err
		}
		for _, o := range page.Contents {
			found(Info{
				Name: "s3://" + bucket + "/" + aws.ToString(o.Key), Size: aws.ToInt64(o.Size), Stamp: aws.ToString(o.ETag),
				Modified: aws.ToTime(o.LastModified),
			})
		}
	}
	return nil
}

func (g *simpleStorage) get(ctx context.Context, info Info, off, n int64) (io.ReadCloser, error) {
	bucket, key, err := splitBucket(info.Name)
	if err != nil {
		return nil, err
	}
	got, err := g.client.GetObject(ctx, &s3.GetObjectInput{
		Bucket: &bucket, Key: &key, IfMatch: &info.Stamp, RequestPayer: g.payer,
		Range: aws.String(byteRange(off, n)),
	})
	switch code := statusOf(err); {
	case code == http.StatusPreconditionFailed, code == http.StatusNotFound, code == http.StatusRequestedRangeNotSatisfiable:
		return nil, kinded{ErrChanged, err}
	case err != nil:
		return nil, err
	case aws.ToString(got.ETag) != info.Stamp: // of a server that knows no If-Match
		return nil, errors.Join(changed(info.Name), got.Body.Close())
	case off > 0 && !strings.HasPrefix(aws.ToString(got.ContentRange), fmt.Sprintf("bytes %d-", off)):
		err := &InputError{info.Name, "the server does not give parts of files", errors.ErrUnsupported}
		return nil, errors.Join(err, got.Body.Close())
	}
	return got.Body, nil
}

// byteRange is the value of a Range field.
func byteRange(off, n int64) string { return fmt.Sprintf("bytes=%d-%d", off, off+n-1) }

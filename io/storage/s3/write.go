package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// maxCopy is what S3 copies in one request.
const maxCopy = 5 << 30

// condition is replaced as the fields If-Match and If-None-Match.
func condition(replaced string) (match, noneMatch *string) {
	switch replaced {
	case "":
		return nil, nil
	case blob.Absent:
		return nil, aws.String("*")
	}
	return &replaced, nil
}

func (g *service) Put(ctx context.Context, name string, body *io.SectionReader, replaced string) (blob.Info, error) {
	bucket, key, err := blob.SplitBucket(name)
	if err != nil {
		return blob.Info{}, err
	}
	match, noneMatch := condition(replaced)
	if body.Size() > blob.PartBytes {
		return g.putParts(ctx, name, body, match, noneMatch)
	}
	done, err := g.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &bucket, Key: &key, Body: body, ContentLength: aws.Int64(body.Size()), IfMatch: match, IfNoneMatch: noneMatch,
		RequestPayer: g.payer,
	})
	if err != nil {
		return blob.Info{}, blob.Unmatched(err)
	}
	return blob.Info{Name: name, Size: body.Size(), Stamp: aws.ToString(done.ETag)}, nil
}

// putParts uploads in parts, each as often as it takes. When it fails, the parts are removed.
func (g *service) putParts(ctx context.Context, name string, body *io.SectionReader, match,
	noneMatch *string,
) (info blob.Info, err error) {
	bucket, key, err := blob.SplitBucket(name)
	if err != nil {
		return blob.Info{}, err
	}
	upload, err := g.client.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{
		Bucket: &bucket, Key: &key,
		RequestPayer: g.payer,
	})
	if err != nil {
		return blob.Info{}, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, g.abort(ctx, bucket, key, aws.ToString(upload.UploadId)))
		}
	}()
	var parts []types.CompletedPart
	for off := int64(0); off < body.Size(); off += blob.PartBytes {
		number := aws.Int32(int32(len(parts) + 1))
		n := min(blob.PartBytes, body.Size()-off)
		var done *s3.UploadPartOutput
		err := g.wait.Retry(ctx, "", func(ctx context.Context, _ func()) (err error) {
			done, err = g.client.UploadPart(ctx, &s3.UploadPartInput{
				Bucket: &bucket, Key: &key, UploadId: upload.UploadId, PartNumber: number, Body: io.NewSectionReader(body, off, n),
				ContentLength: aws.Int64(n), RequestPayer: g.payer,
			})
			return err
		})
		if err != nil {
			return blob.Info{}, err
		}
		parts = append(parts, types.CompletedPart{PartNumber: number, ETag: done.ETag})
	}
	done, err := g.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: &bucket, Key: &key, UploadId: upload.UploadId, MultipartUpload: &types.CompletedMultipartUpload{Parts: parts},
		IfMatch: match, IfNoneMatch: noneMatch, RequestPayer: g.payer,
	})
	if err != nil {
		return blob.Info{}, blob.Unmatched(err)
	}
	return blob.Info{Name: name, Size: body.Size(), Stamp: aws.ToString(done.ETag)}, nil
}

// abort removes the parts of an upload, also when ctx has ended.
func (g *service) abort(ctx context.Context, bucket, key, id string) error {
	return g.wait.Retry(context.WithoutCancel(ctx), "s3://"+bucket+"/"+key, func(ctx context.Context, _ func()) error {
		_, err := g.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{
			Bucket: &bucket, Key: &key, UploadId: &id,
			RequestPayer: g.payer,
		})
		if isCode(err, "NoSuchUpload") {
			return nil
		}
		return err
	})
}

func (g *service) Copy(ctx context.Context, from, to string) error {
	bucket, key, err := blob.SplitBucket(to)
	if err != nil {
		return err
	}
	info, err := g.Stat(ctx, from)
	if err != nil {
		return err
	}
	if info.Size > maxCopy {
		return &blob.InputError{
			Arg: from, Err: errors.ErrUnsupported,
			Reason: fmt.Sprintf("has more than %d bytes, which S3 does not copy", int64(maxCopy)),
		}
	}
	source := (&url.URL{Path: strings.TrimPrefix(from, "s3://")}).EscapedPath()
	source = strings.ReplaceAll(source, "+", "%2B") // which some servers take for a space
	_, err = g.client.CopyObject(ctx, &s3.CopyObjectInput{
		Bucket: &bucket, Key: &key, CopySource: &source,
		RequestPayer: g.payer,
	})
	return err
}

func (g *service) Remove(ctx context.Context, name string) error {
	bucket, key, err := blob.SplitBucket(name)
	if err != nil {
		return err
	}
	_, err = g.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &bucket, Key: &key, RequestPayer: g.payer})
	return err
}

func (g *service) Sweep(ctx context.Context, prefix string) error {
	bucket, key, err := blob.SplitBucket(prefix)
	if err != nil {
		return err
	}
	pages := s3.NewListMultipartUploadsPaginator(g.client, &s3.ListMultipartUploadsInput{Bucket: &bucket, Prefix: &key})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if isCode(err, "NoSuchUpload") || blob.StatusOf(err) == http.StatusNotFound && !isCode(err, "NoSuchBucket") {
			return nil // so some servers say that there is none; the connection may break before the code has come
		}
		if err != nil {
			return err
		}
		for _, u := range page.Uploads {
			if err := g.abort(ctx, bucket, aws.ToString(u.Key), aws.ToString(u.UploadId)); err != nil {
				return err
			}
		}
	}
	return nil
}

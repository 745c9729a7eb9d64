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

// maxCopy is the limit of Amazon's CopyObject. Larger objects have to be copied in parts, which nothing here has
// needed.
const maxCopy = 5 << 30

// condition returns replaced as the fields If-Match and If-None-Match. A required entity tag goes into If-Match. The
// value "*" in If-None-Match requires that there is no object (RFC 9110, section 13.1.2).
func condition(replaced string) (match, noneMatch *string) {
	switch replaced {
	case "":
		return nil, nil
	case blob.Absent:
		return nil, aws.String("*")
	}
	return &replaced, nil
}

// Put writes an object. replaced is the entity tag that it must have now, blob.Absent for none, or "" for any. If it
// has another, the error is blob.ErrChanged. Others see the whole object or none. Content of at most one part takes one
// request.
func (g *service) Put(ctx context.Context, name string, body *io.SectionReader, replaced string) (blob.Info, error) {
	bucket, key, err := blob.SplitBucket(name)
	if err != nil {
		return blob.Info{}, err
	}
	match, noneMatch := condition(replaced)
	if body.Size() > blob.PartBytes {
		return g.putParts(ctx, name, body, match, noneMatch)
	}
	// body can seek, because the library may read it for a checksum before it sends it.
	done, err := g.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &bucket, Key: &key, Body: body, ContentLength: aws.Int64(body.Size()), IfMatch: match, IfNoneMatch: noneMatch,
		RequestPayer: g.payer,
	})
	if err != nil {
		return blob.Info{}, blob.Unmatched(err)
	}
	// Modified stays zero: the answer does not have the server's time.
	return blob.Info{Name: name, Size: body.Size(), Stamp: aws.ToString(done.ETag)}, nil
}

// putParts uploads in parts, each with repeated attempts. When it fails, it removes the parts. The conditions are those
// of Put. The server tests them when it joins the parts, so an upload may fail only at its end.
func (g *service) putParts(ctx context.Context, name string, body *io.SectionReader, match,
	noneMatch *string,
) (info blob.Info, err error) {
	// The result is named for the deferred function, which adds the error of its clean-up.
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
		// Remaining parts cost money each month and appear in no listing of objects.
		if err != nil {
			err = errors.Join(err, g.abort(ctx, bucket, key, aws.ToString(upload.UploadId)))
		}
	}()
	var parts []types.CompletedPart
	// All parts except the last have the same length, as some compatible servers demand.
	size := partBytes(body.Size())
	for off := int64(0); off < body.Size(); off += size {
		// Parts count from 1.
		number := aws.Int32(int32(len(parts) + 1))
		n := min(size, body.Size()-off)
		var done *s3.UploadPartOutput
		err := g.wait.Retry(ctx, "", func(ctx context.Context, _ func()) (err error) {
			done, err = g.client.UploadPart(ctx, &s3.UploadPartInput{
				// A new reader for each attempt, because a failed one has read some bytes.
				Bucket: &bucket, Key: &key, UploadId: upload.UploadId, PartNumber: number, Body: io.NewSectionReader(body, off, n),
				ContentLength: aws.Int64(n), RequestPayer: g.payer,
			})
			return err
		})
		if err != nil {
			return blob.Info{}, err
		}
		// The tags identify the bytes of each part, in case a part was sent twice.
		parts = append(parts, types.CompletedPart{PartNumber: number, ETag: done.ETag})
	}
	// Only this makes an object of the parts.
	done, err := g.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: &bucket, Key: &key, UploadId: upload.UploadId, MultipartUpload: &types.CompletedMultipartUpload{Parts: parts},
		IfMatch: match, IfNoneMatch: noneMatch, RequestPayer: g.payer,
	})
	if err != nil {
		// The deferred function aborts the upload. If it was completed and only the answer is lost, there is nothing to
		// abort.
		return blob.Info{}, blob.Unmatched(err)
	}
	return blob.Info{Name: name, Size: body.Size(), Stamp: aws.ToString(done.ETag)}, nil
}

// maxParts is the limit of parts in an upload. Lengths of parts are multiples of partUnit. Amazon requires at least 5
// MiB a part.
const (
	maxParts = 10_000
	partUnit = 1 << 20
)

// partBytes returns the length of the parts of an object of this size. It is longer than usual where these would be too
// many.
func partBytes(size int64) int64 {
	least := (size + maxParts - 1) / maxParts
	return max(blob.PartBytes, (least+partUnit-1)/partUnit*partUnit)
}

// abort removes the parts of an upload, even if ctx has ended: an upload that was canceled with ctx has parts to
// remove.
func (g *service) abort(ctx context.Context, bucket, key, id string) error {
	return g.wait.Retry(context.WithoutCancel(ctx), "s3://"+bucket+"/"+key, func(ctx context.Context, _ func()) error {
		_, err := g.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{
			Bucket: &bucket, Key: &key, UploadId: &id,
			RequestPayer: g.payer,
		})
		// It was completed, or an earlier attempt has aborted it and its answer was lost.
		if isCode(err, "NoSuchUpload") {
			return nil
		}
		return err
	})
}

// Copy makes the server copy an object, without a download.
func (g *service) Copy(ctx context.Context, from, to string) error {
	bucket, key, err := blob.SplitBucket(to)
	if err != nil {
		return err
	}
	// Checked first, because the server's message does not say that the content is too large.
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
	// The source is a header field, bucket/key with all but plain letters escaped; slashes stay.
	source := (&url.URL{Path: strings.TrimPrefix(from, "s3://")}).EscapedPath()
	source = strings.ReplaceAll(source, "+", "%2B") // some servers take it for a space
	_, err = g.client.CopyObject(ctx, &s3.CopyObjectInput{
		Bucket: &bucket, Key: &key, CopySource: &source,
		RequestPayer: g.payer,
	})
	return err
}

// Remove removes an object. S3 gives the same answer for a missing one.
func (g *service) Remove(ctx context.Context, name string) error {
	bucket, key, err := blob.SplitBucket(name)
	if err != nil {
		return err
	}
	_, err = g.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &bucket, Key: &key, RequestPayer: g.payer})
	return err
}

// Sweep aborts unfinished uploads beneath prefix, from killed processes. Nobody may be uploading there, because running
// uploads look the same.
func (g *service) Sweep(ctx context.Context, prefix string) error {
	bucket, key, err := blob.SplitBucket(prefix)
	if err != nil {
		return err
	}
	pages := s3.NewListMultipartUploadsPaginator(g.client, &s3.ListMultipartUploadsInput{Bucket: &bucket, Prefix: &key})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		// 404 alone may also mean a missing bucket, which has to be reported.
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

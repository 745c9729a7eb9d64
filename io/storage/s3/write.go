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
// The limit is Amazon's for CopyObject; larger ones have to be copied in parts, which nothing here has needed.
const maxCopy = 5 << 30

// condition is replaced as the fields If-Match and If-None-Match.
// An entity tag that must be there goes into If-Match. "*" in If-None-Match means that there must be none at all
// (RFC 9110, section 13.1.2).
func condition(replaced string) (match, noneMatch *string) {
	switch replaced {
	case "":
		return nil, nil
	case blob.Absent:
		return nil, aws.String("*")
	}
	return &replaced, nil
}

// Put writes an object. replaced is the entity tag that it must have now, blob.Absent for none, or "" for any; where it
// has another the error is blob.ErrChanged. Others see it whole or not at all. Content of at most one part takes one
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
	// body can be sought, because the library may read it for a checksum before it sends it.
	done, err := g.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &bucket, Key: &key, Body: body, ContentLength: aws.Int64(body.Size()), IfMatch: match, IfNoneMatch: noneMatch,
		RequestPayer: g.payer,
	})
	if err != nil {
		return blob.Info{}, blob.Unmatched(err)
	}
	// Modified stays zero: the answer does not tell the time that the server noted.
	return blob.Info{Name: name, Size: body.Size(), Stamp: aws.ToString(done.ETag)}, nil
}

// putParts uploads in parts, each as often as it takes. When it fails, the parts are removed.
// The conditions are those of Put; they are checked when the parts are put together, so an upload may turn out to
// be without success only at its end.
func (g *service) putParts(ctx context.Context, name string, body *io.SectionReader, match,
	noneMatch *string,
) (info blob.Info, err error) {
	// The result has a name for the function that is deferred below: it adds to the error what the clean-up ends
	// with.
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
		// Parts that stay are paid for month by month and appear in no listing of objects.
		if err != nil {
			err = errors.Join(err, g.abort(ctx, bucket, key, aws.ToString(upload.UploadId)))
		}
	}()
	var parts []types.CompletedPart
	// All parts but the last have the same length, as some servers demand that speak the protocol.
	size := partBytes(body.Size())
	for off := int64(0); off < body.Size(); off += size {
		// Parts count from 1.
		number := aws.Int32(int32(len(parts) + 1))
		n := min(size, body.Size()-off)
		var done *s3.UploadPartOutput
		err := g.wait.Retry(ctx, "", func(ctx context.Context, _ func()) (err error) {
			done, err = g.client.UploadPart(ctx, &s3.UploadPartInput{
				// A reader of its own for each attempt: one that failed has read from the last.
				Bucket: &bucket, Key: &key, UploadId: upload.UploadId, PartNumber: number, Body: io.NewSectionReader(body, off, n),
				ContentLength: aws.Int64(n), RequestPayer: g.payer,
			})
			return err
		})
		if err != nil {
			return blob.Info{}, err
		}
		// The tags say which bytes of each part are meant, should a part have been sent twice.
		parts = append(parts, types.CompletedPart{PartNumber: number, ETag: done.ETag})
	}
	// Only this makes an object of the parts.
	done, err := g.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: &bucket, Key: &key, UploadId: upload.UploadId, MultipartUpload: &types.CompletedMultipartUpload{Parts: parts},
		IfMatch: match, IfNoneMatch: noneMatch, RequestPayer: g.payer,
	})
	if err != nil {
		// The deferred function aborts the upload. If it was completed and only the answer is lost, there is
		// nothing to abort.
		return blob.Info{}, blob.Unmatched(err)
	}
	return blob.Info{Name: name, Size: body.Size(), Stamp: aws.ToString(done.ETag)}, nil
}

// maxParts is how many parts an upload may have, and partUnit what their lengths are multiples of here. Amazon asks for
// 5 MiB a part at least.
const (
	maxParts = 10_000
	partUnit = 1 << 20
)

// partBytes is how long the parts are of an object of this size: longer than usual where these would be too many.
func partBytes(size int64) int64 {
	least := (size + maxParts - 1) / maxParts
	return max(blob.PartBytes, (least+partUnit-1)/partUnit*partUnit)
}

// abort removes the parts of an upload, also when ctx has ended.
// An upload that was cancelled with ctx is just the one that has parts to remove.
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

// Copy has the server copy an object; its bytes do not come here.
func (g *service) Copy(ctx context.Context, from, to string) error {
	bucket, key, err := blob.SplitBucket(to)
	if err != nil {
		return err
	}
	// Checked first, because the server's message for too large content does not say so.
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
	// The source goes into a header field, as bucket/key with all but plain letters escaped; slashes stay.
	source := (&url.URL{Path: strings.TrimPrefix(from, "s3://")}).EscapedPath()
	source = strings.ReplaceAll(source, "+", "%2B") // which some servers take for a space
	_, err = g.client.CopyObject(ctx, &s3.CopyObjectInput{
		Bucket: &bucket, Key: &key, CopySource: &source,
		RequestPayer: g.payer,
	})
	return err
}

// Remove removes an object. S3 answers likewise where there is none.
func (g *service) Remove(ctx context.Context, name string) error {
	bucket, key, err := blob.SplitBucket(name)
	if err != nil {
		return err
	}
	_, err = g.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &bucket, Key: &key, RequestPayer: g.payer})
	return err
}

// Sweep aborts the uploads beneath prefix that were begun and never completed, by processes that were killed.
// Nobody may be uploading there: which of them somebody still works at cannot be seen.
func (g *service) Sweep(ctx context.Context, prefix string) error {
	bucket, key, err := blob.SplitBucket(prefix)
	if err != nil {
		return err
	}
	pages := s3.NewListMultipartUploadsPaginator(g.client, &s3.ListMultipartUploadsInput{Bucket: &bucket, Prefix: &key})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		// 404 alone may mean a bucket that is not there, too, which has to be told.
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

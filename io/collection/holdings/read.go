package holdings

import (
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/io/stream/lines"
	"github.com/gleaner-web/gleaner/schemas"
)

// Documents yields the documents. If a unit has them in both formats, it reads the JSON lines. These are in the order
// of the archive; Parquet is sorted by SURT and time.
func (p Part) Documents(ctx context.Context) iter.Seq2[*schemas.Document, error] {
	return p.DocumentsBy(ctx, decodeDocument)
}

// DocumentsBy is like Documents for callers that need few fields: read makes a document of a line. The line is valid
// until read returns. From Parquet all fields are read.
func (p Part) DocumentsBy(
	ctx context.Context, read func(line []byte) (*schemas.Document, error),
) iter.Seq2[*schemas.Document, error] {
	return Each(ctx, p.DocumentShards(), func(s schemas.Shard) iter.Seq2[*schemas.Document, error] {
		if n, _, _ := SplitName(s.Name); n.Ext != ExtParquet {
			return linesOf(p, s, read, nil)
		}
		return tableOf(p, s, parquetfile.Read)
	})
}

// URLs yields the URLs of the documents, like Documents. From Parquet only their column is read.
func (p Part) URLs(ctx context.Context) iter.Seq2[string, error] {
	return Each(ctx, p.DocumentShards(), func(s schemas.Shard) iter.Seq2[string, error] {
		if n, _, _ := SplitName(s.Name); n.Ext != ExtParquet {
			return linesOf(p, s, decodeURL, nil)
		}
		return tableOf(p, s, parquetfile.ReadURLs)
	})
}

// Rejects yields the rejects.
func (p Part) Rejects(ctx context.Context) iter.Seq2[schemas.Reject, error] {
	return Each(ctx, p.Of(KindRejects), func(s schemas.Shard) iter.Seq2[schemas.Reject, error] {
		return linesOf(p, s, decode[schemas.Reject], nil)
	})
}

// Feeds yields the feeds, if the run was asked for feeds.
func (p Part) Feeds(ctx context.Context) iter.Seq2[schemas.FeedCapture, error] {
	return p.FeedsBy(ctx, decode[schemas.FeedCapture])
}

// FeedsBy is like Feeds for callers that need few fields: see DocumentsBy.
func (p Part) FeedsBy(
	ctx context.Context, read func(line []byte) (schemas.FeedCapture, error),
) iter.Seq2[schemas.FeedCapture, error] {
	return Each(ctx, p.Of(KindFeeds), func(s schemas.Shard) iter.Seq2[schemas.FeedCapture, error] {
		return linesOf(p, s, read, p.Refuse)
	})
}

// Links yields the links of pages, page by page, if the run was asked for links.
func (p Part) Links(ctx context.Context) iter.Seq2[schemas.Link, error] {
	return Each(ctx, p.Of(KindLinks), func(s schemas.Shard) iter.Seq2[schemas.Link, error] {
		return tableOf(p, s, parquetfile.ReadLinks)
	})
}

// Data yields the rows of structured data, page by page, if the run was asked for them.
func (p Part) Data(ctx context.Context) iter.Seq2[schemas.Datum, error] {
	return Each(ctx, p.Of(KindData), func(s schemas.Shard) iter.Seq2[schemas.Datum, error] {
		return tableOf(p, s, parquetfile.ReadData)
	})
}

// Captures yields the lines of the index, sorted within each unit.
func (p Part) Captures(ctx context.Context) iter.Seq2[cdx.Line, error] {
	return Each(ctx, p.Of(KindCaptures), func(s schemas.Shard) iter.Seq2[cdx.Line, error] {
		return readCaptures(p.Folder, s)
	})
}

// Each yields the records of each shard in turn, up to the first error.
func Each[T any](
	ctx context.Context, shards []schemas.Shard, read func(schemas.Shard) iter.Seq2[T, error],
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, s := range shards {
			for record, err := range read(s) {
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					var none T
					yield(none, fmt.Errorf("%s: %w", s.Name, err))
					return
				}
				if !yield(record, nil) {
					return
				}
			}
		}
	}
}

// streamed opens a shard, yields what read gives, checks the shard's hash at its end, and closes it. The result more of
// read is false if the caller stopped.
func streamed[T any](
	b shardErrors, read func(in *ShardReader, yield func(T) bool) (more bool, err error),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		r, err := b.Folder.Open(b.shard.Name)
		if err != nil {
			yield(none, err)
			return
		}
		in := NewShardReader(b.Folder.Path(b.shard.Name), r)
		more, err := read(in, func(record T) bool { return yield(record, nil) })
		switch {
		case !more:
			err = nil // the caller stopped before the end, where the hash is compared
		case err != nil:
			err = b.blame(in, err)
		default:
			err = b.changed(in.Check(b.shard.SHA256))
		}
		if closed := r.Close(); err == nil {
			err = closed
		}
		if more && err != nil {
			yield(none, err)
		}
	}
}

// ReadLines reads a shard of JSON lines, up to the first error.
func ReadLines[T any](f folder.Folder, s schemas.Shard) iter.Seq2[T, error] {
	return linesOf(Part{Folder: f}, s, decode[T], nil)
}

// linesOf reads a shard of JSON lines with decode. It skips records for which refuse returns an error.
func linesOf[T any](
	p Part, s schemas.Shard, decode func(line []byte) (T, error), refuse func(*T) error,
) iter.Seq2[T, error] {
	told := p.errorsOf(s)
	return streamed(told, func(in *ShardReader, yield func(T) bool) (bool, error) {
		r, err := jsonl.NewReader(in)
		if err != nil {
			return true, told.end(in, 0, err)
		}
		for line, err := range r.All() {
			var record T
			final := err != nil && !errors.Is(err, lines.ErrTooLong)
			// null decodes into every type.
			if err == nil && string(line) == "null" {
				err = errNull
			} else if err == nil {
				record, err = decode(line)
			}
			start, end := r.Span()
			switch {
			case final:
				return true, told.end(in, start, err)
			case err != nil:
				if err := told.line(start, end, err); err != nil {
					return true, err
				}
			case refuse != nil && told.refuse(start, end, refuse(&record)):
			case !yield(record):
				return false, nil
			}
		}
		return true, nil
	})
}

func readCaptures(f folder.Folder, s schemas.Shard) iter.Seq2[cdx.Line, error] {
	// A broken line is an error, because callers that look up captures must not miss any.
	return streamed(Part{Folder: f}.errorsOf(s), func(in *ShardReader, yield func(cdx.Line) bool) (bool, error) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return true, err
		}
		for line, err := range cdx.NewReader(z, cdx.Options{MaxLineBytes: MaxLineBytes}).All() {
			if err != nil {
				return true, err
			}
			if !yield(line) {
				return false, nil
			}
		}
		return true, nil
	})
}

// ReadParquetURLs is like ReadParquet, but yields only the URLs.
func ReadParquetURLs(f folder.Folder, s schemas.Shard) iter.Seq2[string, error] {
	return tableOf(Part{Folder: f}, s, parquetfile.ReadURLs)
}

// ReadParquet reads a Parquet shard of documents, up to the first error.
func ReadParquet(f folder.Folder, s schemas.Shard) iter.Seq2[*schemas.Document, error] {
	return tableOf(Part{Folder: f}, s, parquetfile.Read)
}

// tableOf reads a Parquet shard of any row type.
func tableOf[T any](
	p Part, s schemas.Shard, read func(io.ReaderAt, int64) iter.Seq2[T, error],
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		in, err := p.Folder.Open(s.Name)
		if err != nil {
			yield(none, err)
			return
		}
		defer func() { _ = in.Close() }() // it is only read
		told, at := p.errorsOf(s), &notedReaderAt{r: in}
		// Only the size is compared: pages have checksums, and a hash would read all columns.
		if in.Size() != s.Bytes {
			err := changed(p.Folder.Path(s.Name), errors.New("other bytes"))
			if err = told.damage(schemas.KindDamaged, 0, err); err != nil {
				yield(none, err)
			}
			return
		}
		for row, err := range read(at, in.Size()) {
			if err != nil {
				// A failure of the system does not mean that the shard is damaged.
				if err = cmp.Or(at.err, err); at.err == nil {
					err = told.damage(schemas.KindDecode, 0, err)
				}
				if err != nil {
					yield(none, err)
				}
				return
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

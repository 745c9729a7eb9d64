package holdings

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/io/stream/lines"
	"github.com/gleaner-web/gleaner/schemas"
)

// Part is a part of a collection that is read: the shards of some units, those of one, or one shard.
//
//	all, manifest, err := holdings.Whole(f)
//	for d, err := range all.Documents(ctx) { … }
//
//	unit := holdings.Part{Folder: f, Shards: manifest.Units[0].Shards}
//	for l, err := range unit.Captures(ctx) { … }
//
// Records come in the order of the shards, and are read while they are asked for: one shard is open at a time, and of
// it one record in memory, or of Parquet the pages that some rows are in. What is yielded belongs to the caller.
// Reading ends after an error, which names the shard: fs.ErrNotExist when it is not there, and ErrChanged when it is
// not what its unit wrote, which is known at its end (of Parquet, whose pages have checksums of their own, when one is
// read).
type Part struct {
	Folder folder.Folder
	Shards []schemas.Shard
	// Rejected, when it is set, is told what of the documents, rejects, feeds and links is broken, and reading goes on
	// after it: a line that is not a record, what follows damage in a shard, and a shard that has other bytes than its
	// unit wrote though each of its lines is one. File is the shard's name; Offset and Length are of the line, in what the
	// shard decompresses to; of damage, Lost is the size of the shard, which is an upper bound. A shard that is not there,
	// and one that the system does not give, end reading all the same: they may be there next time.
	Rejected func(schemas.Reject)
	// Refuse, when it is set, looks at each of the feeds: one for which it gives an error is rejected, though nothing of
	// it is lost, and is not yielded.
	Refuse func(*schemas.FeedCapture) error
}

// Whole is all of the collection in f, in the order of its manifest, which is returned as well. A folder in which no
// run has finished is fs.ErrNotExist.
func Whole(f folder.Folder) (Part, schemas.Manifest, error) {
	m, err := ReadManifest(f)
	if err != nil {
		return Part{}, schemas.Manifest{}, err
	}
	p := Part{Folder: f}
	for _, u := range m.Units {
		p.Shards = append(p.Shards, u.Shards...)
	}
	return p, m, nil
}

// Documents yields the documents. Of a unit that has them in JSON lines and in Parquet, those of the lines are taken,
// which are in the order of the archive; those of Parquet are sorted by SURT and time.
func (p Part) Documents(ctx context.Context) iter.Seq2[*schemas.Document, error] {
	return p.DocumentsBy(ctx, decodeDocument)
}

// DocumentsBy is Documents for a reader of a few fields: read makes a document of a line, which is valid until it
// returns. Of Parquet all fields are read.
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

// DocumentShards are the shards that Documents reads, in its order.
func (p Part) DocumentShards() []schemas.Shard {
	shards := p.Of(KindDocuments)
	asLines := map[string]bool{}
	for _, s := range shards {
		if n, middle, _ := SplitName(s.Name); n.Ext != ExtParquet {
			// Names of one unit have the same middle in each format.
			asLines[middle] = true
		}
	}
	return slices.DeleteFunc(shards, func(s schemas.Shard) bool {
		n, middle, _ := SplitName(s.Name)
		return n.Ext == ExtParquet && asLines[middle]
	})
}

// IsTable reports whether a shard has documents as Parquet: one of a unit, or a file that another program wrote into
// the collection's table. Links are Parquet as well, and no documents.
func IsTable(s schemas.Shard) bool {
	held, ok := FileTypeOf(s.Name)
	return strings.HasSuffix(s.Name, ExtParquet) && (!ok || held.Kind == KindDocuments)
}

// Rejects yields what could not be read or enriched.
func (p Part) Rejects(ctx context.Context) iter.Seq2[schemas.Reject, error] {
	return Each(ctx, p.Of(KindRejects), func(s schemas.Shard) iter.Seq2[schemas.Reject, error] {
		return linesOf(p, s, decode[schemas.Reject], nil)
	})
}

// Feeds yields the feeds; none where they were not asked for.
func (p Part) Feeds(ctx context.Context) iter.Seq2[schemas.FeedCapture, error] {
	return p.FeedsBy(ctx, decode[schemas.FeedCapture])
}

// FeedsBy is Feeds for a reader of some fields, as DocumentsBy is Documents.
func (p Part) FeedsBy(
	ctx context.Context, read func(line []byte) (schemas.FeedCapture, error),
) iter.Seq2[schemas.FeedCapture, error] {
	return Each(ctx, p.Of(KindFeeds), func(s schemas.Shard) iter.Seq2[schemas.FeedCapture, error] {
		return linesOf(p, s, read, p.Refuse)
	})
}

// Links yields the links of pages, those of one page after the other; none where they were not asked for.
func (p Part) Links(ctx context.Context) iter.Seq2[schemas.Link, error] {
	return Each(ctx, p.Of(KindLinks), func(s schemas.Shard) iter.Seq2[schemas.Link, error] {
		return tableOf(p, s, parquetfile.ReadLinks)
	})
}

// Captures yields the lines of the index, sorted within each unit.
func (p Part) Captures(ctx context.Context) iter.Seq2[cdx.Line, error] {
	return Each(ctx, p.Of(KindCaptures), func(s schemas.Shard) iter.Seq2[cdx.Line, error] {
		return readCaptures(p.Folder, s)
	})
}

// Of are the shards of a kind.
func (p Part) Of(kind string) (list []schemas.Shard) {
	for _, s := range p.Shards {
		if held, ok := FileTypeOf(s.Name); ok && held.Kind == kind {
			list = append(list, s)
		}
	}
	return list
}

// Each yields the records of one shard after the other, up to an error.
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
					yield(none, fmt.Errorf("collection: %s: %w", s.Name, err))
					return
				}
				if !yield(record, nil) {
					return
				}
			}
		}
	}
}

// streamed opens a shard, yields what read gives, which reports whether the caller wants more, checks at the end that
// the shard has the hash that its unit noted, and closes it.
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
		// Whoever stops early has not seen the end, where the hash is compared.
		case !more:
			err = nil // the caller has enough
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

// ReadLines reads a shard of JSON lines, up to an error.
func ReadLines[T any](f folder.Folder, s schemas.Shard) iter.Seq2[T, error] {
	return linesOf(Part{Folder: f}, s, decode[T], nil)
}

// errNull is a line that is JSON and no record.
var errNull = errors.New("null is no record")

func decode[T any](line []byte) (record T, err error) {
	err = json.Unmarshal(line, &record)
	return record, err
}

// linesOf reads a shard of JSON lines, each by a function, except for records that refuse has an error for.
func linesOf[T any](
	p Part, s schemas.Shard, decode func(line []byte) (T, error), refuse func(*T) error,
) iter.Seq2[T, error] {
	told := p.errorsOf(s)
	return streamed(told, func(in *ShardReader, yield func(T) bool) (bool, error) {
		// The reader tells the compression from the first bytes.
		r, err := jsonl.NewReader(in)
		if err != nil {
			return true, told.end(in, 0, err)
		}
		for line, err := range r.All() {
			var record T
			final := err != nil && !errors.Is(err, lines.ErrTooLong)
			// null is JSON, and fits every type.
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

// readCaptures reads a shard of the index.
func readCaptures(f folder.Folder, s schemas.Shard) iter.Seq2[cdx.Line, error] {
	// A broken line of an index is an error: who looks up captures has to know.
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

// ReadParquet reads a Parquet shard of documents, up to an error.
func ReadParquet(f folder.Folder, s schemas.Shard) iter.Seq2[*schemas.Document, error] {
	return tableOf(Part{Folder: f}, s, parquetfile.Read)
}

// tableOf reads a Parquet shard, whatever its rows are.
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
		// The size alone: pages have checksums of their own, and a hash would read all columns.
		if in.Size() != s.Bytes {
			err := changed(p.Folder.Path(s.Name), errors.New("other bytes"))
			if err = told.damage(schemas.KindDamaged, 0, err); err != nil {
				yield(none, err)
			}
			return
		}
		for row, err := range read(at, in.Size()) {
			if err != nil {
				// What the system does not give says nothing of the shard.
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

package unit

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// sampleSeconds bounds a sample: no further piece begins after this time.
const sampleSeconds = 30

// Sampled is what a sample of archives gave.
type Sampled struct {
	Captures      int64
	Bytes, Output int64 // read, and written
}

// Sample does the pieces as one unit with the given number. It commits its writer, because only then are the sizes of
// shards known; the caller removes the folder.
func Sample(ctx context.Context, o Job, pieces []work.Piece, id int) (s Sampled, err error) {
	e, err := NewEngine(o)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	// Its own name gives each of the two samples its own key.
	input := schemas.Unit{ID: id, Inputs: []schemas.Range{{File: fmt.Sprintf("sample %d", id)}}}
	w, err := shard.NewWriter(e.out, input, ledger.Key(input, nil, nil), o.Collection(o.Made))
	if err != nil {
		return s, err
	}
	defer w.Abort()
	u := newUnitRun(e.session, w, 0)
	q := e.documentsQueue(u.write)
	defer q.abandon()
	begun := time.Now()
	for _, piece := range pieces {
		n, err := piece.Read(ctx, e.store, o.Capture(), func(c *schemas.Capture) error {
			s.Captures++
			if o.IndexOnly() {
				return u.capture(c, urlkey.SURT(c.URL))
			}
			return q.capture(c)
		})
		// The run itself will report unreadable pieces.
		if _, bad := blob.Unreadable(err); err != nil && !bad {
			return s, err
		}
		// Partly read pieces count too, so that the time limit bounds the sample.
		if s.Bytes += n; time.Since(begun) > sampleSeconds*time.Second {
			break
		}
	}
	if err := q.drain(); err != nil {
		return s, err
	}
	result, err := w.Commit(u.counts, ledger.Note{})
	if err != nil {
		return s, err
	}
	s.Output, err = outputOf(e.out, o, result)
	return s, err
}

// outputOf returns how many bytes a unit adds to the output. Index lines count twice: in the unit's own shard and in
// the index over all units.
func outputOf(f folder.Folder, o Job, r schemas.UnitResult) (n int64, err error) {
	for _, s := range r.Shards {
		n += s.Bytes
		if o.HasIndex() && strings.HasPrefix(s.Name, "captures-") {
			lines, err := indexBytes(f, s.Name)
			if err != nil {
				return 0, err
			}
			n += lines
		}
	}
	return n, nil
}

// indexBytes returns the length of a shard's lines in the index. Units compress their lines; the index is plain text.
func indexBytes(f folder.Folder, shard string) (n int64, err error) {
	in, err := f.Open(shard)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	z, err := gzip.NewReader(io.NewSectionReader(in, 0, in.Size()))
	if err != nil {
		return 0, err
	}
	return io.Copy(io.Discard, z)
}

package holdings

import (
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/stream/lines"
	"github.com/gleaner-web/gleaner/schemas"
)

// shardErrors handles the errors of a shard that is being read.
type shardErrors struct {
	Part
	shard schemas.Shard
	told  *bool // whether damage was rejected
}

func (p Part) errorsOf(s schemas.Shard) shardErrors {
	return shardErrors{Part: p, shard: s, told: new(bool)}
}

// errOther is the reject's message for a shard whose bytes have changed. It names no folder, so that rejects do not
// depend on where the collection is.
var errOther = errors.New("the shard has other bytes than its unit wrote")

// tell rejects the damage r, or returns err if no Rejected is set.
func (b shardErrors) tell(r schemas.Reject, err error) error {
	if b.Rejected == nil {
		return err
	}
	*b.told = true
	if errors.Is(err, ErrChanged) {
		err = errOther
	}
	r.File, r.Stage, r.Message = b.shard.Name, "read", err.Error()
	b.Rejected(r)
	return nil
}

// line rejects the line from start to end, in decompressed bytes.
func (b shardErrors) line(start, end int64, err error) error {
	kind := schemas.KindGarbage
	if errors.Is(err, lines.ErrTooLong) {
		kind = schemas.KindLimit
	}
	if b.Rejected == nil {
		return fmt.Errorf("line at byte %d, decompressed: %w", start, err)
	}
	return b.tell(schemas.Reject{Offset: start, Length: end - start, Lost: end - start, Kind: kind}, err)
}

// refuse rejects a valid line if err is not nil, and reports whether it is not.
func (b shardErrors) refuse(start, end int64, err error) bool {
	if err != nil && b.Rejected != nil {
		b.Rejected(schemas.Reject{
			File: b.shard.Name, Offset: start, Length: end - start, Stage: "read", Kind: schemas.KindLimit, Message: err.Error(),
		})
	}
	return err != nil
}

// damage rejects what follows an offset. The size of the loss is unknown but at most the whole shard.
func (b shardErrors) damage(kind schemas.Kind, offset int64, err error) error {
	return b.tell(schemas.Reject{Offset: offset, Lost: b.shard.Bytes, Kind: kind}, err)
}

// end handles an error that ended reading at an offset: it is damage, unless the system failed.
func (b shardErrors) end(in *ShardReader, offset int64, err error) error {
	switch {
	case in.err != nil:
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return b.damage(schemas.KindTruncated, offset, err)
	}
	return b.damage(schemas.KindInflate, offset, err)
}

// blame explains an error that ended reading: either the shard was changed, or its unit wrote it so and would do it
// again.
func (b shardErrors) blame(in *ShardReader, err error) error {
	if in.err == nil && in.Check(b.shard.SHA256) == nil {
		return fmt.Errorf("%s: %w: its unit wrote it so; start over with --fresh", in.path, err)
	}
	return in.Why(err)
}

// changed rejects a shard whose bytes have changed, unless other damage in it was already rejected.
func (b shardErrors) changed(err error) error {
	if !errors.Is(err, ErrChanged) {
		return err
	}
	if *b.told {
		return nil
	}
	return b.tell(schemas.Reject{Length: b.shard.Bytes, Kind: schemas.KindDamaged}, err)
}

// notedReaderAt keeps the error of its source, which parsers may hide.
type notedReaderAt struct {
	r   io.ReaderAt
	err error
}

func (n *notedReaderAt) ReadAt(p []byte, off int64) (int, error) {
	read, err := n.r.ReadAt(p, off)
	if err != nil && !errors.Is(err, io.EOF) {
		n.err = err
	}
	return read, err
}

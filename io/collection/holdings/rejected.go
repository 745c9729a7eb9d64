package holdings

import (
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/stream/lines"
	"github.com/gleaner-web/gleaner/schemas"
)

// shardErrors is told what is wrong with a shard that is being read.
type shardErrors struct {
	Part
	shard schemas.Shard
	told  *bool // whether something was
}

func (p Part) errorsOf(s schemas.Shard) shardErrors {
	return shardErrors{Part: p, shard: s, told: new(bool)}
}

// errOther is what a reject says of a shard of other bytes. It names no folder: rejects are the same wherever the
// collection lies.
var errOther = errors.New("the shard has other bytes than its unit wrote")

// tell rejects something, or returns the error when nobody wants to know of rejects.
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

// line rejects the line that stands from start to end, in bytes of what the shard decompresses to.
func (b shardErrors) line(start, end int64, err error) error {
	kind := schemas.KindGarbage
	if errors.Is(err, lines.ErrTooLong) {
		kind = schemas.KindLimit
	}
	if b.Rejected == nil {
		// A reject has its place in a field.
		return fmt.Errorf("line at byte %d, decompressed: %w", start, err)
	}
	return b.tell(schemas.Reject{Offset: start, Length: end - start, Lost: end - start, Kind: kind}, err)
}

// refuse rejects a line that is a record, when there is an error against it, and reports whether there is.
func (b shardErrors) refuse(start, end int64, err error) bool {
	if err != nil && b.Rejected != nil {
		b.Rejected(schemas.Reject{
			File: b.shard.Name, Offset: start, Length: end - start, Stage: "read", Kind: schemas.KindLimit, Message: err.Error(),
		})
	}
	return err != nil
}

// damage rejects what follows an offset: how much that is nobody knows, but not more than the whole shard.
func (b shardErrors) damage(kind schemas.Kind, offset int64, err error) error {
	return b.tell(schemas.Reject{Offset: offset, Lost: b.shard.Bytes, Kind: kind}, err)
}

// end is an error that ended reading at an offset: damage, unless the system did not give the bytes.
func (b shardErrors) end(in *ShardReader, offset int64, err error) error {
	switch {
	case in.err != nil:
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return b.damage(schemas.KindTruncated, offset, err)
	}
	return b.damage(schemas.KindInflate, offset, err)
}

// blame says of an error that ended reading whose it is: of a shard that was changed, or of what its unit wrote, which
// would be written so again.
func (b shardErrors) blame(in *ShardReader, err error) error {
	if in.err == nil && in.Check(b.shard.SHA256) == nil {
		return fmt.Errorf("%s: %w: its unit wrote it so; start over with --fresh", in.path, err)
	}
	return in.Why(err)
}

// changed rejects a shard that has other bytes than its unit wrote, unless it was told already what is wrong with it.
func (b shardErrors) changed(err error) error {
	if !errors.Is(err, ErrChanged) {
		return err
	}
	if *b.told {
		return nil
	}
	return b.tell(schemas.Reject{Length: b.shard.Bytes, Kind: schemas.KindDamaged}, err)
}

// notedReaderAt keeps the error of a source, which parsers may hide.
type notedReaderAt struct {
	r   io.ReaderAt
	err error
}

// ReadAt reads.
func (n *notedReaderAt) ReadAt(p []byte, off int64) (int, error) {
	read, err := n.r.ReadAt(p, off)
	if err != nil && !errors.Is(err, io.EOF) {
		n.err = err
	}
	return read, err
}

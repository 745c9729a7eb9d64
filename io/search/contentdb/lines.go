package contentdb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// outlines are outlines of JSON lines shards, by hash. They are made when a row of a shard is first needed, and are
// small compared with the shard's part of the manifest.
type outlines struct {
	mu   sync.Mutex
	list map[string]*jsonl.Outline
}

// of returns the outline of an open shard.
func (o *outlines) of(s schemas.Shard, in folder.Reader) (*jsonl.Outline, error) {
	o.mu.Lock()
	made := o.list[s.SHA256]
	o.mu.Unlock()
	if made != nil {
		return made, nil
	}
	// Without the lock, so that other shards need not wait. Making an outline twice only costs time.
	made, err := jsonl.NewOutline(in, in.Size())
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.list == nil {
		o.list = map[string]*jsonl.Outline{}
	}
	o.list[s.SHA256] = made
	return made, nil
}

// linesAt is readRows for a shard of JSON lines. A file that was changed since it was indexed is holdings.ErrChanged.
func (db *DB) linesAt(
	ctx context.Context, s schemas.Shard, rows []int64, take func(row int64, d *schemas.Document) bool,
) (err error) {
	in, err := db.part.Folder.Open(s.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	// Only the size is checked: hashing the file would take longer than the answer.
	if in.Size() != s.Bytes {
		return fmt.Errorf("%w: it has %d bytes, and had %d", holdings.ErrChanged, in.Size(), s.Bytes)
	}
	o, err := db.outlines.of(s, in)
	if err == nil {
		err = o.Each(in, rows, func(row int64, line []byte) error {
			d := new(schemas.Document)
			if err := json.Unmarshal(line, d); err != nil {
				return err
			}
			if !take(row, d) {
				return errEnough
			}
			return ctx.Err()
		})
	}
	if errors.Is(err, errEnough) {
		return nil
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: %w", holdings.ErrChanged, err)
	}
	return err
}

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

// outlines are those of shards of JSON lines, by their hashes. They are made when a row of a shard is first asked for,
// and are small beside what the manifest says of the shard.
type outlines struct {
	mu   sync.Mutex
	list map[string]*jsonl.Outline
}

// of is the outline of an open shard.
func (o *outlines) of(s schemas.Shard, in folder.Reader) (*jsonl.Outline, error) {
	o.mu.Lock()
	made := o.list[s.SHA256]
	o.mu.Unlock()
	if made != nil {
		return made, nil
	}
	// Outside of the lock: other shards must not wait for this one. Two may make the same, which costs time alone.
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

// linesAt is readRows of a shard of JSON lines. What was written to the file since it was indexed is
// holdings.ErrChanged.
func (db *DB) linesAt(
	ctx context.Context, s schemas.Shard, rows []int64, take func(row int64, d *schemas.Document) bool,
) (err error) {
	in, err := db.part.Folder.Open(s.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	// The size alone: a hash of the whole file would take longer than the answer.
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

package holdings

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
)

// ErrChanged means that a shard's bytes are not those that its unit wrote. Nothing was overwritten.
var ErrChanged = errors.New("a shard was changed since it was written")

// MaxLineBytes limits a line of our own shards. The writer's limit on a record's head, times a small factor for
// escapes, is smaller.
const MaxLineBytes = 1 << 30

// ShardReader reads a shard and hashes it.
type ShardReader struct {
	path string
	r    io.Reader
	hash hash.Hash
	err  error // last error of reading, except io.EOF
}

// NewShardReader returns a reader of r; its errors name path.
func NewShardReader(path string, r io.Reader) *ShardReader {
	return &ShardReader{path: path, r: r, hash: sha256.New()}
}

// Read reads and hashes.
func (r *ShardReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	r.hash.Write(p[:n])
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// Why explains the error of a shard's lines: either the shard could not be read, or it was changed.
func (r *ShardReader) Why(err error) error {
	if r.err != nil {
		return fmt.Errorf("%s: %w", r.path, r.err)
	}
	return changed(r.path, err)
}

// Check reads to the end and compares the hash with written.
func (r *ShardReader) Check(written string) error {
	// The decoder may have stopped before the end of the file.
	if _, err := io.Copy(io.Discard, r); err != nil {
		return r.Why(err)
	}
	if hex.EncodeToString(r.hash.Sum(nil)) != written {
		return changed(r.path, errors.New("other bytes"))
	}
	return nil
}

func changed(path string, why error) error {
	return fmt.Errorf("%w: %s: %w: remove it and run again, or start over with --fresh", ErrChanged, path, why)
}

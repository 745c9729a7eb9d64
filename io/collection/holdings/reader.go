package holdings

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
)

// ErrChanged is a shard whose bytes are not those that its unit wrote. Nothing was overwritten.
var ErrChanged = errors.New("collection: a shard was changed since it was written")

// MaxLineBytes bounds a line of our own shards. Their writer has bounded it already: by the limit on a record's head,
// a few times over for escapes.
const MaxLineBytes = 1 << 30

// ShardReader reads a shard and hashes it.
type ShardReader struct {
	path string
	r    io.Reader
	hash hash.Hash
	err  error // that reading failed with
}

// NewShardReader reads from r what the errors call path.
func NewShardReader(path string, r io.Reader) *ShardReader {
	return &ShardReader{path: path, r: r, hash: sha256.New()}
}

// Read reads, and hashes what it read.
func (r *ShardReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	// Hashed as it is read, so that a shard is read once.
	r.hash.Write(p[:n]) // a hash never fails to write
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// Why is what is wrong with a shard whose lines gave an error: it could not be read, or else it was changed.
func (r *ShardReader) Why(err error) error {
	if r.err != nil {
		return fmt.Errorf("%s: %w", r.path, r.err)
	}
	return changed(r.path, err)
}

// Check reads to the end and compares the hash with that of what the unit wrote.
func (r *ShardReader) Check(written string) error {
	// The decoder may stop before the end of the file, and the hash is of all of it.
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

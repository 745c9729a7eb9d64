// Package packed reads the tables that programs embed in compressed form (Zstandard, RFC 8878). These are tables that
// many runs never use. Those of every run are embedded as they are: the system loads their pages, and processes share
// them. The command .tools/pack makes the files.
//
//	var table = sync.OnceValue(func() []byte { return packed.Must(file) })
package packed

import (
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// MaxBytes limits a table after decompression.
const MaxBytes = 32 << 20

// ErrFormat means that a file is not a packed table.
var ErrFormat = errors.New("packed: not a packed table")

// Unpack returns the table in a file, in memory of its own of the size that the file states. Embed files as strings:
// the linker puts slices among variables, and package cli gives back only pages that are never written.
func Unpack[T string | []byte](file T) ([]byte, error) {
	in := []byte(file)
	var head zstd.Header
	if err := head.Decode(in); err != nil || !head.HasFCS || head.FrameContentSize > MaxBytes {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxBytes))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	table, err := d.DecodeAll(in, make([]byte, 0, head.FrameContentSize))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return table, nil
}

// Must is Unpack for embedded files. It panics if the file is corrupt.
func Must[T string | []byte](file T) []byte {
	table, err := Unpack(file)
	if err != nil {
		panic(err)
	}
	return table
}

// Pack returns the file of a table. Equal tables give equal files.
func Pack(table []byte) ([]byte, error) {
	if len(table) > MaxBytes {
		return nil, fmt.Errorf("packed: a table of %d bytes; at most %d", len(table), MaxBytes)
	}
	// The window holds the whole table, so repeats are found over any distance.
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(MaxBytes), zstd.WithSingleSegment(true))
	if err != nil {
		return nil, err
	}
	file := e.EncodeAll(table, nil)
	return file, e.Close()
}

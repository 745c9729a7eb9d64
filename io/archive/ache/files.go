package ache

import (
	"cmp"
	"fmt"

	"github.com/klauspost/compress/zlib"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
)

// defaultFilesBytes is how large a file of FILES becomes, of ACHE's code and documentation.
const defaultFilesBytes = 256 << 20

// files writes FILES: a zlib stream of lines for each file, flushed after each.
type files struct {
	// The compressed size is not known before a line is written, hence the rule of NewFiles: the compressed size so far
	// and the uncompressed line.
	dump.Losses
	sink   dump.Sink
	o      dump.WriteOptions
	number int // of the next file
	out    *counted
	z      *zlib.Writer
	line   []byte
}

// NewFiles returns a writer of FILES. A file is ended before the line that, uncompressed, would make it larger than
// MaxFileBytes, 256 MiB by default.
func NewFiles(s dump.Sink, o dump.WriteOptions) dump.Writer {
	o.MaxFileBytes = cmp.Or(o.MaxFileBytes, defaultFilesBytes)
	return &files{sink: s, o: o}
}

// counted counts the bytes written to an output.
type counted struct {
	dump.Output
	n int64
}

// Write writes and counts.
func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Output.Write(p)
	c.n += int64(n)
	return n, err
}

// Write writes the capture's line.
func (w *files) Write(c *schemas.Capture) error {
	if c.RequestedURL() == "" {
		return fmt.Errorf("ache: %w: its URL is not known", dump.ErrRefused)
	}
	if err := dump.CheckPage(c.RequestedURL()); err != nil {
		return fmt.Errorf("ache: %w", err)
	}
	// The line's memory is used again for each capture.
	w.line = append(appendPage(w.line[:0], c, &w.Losses), '\n')
	if w.out != nil && w.out.n+int64(len(w.line)) > w.o.MaxFileBytes {
		if err := w.Close(); err != nil {
			return err
		}
	}
	if w.out == nil {
		if err := w.open(); err != nil {
			return err
		}
	}
	_, err := w.z.Write(w.line)
	// Flushed, as ACHE does: what a killed process has written so far can be read up to its last line.
	if err == nil {
		err = w.z.Flush()
	}
	if err != nil {
		return w.abort(err)
	}
	w.Note(c, jsonCarries...)
	return nil
}

// open begins a file.
func (w *files) open() error {
	// The number makes names differ that begin in the same millisecond.
	out, err := w.sink.Create(fmt.Sprintf("crawl_data-%d-%d.deflate", stampMillis(w.o.Stamp), w.number))
	if err != nil {
		return fmt.Errorf("ache: %w", err)
	}
	w.number++
	// Counted below the compressor, so that n is the size of the file.
	w.out = &counted{Output: out}
	w.z = zlib.NewWriter(w.out)
	return nil
}

// abort drops the file, so that none is left that ends within a stream.
func (w *files) abort(err error) error {
	w.out.Abort()
	w.out = nil
	return fmt.Errorf("ache: %w", err)
}

// Close ends the file.
func (w *files) Close() error {
	if w.out == nil {
		return nil
	}
	// It writes the rest of the stream and its checksum, without which readers take the file for damaged.
	if err := w.z.Close(); err != nil {
		return w.abort(err)
	}
	// Out of the field before Close, so that a failed one is not closed twice.
	out := w.out
	w.out = nil
	if err := out.Close(); err != nil {
		return fmt.Errorf("ache: %w", err)
	}
	return nil
}

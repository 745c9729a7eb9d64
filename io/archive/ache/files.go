package ache

import (
	"cmp"
	"fmt"

	"github.com/klauspost/compress/zlib"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
)

// defaultFilesBytes is the maximum size of a file of FILES, in ACHE's code and documentation.
const defaultFilesBytes = 256 << 20

// files writes FILES: a zlib stream of lines for each file, flushed after each line.
type files struct {
	// A line's compressed size is unknown before it is written: hence NewFiles' rule, which adds the compressed size so
	// far and the uncompressed line.
	dump.Losses
	sink   dump.Sink
	o      dump.WriteOptions
	number int // of the next file
	out    *counted
	z      *zlib.Writer
	line   []byte
}

// NewFiles returns a writer of FILES. It ends a file before a line that, uncompressed, would make the file larger than
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
	if err := dump.CheckPage(c, c.RequestedURL()); err != nil {
		return fmt.Errorf("ache: %w", err)
	}
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
	// Flushed, as ACHE does, so that the file of a killed process can be read up to the last line.
	if err == nil {
		err = w.z.Flush()
	}
	if err != nil {
		return w.abort(err)
	}
	w.Note(c, jsonCarries...)
	return nil
}

func (w *files) open() error {
	// The number distinguishes files that begin in the same millisecond.
	out, err := w.sink.Create(fmt.Sprintf("crawl_data-%d-%d.deflate", stampMillis(w.o.Stamp), w.number))
	if err != nil {
		return fmt.Errorf("ache: %w", err)
	}
	w.number++
	// Below the compressor, to count the file's size.
	w.out = &counted{Output: out}
	w.z = zlib.NewWriter(w.out)
	return nil
}

// abort drops the file, which would end within a stream.
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
	// This writes the end of the stream and its checksum.
	if err := w.z.Close(); err != nil {
		return w.abort(err)
	}
	// Cleared before Close, so that a failed file is not closed twice.
	out := w.out
	w.out = nil
	if err := out.Close(); err != nil {
		return fmt.Errorf("ache: %w", err)
	}
	return nil
}

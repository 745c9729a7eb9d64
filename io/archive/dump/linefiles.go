package dump

import (
	"cmp"
	"fmt"

	"github.com/klauspost/compress/gzip"
)

// defaultFileBytes is how large a file of lines becomes.
const defaultFileBytes = 256 << 20

// LineFiles writes rolling files of JSON lines: the part of a [Writer] that formats of lines have alike. They are
// called prefix-00000.jsonl.gz and so on, and are plain when the options say so. A file is ended before the line that,
// uncompressed, would make it larger than MaxFileBytes, 256 MiB by default.
type LineFiles struct {
	sink   Sink
	prefix string
	o      WriteOptions
	number int   // of the next file
	n      int64 // bytes in the current one, uncompressed
	out    Output
	z      *gzip.Writer // nil when files are plain
}

// NewLineFiles returns a writer of files that are called after prefix.
func NewLineFiles(s Sink, prefix string, o WriteOptions) *LineFiles {
	o.MaxFileBytes = cmp.Or(o.MaxFileBytes, defaultFileBytes)
	return &LineFiles{sink: s, prefix: prefix, o: o}
}

// Write writes a line, which has its end.
func (w *LineFiles) Write(line []byte) error {
	// Never before the first line of a file: a line longer than the limit has a file for itself.
	if w.out != nil && w.n+int64(len(line)) > w.o.MaxFileBytes {
		if err := w.Close(); err != nil {
			return err
		}
	}
	if w.out == nil {
		if err := w.open(); err != nil {
			return err
		}
	}
	if err := w.write(line); err != nil {
		return w.abort(err)
	}
	return nil
}

func (w *LineFiles) write(line []byte) error {
	// Counted before compression, so that where files end does not depend on the compressor's version.
	w.n += int64(len(line))
	if w.z != nil {
		_, err := w.z.Write(line)
		return err
	}
	_, err := w.out.Write(line)
	return err
}

// open begins a file.
func (w *LineFiles) open() error {
	ext := ".jsonl.gz"
	if !w.o.Compress.Or(true) {
		ext = ".jsonl"
	}
	out, err := w.sink.Create(fmt.Sprintf("%s-%05d%s", w.prefix, w.number, ext))
	if err != nil {
		return err
	}
	w.out, w.n, w.z = out, 0, nil
	w.number++
	if w.o.Compress.Or(true) {
		// Without a name or time in its header, so that the same lines give the same bytes.
		w.z = gzip.NewWriter(out)
	}
	return nil
}

func (w *LineFiles) abort(err error) error {
	// The bytes written so far end within a line or a stream: no file is better than such a one.
	w.out.Abort()
	w.out = nil
	return err
}

// Close ends the file that is being written, when there is one.
func (w *LineFiles) Close() error {
	if w.out == nil {
		return nil
	}
	if w.z != nil {
		if err := w.z.Close(); err != nil {
			return w.abort(err)
		}
	}
	// Out of the field first, so that a failed Close is not repeated.
	out := w.out
	w.out = nil
	return out.Close()
}

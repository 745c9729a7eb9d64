package dump

import (
	"cmp"
	"fmt"

	"github.com/klauspost/compress/gzip"
)

// defaultFileBytes is the default size of a file of lines.
const defaultFileBytes = 256 << 20

// LineFiles writes rolling files of JSON lines, named prefix-00000.jsonl.gz and so on, or plain if the options say so.
// A file ends before a line that would make it larger than MaxFileBytes, uncompressed; 256 MiB by default.
type LineFiles struct {
	sink   Sink
	prefix string
	o      WriteOptions
	number int   // of the next file
	n      int64 // bytes in the current file, uncompressed
	out    Output
	z      *gzip.Writer // nil for plain files
}

// NewLineFiles returns a writer of files named after prefix.
func NewLineFiles(s Sink, prefix string, o WriteOptions) *LineFiles {
	o.MaxFileBytes = cmp.Or(o.MaxFileBytes, defaultFileBytes)
	return &LineFiles{sink: s, prefix: prefix, o: o}
}

// Write writes a line, including its line end.
func (w *LineFiles) Write(line []byte) error {
	// A file has at least one line, even one beyond the limit.
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
	// Uncompressed, so that file sizes do not depend on the compressor's version.
	w.n += int64(len(line))
	if w.z != nil {
		_, err := w.z.Write(line)
		return err
	}
	_, err := w.out.Write(line)
	return err
}

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
		// Without name and time, so that the same lines give the same bytes.
		w.z = gzip.NewWriter(out)
	}
	return nil
}

func (w *LineFiles) abort(err error) error {
	// The file ends within a line or a stream, so it is dropped.
	w.out.Abort()
	w.out = nil
	return err
}

// Close ends the current file, if any.
func (w *LineFiles) Close() error {
	if w.out == nil {
		return nil
	}
	if w.z != nil {
		if err := w.z.Close(); err != nil {
			return w.abort(err)
		}
	}
	// Cleared first, so that a failed Close is not repeated.
	out := w.out
	w.out = nil
	return out.Close()
}

package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/io/stream/lines"
)

// frameBytes is the JSON in one zstd frame or gzip member. It is large enough to cost less than one percent of
// compression, and small enough to limit damage and memory.
const frameBytes = 4 << 20

// frame is the JSON of one frame.
type frame struct{ bytes.Buffer }

// Write grows the buffer only up to the size of a frame; doubling would reach twice that.
func (f *frame) Write(p []byte) (int, error) {
	const whole = frameBytes + 256<<10 // with the line that ends it
	if n := f.Len() + len(p); n > f.Cap() && n <= whole && 2*f.Cap() > whole {
		f.Buffer = *bytes.NewBuffer(append(make([]byte, 0, whole), f.Bytes()...))
	}
	return f.Buffer.Write(p)
}

var errClosed = errors.New("jsonl: writer is closed")

// Writer writes JSON lines. It is not safe for concurrent use. It holds one frame's JSON in memory, and its compressed
// form.
type Writer struct {
	w        io.Writer
	written  bool  // at least one frame
	plain    frame // whole lines of the current frame
	enc      *json.Encoder
	compress func(plain []byte) ([]byte, error)
	err      error // of the underlying writer: final
}

// NewWriter returns a writer to w with the compression c; "" is Zstd.
func NewWriter(w io.Writer, c Compression) (*Writer, error) {
	c, err := ParseCompression(string(c))
	if err != nil {
		return nil, err
	}
	jw := &Writer{w: w}
	jw.enc = json.NewEncoder(&jw.plain)
	jw.enc.SetEscapeHTML(false)
	switch c {
	case Zstd:
		jw.useZstd(zstd.SpeedDefault)
	case Gzip:
		jw.useGzip()
	case None:
		jw.compress = func(plain []byte) ([]byte, error) { return plain, nil }
	}
	return jw, nil
}

// Write writes v as one line. It does not escape HTML, and replaces bytes that are not UTF-8 with U+FFFD. If v cannot
// be encoded, or its line would exceed MaxLineBytes, it returns an error without writing. An error of the underlying
// writer is final.
func (w *Writer) Write(v any) error {
	if w.err != nil {
		return w.err
	}
	// In the buffer, so that nothing is copied if it has room.
	if line, ok := appendValue(w.plain.AvailableBuffer(), v); ok {
		return w.WriteLine(line)
	}
	start := w.plain.Len()
	if err := w.enc.Encode(v); err != nil {
		w.plain.Truncate(start)
		return fmt.Errorf("jsonl: %w", err)
	}
	line := w.plain.Bytes()[start:]
	if len(line) > MaxLineBytes {
		w.plain.Truncate(start)
		return fmt.Errorf("jsonl: %d bytes: %w", len(line), lines.ErrTooLong)
	}
	if !utf8.Valid(line) { // json.RawMessage and json.Marshaler may return any bytes
		valid := bytes.ToValidUTF8(line, []byte("\uFFFD"))
		w.plain.Truncate(start)
		_, _ = w.plain.Write(valid) // a buffer takes all
	}
	if w.plain.Len() >= frameBytes {
		w.flush()
	}
	return w.err
}

// WriteLine writes a line of JSON unchanged, such as one from a Reader: without a line end, and in UTF-8.
func (w *Writer) WriteLine(line []byte) error {
	if w.err != nil {
		return w.err
	}
	if len(line) >= MaxLineBytes {
		return fmt.Errorf("jsonl: %d bytes: %w", len(line), lines.ErrTooLong)
	}
	_, _ = w.plain.Write(line) // a buffer takes all
	w.plain.WriteByte('\n')
	if w.plain.Len() >= frameBytes {
		w.flush()
	}
	return w.err
}

// Close writes the rest. It does not close the underlying writer. Without any lines it writes an empty frame or member,
// so that the file matches its name.
func (w *Writer) Close() error {
	if errors.Is(w.err, errClosed) {
		return nil
	}
	if w.err == nil && (w.plain.Len() > 0 || !w.written) {
		w.flush()
	}
	err := w.err
	w.err = errClosed
	return err
}

// flush writes the current frame and begins the next one.
func (w *Writer) flush() {
	frame, err := w.compress(w.plain.Bytes())
	if err == nil {
		_, err = w.w.Write(frame)
	}
	if err != nil {
		w.err = fmt.Errorf("jsonl: %w", err)
	}
	w.plain.Reset()
	w.written = true
}

// NewFastWriter returns a writer to w in zstd that takes half the time and makes a file larger by a tenth. It is for
// files that are rewritten often.
func NewFastWriter(w io.Writer) (*Writer, error) {
	jw, err := NewWriter(w, None)
	if err == nil {
		jw.useZstd(zstd.SpeedFastest)
	}
	return jw, err
}

// encoders are the idle zstd encoders by level. One takes six megabytes, more than most units write. A sync.Pool would
// be empty after every second collection. The limit is the number of encoders that can compress at once.
var encoders = map[zstd.EncoderLevel]chan *zstd.Encoder{
	zstd.SpeedDefault: make(chan *zstd.Encoder, runtime.NumCPU()),
	zstd.SpeedFastest: make(chan *zstd.Encoder, runtime.NumCPU()),
}

// newEncoder makes an encoder of a level without goroutines: otherwise the bytes would depend on the machine. The
// window is the frame, which also limits the memory of readers. The option for low memory gives the same bytes: it only
// moves its window more often, and a frame hardly exceeds the window.
func newEncoder(level zstd.EncoderLevel) *zstd.Encoder {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(frameBytes),
		zstd.WithZeroFrames(true), zstd.WithEncoderLevel(level), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic("jsonl: " + err.Error()) // the options are constants, so they fail always or never
	}
	return enc
}

// useZstd compresses each frame with an idle encoder, since frames do not depend on earlier ones.
func (w *Writer) useZstd(level zstd.EncoderLevel) {
	free := encoders[level]
	var buf []byte
	w.compress = func(plain []byte) ([]byte, error) {
		var enc *zstd.Encoder
		select {
		case enc = <-free:
		default:
			enc = newEncoder(level)
		}
		buf = enc.EncodeAll(plain, buf[:0])
		select {
		case free <- enc:
		default: // enough are idle
		}
		return buf, nil
	}
}

// useGzip compresses at the default level, without name and time in the header.
func (w *Writer) useGzip() {
	var buf bytes.Buffer
	enc := gzip.NewWriter(&buf)
	w.compress = func(plain []byte) ([]byte, error) {
		buf.Reset()
		enc.Reset(&buf)
		enc.ModTime = time.Unix(0, 0) // "not known" of RFC 1952; the zero time is not in this package
		if _, err := enc.Write(plain); err != nil {
			return nil, err
		}
		err := enc.Close()
		return buf.Bytes(), err
	}
}

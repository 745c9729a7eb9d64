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

// frameBytes is how much JSON goes into one zstd frame or gzip member: enough that frames of their own cost less than
// one percent of compression, little enough that damage costs little and memory is bounded.
const frameBytes = 4 << 20

// frame is the JSON of one frame.
type frame struct{ bytes.Buffer }

// Write grows the buffer at last to what a frame takes and no further: by doubling it would come to twice that.
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
	written  bool  // a frame at least
	plain    frame // whole lines of the current frame
	enc      *json.Encoder
	compress func(plain []byte) ([]byte, error)
	err      error // of the underlying writer: final
}

// NewWriter returns a writer to w, whose bytes are compressed as c says; "" is Zstd.
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

// Write writes v as one line. HTML is not escaped; bytes that are not UTF-8 become U+FFFD. A v that cannot be encoded
// or whose line would exceed MaxLineBytes is an error and leaves the writer as it was; an error of the underlying
// writer is final.
func (w *Writer) Write(v any) error {
	if w.err != nil {
		return w.err
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
	if !utf8.Valid(line) { // json.RawMessage and json.Marshaler pass what they like
		valid := bytes.ToValidUTF8(line, []byte("\uFFFD"))
		w.plain.Truncate(start)
		_, _ = w.plain.Write(valid) // a buffer takes all
	}
	if w.plain.Len() >= frameBytes {
		w.flush()
	}
	return w.err
}

// WriteLine writes a line of JSON as it is, such as one that a Reader has returned: without a line end, and in UTF-8.
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

// Close writes what is left. It does not close the underlying writer. A writer to which nothing was written makes an
// empty frame or member, so that the file is what its name says.
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

// NewFastWriter returns a writer to w in zstd that takes half the time, for files that are a tenth larger: for what is
// written again again and again.
func NewFastWriter(w io.Writer) (*Writer, error) {
	jw, err := NewWriter(w, None)
	if err == nil {
		jw.useZstd(zstd.SpeedFastest)
	}
	return jw, err
}

// encoders are those of zstd that no writer is compressing with, by level: one takes six megabytes, which is more than
// most units write. A sync.Pool would be empty after every second collection, and make them again. There are as many as
// can be compressing at once.
var encoders = map[zstd.EncoderLevel]chan *zstd.Encoder{
	zstd.SpeedDefault: make(chan *zstd.Encoder, runtime.NumCPU()),
	zstd.SpeedFastest: make(chan *zstd.Encoder, runtime.NumCPU()),
}

// newEncoder makes an encoder of a level with one goroutine: the bytes would otherwise depend on the machine. The
// window is the frame, which also bounds what a reader needs. With less memory it makes the same bytes: what it leaves
// out is room to move its window more seldom, and a frame has little beyond the window.
func newEncoder(level zstd.EncoderLevel) *zstd.Encoder {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(frameBytes),
		zstd.WithZeroFrames(true), zstd.WithEncoderLevel(level), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic("jsonl: " + err.Error()) // the options are constants, which are wrong always or never
	}
	return enc
}

// useZstd compresses each frame with an encoder that is borrowed for it: frames do not depend on those before.
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
		default: // as many as are kept
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
		enc.ModTime = time.Unix(0, 0) // "not known" of RFC 1952, which the zero time is not for this package
		if _, err := enc.Write(plain); err != nil {
			return nil, err
		}
		err := enc.Close()
		return buf.Bytes(), err
	}
}

package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// The size of a request: little after a jump, which may only need a few bytes, and then more and more.
const (
	firstWindow = 1 << 20
	lastWindow  = 64 << 20
)

// remoteObject reads one version of a remote file. A read that continues where the last one ended continues its stream.
// A stream that fails or stalls resumes at the byte that it had reached. If the server does not support ranges, the
// received bytes are kept: see kept.
type remoteObject struct {
	ctx  context.Context // the context of Open, because io.ReaderAt has none
	from Service
	info Info
	wait Patience

	mu     sync.Mutex
	stream *stream // nil when none is open
	pos    int64   // offset of stream
	window int64   // size of the next sequential request
	kept   *kept   // received bytes from a server without ranges, otherwise nil
	closed bool
}

func (o *remoteObject) Name() string { return o.info.Name }
func (o *remoteObject) Size() int64  { return o.info.Size }

// Close closes the stream.
func (o *remoteObject) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return os.ErrClosed
	}
	o.closed = true
	o.endStream()
	return o.kept.close()
}

// endStream closes the stream. Its error says nothing of the bytes that were read.
func (o *remoteObject) endStream() {
	if o.stream != nil {
		o.stream.close()
		o.stream = nil
	}
}

// ReadAt reads len(p) bytes from off. At the end of the file it reads the rest and returns io.EOF.
func (o *remoteObject) ReadAt(p []byte, off int64) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.closed:
		return 0, fmt.Errorf("blob: read %s: %w", o.info.Name, os.ErrClosed)
	case off < 0:
		return 0, fmt.Errorf("%w: read %s: negative offset %d", ErrSyntax, o.info.Name, off)
	}
	// It does not request ranges beyond the end, because servers answer them with 416.
	want := int(min(int64(len(p)), max(o.info.Size-off, 0)))
	n := 0
	// The time counts from the last success, for tooSlow.
	begin := time.Now()
	for failed := 0; n < want; {
		had := o.kept.bytes()
		m, err := o.read(p[n:want], off+int64(n))
		n += m
		if err == nil {
			// A completed window is also a success: the loop then opens the next.
			begin = time.Now()
			continue
		}
		// After any failure the connection is in an unknown state.
		o.endStream()
		if came := m + int(o.kept.bytes()-had); came > 0 && !o.wait.tooSlow(came, time.Since(begin)) {
			failed = 0 // only failures with no or few bytes in between count
		}
		if failed++; failed == maxAttempts || !transient(o.ctx, err) {
			// The bytes before the failure are right, and the caller gets them with the error.
			return n, fmt.Errorf("blob: read %s at %d: %w", o.info.Name, off+int64(n), secret.Error(err))
		}
		sayTrouble(o.info.Name, err)
		if err := o.wait.pause(o.ctx, failed, err); err != nil {
			return n, fmt.Errorf("blob: read %s at %d: %w", o.info.Name, off+int64(n), err)
		}
		begin = time.Now()
	}
	// io.ReaderAt demands an error with fewer bytes: io.EOF at the end.
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// read reads at off until p is full, the window ends or the stream fails.
func (o *remoteObject) read(p []byte, off int64) (int, error) {
	if o.kept != nil {
		return o.readKept(p, off)
	}
	// Also if the window has been read to its end.
	if o.stream == nil || o.pos != off || o.stream.left == 0 {
		if err := o.seek(off, int64(len(p))); err != nil {
			return 0, err
		}
		if o.kept != nil { // from the response
			return o.readKept(p, off)
		}
	}
	n, err := o.stream.read(p)
	o.pos += int64(n)
	return n, err
}

// seek opens a stream at off, with a window of at least n bytes.
func (o *remoteObject) seek(off, n int64) error {
	// Sequential reads quadruple the range: 1, 4, 16, 64 MiB, so that a whole archive takes few requests.
	if o.pos == off && o.window > 0 {
		o.window = min(4*o.window, lastWindow)
	} else {
		o.window = firstWindow
	}
	o.endStream()
	// At least n bytes, so that a read longer than the window is one request; never beyond the end.
	s, err := openStream(o.ctx, o.from, o.info, off, min(max(o.window, n), o.info.Size-off), o.wait.Stall)
	if err != nil {
		return err
	}
	o.stream, o.pos = s, off
	if s.whole {
		o.pos = 0
		o.kept, err = newKept(o.kept)
	}
	return err
}

// stream is one answer of a server.
type stream struct {
	body  io.ReadCloser
	left  int64 // remaining bytes
	whole bool  // the whole file, whatever range was requested
	given int   // bytes since the last sign of life to the watchdog
	watch *watchdog
}

// openStream requests n bytes at off. The answer may take stall to begin, and stall for each leastBytes or for the
// rest. The time between two reads does not count.
func openStream(ctx context.Context, from Service, info Info, off, n int64, stall time.Duration) (*stream, error) {
	s := &stream{left: n, watch: newWatchdog(ctx, stall)}
	// Runs when the function returns, and stops the message about a missing answer.
	defer expectAnswer(info.Name)()
	var err error
	if s.body, err = from.Get(s.watch.ctx, info, off, n); err != nil {
		// The watchdog's reason comes first: the error itself only says that the context has ended.
		err = s.watch.why(err)
		s.close()
		return nil, err
	}
	s.watch.alive()
	if _, s.whole = s.body.(Whole); s.whole {
		s.left = info.Size
	}
	return s, nil
}

// read reads until p is full or the window is at its end.
func (s *stream) read(p []byte) (n int, err error) {
	// Never more than requested, even if the server sends more.
	p = p[:min(int64(len(p)), s.left)]
	// The clock runs only while we wait for the server: the caller may take minutes between two reads.
	s.watch.resume()
	for n < len(p) && err == nil {
		var m int
		m, err = s.body.Read(p[n:])
		n += m
		if s.given += m; s.given >= leastBytes {
			// Counted over several reads, which may be small.
			s.given = 0
			s.watch.alive()
		}
	}
	s.watch.rest()
	s.left -= int64(n)
	switch {
	// All bytes are here: an error along with the last ones does not matter.
	case n == len(p):
		return n, nil
	// The server ended before it sent the promised bytes. As io.EOF it would look like the end of the file.
	case errors.Is(err, io.EOF):
		return n, io.ErrUnexpectedEOF
	}
	return n, s.watch.why(err)
}

func (s *stream) close() {
	s.watch.end()
	if s.body != nil {
		_ = s.body.Close() // all wanted bytes have been read
	}
}

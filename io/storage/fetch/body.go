package fetch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"hash"
	"io"
	"net"
	"os"
	"time"
)

// maxMemory is how much of a body is kept in memory, bytes: most pages and feeds are smaller.
const maxMemory = 256 << 10

// Body is what an answer holds, without the transfer coding, in memory or in a file that has no name any more. It is
// valid until the exchange is closed.
type Body struct {
	// Truncated is why the body is not whole, by the words of the field WARC-Truncated (section 5.13 of WARC/1.1): length
	// (MaxBody), time or disconnect; "" when it is.
	Truncated string

	// Exactly one of memory and file holds the bytes: the first while they are at most maxMemory, the
	// second ever after.
	dir    string
	memory []byte
	file   *os.File
	size   int64
	sum    hash.Hash
	fresh  int64 // of size, not yet taken from the budget
}

func newBody(dir string) *Body { return &Body{dir: dir, sum: sha1.New()} }

// Size is how many bytes there are.
func (b *Body) Size() int64 { return b.size }

// SHA1 is the hash of all bytes, which payloads are known by in archives.
func (b *Body) SHA1() [sha1.Size]byte { return [sha1.Size]byte(b.sum.Sum(nil)) }

// Open returns a reader from the beginning. Several may be open.
func (b *Body) Open() *io.SectionReader {
	if b.file != nil {
		return io.NewSectionReader(b.file, 0, b.size)
	}
	return io.NewSectionReader(bytes.NewReader(b.memory), 0, b.size)
}

// Write appends.
func (b *Body) Write(p []byte) (int, error) {
	// Decided before the append, so that memory never holds more than maxMemory.
	if b.file == nil && len(b.memory)+len(p) > maxMemory {
		if err := b.spill(); err != nil {
			return 0, err
		}
	}
	// The hash and the counters follow only a successful write: failed bytes are not part of the body.
	if b.file == nil {
		b.memory = append(b.memory, p...)
	} else if _, err := b.file.Write(p); err != nil {
		return 0, fmt.Errorf("fetch: keeping a body: %w", err)
	}
	b.sum.Write(p) // it has no errors
	b.size += int64(len(p))
	b.fresh += int64(len(p))
	return len(p), nil
}

// spill moves the body to a file.
func (b *Body) spill() error {
	f, err := os.CreateTemp(b.dir, "gleaner-fetch-*")
	if err != nil {
		return fmt.Errorf("fetch: keeping a body: %w", err)
	}
	// Removed at once, so that a killed process leaves nothing. Where open files cannot be removed, close does it.
	_ = os.Remove(f.Name())
	if _, err := f.Write(b.memory); err != nil {
		return errors.Join(fmt.Errorf("fetch: keeping a body: %w", err), f.Close())
	}
	b.file, b.memory = f, nil
	return nil
}

func (b *Body) close() error {
	if b.file == nil {
		return nil
	}
	f := b.file
	b.file, b.size = nil, 0
	// Closed before it is removed, for the systems that remove no file that is open.
	err := f.Close()
	// Gone already on most systems: see spill.
	_ = os.Remove(f.Name())
	return err
}

// receive reads the answer's body, as far as it comes and may be kept. The error is only one of keeping it: what a
// server leaves out is noted in the body.
func (c *Client) receive(ctx context.Context, h *host, conn *connection, got *answer, a *attempts) error {
	to, most := a.exchange.Body, cmp.Or(a.most, c.o.MaxBody)
	// Closing the connection is what ends a read that is blocked; the context alone would not.
	stop := context.AfterFunc(ctx, conn.close)
	defer stop()
	// A part that an earlier attempt left was marked as such. What this attempt brings decides again.
	to.Truncated = ""
	from := &patient{in: got.parsed.Body, conn: conn, stall: c.o.Stall, end: time.Now().Add(c.o.BodyTimeout)}
	// One byte more than is kept reports whether there is more.
	_, err := io.Copy(to, io.LimitReader(from, most-to.size))
	// Read into a buffer of its own and not into the body: the byte only tells that the bound was met
	// before the end.
	if err == nil && from.err == nil && to.size >= most {
		if more, _ := from.Read(make([]byte, 1)); more > 0 {
			to.Truncated = "length"
		}
	}
	if from.err != nil {
		to.Truncated = "disconnect"
		var timeout net.Error
		if errors.As(from.err, &timeout) && timeout.Timeout() {
			to.Truncated = "time"
		}
		// Neither the server nor the network: the disk. The connection has unread bytes and cannot be used
		// again.
	} else if err != nil {
		conn.close()
		return err
	}
	// Bytes after the answer that nobody asked for would be taken for the head of the next one.
	if to.Truncated != "" || got.parsed.Close || got.in.Buffered() > 0 || conn.in.Buffered() > 0 {
		conn.close()
		return nil
	}
	conn.used = true
	c.keep(h, conn)
	return nil
}

// leastSpeed is what a server has to send of a body in each time of Options.Stall, bytes a second: one that drips would
// else hold its place for hours.
const leastSpeed = 1 << 10

// patient reads a body for as long as it goes on, and remembers the error that is the server's.
type patient struct {
	in    io.Reader
	conn  net.Conn
	stall time.Duration
	end   time.Time // of all patience
	err   error

	window time.Time // until when the bytes below have to be enough
	brings int64
}

// deadline is when the next byte has to be there.
func (p *patient) deadline(now time.Time) time.Time {
	if enough := int64(p.stall.Seconds() * leastSpeed); p.window.IsZero() || p.brings >= enough {
		p.window, p.brings = now.Add(p.stall), 0
	}
	if p.end.Before(p.window) {
		return p.end
	}
	return p.window
}

func (p *patient) Read(b []byte) (int, error) {
	// Set again for each read, so that a slow server has all the time it needs as long as enough comes, up to the end.
	if err := p.conn.SetReadDeadline(p.deadline(time.Now())); err != nil {
		p.err = err
		return 0, err
	}
	n, err := p.in.Read(b)
	p.brings += int64(n)
	// io.Copy gives back one error for reading and writing alike. Kept here, the server's is known
	// from the disk's.
	if err != nil && err != io.EOF {
		p.err = err
	}
	return n, err
}

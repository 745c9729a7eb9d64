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

// maxMemory limits a body in memory, in bytes: most pages and feeds are smaller.
const maxMemory = 256 << 10

// Body is the content of an answer without the transfer coding, in memory or in an unnamed file. It is valid until the
// exchange is closed.
type Body struct {
	// Truncated is the reason why the body is incomplete, in the words of the field WARC-Truncated (section 5.13 of
	// WARC/1.1): length (MaxBody), time or disconnect. It is "" for a complete body.
	Truncated string

	// Exactly one of memory and file holds the bytes: memory up to maxMemory, and file after that.
	dir    string
	memory []byte
	file   *os.File
	size   int64
	sum    hash.Hash
	fresh  int64 // bytes not yet taken from the budget
}

func newBody(dir string) *Body { return &Body{dir: dir, sum: sha1.New()} }

// Size returns the number of bytes.
func (b *Body) Size() int64 { return b.size }

// SHA1 returns the hash of all bytes, by which archives identify payloads.
func (b *Body) SHA1() [sha1.Size]byte { return [sha1.Size]byte(b.sum.Sum(nil)) }

// Open returns a reader from the beginning. Several may be open.
func (b *Body) Open() *io.SectionReader {
	if b.file != nil {
		return io.NewSectionReader(b.file, 0, b.size)
	}
	return io.NewSectionReader(bytes.NewReader(b.memory), 0, b.size)
}

// Write appends p.
func (b *Body) Write(p []byte) (int, error) {
	// Decided before the append, so that memory never holds more than maxMemory.
	if b.file == nil && len(b.memory)+len(p) > maxMemory {
		if err := b.spill(); err != nil {
			return 0, err
		}
	}
	// The hash and the counters change only after a successful write: failed bytes are not part of the body.
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
	// Closed before the removal, for systems that cannot remove an open file.
	err := f.Close()
	// On most systems it is gone already: see spill.
	_ = os.Remove(f.Name())
	return err
}

// receive reads the answer's body, up to its limits. The error concerns storing only; the body records missing parts.
func (c *Client) receive(ctx context.Context, h *host, conn *connection, got *answer, a *attempts) error {
	to, most := a.exchange.Body, cmp.Or(a.most, c.o.MaxBody)
	// Only closing the connection ends a blocked read; the context alone would not.
	stop := context.AfterFunc(ctx, conn.close)
	defer stop()
	// An earlier attempt marked its part as truncated. This attempt decides again.
	to.Truncated = ""
	from := &patient{in: got.parsed.Body, conn: conn, stall: c.o.Stall, end: time.Now().Add(c.o.BodyTimeout)}
	// The copy stops at the limit; the read below finds out whether there is more.
	_, err := io.Copy(to, io.LimitReader(from, most-to.size))
	// Read into a buffer of its own: the byte only shows that the body exceeds the limit.
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
		// Neither the server nor the network failed, but the disk. The connection has unread bytes and cannot be used
		// again.
	} else if err != nil {
		conn.close()
		return err
	}
	// Unexpected bytes after the answer would be taken for the header of the next one.
	if to.Truncated != "" || got.parsed.Close || got.in.Buffered() > 0 || conn.in.Buffered() > 0 {
		conn.close()
		return nil
	}
	conn.used = true
	c.keep(h, conn)
	return nil
}

// leastSpeed is the minimum that a server has to send in each Options.Stall, in bytes a second. A dripping server would
// otherwise hold its place for hours.
const leastSpeed = 1 << 10

// patient reads a body as long as it makes progress, and keeps the server's error.
type patient struct {
	in    io.Reader
	conn  net.Conn
	stall time.Duration
	end   time.Time // limit for the whole body
	err   error

	window time.Time // time by which the bytes below have to be enough
	brings int64
}

// deadline returns the time by which the next byte has to arrive.
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
	// Set for each read, so that a slow server may continue up to the end as long as it sends enough.
	if err := p.conn.SetReadDeadline(p.deadline(time.Now())); err != nil {
		p.err = err
		return 0, err
	}
	n, err := p.in.Read(b)
	p.brings += int64(n)
	// io.Copy returns one error for reading and writing. Storing it here distinguishes the server's from the disk's.
	if err != nil && err != io.EOF {
		p.err = err
	}
	return n, err
}

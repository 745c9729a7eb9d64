package hbase

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// conn is a connection to one service of a server. Calls share it: each has a number, and answers come in any order.
// See section 68 of HBase's reference guide, "RPC", and RPC.proto.
type conn struct {
	c        net.Conn
	maxFrame int // bytes of an answer

	writing sync.Mutex // held while a call is written
	w       *bufio.Writer

	mu      sync.Mutex
	last    uint32                   // number of the last call
	waiting map[uint32]chan<- answer // unanswered calls; nil when the connection has ended
	err     error                    // why it has ended
}

// answer is a server's answer to a call.
type answer struct {
	param []byte // the message
	cells []byte // the block of cells after it
	err   error
}

// preamble begins a connection: magic, version 0 of the protocol, and AuthMethod.SIMPLE. With the latter the server
// trusts the user's name, or closes the connection if it requires Kerberos.
var preamble = []byte{'H', 'B', 'a', 's', 0, 80}

// version is a VersionInfo. Servers answer a Get with a block of cells if the client is at least 1.3. It names the
// version whose definitions this package follows. Most fields are required, and are for people.
var version = message(nil).text(1, "2.5.11").text(2, "").text(3, "").text(4, "gleaner").text(5, "").text(6, "").
	num(7, 2).num(8, 5)

// dial connects to a service.
func dial(ctx context.Context, o Options, address, service string) (*conn, error) {
	ctx, cancel := context.WithTimeout(ctx, o.DialTimeout)
	defer cancel()
	c, err := o.Dial(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	// The first frame after the preamble is a ConnectionHeader. The server does not answer it, so calls may follow at
	// once.
	cn := &conn{c: c, maxFrame: o.MaxAnswer, w: bufio.NewWriterSize(c, 64<<10), waiting: map[uint32]chan<- answer{}}
	header := message(nil).bytes(1, message(nil).text(1, o.User)).text(2, service).text(3, cellCodec).bytes(5, version)
	_, err = cn.w.Write(append(binary.BigEndian.AppendUint32(slices.Clone(preamble), uint32(len(header))), header...))
	if err == nil {
		err = cn.w.Flush()
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	go cn.read()
	return cn, nil
}

// close closes the connection, and ends all unanswered calls.
func (c *conn) close(why error) {
	// waiting becomes nil here, once, so that only one caller of close sends the errors. Answers are sent without the
	// lock, to channels with a buffer of one, so that a caller who has left does not block the others.
	c.mu.Lock()
	waiting := c.waiting
	if waiting != nil {
		c.waiting, c.err = nil, why
	}
	c.mu.Unlock()
	_ = c.c.Close() // nothing more will be sent
	for _, w := range waiting {
		w <- answer{err: &lostError{why}}
	}
}

// ended returns the reason why no more calls are possible, or nil.
func (c *conn) ended() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// call calls a method. cells are the parts of a block that follows it. An error of the connection is a *lostError:
// nobody knows whether the server has executed the call.
func (c *conn) call(ctx context.Context, method string, param message, cells ...[]byte) (answer, error) {
	if err := ctx.Err(); err != nil {
		return answer{}, err
	}
	// The buffer keeps read from waiting for a caller that has given up.
	done := make(chan answer, 1)
	id, err := c.begin(done)
	if err != nil {
		return answer{}, err
	}
	// Part of the call may have been sent. The server would read later bytes as the rest of it.
	if err := c.send(ctx, id, method, param, cells); err != nil {
		c.close(err) // the next call would be inside this one
	}
	select {
	case a := <-done:
		return a, a.err
	case <-ctx.Done():
		c.forget(id)
		return answer{}, ctx.Err()
	}
}

func (c *conn) begin(done chan<- answer) (uint32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting == nil {
		return 0, &lostError{c.err}
	}
	// It wraps around after 2^32 calls; no call waits that long.
	c.last++
	c.waiting[c.last] = done
	return c.last, nil
}

// forget stops waiting for an answer, which is then dropped.
func (c *conn) forget(id uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
}

func (c *conn) send(ctx context.Context, id uint32, method string, param message, cells [][]byte) error {
	// The block's length is in the header, which precedes it.
	block := 0
	for _, b := range cells {
		block += len(b)
	}
	// A RequestHeader: the call's number, the method, and that there is a message. Field 5 has the length of the
	// following block of cells, and field 7 the caller's time limit in milliseconds.
	header := message(nil).num(1, uint64(id)).text(3, method).yes(4)
	if block > 0 {
		header = header.bytes(5, message(nil).num(1, uint64(block)))
	}
	if deadline, ok := ctx.Deadline(); ok { // the server drops calls that nobody waits for
		header = header.num(7, uint64(max(1, time.Until(deadline).Milliseconds())))
	}
	head := protowire.AppendBytes(nil, header)
	head = protowire.AppendVarint(head, uint64(len(param)))

	// One call is written completely before the next. The wait for the answer is outside this lock, so calls overlap.
	c.writing.Lock()
	defer c.writing.Unlock()
	if deadline, ok := ctx.Deadline(); ok {
		if err := c.c.SetWriteDeadline(deadline); err != nil {
			return err
		}
	}
	// Errors of a bufio.Writer stay, and Flush returns them.
	_, _ = c.w.Write(binary.BigEndian.AppendUint32(nil, uint32(len(head)+len(param)+block)))
	_, _ = c.w.Write(head)
	_, _ = c.w.Write(param)
	for _, b := range cells {
		_, _ = c.w.Write(b)
	}
	return c.w.Flush()
}

// read delivers answers to their callers until the connection ends. It is the only reader of the connection, and ends
// when close has closed it.
func (c *conn) read() {
	r := bufio.NewReaderSize(c.c, 64<<10)
	for {
		frame, err := readFrame(r, c.maxFrame)
		if err != nil {
			c.close(err)
			return
		}
		// An invalid answer ends the connection: its caller and the start of the next answer are unknown.
		id, a, err := parseAnswer(frame)
		if err != nil {
			c.close(err)
			return
		}
		c.mu.Lock()
		w := c.waiting[id]
		delete(c.waiting, id)
		c.mu.Unlock()
		// An abandoned answer has no receiver; it was still read, so that the next one begins at the right place.
		if w != nil {
			w <- a
		}
	}
}

// readFrame reads the bytes after a length. Memory grows as bytes arrive, so that a false length takes none.
func readFrame(r io.Reader, most int) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	// As int64, so that no length is negative where int has 32 bits.
	n := int64(binary.BigEndian.Uint32(size[:]))
	if n > int64(most) {
		return nil, fmt.Errorf("%w: an answer of %d bytes, and at most %d are taken", errWire, n, most)
	}
	frame := make([]byte, 0, min(n, 1<<20))
	// It grows by a MiB at a time.
	for int64(len(frame)) < n {
		frame = slices.Grow(frame, int(min(n-int64(len(frame)), 1<<20)))
		got, err := r.Read(frame[len(frame):min(int64(cap(frame)), n)])
		frame = frame[:len(frame)+got]
		if err != nil && int64(len(frame)) < n {
			return nil, fmt.Errorf("an answer ends early: %w", err)
		}
	}
	return frame, nil
}

// parseAnswer parses a ResponseHeader and the bytes after it. RPC.proto.
func parseAnswer(frame []byte) (id uint32, a answer, err error) {
	header, rest, err := cut(frame)
	if err != nil {
		return 0, a, err
	}
	block := uint64(0)
	err = each(header, func(field protowire.Number, v uint64, b []byte) error {
		// A ResponseHeader: 1 is the call's number, 2 the exception, and 3 the length of the block of cells.
		switch field {
		case 1:
			id = uint32(v)
		case 2:
			a.err = parseException(b)
		case 3:
			return each(b, func(field protowire.Number, v uint64, _ []byte) error {
				if field == 1 {
					block = v
				}
				return nil
			})
		}
		return nil
	})
	// After an exception there is neither a message nor a block.
	if err != nil || a.err != nil {
		return id, a, err
	}
	if a.param, rest, err = cut(rest); err != nil {
		return id, a, err
	}
	if block > uint64(len(rest)) {
		return id, a, fmt.Errorf("%w: a block of cells longer than the answer", errWire)
	}
	a.cells = rest[:block]
	return id, a, nil
}

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
// Section 68 of HBase's reference guide, "RPC", and RPC.proto.
type conn struct {
	c        net.Conn
	maxFrame int // bytes of an answer

	writing sync.Mutex // held while a call is written
	w       *bufio.Writer

	mu      sync.Mutex
	last    uint32                   // number of the last call
	waiting map[uint32]chan<- answer // calls that have no answer yet; nil when the connection has ended
	err     error                    // why it has
}

// answer is what a server says to a call.
type answer struct {
	param []byte // the message
	cells []byte // the block of cells after it
	err   error
}

// preamble is what a connection begins with: magic, version 0 of the protocol, and the way to tell who one is: simple,
// which is to say so.
// The last byte is AuthMethod.SIMPLE. The server believes the user's name, or closes the connection when it wants
// Kerberos.
var preamble = []byte{'H', 'B', 'a', 's', 0, 80}

// version is a VersionInfo. Servers answer a Get with a block of cells when the client is at least of 1.3: what is
// told is the version whose definitions are followed here. Most fields are required, and are for people.
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

// close ends the connection, and all calls that have no answer.
func (c *conn) close(why error) {
	// waiting becomes nil here, once: whoever finds it so later has nobody to tell. Answers are sent without the lock,
	// to channels with room for one, so that a caller who has left does not hold up the others.
	c.mu.Lock()
	waiting := c.waiting
	if waiting != nil {
		c.waiting, c.err = nil, why
	}
	c.mu.Unlock()
	_ = c.c.Close() // nothing is to be sent any more
	for _, w := range waiting {
		w <- answer{err: &lostError{why}}
	}
}

// ended tells why no more calls can be made, nil while they can.
func (c *conn) ended() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// call calls a method. cells are a block that goes with it, in parts. An error of the connection is a *lostError:
// nobody knows whether the server has done it.
func (c *conn) call(ctx context.Context, method string, param message, cells ...[]byte) (answer, error) {
	if err := ctx.Err(); err != nil {
		return answer{}, err
	}
	// Room for one answer: read must not wait for a caller that has given up.
	done := make(chan answer, 1)
	id, err := c.begin(done)
	if err != nil {
		return answer{}, err
	}
	// Part of the call may be on its way. What would follow on this connection is read by the server as the rest of it.
	if err := c.send(ctx, id, method, param, cells); err != nil {
		c.close(err) // the next call would stand within this one
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
	// It may come round after 2^32 calls; none waits for as long as that.
	c.last++
	c.waiting[c.last] = done
	return c.last, nil
}

// forget gives up waiting for an answer; when it comes it is dropped.
func (c *conn) forget(id uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
}

func (c *conn) send(ctx context.Context, id uint32, method string, param message, cells [][]byte) error {
	// The block's length is in the header, which is written before it.
	block := 0
	for _, b := range cells {
		block += len(b)
	}
	// A RequestHeader: the call's number, the method, and that there is a message; field 5 says how long the block of
	// cells after it is, and field 7 how many milliseconds the caller waits.
	header := message(nil).num(1, uint64(id)).text(3, method).yes(4)
	if block > 0 {
		header = header.bytes(5, message(nil).num(1, uint64(block)))
	}
	if deadline, ok := ctx.Deadline(); ok { // the server drops what nobody waits for any more
		header = header.num(7, uint64(max(1, time.Until(deadline).Milliseconds())))
	}
	head := protowire.AppendBytes(nil, header)
	head = protowire.AppendVarint(head, uint64(len(param)))

	// One call is written as a whole before the next. The answer is not waited for under this lock, so calls overlap.
	c.writing.Lock()
	defer c.writing.Unlock()
	if deadline, ok := ctx.Deadline(); ok {
		if err := c.c.SetWriteDeadline(deadline); err != nil {
			return err
		}
	}
	// Errors of a bufio.Writer stay: Flush tells of all of them.
	// The length of the whole frame, without these four bytes.
	_, _ = c.w.Write(binary.BigEndian.AppendUint32(nil, uint32(len(head)+len(param)+block)))
	_, _ = c.w.Write(head)
	_, _ = c.w.Write(param)
	for _, b := range cells {
		_, _ = c.w.Write(b)
	}
	return c.w.Flush()
}

// read gives answers to those who wait for them, until the connection ends.
// It is the only reader of the connection, and ends when close has closed it.
func (c *conn) read() {
	r := bufio.NewReaderSize(c.c, 64<<10)
	for {
		frame, err := readFrame(r, c.maxFrame)
		if err != nil {
			c.close(err)
			return
		}
		// An answer that cannot be read ends the connection: whose it was is not known, nor where the
		// next one begins.
		id, a, err := parseAnswer(frame)
		if err != nil {
			c.close(err)
			return
		}
		c.mu.Lock()
		w := c.waiting[id]
		delete(c.waiting, id)
		c.mu.Unlock()
		// Nobody waits any more for an answer that was given up; it was read, so that the next one begins where it
		// should.
		if w != nil {
			w <- a
		}
	}
}

// readFrame reads what follows a length. Memory is taken as bytes come, so that a false length takes none.
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

// parseAnswer reads a ResponseHeader and what follows it. RPC.proto.
func parseAnswer(frame []byte) (id uint32, a answer, err error) {
	header, rest, err := cut(frame)
	if err != nil {
		return 0, a, err
	}
	block := uint64(0)
	err = each(header, func(field protowire.Number, v uint64, b []byte) error {
		// A ResponseHeader: 1 is the call's number, 2 the exception, and 3 says how long the block of cells is.
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
	// Behind an exception there is neither a message nor a block.
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

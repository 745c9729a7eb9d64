package fetch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

const (
	// maxHead is how long the head of an answer may be, bytes: curl takes 300 KB, browsers 256 KiB.
	maxHead = 256 << 10
	// maxInterim is how many answers of status 1xx may be before the one that counts.
	maxInterim = 8
)

// answer is the head of an answer, and its body, which is to be read.
type answer struct {
	head   []byte
	parsed *http.Response
	in     *bufio.Reader // the source of parsed.Body; bytes left in it do not belong to the answer
}

// send connects if need be, sends the request for the body from there on, and reads the answer's head.
func (c *Client) send(ctx context.Context, h *host, t *attempts, from int64) (*connection, *answer, error) {
	// A kept connection is tried once; if it was closed meanwhile, one is dialled, and that is not an
	// attempt of its own.
	conn := c.take(h, t.origin())
	for {
		if conn == nil {
			var err error
			if conn, err = c.dialer.dial(ctx, t.target); err != nil {
				return nil, nil, err
			}
		}
		got, silent, err := c.talk(ctx, conn, t, from)
		if err == nil {
			return conn, got, nil
		}
		conn.close()
		// A server may hang up at any time on a connection that is kept, and has not seen the request then.
		if !conn.used || !silent || ctx.Err() != nil {
			return nil, nil, err
		}
		conn = nil
	}
}

// talk sends the request and reads the answer's head. silent tells that nothing at all has come.
func (c *Client) talk(
	ctx context.Context, conn *connection, t *attempts, from int64,
) (_ *answer, silent bool, err error) {
	// As in receive: closing is what ends a blocked read or write.
	stop := context.AfterFunc(ctx, conn.close)
	defer stop()
	// One deadline for sending and for the whole head, so that a server that sends a byte a minute
	// does not hold the host.
	if err := conn.SetDeadline(time.Now().Add(c.o.Timeout)); err != nil {
		return nil, true, unreachable(err)
	}
	// Made twice: the archive gets the request without what only a proxy sees, such as its password.
	conn.sent = c.request(t, "", "", from)
	if _, err := conn.Write(c.request(t, conn.proxy, conn.fields, from)); err != nil {
		return nil, true, unreachable(err)
	}
	// Peeked, so that "hung up before a byte" is distinguished from "hung up within the head". Only the first
	// may be sent again.
	if _, err := conn.in.Peek(1); err != nil {
		// A server that is still thinking has the request: it is not sent a second time.
		var timeout net.Error
		thinks := errors.As(err, &timeout) && timeout.Timeout()
		return nil, !thinks, unreachable(err)
	}
	// Interim answers, section 15.2 of RFC 9110, are read over and not archived.
	for range maxInterim + 1 {
		head, err := readHead(conn.in)
		if err != nil {
			return nil, false, unreachable(err)
		}
		got, err := parseHead(head, conn.in)
		if err != nil {
			return nil, false, err
		}
		// 101 is an answer to what nobody asked.
		if s := got.parsed.StatusCode; s < 100 || s > 199 || s == http.StatusSwitchingProtocols {
			return got, false, nil
		}
	}
	return nil, false, fmt.Errorf("%w: more than %d interim answers", ErrProtocol, maxInterim)
}

// request is the request's bytes.
func (c *Client) request(t *attempts, before, fields string, from int64) []byte {
	var b bytes.Buffer
	// Written by hand in a fixed order, so that the same request always has the same bytes in the
	// archive. No value has a line end: newTarget and withDefaults see to it.
	fmt.Fprintf(&b, "GET %s%s HTTP/1.1\r\nHost: %s\r\nUser-Agent: %s\r\n", before, t.path, t.authority(), c.o.UserAgent)
	for _, f := range t.fields {
		if f[1] != "" {
			fmt.Fprintf(&b, "%s: %s\r\n", f[0], f[1])
		}
	}
	if from > 0 {
		fmt.Fprintf(&b, "Range: bytes=%d-\r\nIf-Range: %s\r\n", from, validator(t.exchange.Header))
	}
	// Ranges are of the bytes as they are sent, and archives are compressed as a whole.
	fmt.Fprintf(&b, "Accept-Encoding: identity\r\n%s\r\n", fields)
	return b.Bytes()
}

// readHead reads up to and with the empty line, byte by byte as it comes.
func readHead(in *bufio.Reader) ([]byte, error) {
	var head []byte
	for {
		line, err := in.ReadSlice('\n')
		// Checked before it is appended: a line without an end comes in pieces of the buffer's size.
		if len(head)+len(line) > maxHead {
			return nil, fmt.Errorf("%w: a head of more than %d bytes", ErrProtocol, maxHead)
		}
		head = append(head, line...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF:
			// A head that ends before its empty line is not a head. io.EOF would read as a good end.
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		}
		// Looked at with the first line, so that a server of another protocol is given up at once and
		// not after maxHead bytes.
		if len(head) == len(line) && !strings.HasPrefix(string(line), "HTTP/1.") {
			return nil, fmt.Errorf("%w: it begins with %.40q", ErrProtocol, line)
		}
		// A bare LF is tolerated: section 2.2 of RFC 9112.
		if s := string(line); s == "\r\n" || s == "\n" {
			return head, nil
		}
	}
}

// parseHead reads a head, and has the body read from in.
func parseHead(head []byte, in io.Reader) (*answer, error) {
	// The buffer takes the head first and alone, since MultiReader gives one reader's bytes at a time, so that nothing is
	// read of the body, or of an answer that follows, before it is asked for.
	buffer := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(head), in), max(len(head), 16<<10))
	parsed, err := http.ReadResponse(buffer, &http.Request{Method: http.MethodGet})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	return &answer{head, parsed, buffer}, nil
}

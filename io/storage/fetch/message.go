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
	// maxHead is the longest header of an answer, in bytes: curl takes 300 KB, browsers 256 KiB.
	maxHead = 256 << 10
	// maxInterim is the number of answers with status 1xx that may precede the final one.
	maxInterim = 8
)

// answer is the header of an answer, and its unread body.
type answer struct {
	head   []byte
	parsed *http.Response
	in     *bufio.Reader // the source of parsed.Body; bytes left in it do not belong to the answer
}

// send connects if needed, sends the request for the body from the offset on, and reads the answer's header.
func (c *Client) send(ctx context.Context, h *host, t *attempts, from int64) (*connection, *answer, error) {
	// A kept connection is tried once. If it was closed in the meantime, a new one is dialled without counting as an
	// attempt.
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
		// A server may close a kept connection at any time, and has not seen the request in that case.
		if !conn.used || !silent || ctx.Err() != nil {
			return nil, nil, err
		}
		conn = nil
	}
}

// talk sends the request and reads the answer's header. silent means that no byte has arrived.
func (c *Client) talk(
	ctx context.Context, conn *connection, t *attempts, from int64,
) (_ *answer, silent bool, err error) {
	// As in receive: closing ends a blocked read or write.
	stop := context.AfterFunc(ctx, conn.close)
	defer stop()
	// One deadline for sending and for the whole header, so that a server with a byte a minute does not hold the host.
	if err := conn.SetDeadline(time.Now().Add(c.o.Timeout)); err != nil {
		return nil, true, unreachable(err)
	}
	// The archive gets the request without the fields that only a proxy sees, such as its password.
	conn.sent = c.request(t, "", "", from)
	if _, err := conn.Write(c.request(t, conn.proxy, conn.fields, from)); err != nil {
		return nil, true, unreachable(err)
	}
	// Peek distinguishes a connection closed before any byte from one closed within the header. Only the first may be
	// retried.
	if _, err := conn.in.Peek(1); err != nil {
		// A server that is still working has the request, so it is not sent again.
		var timeout net.Error
		thinks := errors.As(err, &timeout) && timeout.Timeout()
		return nil, !thinks, unreachable(err)
	}
	// Interim answers (section 15.2 of RFC 9110) are skipped and not archived.
	for range maxInterim + 1 {
		head, err := readHead(conn.in)
		if err != nil {
			return nil, false, unreachable(err)
		}
		got, err := parseHead(head, conn.in)
		if err != nil {
			return nil, false, err
		}
		// 101 would answer an upgrade that nobody requested.
		if s := got.parsed.StatusCode; s < 100 || s > 199 || s == http.StatusSwitchingProtocols {
			return got, false, nil
		}
	}
	return nil, false, fmt.Errorf("%w: more than %d interim answers", ErrProtocol, maxInterim)
}

// request returns the request's bytes.
func (c *Client) request(t *attempts, before, fields string, from int64) []byte {
	var b bytes.Buffer
	// The order is fixed, so that the same request always has the same bytes in the archive. No value has a line end:
	// newTarget and withDefaults ensure this.
	fmt.Fprintf(&b, "GET %s%s HTTP/1.1\r\nHost: %s\r\nUser-Agent: %s\r\n", before, t.path, t.authority(), c.o.UserAgent)
	for _, f := range t.fields {
		if f[1] != "" {
			fmt.Fprintf(&b, "%s: %s\r\n", f[0], f[1])
		}
	}
	if from > 0 {
		fmt.Fprintf(&b, "Range: bytes=%d-\r\nIf-Range: %s\r\n", from, validator(t.exchange.Header))
	}
	// Ranges refer to the bytes as sent, and archives are compressed as a whole.
	fmt.Fprintf(&b, "Accept-Encoding: identity\r\n%s\r\n", fields)
	return b.Bytes()
}

// readHead reads up to and including the empty line, and keeps the bytes unchanged.
func readHead(in *bufio.Reader) ([]byte, error) {
	var head []byte
	for {
		line, err := in.ReadSlice('\n')
		// Checked before the append: a line without an end comes in pieces of the buffer's size.
		if len(head)+len(line) > maxHead {
			return nil, fmt.Errorf("%w: a head of more than %d bytes", ErrProtocol, maxHead)
		}
		head = append(head, line...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF:
			// A header that ends before its empty line is invalid. io.EOF would look like a good end.
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		}
		// Tested with the first line, so that a server of another protocol is refused at once, not after maxHead bytes.
		if len(head) == len(line) && !strings.HasPrefix(string(line), "HTTP/1.") {
			return nil, fmt.Errorf("%w: it begins with %.40q", ErrProtocol, line)
		}
		// A bare LF is tolerated: section 2.2 of RFC 9112.
		if s := string(line); s == "\r\n" || s == "\n" {
			return head, nil
		}
	}
}

// parseHead parses a header; the body is read from in.
func parseHead(head []byte, in io.Reader) (*answer, error) {
	// MultiReader returns the bytes of one reader at a time, so the buffer first takes only the header. Nothing of the
	// body, or of a following answer, is read before it is requested.
	buffer := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(head), in), max(len(head), 16<<10))
	parsed, err := http.ReadResponse(buffer, &http.Request{Method: http.MethodGet})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	return &answer{head, parsed, buffer}, nil
}

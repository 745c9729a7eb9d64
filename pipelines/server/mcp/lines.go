package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxCalls is the number of calls without an answer. Further lines wait, so that a client that reads no answers cannot
// fill the memory.
const maxCalls = 64

// lines is the transport over standard input and output: a message a line. It differs from the SDK's in two things. A
// line that is not a message gets an error as its answer, and the next lines are read. The input ends only when all
// calls have an answer, so a file of calls can be piped in.
type lines struct {
	in  io.ReadCloser
	out io.WriteCloser
}

func (t lines) Connect(context.Context) (sdk.Connection, error) {
	c := &lineConn{
		in: t.in, out: t.out, texts: make(chan []byte), ended: make(chan struct{}),
		places: make(chan struct{}, maxCalls), calls: map[jsonrpc.ID]bool{},
	}
	// Reads of standard input cannot be interrupted, so they have their own goroutine.
	go c.scan()
	return c, nil
}

type lineConn struct {
	in     io.ReadCloser
	out    io.WriteCloser
	texts  chan []byte // lines; nil is one that was too long
	err    error       // of reading, set before texts is closed
	end    sync.Once
	ended  chan struct{} // closed after Close, and after an answer that could not be written
	places chan struct{} // one for each call without an answer

	mu    sync.Mutex // of the rest, and of writing
	calls map[jsonrpc.ID]bool
}

func (*lineConn) SessionID() string { return "" }

// scan reads lines until the input or the connection ends.
func (c *lineConn) scan() {
	defer close(c.texts)
	r := bufio.NewReaderSize(c.in, 64<<10)
	for {
		text, err := readLine(r)
		if len(bytes.TrimSpace(text)) > 0 || text == nil && err == nil {
			select {
			case c.texts <- text:
			case <-c.ended:
				return
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				c.err = err
			}
			return
		}
	}
}

// readLine returns a line, or nil instead of one that is longer than maxLine.
func readLine(r *bufio.Reader) ([]byte, error) {
	text, long := []byte{}, false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(text)+len(part) > maxLine; !long {
			text = append(text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long && (err == nil || errors.Is(err, io.EOF)):
			return nil, nil // the end of the input comes again
		default:
			return text, err
		}
	}
}

func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.ended:
			return nil, io.EOF
		case text, more := <-c.texts:
			if !more {
				return nil, c.drain(ctx)
			}
			m, refused := readMessage(text)
			if r, is := m.(*jsonrpc.Request); is && r.IsCall() {
				if err := c.place(ctx); err != nil {
					return nil, err
				}
				refused = c.begin(r)
			}
			if refused == nil {
				return m, nil
			}
			if err := c.send(refused); err != nil {
				return nil, err
			}
		}
	}
}

// drain waits for the answers of all calls, each of which has a limit of time. It returns why the input ended.
func (c *lineConn) drain(ctx context.Context) error {
	for range maxCalls {
		if err := c.place(ctx); err != nil {
			return err
		}
	}
	if c.err != nil {
		return c.err
	}
	return io.EOF
}

// place waits until there is a place for one more call.
func (c *lineConn) place(ctx context.Context) error {
	select {
	case c.places <- struct{}{}:
		return nil
	case <-c.ended:
		return io.EOF
	case <-ctx.Done():
		return ctx.Err()
	}
}

// begin notes a call. If another with its id has no answer yet, it returns a refusal and gives the place back.
func (c *lineConn) begin(r *jsonrpc.Request) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls[r.ID] {
		<-c.places
		return refusal(nil, jsonrpc.CodeInvalidRequest, "a call with this id has no answer yet: give each another id")
	}
	c.calls[r.ID] = true
	return nil
}

func (c *lineConn) Write(_ context.Context, m jsonrpc.Message) error {
	if r, is := m.(*jsonrpc.Response); is && c.answered(r.ID) {
		defer func() { <-c.places }()
	}
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	return c.send(text)
}

// answered forgets a call before its answer is sent, since the client may use the id again. It reports whether there
// was one.
func (c *lineConn) answered(id jsonrpc.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.calls[id]
	delete(c.calls, id)
	return was
}

func (c *lineConn) send(text []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.out.Write(append(text, '\n'))
	if err != nil {
		c.end.Do(func() { close(c.ended) })
	}
	return err
}

func (c *lineConn) Close() error {
	c.end.Do(func() { close(c.ended) })
	return errors.Join(c.in.Close(), c.out.Close())
}

// refusal is the answer to a text that is not a message. Its id is that of the text, or null.
func refusal(id json.RawMessage, code int64, why string) []byte {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	text, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", id, &jsonrpc.Error{Code: code, Message: why}})
	if err != nil {
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"internal error"}}`)
	}
	return text
}

package mcp

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// draining is a transport whose input ends only when all calls have an answer. So a file of calls can be piped in.
type draining struct{ sdk.Transport }

func (t draining) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &drained{Connection: c}, nil
}

type drained struct {
	sdk.Connection
	calls sync.WaitGroup // without an answer
}

func (c *drained) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if err != nil {
		c.calls.Wait() // each call has a limit of time
		return m, err
	}
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		c.calls.Add(1)
	}
	return m, nil
}

func (c *drained) Write(ctx context.Context, m jsonrpc.Message) error {
	if _, ok := m.(*jsonrpc.Response); ok {
		defer c.calls.Done()
	}
	return c.Connection.Write(ctx, m)
}

package mcp_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gleaner-web/gleaner/pipelines/server"
	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/mcp"
)

// listening starts a server over TCP, with the limits of the command serve.
func listening(t *testing.T, list []capture) (addr string) {
	t.Helper()
	v := viewsOf(t, deposit(t, "out", list))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	h := server.New(server.Options{Views: v, Open: true, Others: map[string]http.Handler{
		mcp.Path: mcp.New(v, mcp.Options{Version: "test"}).Handler(api.Base),
	}})
	go func() { ended <- server.Serve(ctx, server.Bounded(l, nil), h, nil) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Log(err) // of connections that the test has cut
		}
	})
	return l.Addr().String()
}

// post begins a request, of whose body it sends the first bytes.
func post(t *testing.T, addr, body string, sent int) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() }) // the test has ended
	_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
	_, err = fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\n"+
		"\r\n%s", addr, len(body), body[:sent])
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// answers reports how long an assistant waits for an answer.
func answers(t *testing.T, addr string) time.Duration {
	t.Helper()
	begin := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	s, err := client.Connect(ctx, &sdk.StreamableClientTransport{Endpoint: "http://" + addr + mcp.Path}, nil)
	if err != nil {
		t.Error(err)
		return time.Since(begin)
	}
	defer func() { _ = s.Close() }() // there is no session
	res, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "search", Arguments: map[string]any{"query": "the"}})
	if err != nil || res.IsError {
		t.Error(err, res)
	}
	return time.Since(begin)
}

// TestSlow: clients that read no answers, or send half a request, do not keep others waiting.
func TestSlow(t *testing.T) {
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":` +
		`{"host":"long.example","limit":50}}}`
	half := `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 100_000) + `"}`
	for name, body := range map[string]string{"read": call, "send": half} {
		t.Run(name, func(t *testing.T) {
			addr := listening(t, hugePages())
			sent := len(body)
			if name == "send" {
				sent /= 2
			}
			for range 60 {
				post(t, addr, body, sent)
			}
			time.Sleep(500 * time.Millisecond)
			if took := answers(t, addr); took > 10*time.Second {
				t.Errorf("another client waits for %v", took)
			}
		})
	}
}

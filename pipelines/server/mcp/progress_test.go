package mcp

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestProgress: a client with a token hears that a long call goes on. It hears nothing after the answer.
func TestProgress(t *testing.T) {
	reportEvery = time.Millisecond
	defer func() { reportEvery = 2 * time.Second }()
	s := New(nil, Options{Version: "test"})
	type nothing struct{}
	heard, enough := atomic.Int64{}, make(chan struct{})
	addTool(s, "long", "Long", "It takes long.", func(ctx context.Context, _ nothing) (*reply, nothing, error) {
		select {
		case <-enough:
		case <-ctx.Done():
		}
		return newReply(""), nothing{}, nil
	})
	addTool(s, "short", "Short", "It takes as long.", func(context.Context, nothing) (*reply, nothing, error) {
		time.Sleep(20 * reportEvery)
		return newReply(""), nothing{}, nil
	})
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, q *sdk.ProgressNotificationClientRequest) {
			if q.Params.ProgressToken != "mine" || q.Params.Progress <= 0 || q.Params.Message == "" {
				t.Errorf("progress %+v", q.Params)
			}
			if heard.Add(1) == 3 {
				close(enough)
			}
		},
	})
	here, there := sdk.NewInMemoryTransports()
	if _, err := s.sdk.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	c, err := client.Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	asked := &sdk.CallToolParams{Name: "long", Arguments: nothing{}}
	asked.SetProgressToken("mine")
	if _, err := c.CallTool(t.Context(), asked); err != nil {
		t.Fatal(err)
	}
	n := heard.Load()
	if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "short", Arguments: nothing{}}); err != nil {
		t.Fatal(err)
	}
	// Messages arrive in order, so two may arrive after the first answer.
	if m := heard.Load(); m > n+2 {
		t.Errorf("heard %d messages of a call without a token", m-n)
	}
}

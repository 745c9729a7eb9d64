package mcp

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// reportEvery is how often a client that asked for it hears that its call goes on. Clients give up after a minute or so
// without a message.
var reportEvery = 2 * time.Second

// report sends messages that a call goes on, if its client gave a token for them. The returned function ends it, before
// the answer is sent. Over HTTP a request has one answer and no messages before it.
func report(ctx context.Context, q *sdk.CallToolRequest, tool string) (end func()) {
	token := q.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	done := make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		tick := time.NewTicker(reportEvery)
		defer tick.Stop()
		for n := 1; ; n++ {
			select {
			case <-done:
				return
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			took := time.Duration(n) * reportEvery
			err := q.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
				ProgressToken: token, Progress: took.Seconds(), Message: fmt.Sprintf("%s: %s so far", tool, took),
			})
			if err != nil {
				slog.Debug("a client was not told that its call goes on", "tool", tool, "error", err)
				return
			}
		}
	})
	return func() {
		close(done)
		telling.Wait()
	}
}

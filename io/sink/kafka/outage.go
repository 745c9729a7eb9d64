package kafka

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// outages is a hook of clients that says when a broker stops answering, at its first failure, and when it answers
// again. By themselves, clients try again in silence.
type outages struct {
	// The client calls hooks from goroutines of its own, one a broker.
	mu    sync.Mutex
	limit time.Duration // how long is tried again
	// By host:port, whether the last attempt to connect failed.
	down map[string]bool
}

var _ kgo.HookBrokerConnect = (*outages)(nil)

// OnBrokerConnect takes what became of an attempt to connect to a broker.
func (o *outages) OnBrokerConnect(broker kgo.BrokerMetadata, _ time.Duration, _ net.Conn, err error) {
	if errors.Is(err, context.Canceled) || errors.Is(err, kgo.ErrClientClosed) {
		return // it was we who gave up
	}
	address := net.JoinHostPort(broker.Host, strconv.Itoa(int(broker.Port)))
	o.mu.Lock()
	defer o.mu.Unlock()
	was := o.down[address]
	o.down[address] = err != nil
	switch {
	// Only changes are told: a broker that is down for an hour is tried again all the time.
	case err != nil && !was:
		slog.Warn(fmt.Sprintf("kafka: broker %s does not answer: %v; trying again for up to %v", address, err, o.limit))
	case err == nil && was:
		slog.Info(fmt.Sprintf("kafka: broker %s answers again", address))
	}
}

// within sets how long is tried again.
func (o *outages) within(limit time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.limit = limit
}

// How long brokers may take to answer for the first time, if delivery.timeout.ms is not shorter; how long the user is
// left silently when one neither answers nor refuses; and the pause between two attempts.
const (
	pingTime  = 30 * time.Second
	pingQuiet = 3 * time.Second
	pingPause = 500 * time.Millisecond
)

// patience is how long brokers are asked at the start.
func (s *settings) patience() time.Duration { return min(pingTime, s.delivery) }

// ping waits until a broker answers.
func (s *settings) ping(ctx context.Context, c *kgo.Client) error {
	s.outages.within(s.patience())
	// After the start messages are tried again for delivery.timeout.ms, which is what warnings should say
	// from then on.
	defer s.outages.within(s.delivery)
	brokers := strings.Join(s.brokers, ",")
	// A broker behind a firewall that drops packets gives no error for many seconds; nothing would be said
	// in that time.
	quiet := time.AfterFunc(pingQuiet, func() {
		slog.Warn(fmt.Sprintf("kafka: no broker of %s has answered yet; waiting for up to %v", brokers, s.patience()))
	})
	defer quiet.Stop()
	ctx, cancel := context.WithTimeout(ctx, s.patience())
	defer cancel()
	// Ping goes once over the brokers, and fails when none answers: a broker that is still starting needs
	// another try.
	for {
		err := c.Ping(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("kafka: no broker of %s answers (security.protocol=%s): given up: %w",
				brokers, s.security.protocol, err)
		case <-time.After(pingPause):
		}
	}
}

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

// outages is a hook of clients that logs the first failure of a broker, and its next answer. Clients themselves retry
// in silence.
type outages struct {
	// The client calls hooks from its own goroutines, one for each broker.
	mu    sync.Mutex
	limit time.Duration // total time of the attempts
	// down has by host:port whether the last attempt to connect failed.
	down map[string]bool
}

var _ kgo.HookBrokerConnect = (*outages)(nil)

// OnBrokerConnect gets the result of an attempt to connect to a broker.
func (o *outages) OnBrokerConnect(broker kgo.BrokerMetadata, _ time.Duration, _ net.Conn, err error) {
	if errors.Is(err, context.Canceled) || errors.Is(err, kgo.ErrClientClosed) {
		return // we canceled it
	}
	address := net.JoinHostPort(broker.Host, strconv.Itoa(int(broker.Port)))
	o.mu.Lock()
	defer o.mu.Unlock()
	was := o.down[address]
	o.down[address] = err != nil
	switch {
	// Only changes are logged: a broker that is down for an hour is tried all the time.
	case err != nil && !was:
		slog.Warn(fmt.Sprintf("kafka: broker %s does not answer: %v; trying again for up to %v", address, err, o.limit))
	case err == nil && was:
		slog.Info(fmt.Sprintf("kafka: broker %s answers again", address))
	}
}

// within sets the total time of the attempts.
func (o *outages) within(limit time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.limit = limit
}

// The time for brokers to answer first, if delivery.timeout.ms is not shorter. Then the time without a message while
// none answers or refuses, and the pause between two attempts.
const (
	pingTime  = 30 * time.Second
	pingQuiet = 3 * time.Second
	pingPause = 500 * time.Millisecond
)

// patience returns the time for brokers to answer at the start.
func (s *settings) patience() time.Duration { return min(pingTime, s.delivery) }

// ping waits until a broker answers.
func (s *settings) ping(ctx context.Context, c *kgo.Client) error {
	s.outages.within(s.patience())
	// After the start, messages are retried for delivery.timeout.ms, which later warnings should show.
	defer s.outages.within(s.delivery)
	brokers := strings.Join(s.brokers, ",")
	// A broker with a firewall that drops packets gives no error for many seconds, so this logs a message.
	quiet := time.AfterFunc(pingQuiet, func() {
		slog.Warn(fmt.Sprintf("kafka: no broker of %s has answered yet; waiting for up to %v", brokers, s.patience()))
	})
	defer quiet.Stop()
	ctx, cancel := context.WithTimeout(ctx, s.patience())
	defer cancel()
	// Ping tries each broker once, and fails if none answers. A broker that is still starting needs another try.
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

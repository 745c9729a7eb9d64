package kafka

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
)

// The settings that say how large a message may be: of producers, of topics, and of brokers for topics that do not
// say.
const (
	maxRequestSize  = "max.request.size"
	maxMessageBytes = "max.message.bytes"
	brokerMaximum   = "message.max.bytes"
)

// limit is how large a message may be, and why.
type limit struct {
	bytes  int64
	reason string
}

// limit is what the properties ask for, but not more than the topic takes, where that is known.
func (c Config) limit(s *settings) limit {
	l := limit{s.maxRequest, fmt.Sprintf("larger than may be sent (%s %d)", maxRequestSize, s.maxRequest)}
	_, asked := c.Properties[maxRequestSize]
	if c.MaxMessage > 0 && (!asked || c.MaxMessage <= s.maxRequest) {
		l = limit{c.MaxMessage, fmt.Sprintf("larger than the topic takes (%s %d)", maxMessageBytes, c.MaxMessage)}
	}
	if most := min(s.buffer, maxMessage); l.bytes > most {
		l = limit{most, fmt.Sprintf("larger than what waits may be (buffer.memory %d)", most)}
	}
	return l
}

// TopicLimit asks how many bytes a message, or a batch of messages, may have: the topic's max.message.bytes or, when
// there is no such topic yet, what the brokers give to a new one.
func (p *Producer) TopicLimit(ctx context.Context) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, p.set.patience())
	defer cancel()
	admin := kadm.NewClient(p.client)
	configs, err := admin.DescribeTopicConfigs(ctx, p.topic)
	n, err := setting(configs, maxMessageBytes, err)
	if errors.Is(err, kerr.UnknownTopicOrPartition) {
		n, err = newTopicLimit(ctx, admin)
	}
	if err != nil {
		return 0, fmt.Errorf("kafka: topic %s: %s is not known: %w", p.topic, maxMessageBytes, err)
	}
	return n, nil
}

func newTopicLimit(ctx context.Context, admin *kadm.Client) (int64, error) {
	brokers, err := admin.ListBrokers(ctx)
	if err != nil {
		return 0, err
	}
	if len(brokers) == 0 {
		return 0, errors.New("no broker is listed")
	}
	configs, err := admin.DescribeBrokerConfigs(ctx, brokers[0].NodeID)
	return setting(configs, brokerMaximum, err)
}

// setting is the number that a setting has in what a broker answered, which is about one thing.
func setting(configs kadm.ResourceConfigs, name string, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	for _, about := range configs {
		if about.Err != nil {
			return 0, about.Err
		}
		for _, c := range about.Configs {
			if c.Key == name {
				return strconv.ParseInt(c.MaybeValue(), 10, 64)
			}
		}
	}
	return 0, fmt.Errorf("the answer has no %s", name)
}

package kafka

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
)

// The settings for the largest message: of producers, of topics, and of brokers as default for topics.
const (
	maxRequestSize  = "max.request.size"
	maxMessageBytes = "max.message.bytes"
	brokerMaximum   = "message.max.bytes"
)

// limit is the size limit of a message, and its reason.
type limit struct {
	bytes  int64
	reason string
}

// limit returns the limit of the properties, but not more than the topic's limit, if that is known.
func (c Config) limit(s *settings) limit {
	// Only the property counts until the topic was asked. MaxMessage is 0 until then.
	l := limit{s.maxRequest, fmt.Sprintf("larger than may be sent (%s %d)", maxRequestSize, s.maxRequest)}
	_, asked := c.Properties[maxRequestSize]
	// The smaller of the two wins if the user has set it, so that the reason names the setting to change. A default
	// gives way even to a larger limit of the topic: Kafka's default of 1 MiB must not refuse a page of 5 MB.
	if c.MaxMessage > 0 && (!asked || c.MaxMessage <= s.maxRequest) {
		l = limit{c.MaxMessage, fmt.Sprintf("larger than the topic takes (%s %d)", maxMessageBytes, c.MaxMessage)}
	}
	// A message over buffer.memory could never be buffered: the client would refuse it at once, and the unit with it.
	if most := min(s.buffer, maxMessage); l.bytes > most {
		l = limit{most, fmt.Sprintf("larger than what waits may be (buffer.memory %d)", most)}
	}
	return l
}

// TopicLimit returns the limit of a message, or of a batch of messages, in bytes. It is the topic's max.message.bytes
// or, for a missing topic, the brokers' default.
func (p *Producer) TopicLimit(ctx context.Context) (int64, error) {
	// Without a time-out the request would last as long as franz-go repeats it.
	ctx, cancel := context.WithTimeout(ctx, p.set.patience())
	defer cancel()
	admin := kadm.NewClient(p.client)
	configs, err := admin.DescribeTopicConfigs(ctx, p.topic)
	// numberOf also gets the error of the request, so that the three failures are handled in one place.
	n, err := numberOf(configs, maxMessageBytes, err)
	// The producer may create the topic (kgo.AllowAutoTopicCreation), which then gets the brokers' default.
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
	// Any broker will do: brokers differ only while a cluster changes, and the broker itself refuses large messages in
	// the end.
	configs, err := admin.DescribeBrokerConfigs(ctx, brokers[0].NodeID)
	return numberOf(configs, brokerMaximum, err)
}

// numberOf returns the number of a setting in a broker's answer about one broker or topic.
func numberOf(configs kadm.ResourceConfigs, name string, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	for _, about := range configs {
		// The answer as a whole may be good while its part for this topic is an error, such as a missing topic.
		if about.Err != nil {
			return 0, about.Err
		}
		for _, c := range about.Configs {
			if c.Key == name {
				// A missing value reads as "", which is an error here instead of a limit of 0.
				return strconv.ParseInt(c.MaybeValue(), 10, 64)
			}
		}
	}
	return 0, fmt.Errorf("the answer has no %s", name)
}

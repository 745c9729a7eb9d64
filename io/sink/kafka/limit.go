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
	// The property alone, for as long as nobody has asked the topic. MaxMessage is 0 then.
	l := limit{s.maxRequest, fmt.Sprintf("larger than may be sent (%s %d)", maxRequestSize, s.maxRequest)}
	_, asked := c.Properties[maxRequestSize]
	// What the user has set and is the smaller of the two wins, so that the reason names what has to be
	// changed. A default that nobody has set gives way to the topic even where the topic takes more: a
	// page of 5 MB is not refused because Kafka's default is 1 MiB.
	if c.MaxMessage > 0 && (!asked || c.MaxMessage <= s.maxRequest) {
		l = limit{c.MaxMessage, fmt.Sprintf("larger than the topic takes (%s %d)", maxMessageBytes, c.MaxMessage)}
	}
	// A message above buffer.memory could never be buffered: the client would refuse it at once, and the
	// unit with it.
	if most := min(s.buffer, maxMessage); l.bytes > most {
		l = limit{most, fmt.Sprintf("larger than what waits may be (buffer.memory %d)", most)}
	}
	return l
}

// TopicLimit asks how many bytes a message, or a batch of messages, may have: the topic's max.message.bytes or, when
// there is no such topic yet, what the brokers give to a new one.
func (p *Producer) TopicLimit(ctx context.Context) (int64, error) {
	// Without a limit of its own the question would go on for as long as franz-go tries again.
	ctx, cancel := context.WithTimeout(ctx, p.set.patience())
	defer cancel()
	admin := kadm.NewClient(p.client)
	configs, err := admin.DescribeTopicConfigs(ctx, p.topic)
	// setting takes the error of the question, too, so that the three ways in which this fails are looked
	// at once.
	n, err := numberOf(configs, maxMessageBytes, err)
	// The producer may create the topic (kgo.AllowAutoTopicCreation): it then gets what brokers give by
	// default.
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
	// Any broker will do: one that differs from the others is a cluster in the middle of a change, and the
	// broker itself refuses what is too large in the end.
	configs, err := admin.DescribeBrokerConfigs(ctx, brokers[0].NodeID)
	return numberOf(configs, brokerMaximum, err)
}

// numberOf returns the number that a setting has in a broker's answer, which is about one broker or topic.
func numberOf(configs kadm.ResourceConfigs, name string, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	for _, about := range configs {
		// The answer as a whole may be good while what it says of this topic is an error, such as that it
		// is not there.
		if about.Err != nil {
			return 0, about.Err
		}
		for _, c := range about.Configs {
			if c.Key == name {
				// A value that is missing reads as "", which is an error here rather than a limit of 0.
				return strconv.ParseInt(c.MaybeValue(), 10, 64)
			}
		}
	}
	return 0, fmt.Errorf("the answer has no %s", name)
}

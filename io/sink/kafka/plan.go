package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/gleaner-web/gleaner/schemas"
)

// messagesPerUnit is the number of offsets in a unit. Units begin at its multiples, so that they stay the same when
// more messages come.
const messagesPerUnit = 5000

// Plan divides the current content of a topic into units, up to the last committed message. The first unit has the
// number first. Start and End of the ranges are offsets of messages. The stamps, by the ranges' files, distinguish a
// topic from a new one with its name. Properties are as in Config; those about sending have no effect.
func Plan(ctx context.Context, url string, properties map[string]string,
	first int,
) (units []schemas.Unit, stamps map[string]string, err error) {
	// A partition's URL has another slash, which checkTopic refuses: only whole topics are planned.
	brokers, topic, ok := strings.Cut(strings.TrimPrefix(url, schemas.TopicScheme), "/")
	if !ok || brokers == "" || checkTopic(topic) != nil {
		return nil, nil, fmt.Errorf("kafka: %.200q is not of the form kafka://host:port/topic", url)
	}
	client, set, err := connect(brokers, properties)
	if err != nil {
		return nil, nil, err
	}
	defer client.Close()
	// Fails within patience if there is no broker; the requests below would be repeated for delivery.timeout.ms.
	if err := set.ping(ctx, client); err != nil {
		return nil, nil, err
	}
	spans, id, err := spansOf(ctx, kadm.NewClient(client), topic)
	if err != nil {
		return nil, nil, fmt.Errorf("kafka: %s: %w", url, err)
	}
	stamps = map[string]string{}
	for _, s := range spans {
		file := url + "/" + strconv.Itoa(int(s.partition))
		// A topic that is deleted and made again under its name begins at offset 0 with other messages. Its id
		// (KIP-516) differs, so that a continued plan does not confuse the two.
		stamps[file] = "topic " + id
		for at := s.start; at < s.end; {
			// To the next multiple. Only the first and the last unit of a partition can be shorter, because of
			// retention or because it is not full yet.
			end := min(s.end, (at/messagesPerUnit+1)*messagesPerUnit)
			in := schemas.Range{File: file, Start: at, End: end, Format: schemas.FormatTopic}
			units = append(units, schemas.Unit{ID: first + len(units), Inputs: []schemas.Range{in}})
			at = end
		}
	}
	return units, stamps, nil
}

// connect returns a client for reading.
func connect(brokers string, properties map[string]string, more ...kgo.Opt) (*kgo.Client, *settings, error) {
	set, err := parseProperties(brokers, properties)
	if err != nil {
		return nil, nil, err
	}
	set.brokers = splitList(brokers) // those of the URL, whatever brokers the properties name
	o, err := set.common()
	if err != nil {
		return nil, nil, err
	}
	client, err := kgo.NewClient(append(o, more...)...)
	if err != nil {
		return nil, nil, fmt.Errorf("kafka: %w", err)
	}
	return client, set, nil
}

// span is the content of a partition: from the first offset to that after the last committed message.
type span struct {
	partition  int32
	start, end int64
}

// spansOf returns the content of the partitions of a topic, and the topic's id.
func spansOf(ctx context.Context, admin *kadm.Client, topic string) ([]span, string, error) {
	// Requested first, since only this answer has the topic's id, and shows whether the topic exists.
	topics, err := admin.ListTopics(ctx, topic)
	if err != nil {
		return nil, "", err
	}
	about := topics[topic]
	if about.Err != nil {
		return nil, "", about.Err
	}
	starts, err := admin.ListStartOffsets(ctx, topic)
	if err != nil {
		return nil, "", err
	}
	// Only committed messages are planned: with read_committed a reader never gets the others, and would wait for them
	// until its time is over.
	ends, err := admin.ListCommittedOffsets(ctx, topic)
	if err != nil {
		return nil, "", err
	}
	if err := errors.Join(starts.Error(), ends.Error()); err != nil {
		return nil, "", err
	}
	var spans []span
	for _, p := range about.Partitions.Numbers() {
		start, _ := starts.Lookup(topic, p)
		end, _ := ends.Lookup(topic, p)
		spans = append(spans, span{p, start.Offset, end.Offset})
	}
	// Units are numbered in this order, and numbers have to be the same each time.
	slices.SortFunc(spans, func(a, b span) int { return int(a.partition) - int(b.partition) })
	return spans, about.ID.String(), nil
}

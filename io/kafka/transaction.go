package kafka

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// transaction is the transaction of one unit. Its transactional id is made of the property transactional.id and the
// unit's key: of all attempts at a unit, the last one to begin is the only one that can commit (KIP-98).
//
// What tells an attempt that an earlier one has committed is an offset, which a consumer group called like the
// transactional id has of the topic. It is committed in the same transaction as the messages, so it is there exactly if they
// are. Brokers keep it for offsets.retention.minutes, a week by default, and remove it with the topic.
type transaction struct {
	id       string
	client   *kgo.Client
	there    bool // an earlier attempt has committed
	limit    time.Duration
	watchdog *time.Timer
	ended    bool
}

// marked is the partition whose offset marks the unit as committed.
const marked = 0

// beginTransaction fences off other attempts at the unit, finds out whether one has committed, and otherwise begins.
func (p *Producer) beginTransaction(ctx context.Context, unit string) (*transaction, error) {
	t := &transaction{id: p.set.transactionalID + "-" + unit, limit: p.set.delivery}
	o, err := p.set.producer(t.id)
	if err != nil {
		return nil, err
	}
	if t.client, err = kgo.NewClient(o...); err != nil {
		return nil, fmt.Errorf("kafka: %w", err)
	}
	if err := t.begin(ctx, p.topic); err != nil {
		t.client.Close()
		return nil, fmt.Errorf("kafka: transaction %s: %w", t.id, err)
	}
	t.watchdog = time.AfterFunc(t.limit, t.client.Close)
	t.watchdog.Stop()
	return t, nil
}

func (t *transaction) begin(ctx context.Context, topic string) error {
	ctx, cancel := context.WithTimeout(ctx, t.limit)
	defer cancel()
	// The answer comes when a transaction that was under way under this id is ended, one way or the other.
	err := insist(ctx, func() error {
		_, _, err := t.client.ProducerID(ctx)
		return err
	})
	if err != nil {
		return err
	}
	err = insist(ctx, func() (err error) {
		t.there, err = t.committed(ctx, topic)
		return err
	})
	if err != nil || t.there {
		return err
	}
	return t.client.BeginTransaction()
}

// insist calls ask until it succeeds, or fails for good. Coordinators answer that they are not ready while they are new or
// move to another broker, and brokers that start again do not answer.
func insist(ctx context.Context, ask func() error) error {
	for {
		err := ask()
		var network *net.OpError
		if !kerr.IsRetriable(err) && !kgo.IsRetryableBrokerErr(err) && !errors.As(err, &network) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// committed tells whether the unit has its mark.
func (t *transaction) committed(ctx context.Context, topic string) (bool, error) {
	offsets, err := kadm.NewClient(t.client).FetchOffsets(kadm.RequireStable(ctx), t.id)
	if errors.Is(err, kerr.GroupIDNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	mark, ok := offsets.Lookup(topic, marked)
	return ok && mark.At >= 0, mark.Err
}

// watch notes that messages are under way, or none. When none of them is acknowledged for as long as delivery.timeout.ms, the
// client is closed, which fails them: by itself, it would wait for ever for answers to what it has sent.
func (t *transaction) watch(underWay bool) {
	if underWay {
		t.watchdog.Reset(t.limit)
	} else {
		t.watchdog.Stop()
	}
}

// commit makes the messages visible, and marks the unit with their number.
func (t *transaction) commit(ctx context.Context, topic string, messages int64) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.limit) // interrupted, nobody would know whether it is done
	defer cancel()
	err := t.mark(ctx, topic, messages)
	if err == nil {
		err = t.client.EndTransaction(ctx, kgo.TryCommit)
	}
	if err != nil {
		return fmt.Errorf("kafka: transaction %s: %w", t.id, err)
	}
	t.end()
	return nil
}

// mark commits the offset that says that the unit is done, as a part of the transaction.
func (t *transaction) mark(ctx context.Context, topic string, messages int64) error {
	id, epoch, err := t.client.ProducerID(ctx)
	if err != nil {
		return err
	}
	add := kmsg.NewPtrAddOffsetsToTxnRequest()
	add.TransactionalID, add.ProducerID, add.ProducerEpoch, add.Group = t.id, id, epoch, t.id
	err = insist(ctx, func() error {
		resp, err := add.RequestWith(ctx, t.client)
		if err != nil {
			return err
		}
		return kerr.ErrorForCode(resp.ErrorCode)
	})
	if err != nil {
		return err
	}
	topics, err := kadm.NewClient(t.client).ListTopics(ctx, topic)
	if err != nil {
		return err
	}
	req := kmsg.NewPtrTxnOffsetCommitRequest()
	req.TransactionalID, req.Group, req.ProducerID, req.ProducerEpoch = t.id, t.id, id, epoch
	of := kmsg.NewTxnOffsetCommitRequestTopic()
	of.Topic, of.TopicID = topic, topics[topic].ID
	partition := kmsg.NewTxnOffsetCommitRequestTopicPartition()
	partition.Partition, partition.Offset = marked, messages
	of.Partitions = append(of.Partitions, partition)
	req.Topics = append(req.Topics, of)
	return insist(ctx, func() error {
		resp, err := req.RequestWith(ctx, t.client)
		if err != nil {
			return err
		}
		if len(resp.Topics) != 1 || len(resp.Topics[0].Partitions) != 1 {
			return errors.New("the answer is not about the offset that was committed")
		}
		return kerr.ErrorForCode(resp.Topics[0].Partitions[0].ErrorCode)
	})
}

// abortTime is how long aborting may take. What is not aborted is when the unit is begun again, or after
// transaction.timeout.ms.
const abortTime = 10 * time.Second

// abort takes the messages back.
func (t *transaction) abort() {
	if t.ended {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), abortTime)
	defer cancel()
	if !t.there && t.client.AbortBufferedRecords(ctx) == nil {
		_ = t.client.EndTransaction(ctx, kgo.TryAbort) // else the broker does it
	}
	t.end()
}

// end closes the connections.
func (t *transaction) end() {
	t.ended = true
	t.watchdog.Stop()
	t.client.Close()
}

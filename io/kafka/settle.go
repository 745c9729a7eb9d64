package kafka

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// ErrUnknown is the error of Settle when nobody can tell whether all transactions are ended: the user has no Read access to
// the topic, or the brokers are older than Kafka 3.0.
var ErrUnknown = errors.New("whether all transactions are ended cannot be told")

// offsetsTopic is where brokers keep the offsets of consumer groups, and so the marks of units.
const offsetsTopic = "__consumer_offsets"

// settlePause is the time between two looks.
const settlePause = 200 * time.Millisecond

// Settle waits until all transactions of this producer's transactional.id are ended in the topic: behind one that is
// not, consumers of committed messages see nothing. Call it when all units are committed.
//
// It also ends those that a broker has forgotten. A broker answers a commit when the coordinator has decided it, and marks
// the partitions then. One that is killed in between does so when it starts again, unless it does not yet know who
// leads a partition: then it takes the partition for deleted ("can be skipped", Kafka 4.3.1). So where the
// coordinator calls a transaction complete and a partition holds it open, Settle writes the mark, which takes the access of
// ClusterAction. It returns how many marks it has written.
func (p *Producer) Settle(ctx context.Context) (written int, err error) {
	if p.set.transactionalID == "" {
		return 0, nil
	}
	ctx, cancel := context.WithTimeout(ctx, p.set.delivery)
	defer cancel()
	for {
		var left []openTransaction
		err := insist(ctx, func() (err error) {
			n := 0
			left, n, err = p.settle(ctx)
			written += n
			return err
		})
		if err != nil {
			return written, fmt.Errorf("kafka: topic %s: %w", p.topic, err)
		}
		if len(left) == 0 {
			return written, nil
		}
		select {
		case <-ctx.Done():
			o := left[0]
			return written, fmt.Errorf("kafka: topic %s: consumers of committed messages see nothing in partition %d from offset %d on: transaction %s is not ended (%s)",
				o.Topic, o.Partition, o.CurrentTxnStartOffset, o.id, o.state)
		case <-time.After(settlePause):
		}
	}
}

// openTransaction is one of ours that a partition holds open.
type openTransaction struct {
	kadm.DescribedProducer

	id, state string // as the coordinator knows it
}

// settle returns the transactions that were open, and ends those that are complete.
func (p *Producer) settle(ctx context.Context) (left []openTransaction, written int, err error) {
	admin := kadm.NewClient(p.client)
	if err := canTell(ctx, admin); err != nil {
		return nil, 0, err
	}
	before, err := p.open(ctx, admin)
	if err != nil || len(before) == 0 {
		return nil, 0, err
	}
	transactions, err := p.transactions(ctx, admin, before)
	if err != nil || len(transactions) == 0 { // those of others are not our business
		return nil, 0, err
	}
	// What is open before and after the coordinator says that it is complete has lost its mark.
	after, err := p.open(ctx, admin)
	if err != nil {
		return nil, 0, err
	}
	for place, producer := range before {
		t, ours := transactions[place.producer]
		if !ours {
			continue
		}
		left = append(left, openTransaction{producer, t.TxnID, t.State})
		commit := t.State == "CompleteCommit"
		if now, still := after[place]; still && now == producer && (commit || t.State == "CompleteAbort") {
			if err := end(ctx, admin, producer, t.ProducerEpoch, commit); err != nil {
				return nil, written, fmt.Errorf("transaction %s is ended (%s), but partition %d has no mark of it, behind offset %d: writing it: %w",
					t.TxnID, t.State, place.partition, producer.CurrentTxnStartOffset, err)
			}
			written++
		}
	}
	return left, written, nil
}

// canTell is ErrUnknown when there is a broker that does not answer what is to be asked (KIP-664).
func canTell(ctx context.Context, admin *kadm.Client) error {
	brokers, err := admin.ApiVersions(ctx)
	if err != nil {
		return err
	}
	for _, b := range brokers {
		if b.Err != nil {
			return b.Err
		}
		for _, request := range []kmsg.Key{kmsg.DescribeProducers, kmsg.DescribeTransactions, kmsg.ListTransactions} {
			if _, known := b.KeyMaxVersion(request.Int16()); !known {
				return fmt.Errorf("%w: broker %d does not know %s", ErrUnknown, b.NodeID, request.Name())
			}
		}
	}
	return nil
}

// place is where a producer writes.
type place struct {
	topic     string
	partition int32
	producer  int64
}

// open returns the producers that have a transaction open in the topic or, of those whose offsets we may see, in that of
// offsets.
func (p *Producer) open(ctx context.Context, admin *kadm.Client) (map[place]kadm.DescribedProducer, error) {
	producers := map[place]kadm.DescribedProducer{}
	for _, topic := range []string{p.topic, offsetsTopic} {
		set := kadm.TopicsSet{}
		set.Add(topic)
		described, err := admin.DescribeProducers(ctx, set)
		switch {
		case isForbidden(err) && topic == offsetsTopic:
			continue
		case isForbidden(err):
			return nil, fmt.Errorf("%w: %w", ErrUnknown, err)
		case err != nil:
			return nil, err
		}
		for _, partition := range described[topic].Partitions {
			if partition.Err != nil {
				return nil, partition.Err
			}
			for _, d := range partition.ActiveProducers {
				if d.CurrentTxnStartOffset >= 0 {
					producers[place{topic, d.Partition, d.ProducerID}] = d
				}
			}
		}
	}
	return producers, nil
}

func isForbidden(err error) bool {
	var auth *kadm.AuthError
	return errors.As(err, &auth) || errors.Is(err, kerr.TopicAuthorizationFailed)
}

// transactions returns those of the producers that are ours, by the producer's number.
func (p *Producer) transactions(ctx context.Context, admin *kadm.Client, of map[place]kadm.DescribedProducer) (map[int64]kadm.DescribedTransaction, error) {
	var producers []int64
	for place := range of {
		producers = append(producers, place.producer)
	}
	listed, err := admin.ListTransactions(ctx, producers, nil)
	if err != nil {
		return nil, err
	}
	var ids []string
	for id := range listed {
		if strings.HasPrefix(id, p.set.transactionalID+"-") {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 { // of which DescribeTransactions would make all
		return nil, nil
	}
	described, err := admin.DescribeTransactions(ctx, ids...)
	if err != nil {
		return nil, err
	}
	transactions := map[int64]kadm.DescribedTransaction{}
	for _, d := range described {
		if d.Err != nil {
			return nil, d.Err
		}
		transactions[d.ProducerID] = d
	}
	return transactions, nil
}

// end writes the mark that a partition misses.
func end(ctx context.Context, admin *kadm.Client, in kadm.DescribedProducer, epoch int16, commit bool) error {
	set := kadm.TopicsSet{}
	set.Add(in.Topic, in.Partition)
	answers, err := admin.WriteTxnMarkers(ctx, kadm.TxnMarkers{
		ProducerID: in.ProducerID, ProducerEpoch: epoch, CoordinatorEpoch: max(in.CoordinatorEpoch, 0), Commit: commit, Topics: set,
	})
	if err != nil {
		return err
	}
	return answers[in.ProducerID].Topics[in.Topic].Partitions[in.Partition].Err
}

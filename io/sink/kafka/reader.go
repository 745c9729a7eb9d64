package kafka

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/schemas"
)

// Reader reads the captures of one unit of Plan. It is not safe for concurrent use.
type Reader struct {
	unit       schemas.Unit
	properties map[string]string
	o          archive.Options
	counts     schemas.Counts
}

// NewReader returns a reader of u's captures. What the messages hold is told by their content: all formats of lines are
// read.
func NewReader(u schemas.Unit, properties map[string]string, o archive.Options) *Reader {
	u.Inputs = slices.Clone(u.Inputs) // All writes to it
	return &Reader{unit: u, properties: properties, o: o}
}

// Inputs returns the unit's ranges, with Next set in those that were read to their end.
func (r *Reader) Inputs() []schemas.Range { return r.unit.Inputs }

// Counts returns what was seen; it is complete once All has ended. BytesRead are those of messages' values.
func (r *Reader) Counts() schemas.Counts { return r.counts }

// All returns the unit's captures in order and, last, the error that ended reading, if any. The origin of a capture is its
// partition and offset; its length is that of the message's value. Messages that cannot be read go to OnReject.
func (r *Reader) All(ctx context.Context) iter.Seq2[*schemas.Capture, error] {
	return func(yield func(*schemas.Capture, error) bool) {
		for i, in := range r.unit.Inputs {
			more := true
			err := consume(ctx, in, r.properties, func(rec *kgo.Record) bool {
				c := r.capture(in.File, rec)
				more = c == nil || yield(c, nil)
				return more
			})
			if err != nil {
				yield(nil, fmt.Errorf("%s: %w", in.File, err))
				return
			}
			if !more {
				return
			}
			r.unit.Inputs[i].Next = in.End
		}
	}
}

// The bounds of what a reader holds: fetched bytes, and those that a batch of messages may decompress to.
const (
	fetchBytes          = 8 << 20
	maxDecompressedSize = 256 << 20
)

// consume gives the committed messages of a range to take, in their order, until it returns false.
func consume(ctx context.Context, in schemas.Range, properties map[string]string, take func(*kgo.Record) bool) error {
	brokers, topic, partition, err := parsePartition(in.File)
	if err != nil {
		return err
	}
	client, set, err := connect(
		brokers, properties, kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: {partition: kgo.NewOffset().At(in.Start)}}),
		kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.KeepControlRecords(), kgo.ConsumeResetOffset(kgo.NoResetOffset()),
		kgo.FetchMaxBytes(fetchBytes), kgo.FetchMaxPartitionBytes(fetchBytes), kgo.MaxConcurrentFetches(1), kgo.MaxDecompressBatchBytes(maxDecompressedSize),
	)
	if err != nil {
		return err
	}
	defer client.Close()
	for {
		fetched, err := poll(ctx, client, set.delivery)
		if err != nil {
			return err
		}
		for _, rec := range fetched {
			// What ends a transaction is a record, too, which stands last where all before it were aborted.
			if rec.Offset < in.End && !rec.Attrs.IsControl() && !take(rec) || rec.Offset >= in.End-1 {
				return nil
			}
		}
	}
}

// pollMessages is how many messages are taken from the client at once.
const pollMessages = 500

// poll returns the next messages, for which it waits for some time.
func poll(ctx context.Context, client *kgo.Client, patience time.Duration) ([]*kgo.Record, error) {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	fetches := client.PollRecords(waiting, pollMessages)
	err := fetches.Err()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("no message came for %v, and more are due", patience)
	case err != nil:
		return nil, err
	}
	return fetches.Records(), nil
}

// parsePartition reads the URL of a partition.
func parsePartition(url string) (brokers, topic string, partition int32, err error) {
	parts := strings.Split(strings.TrimPrefix(url, scheme), "/")
	if len(parts) == 3 {
		n, err := strconv.ParseInt(parts[2], 10, 32)
		if err == nil && n >= 0 {
			return parts[0], parts[1], int32(n), nil
		}
	}
	return "", "", 0, fmt.Errorf("kafka: %.200q is no partition of a topic", url)
}

// capture reads a message. It returns nil for one that holds no capture.
func (r *Reader) capture(file string, rec *kgo.Record) *schemas.Capture {
	size := int64(len(rec.Value))
	r.counts.Records++
	r.counts.BytesRead += size
	if rec.Value == nil { // it says that what has its key is to be forgotten
		schemas.Count(&r.counts.ByType, "tombstone", 1)
		return nil
	}
	c, quirks, err := archive.Message(rec.Value, r.o)
	if err != nil {
		r.reject(file, rec, err)
		return nil
	}
	for _, q := range quirks {
		schemas.Count(&r.counts.ByQuirk, q, 1)
	}
	if c == nil {
		schemas.Count(&r.counts.ByType, "other", 1)
		return nil
	}
	c.Origin = schemas.Origin{File: file, Offset: rec.Offset, Length: size}
	schemas.Count(&r.counts.ByType, string(c.RecordType), 1)
	r.counts.Capture(c)
	return c
}

// reject reports a message that cannot be read.
func (r *Reader) reject(file string, rec *kgo.Record, err error) {
	kind, size := schemas.KindGarbage, int64(len(rec.Value))
	if errors.Is(err, archive.ErrUnsupported) {
		kind = schemas.KindUnsupported
	}
	r.counts.Rejects++
	r.counts.BytesLost += size
	schemas.Count(&r.counts.ByReject, string(kind), 1)
	if r.o.OnReject != nil {
		r.o.OnReject(schemas.Reject{File: file, Offset: rec.Offset, Length: size, Lost: size, Stage: "read", Kind: kind, Message: err.Error()})
	}
}

package kafka

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
)

// Reader reads the messages of one unit of Plan. It is not safe for concurrent use.
type Reader struct {
	// unit is a copy with its own Inputs, because Next is set in them.
	unit       schemas.Unit
	properties map[string]string
	o          archive.Options
	counts     schemas.Counts

	at int // the current input
	// There is one client for each range: it is made when the range begins, and closed after its last message.
	client  *kgo.Client   // or nil
	wait    time.Duration // for messages
	fetched []*kgo.Record // not yet processed
	done    bool          // the last message of the input was processed
}

// NewReader returns a reader of u. It detects the format of messages by content, and reads all formats of lines.
func NewReader(u schemas.Unit, properties map[string]string, o archive.Options) *Reader {
	u.Inputs = slices.Clone(u.Inputs) // Next writes to it
	return &Reader{unit: u, properties: properties, o: o}
}

// Inputs returns the unit's ranges, with Next set in those that were read to their end.
func (r *Reader) Inputs() []schemas.Range { return r.unit.Inputs }

// Counts returns the counters, which are complete once Next has returned io.EOF. BytesRead counts messages' values.
func (r *Reader) Counts() schemas.Counts { return r.counts }

// Close closes the connections. [Reader.All] and [Reader.Captures] do so themselves.
func (r *Reader) Close() {
	if r.client != nil {
		r.client.Close()
		r.client = nil
	}
	// After Close, Next returns io.EOF instead of connecting again.
	r.fetched, r.at = nil, len(r.unit.Inputs)
}

// Next returns the next item, or io.EOF. In the order of the messages, items are captures, and rejects for unreadable
// messages. The origin of a capture is its partition and offset, with the length of the message's value. An error is
// final.
func (r *Reader) Next(ctx context.Context) (archive.Item, error) {
	// The loop skips messages without items: tombstones, control records, records of other types.
	for {
		file, rec, err := r.message(ctx)
		if err != nil {
			r.Close()
			return archive.Item{}, err
		}
		if item := r.read(file, rec); item != (archive.Item{}) {
			return item, nil
		}
	}
}

// message returns the next message of the unit and its file, or io.EOF.
func (r *Reader) message(ctx context.Context) (file string, rec *kgo.Record, err error) {
	for r.at < len(r.unit.Inputs) {
		in := &r.unit.Inputs[r.at]
		rec, err := r.next(ctx, in)
		switch {
		case err == io.EOF:
			// The range was read whole, even if its last offsets were compacted away.
			in.Next = in.End
			r.client.Close()
			r.client, r.fetched = nil, nil
			r.at++
		case err != nil:
			return "", nil, fmt.Errorf("%s: %w", in.File, err)
		case rec != nil:
			return in.File, rec, nil
		}
	}
	return "", nil, io.EOF
}

// Text is an unparsed message of a topic.
type Text struct {
	File   string // of the message
	Offset int64  // nil for a tombstone
	Value  []byte // nil for a tombstone
}

// Texts yields the unparsed messages of the unit, and last the error that ended reading, except io.EOF. It is for
// callers that read other data than captures. Counts does not include them.
func (r *Reader) Texts(ctx context.Context) iter.Seq2[Text, error] {
	return func(yield func(Text, error) bool) {
		defer r.Close()
		for {
			file, rec, err := r.message(ctx)
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(Text{}, err)
				return
			}
			if !yield(Text{file, rec.Offset, rec.Value}, nil) {
				return
			}
		}
	}
}

// All returns the items and, last, the error that ended reading, except io.EOF.
func (r *Reader) All(ctx context.Context) iter.Seq2[archive.Item, error] {
	return func(yield func(archive.Item, error) bool) {
		defer r.Close()
		dump.All(func() (archive.Item, error) { return r.Next(ctx) })(yield)
	}
}

// Captures is All for captures alone. Rejects are in Counts.
func (r *Reader) Captures(ctx context.Context) iter.Seq2[*schemas.Capture, error] {
	return func(yield func(*schemas.Capture, error) bool) {
		defer r.Close()
		dump.Captures(func() (archive.Item, error) { return r.Next(ctx) })(yield)
	}
}

// The memory limits of a reader: fetched bytes, and the decompressed size of a batch of messages.
const (
	fetchBytes          = 8 << 20
	maxDecompressedSize = 256 << 20
)

// next returns the next committed message of a range, nil for other records, and io.EOF after the last.
func (r *Reader) next(ctx context.Context, in *schemas.Range) (*kgo.Record, error) {
	switch {
	case r.client == nil:
		if err := r.connect(in); err != nil {
			return nil, err
		}
	case r.done:
		return nil, io.EOF
	}
	if len(r.fetched) == 0 {
		var err error
		// After an empty poll without an error, rec and err are nil, and Next tries again.
		if r.fetched, err = poll(ctx, r.client, r.wait); len(r.fetched) == 0 {
			return nil, err
		}
	}
	rec := r.fetched[0]
	// The slice keeps its array: without this all messages of a poll would stay in memory until the last one.
	r.fetched[0] = nil
	r.fetched = r.fetched[1:]
	// By offset and not by count: compaction and transactions leave gaps in the offsets.
	r.done = rec.Offset >= in.End-1
	// The end of a transaction is a record too, which comes last if all messages before it were aborted. A compacted
	// topic may have lost the last offsets of the range: then the next message after it ends it.
	if rec.Offset >= in.End || rec.Attrs.IsControl() {
		return nil, nil
	}
	return rec, nil
}

// connect begins to fetch the messages of a range.
func (r *Reader) connect(in *schemas.Range) error {
	brokers, topic, partition, err := parsePartition(in.File)
	if err != nil {
		return err
	}
	// Partitions are named directly, without a consumer group: the plan assigns them to workers, and nothing is
	// committed to the brokers.
	from := map[string]map[int32]kgo.Offset{topic: {partition: kgo.NewOffset().At(in.Start)}}
	client, set, err := connect(
		brokers, r.properties, kgo.ConsumePartitions(from),
		// Control records are kept because the last offset of the range may be one: otherwise the end would never come.
		// If retention has removed the start, NoResetOffset gives an error, not a silent jump that would lose messages.
		kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.KeepControlRecords(), kgo.ConsumeResetOffset(kgo.NoResetOffset()),
		kgo.FetchMaxBytes(fetchBytes), kgo.FetchMaxPartitionBytes(fetchBytes), kgo.MaxConcurrentFetches(1),
		kgo.MaxDecompressBatchBytes(maxDecompressedSize),
	)
	if err != nil {
		return err
	}
	r.client, r.wait, r.done = client, set.delivery, false
	return nil
}

// pollMessages is the number of messages taken from the client at once.
const pollMessages = 500

// poll returns the next messages, and waits for them for some time.
func poll(ctx context.Context, client *kgo.Client, patience time.Duration) ([]*kgo.Record, error) {
	// The broker may be silent, for example if a partition has no leader: after this time it is an error.
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	fetches := client.PollRecords(waiting, pollMessages)
	err := fetches.Err()
	switch {
	// Tested first, since the deadline of the caller is also an error of the fetch.
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("no message came for %v, and more are due", patience)
	case err != nil:
		return nil, err
	}
	return fetches.Records(), nil
}

// parsePartition parses the URL of a partition.
func parsePartition(url string) (brokers, topic string, partition int32, err error) {
	parts := strings.Split(strings.TrimPrefix(url, schemas.TopicScheme), "/")
	if len(parts) == 3 {
		// Kafka's partitions are numbers of 32 bits.
		n, err := strconv.ParseInt(parts[2], 10, 32)
		if err == nil && n >= 0 {
			return parts[0], parts[1], int32(n), nil
		}
	}
	return "", "", 0, fmt.Errorf("kafka: %.200q is no partition of a topic", url)
}

// read reads a message. It returns nothing for a message without a capture.
func (r *Reader) read(file string, rec *kgo.Record) archive.Item {
	size := int64(len(rec.Value))
	r.counts.Records++
	r.counts.BytesRead += size
	if rec.Value == nil { // a tombstone deletes the earlier messages with its key
		schemas.Count(&r.counts.ByType, "tombstone", 1)
		return archive.Item{}
	}
	// Messages are parsed like lines of a file in these formats, so that a page is the same in both.
	c, quirks, err := archive.Message(rec.Value, r.o)
	if err != nil {
		return r.reject(file, rec, err)
	}
	for _, q := range quirks {
		schemas.Count(&r.counts.ByQuirk, q, 1)
	}
	// A valid message without a page.
	if c == nil {
		schemas.Count(&r.counts.ByType, "other", 1)
		return archive.Item{}
	}
	c.Origin = schemas.Origin{File: file, Offset: rec.Offset, Length: size}
	schemas.Count(&r.counts.ByType, string(c.RecordType), 1)
	r.counts.Capture(c)
	return archive.Item{Capture: c}
}

// reject reports an unreadable message.
func (r *Reader) reject(file string, rec *kgo.Record, err error) archive.Item {
	kind, size := schemas.KindGarbage, int64(len(rec.Value))
	// The message is sound but its version is not supported, so it must not count as damage.
	if errors.Is(err, archive.ErrUnsupported) {
		kind = schemas.KindUnsupported
	}
	r.counts.Rejects++
	r.counts.BytesLost += size
	schemas.Count(&r.counts.ByReject, string(kind), 1)
	return archive.Item{Reject: &schemas.Reject{
		File: file, Offset: rec.Offset, Length: size, Lost: size, Stage: "read", Kind: kind, Message: err.Error(),
	}}
}

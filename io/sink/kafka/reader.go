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
	// A copy whose Inputs are this reader's own: Next is set in them.
	unit       schemas.Unit
	properties map[string]string
	o          archive.Options
	counts     schemas.Counts

	at int // the input that is read
	// One client a range: it is made when the range begins, and closed after its last message.
	client  *kgo.Client   // or nil
	wait    time.Duration // for messages
	fetched []*kgo.Record // that were not looked at
	done    bool          // the last message of the input was
}

// NewReader returns a reader of u. What the messages hold is recognised by their content: all formats of lines are
// read.
func NewReader(u schemas.Unit, properties map[string]string, o archive.Options) *Reader {
	u.Inputs = slices.Clone(u.Inputs) // Next writes to it
	return &Reader{unit: u, properties: properties, o: o}
}

// Inputs returns the unit's ranges, with Next set in those that were read to their end.
func (r *Reader) Inputs() []schemas.Range { return r.unit.Inputs }

// Counts returns what was seen; it is complete once Next has returned io.EOF. BytesRead are those of messages' values.
func (r *Reader) Counts() schemas.Counts { return r.counts }

// Close closes the connections. [Reader.All] and [Reader.Captures] do so themselves.
func (r *Reader) Close() {
	if r.client != nil {
		r.client.Close()
		r.client = nil
	}
	// Next after Close is io.EOF rather than a new connection.
	r.fetched, r.at = nil, len(r.unit.Inputs)
}

// Next returns the next item, or io.EOF: in the order of the messages the captures, and what cannot be read as rejects.
// The origin of a capture is its partition and offset; its length is that of the message's value. An error is final.
func (r *Reader) Next(ctx context.Context) (archive.Item, error) {
	// The loop goes on for messages that are nothing: tombstones, control records, records of other types.
	for r.at < len(r.unit.Inputs) {
		in := &r.unit.Inputs[r.at]
		rec, err := r.next(ctx, in)
		switch {
		case err == io.EOF:
			// Says that the range was read whole, also where its last offsets were compacted away.
			in.Next = in.End
			r.client.Close()
			r.client, r.fetched = nil, nil
			r.at++
		case err != nil:
			r.Close()
			return archive.Item{}, fmt.Errorf("%s: %w", in.File, err)
		case rec != nil:
			if item := r.read(in.File, rec); item != (archive.Item{}) {
				return item, nil
			}
		}
	}
	return archive.Item{}, io.EOF
}

// Text is a message as it is in its topic.
type Text struct {
	File   string // the partition's URL
	Offset int64  // of the message
	Value  []byte // nil for a tombstone
}

// Texts are the messages of the unit as they stand, and last the error that ended reading, if it was not the end: for
// callers that read other things than captures. Counts has nothing of them.
func (r *Reader) Texts(ctx context.Context) iter.Seq2[Text, error] {
	return func(yield func(Text, error) bool) {
		defer r.Close()
		for r.at < len(r.unit.Inputs) {
			in := &r.unit.Inputs[r.at]
			rec, err := r.next(ctx, in)
			switch {
			case err == io.EOF:
				in.Next = in.End
				r.client.Close()
				r.client, r.fetched = nil, nil
				r.at++
			case err != nil:
				yield(Text{}, fmt.Errorf("%s: %w", in.File, err))
				return
			case rec != nil && !yield(Text{in.File, rec.Offset, rec.Value}, nil):
				return
			}
		}
	}
}

// All returns the items and, last, the error that ended reading, if it was not the end.
func (r *Reader) All(ctx context.Context) iter.Seq2[archive.Item, error] {
	return func(yield func(archive.Item, error) bool) {
		defer r.Close()
		dump.All(func() (archive.Item, error) { return r.Next(ctx) })(yield)
	}
}

// Captures is All for those who want captures alone. Rejects are in Counts.
func (r *Reader) Captures(ctx context.Context) iter.Seq2[*schemas.Capture, error] {
	return func(yield func(*schemas.Capture, error) bool) {
		defer r.Close()
		dump.Captures(func() (archive.Item, error) { return r.Next(ctx) })(yield)
	}
}

// The bounds of what a reader holds: fetched bytes, and those that a batch of messages may decompress to.
const (
	fetchBytes          = 8 << 20
	maxDecompressedSize = 256 << 20
)

// next returns the next committed message of a range, nil for what is none, and io.EOF after the last.
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
		// An empty poll without an error goes around once more, in Next: rec is nil and err is nil.
		if r.fetched, err = poll(ctx, r.client, r.wait); len(r.fetched) == 0 {
			return nil, err
		}
	}
	rec := r.fetched[0]
	// The slice keeps its array: without this all messages of a poll would stay in memory until the last
	// was read.
	r.fetched[0] = nil
	r.fetched = r.fetched[1:]
	// By offset and not by count: compaction and transactions leave gaps in the offsets.
	r.done = rec.Offset >= in.End-1
	// What ends a transaction is a record, too, which stands last where all before it were aborted.
	// A compacted topic may have lost the last offsets of the range: then the next message after it ends
	// it.
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
	// Partitions are named outright and no consumer group is joined: which worker reads what is the plan's
	// matter, and nothing is committed to the brokers.
	from := map[string]map[int32]kgo.Offset{topic: {partition: kgo.NewOffset().At(in.Start)}}
	client, set, err := connect(
		brokers, r.properties, kgo.ConsumePartitions(from),
		// Control records are kept because the last offset of the range may be one: without it the end
		// would never come. A start that retention has removed meanwhile is an error (NoResetOffset), and
		// not a silent jump: messages would be missing from the collection.
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

// pollMessages is how many messages are taken from the client at once.
const pollMessages = 500

// poll returns the next messages, for which it waits for some time.
func poll(ctx context.Context, client *kgo.Client, patience time.Duration) ([]*kgo.Record, error) {
	// The broker may be silent though messages are due, as when a partition has no leader: after this time
	// it is an error.
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	fetches := client.PollRecords(waiting, pollMessages)
	err := fetches.Err()
	switch {
	// First, since the deadline of the caller shows as an error of the fetch, too.
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

// read reads a message. It returns nothing for one that holds no capture.
func (r *Reader) read(file string, rec *kgo.Record) archive.Item {
	size := int64(len(rec.Value))
	r.counts.Records++
	r.counts.BytesRead += size
	if rec.Value == nil { // it says that what has its key is to be forgotten
		schemas.Count(&r.counts.ByType, "tombstone", 1)
		return archive.Item{}
	}
	// The same reading as that of a line of a file in these formats, so that a page is the same whichever
	// way it came.
	c, quirks, err := archive.Message(rec.Value, r.o)
	if err != nil {
		return r.reject(file, rec, err)
	}
	for _, q := range quirks {
		schemas.Count(&r.counts.ByQuirk, q, 1)
	}
	// A message that is well formed and holds no page.
	if c == nil {
		schemas.Count(&r.counts.ByType, "other", 1)
		return archive.Item{}
	}
	c.Origin = schemas.Origin{File: file, Offset: rec.Offset, Length: size}
	schemas.Count(&r.counts.ByType, string(c.RecordType), 1)
	r.counts.Capture(c)
	return archive.Item{Capture: c}
}

// reject reports a message that cannot be read.
func (r *Reader) reject(file string, rec *kgo.Record, err error) archive.Item {
	kind, size := schemas.KindGarbage, int64(len(rec.Value))
	// The message is sound and of a version that is not read: whoever counts damage must not count it.
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

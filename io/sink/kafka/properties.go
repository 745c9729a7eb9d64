package kafka

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// settings are what the properties say.
type settings struct {
	// Never empty after parseProperties; the client finds the other brokers from these.
	brokers  []string
	clientID string
	// Anything but all can lose what was acknowledged, and excludes idempotence: see agree.
	acks        int   // -1 for all
	idempotent  *bool // nil when nobody says
	retries     int64
	linger      time.Duration
	buffer      int64 // bytes
	compression kgo.CompressionCodec
	// Before compression, as Kafka's producer counts.
	maxRequest  int64 // bytes
	delivery    time.Duration
	request     time.Duration
	backoff     time.Duration
	inFlight    int64
	metadataAge time.Duration
	// Below the brokers' own ten minutes, so that it is we who close, and no request meets a closed
	// connection.
	idle     time.Duration
	security security
	outages  *outages // says when brokers do not answer
}

// defaults are those of Kafka 4.
func defaults() *settings {
	return &settings{
		clientID: "gleaner", acks: -1, retries: math.MaxInt32, linger: 5 * time.Millisecond, buffer: 32 << 20,
		compression: kgo.NoCompression(), maxRequest: 1 << 20, delivery: 2 * time.Minute, request: 30 * time.Second,
		backoff: 100 * time.Millisecond, inFlight: 5, metadataAge: 5 * time.Minute, idle: 9 * time.Minute,
		security: security{protocol: "PLAINTEXT", verifyHost: true},
	}
}

// properties is the table of Kafka's properties that are known, by their names; docs/formats/kafka.md says what each of
// them does.
var properties = map[string]func(*settings, string) error{
	"bootstrap.servers": func(s *settings, v string) error { s.brokers = splitList(v); return nil },
	"client.id":         func(s *settings, v string) error { s.clientID = v; return nil },
	"acks":              setAcks,
	"enable.idempotence": func(s *settings, v string) (err error) {
		s.idempotent,
			err = boolean(v)
		return err
	},
	"retries": func(s *settings, v string) error {
		return number(&s.retries, v, 0,
			math.MaxInt32)
	},
	// Checked and then ignored: franz-go fills batches up to the limit of a message, see producer.
	"batch.size": func(_ *settings, v string) error {
		return number(new(int64), v, 0,
			maxMessage)
	},
	"linger.ms": func(s *settings, v string) error {
		return millis(&s.linger, v, 0,
			time.Minute)
	},
	"buffer.memory": func(s *settings, v string) error {
		return number(&s.buffer, v, 1,
			math.MaxInt64)
	},
	"compression.type": setCompression,
	maxRequestSize: func(s *settings, v string) error {
		return number(&s.maxRequest, v, 512,
			maxMessage)
	},
	"delivery.timeout.ms": func(s *settings, v string) error {
		return millis(&s.delivery, v, time.Second,
			longest)
	},
	"request.timeout.ms": func(s *settings, v string) error {
		return millis(&s.request, v, time.Second,
			longest)
	},
	"retry.backoff.ms": func(s *settings, v string) error {
		return millis(&s.backoff, v, 0,
			time.Minute)
	},
	"max.in.flight.requests.per.connection": func(s *settings, v string) error {
		return number(&s.inFlight, v, 1,
			math.MaxInt32)
	},
	"metadata.max.age.ms": func(s *settings, v string) error {
		return millis(&s.metadataAge, v,
			5*time.Second, time.Hour)
	},
	"connections.max.idle.ms": func(s *settings, v string) error {
		return millis(&s.idle, v, time.Second,
			15*time.Minute)
	},
	// Known, so that the error says why they are refused instead of that there is no such property.
	"transactional.id":       noTransactions,
	"transaction.timeout.ms": noTransactions,
	"key.serializer":         checkSerializer,
	"value.serializer":       checkSerializer,

	// Authentication and encryption: security.go. Each function only notes its value; what belongs
	// together is checked when the client is made, since the order of properties means nothing.
	"security.protocol":                     setProtocol,
	"sasl.mechanism":                        setMechanism,
	"sasl.jaas.config":                      setJAAS,
	"ssl.truststore.type":                   checkPEM,
	"ssl.truststore.location":               func(s *settings, v string) error { s.security.trustFile = v; return nil },
	"ssl.truststore.certificates":           func(s *settings, v string) error { s.security.trust = v; return nil },
	"ssl.keystore.type":                     checkPEM,
	"ssl.keystore.location":                 func(s *settings, v string) error { s.security.keyFile = v; return nil },
	"ssl.keystore.certificate.chain":        func(s *settings, v string) error { s.security.chain = v; return nil },
	"ssl.keystore.key":                      func(s *settings, v string) error { s.security.key = v; return nil },
	"ssl.endpoint.identification.algorithm": setVerification,
}

// Bounds of numbers: the largest message that the client can be asked for, and Kafka's milliseconds of 32 bits.
const (
	maxMessage = 512 << 20
	longest    = math.MaxInt32 * time.Millisecond
)

// parseProperties reads properties, of which an unknown one is an error. brokers are bootstrap.servers, unless there is
// such a property.
func parseProperties(brokers string, values map[string]string) (*settings, error) {
	s := defaults()
	// The table may set them again: what a file of properties says of bootstrap.servers goes before the
	// flag.
	s.brokers = splitList(brokers)
	values = withSecrets(values)
	// Sorted, so that of several mistakes the same one is reported each time.
	for _, name := range slices.Sorted(maps.Keys(values)) {
		set, known := properties[name]
		if !known {
			// Kafka's own clients only warn. A misspelt acks or security.protocol is too dear a mistake
			// for that.
			return nil, fmt.Errorf("kafka: the property %.80q is not known: there are %s", name,
				strings.Join(slices.Sorted(maps.Keys(properties)), ", "))
		}
		if err := set(s, strings.TrimSpace(values[name])); err != nil {
			return nil, fmt.Errorf("kafka: the property %s: %w", name, err)
		}
	}
	// One for each client: a map that is shared would mix up what two of them see.
	s.outages = &outages{limit: s.delivery, down: map[string]bool{}}
	if len(s.brokers) == 0 {
		return nil, errors.New("kafka: no broker is named (bootstrap.servers)")
	}
	return s, s.agree()
}

// agree finds properties that exclude each other, as Kafka's producer does: what was not said gives way, and what was
// said is an error.
func (s *settings) agree() error {
	// The conditions of Kafka's producer for enable.idempotence: five requests are what brokers remember
	// for a producer.
	ordered := s.acks == -1 && s.retries > 0 && s.inFlight <= 5
	asked := s.idempotent != nil && *s.idempotent
	switch {
	case asked && !ordered:
		return errors.New("kafka: enable.idempotence needs acks=all, retries above 0 and " +
			"max.in.flight.requests.per.connection of at most 5")
	case s.maxRequest > s.buffer:
		return fmt.Errorf("kafka: buffer.memory is %d, which holds no message of max.request.size, %d", s.buffer,
			s.maxRequest)
	}
	// Nobody has said: it is on where it can be, and off where acks or retries that were asked for exclude
	// it.
	if s.idempotent == nil {
		s.idempotent = &ordered
	}
	return nil
}

func splitList(s string) []string {
	// A comma at the end or two in a row are what scripts make of empty variables; they name no broker.
	return slices.DeleteFunc(strings.Split(strings.ReplaceAll(s, " ", ""), ","), func(b string) bool { return b == "" })
}

func number(to *int64, v string, least, most int64) error {
	n, err := strconv.ParseInt(v, 10, 64)
	// %.40q below: what is quoted may be a secret that was put into the wrong property, or a megabyte.
	if err != nil || n < least || n > most {
		return fmt.Errorf("%.40q is no number from %d to %d", v, least, most)
	}
	*to = n
	return nil
}

func millis(to *time.Duration, v string, least, most time.Duration) error {
	var n int64
	// Through number, so that the bounds in the message are in milliseconds, as the property is.
	err := number(&n, v, least.Milliseconds(), most.Milliseconds())
	if err == nil {
		*to = time.Duration(n) * time.Millisecond
	}
	return err
}

func boolean(v string) (*bool, error) {
	// strconv.ParseBool would take t, 1 and TRUE, which Kafka does not.
	if v != "true" && v != "false" {
		return nil, fmt.Errorf("%.40q is neither true nor false", v)
	}
	return new(v == "true"), nil
}

func setAcks(s *settings, v string) error {
	acks := map[string]int{"all": -1, "-1": -1, "0": 0, "1": 1}
	// The spellings of Kafka: -1 is another name of all.
	n, ok := acks[v]
	if !ok {
		return fmt.Errorf("%.40q is none of all, -1, 0 and 1", v)
	}
	s.acks = n
	return nil
}

func setCompression(s *settings, v string) error {
	codecs := map[string]kgo.CompressionCodec{
		"none": kgo.NoCompression(), "gzip": kgo.GzipCompression(), "snappy": kgo.SnappyCompression(),
		"lz4": kgo.Lz4Compression(), "zstd": kgo.ZstdCompression(),
	}
	// Names are Kafka's. A level cannot be set: the codecs' defaults are used.
	c, ok := codecs[v]
	if !ok {
		return fmt.Errorf("%.40q is none of %s", v, strings.Join(slices.Sorted(maps.Keys(codecs)), ", "))
	}
	s.compression = c
	return nil
}

// noTransactions refuses what would ask for exactly once: docs/formats/kafka.md says why there are no transactions.
func noTransactions(*settings, string) error {
	// A transaction would have to end with the unit's commit to the collection, and the two cannot be made
	// one.
	return errors.New("messages are sent at least once, and in no transaction: leave it out. " +
		"Consumers tell a message that they have had by its header " + HeaderID)
}

// checkSerializer takes those serializers that change no bytes: what configurations of Java programs, ACHE's among
// them, say.
func checkSerializer(_ *settings, v string) error {
	const prefix = "org.apache.kafka.common.serialization."
	if v != prefix+"StringSerializer" && v != prefix+"ByteArraySerializer" {
		return fmt.Errorf("%.80q is neither %sStringSerializer nor …ByteArraySerializer: messages are text", v, prefix)
	}
	return nil
}

// ReadProperties reads a file of Java's properties as Kafka's tools take them: name=value or name: value, # and ! for
// comments, and a backslash at the end of a line that goes on. Other escapes are not known.
func ReadProperties(file []byte) (map[string]string, error) {
	values := map[string]string{}
	s := bufio.NewScanner(bytes.NewReader(file))
	// A line is at most the file, whose size the caller has bounded: Scanner's own 64 KiB would refuse a
	// long chain of certificates.
	s.Buffer(nil, len(file)+1)
	// line is the logical line so far: it grows while lines end with a backslash.
	for line := ""; s.Scan(); {
		line += strings.TrimSpace(s.Text())
		// A comment inside of a continued line is not one, as in Java: line begins with what came before
		// it.
		if line == "" || line[0] == '#' || line[0] == '!' {
			line = ""
			continue
		}
		if before, on := strings.CutSuffix(line, `\`); on {
			line = before
			continue
		}
		// At the first of the two: values such as JAAS options and host:port have more of them.
		i := strings.IndexAny(line, "=:")
		if i <= 0 {
			return nil, errors.New("kafka: a property is not of the form name=value; it is not shown, since it may be secret")
		}
		values[strings.TrimSpace(line[:i])] = strings.TrimSpace(line[i+1:])
		line = ""
	}
	return values, s.Err()
}

// common are the client's options that hold for producers and readers.
func (s *settings) common() ([]kgo.Opt, error) {
	o, err := s.security.options()
	if err != nil {
		return nil, err
	}
	return append(
		o, kgo.SeedBrokers(s.brokers...), kgo.ClientID(s.clientID), kgo.MetadataMaxAge(s.metadataAge),
		kgo.ConnIdleTimeout(s.idle), kgo.WithHooks(s.outages), kgo.RetryTimeout(s.delivery), kgo.RequestRetries(maxRetries),
		kgo.RetryBackoffFn(s.wait),
	), nil
}

// maxRetries leaves it to the time limit when a request is given up.
const maxRetries = 1 << 20

// wait is how long to wait before the n-th repetition: twice as long each time, up to two seconds.
func (s *settings) wait(n int) time.Duration {
	// 2^11 times a millisecond is above two seconds, so that the shift can stop there, long before it
	// could overflow.
	return min(max(s.backoff, time.Millisecond)<<min(n, 11), max(2*time.Second, s.backoff))
}

// producer are the options of a producer whose messages have at most so many bytes.
func (s *settings) producer(limit int64) ([]kgo.Opt, error) {
	o, err := s.common()
	if err != nil {
		return nil, err
	}
	// s.acks is one of these three: setAcks takes no other.
	acks := map[int]kgo.Acks{-1: kgo.AllISRAcks(), 0: kgo.NoAck(), 1: kgo.LeaderAck()}
	o = append(
		o, kgo.AllowAutoTopicCreation(), kgo.RequiredAcks(acks[s.acks]), kgo.RecordRetries(int(s.retries)+1),
		kgo.ProducerLinger(s.linger), kgo.MaxBufferedBytes(int(s.buffer)), kgo.ProducerBatchCompression(s.compression),
		kgo.ProducerBatchMaxBytes(int32(limit)), // franz-go has one bound for messages and batches, as brokers have
		// A request holds batches of several partitions: its bound is above that of one batch. limit is at
		// most maxMessage, so that the sum stays far below 2 GiB.
		kgo.BrokerMaxWriteBytes(int32(limit+100<<20)), kgo.ProduceRequestTimeout(s.request),
		kgo.RecordDeliveryTimeout(s.delivery),
		// By the hash of the key, the URL, as Java's producer does: all captures of a page come to one
		// partition, in order.
		kgo.RecordPartitioner(kgo.StickyKeyPartitioner(nil)),
	)
	// idempotent is set by agree. franz-go manages the requests in flight itself while writes are
	// idempotent, and takes the option for others alone.
	if !*s.idempotent {
		return append(o, kgo.DisableIdempotentWrite(), kgo.MaxProduceRequestsInflightPerBroker(int(s.inFlight))), nil
	}
	// A message whose time is over fails its unit, which is repeated: then it may be there twice, as at least once says.
	return append(o, kgo.AllowIdempotentProduceCancellation()), nil
}

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

// settings are the values of the properties.
type settings struct {
	// brokers is never empty after parseProperties; the client finds the other brokers from these.
	brokers  []string
	clientID string
	// Values other than all can lose acknowledged messages, and exclude idempotence: see agree.
	acks        int   // -1 for all
	idempotent  *bool // nil if not set
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
	// Less than the brokers' own ten minutes, so that we close connections, and no request uses a closed one.
	idle     time.Duration
	security security
	outages  *outages // logs brokers that do not answer
}

// defaults returns the defaults of Kafka 4.
func defaults() *settings {
	return &settings{
		clientID: "gleaner", acks: -1, retries: math.MaxInt32, linger: 5 * time.Millisecond, buffer: 32 << 20,
		compression: kgo.NoCompression(), maxRequest: 1 << 20, delivery: 2 * time.Minute, request: 30 * time.Second,
		backoff: 100 * time.Millisecond, inFlight: 5, metadataAge: 5 * time.Minute, idle: 9 * time.Minute,
		security: security{protocol: "PLAINTEXT", verifyHost: true},
	}
}

// properties is the table of the known properties of Kafka by name; docs/formats/kafka.md describes them.
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
	// Known, so that the error explains the refusal instead of calling the property unknown.
	"transactional.id":       noTransactions,
	"transaction.timeout.ms": noTransactions,
	"key.serializer":         checkSerializer,
	"value.serializer":       checkSerializer,

	// Authentication and encryption: security.go. Each function only stores its value. Combinations are checked when
	// the client is made, since properties may have any order.
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

// Limits of numbers: the largest message of the client, and Kafka's milliseconds of 32 bits.
const (
	maxMessage = 512 << 20
	longest    = math.MaxInt32 * time.Millisecond
)

// parseProperties parses properties. An unknown one is an error. brokers are the default of bootstrap.servers.
func parseProperties(brokers string, values map[string]string) (*settings, error) {
	s := defaults()
	// The table may set them again: bootstrap.servers in a file of properties overrides the flag.
	s.brokers = splitList(brokers)
	values = withSecrets(values)
	// Sorted, so that of several mistakes the same one is reported each time.
	for _, name := range slices.Sorted(maps.Keys(values)) {
		set, known := properties[name]
		if !known {
			// Kafka's own clients only warn, but a misspelt acks or security.protocol is too dangerous for that.
			return nil, fmt.Errorf("kafka: the property %.80q is not known: there are %s", name,
				strings.Join(slices.Sorted(maps.Keys(properties)), ", "))
		}
		if err := set(s, strings.TrimSpace(values[name])); err != nil {
			return nil, fmt.Errorf("kafka: the property %s: %w", name, err)
		}
	}
	// One for each client: a shared map would mix the states of two clients.
	s.outages = &outages{limit: s.delivery, down: map[string]bool{}}
	if len(s.brokers) == 0 {
		return nil, errors.New("kafka: no broker is named (bootstrap.servers)")
	}
	return s, s.agree()
}

// agree finds properties that exclude each other, as Kafka's producer does. Defaults give way, and explicit values are
// an error.
func (s *settings) agree() error {
	// The conditions of Kafka's producer for enable.idempotence: brokers remember five requests of a producer.
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
	// By default it is on if possible, and off if explicit acks or retries exclude it.
	if s.idempotent == nil {
		s.idempotent = &ordered
	}
	return nil
}

func splitList(s string) []string {
	// Empty variables in scripts cause a comma at the end or two in a row, which name no broker.
	return slices.DeleteFunc(strings.Split(strings.ReplaceAll(s, " ", ""), ","), func(b string) bool { return b == "" })
}

func number(to *int64, v string, least, most int64) error {
	n, err := strconv.ParseInt(v, 10, 64)
	// %.40q below, because the value may be a secret in the wrong property, or a megabyte.
	if err != nil || n < least || n > most {
		return fmt.Errorf("%.40q is no number from %d to %d", v, least, most)
	}
	*to = n
	return nil
}

func millis(to *time.Duration, v string, least, most time.Duration) error {
	var n int64
	// It uses number, so that the limits in the message are in milliseconds, like the property.
	err := number(&n, v, least.Milliseconds(), most.Milliseconds())
	if err == nil {
		*to = time.Duration(n) * time.Millisecond
	}
	return err
}

func boolean(v string) (*bool, error) {
	// strconv.ParseBool would accept t, 1 and TRUE, unlike Kafka.
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
	// Names are Kafka's. The level cannot be set: the codecs' defaults are used.
	c, ok := codecs[v]
	if !ok {
		return fmt.Errorf("%.40q is none of %s", v, strings.Join(slices.Sorted(maps.Keys(codecs)), ", "))
	}
	s.compression = c
	return nil
}

// noTransactions refuses settings for exactly once: docs/formats/kafka.md explains why there are no transactions.
func noTransactions(*settings, string) error {
	// A transaction would have to end with the unit's commit to the collection, and the two cannot be combined.
	return errors.New("messages are sent at least once, and in no transaction: leave it out. " +
		"Consumers tell a message that they have had by its header " + HeaderID)
}

// checkSerializer accepts the serializers that change no bytes, which configurations of Java programs such as ACHE
// have.
func checkSerializer(_ *settings, v string) error {
	const prefix = "org.apache.kafka.common.serialization."
	if v != prefix+"StringSerializer" && v != prefix+"ByteArraySerializer" {
		return fmt.Errorf("%.80q is neither %sStringSerializer nor …ByteArraySerializer: messages are text", v, prefix)
	}
	return nil
}

// ReadProperties reads a file of Java's properties in the form of Kafka's tools. It has name=value or name: value, #
// and ! for comments, and a backslash at the end of a continued line. It knows no other escapes.
func ReadProperties(file []byte) (map[string]string, error) {
	values := map[string]string{}
	s := bufio.NewScanner(bytes.NewReader(file))
	// A line may be as long as the file, whose size the caller limits: Scanner's own 64 KiB would refuse a long chain
	// of certificates.
	s.Buffer(nil, len(file)+1)
	// line is the logical line so far: it grows while lines end with a backslash.
	for line := ""; s.Scan(); {
		line += strings.TrimSpace(s.Text())
		// As in Java, a comment inside a continued line is not one, because line begins with the earlier text.
		if line == "" || line[0] == '#' || line[0] == '!' {
			line = ""
			continue
		}
		if before, on := strings.CutSuffix(line, `\`); on {
			line = before
			continue
		}
		// At the first of the two: values such as JAAS options and host:port contain more of them.
		i := strings.IndexAny(line, "=:")
		if i <= 0 {
			return nil, errors.New("kafka: a property is not of the form name=value; it is not shown, since it may be secret")
		}
		values[strings.TrimSpace(line[:i])] = strings.TrimSpace(line[i+1:])
		line = ""
	}
	return values, s.Err()
}

// common returns the client's options for both producers and readers.
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

// maxRetries is so large that only the time limit ends a request.
const maxRetries = 1 << 20

// wait returns the pause before the n-th repetition: it doubles each time, up to two seconds.
func (s *settings) wait(n int) time.Duration {
	// 2^11 times a millisecond is above two seconds, so that the shift can stop there without overflow.
	return min(max(s.backoff, time.Millisecond)<<min(n, 11), max(2*time.Second, s.backoff))
}

// producer returns the options of a producer with messages of at most limit bytes.
func (s *settings) producer(limit int64) ([]kgo.Opt, error) {
	o, err := s.common()
	if err != nil {
		return nil, err
	}
	// setAcks accepts only these three.
	acks := map[int]kgo.Acks{-1: kgo.AllISRAcks(), 0: kgo.NoAck(), 1: kgo.LeaderAck()}
	o = append(
		o, kgo.AllowAutoTopicCreation(), kgo.RequiredAcks(acks[s.acks]), kgo.RecordRetries(int(s.retries)+1),
		kgo.ProducerLinger(s.linger), kgo.MaxBufferedBytes(int(s.buffer)), kgo.ProducerBatchCompression(s.compression),
		kgo.ProducerBatchMaxBytes(int32(limit)), // franz-go has one limit for messages and batches, as brokers have
		// A request holds batches of several partitions, so its limit exceeds that of one batch. The sum stays far
		// below 2 GiB, because limit is at most maxMessage.
		kgo.BrokerMaxWriteBytes(int32(limit+100<<20)), kgo.ProduceRequestTimeout(s.request),
		kgo.RecordDeliveryTimeout(s.delivery),
		// By the hash of the key, the URL, as in Java's producer: all captures of a page go to one partition, in order.
		kgo.RecordPartitioner(kgo.StickyKeyPartitioner(nil)),
	)
	// agree has set idempotent. With idempotent writes franz-go limits the requests in flight itself, and accepts the
	// option only without them.
	if !*s.idempotent {
		return append(o, kgo.DisableIdempotentWrite(), kgo.MaxProduceRequestsInflightPerBroker(int(s.inFlight))), nil
	}
	// A message whose time is over fails its unit. The unit is repeated, so the message may be there twice.
	return append(o, kgo.AllowIdempotentProduceCancellation()), nil
}

package kafka

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseProperties(t *testing.T) {
	s, err := parseProperties("a:1, b:2", map[string]string{
		"acks": " 1 ", "linger.ms": "7", "max.request.size": "2000000", "delivery.timeout.ms": "5000",
		"key.serializer": "org.apache.kafka.common.serialization.StringSerializer",
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a:1", "b:2"}, s.brokers); diff != "" {
		t.Errorf("brokers, -want +got:\n%s", diff)
	}
	if s.acks != 1 || s.linger != 7*time.Millisecond || s.maxRequest != 2_000_000 || s.delivery != 5*time.Second {
		t.Errorf("settings %+v", s)
	}
	if *s.idempotent {
		t.Error("acks=1 and idempotent all the same")
	}
	if s, err = parseProperties("", map[string]string{"bootstrap.servers": "c:3"}); err != nil ||
		!slices.Equal(s.brokers, []string{"c:3"}) || !*s.idempotent {
		t.Errorf("settings %+v, %v", s, err)
	}
}

// TestParseProperties_errors: each says which property it is about.
func TestParseProperties_errors(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"batch.sizes", "1", "batch.sizes"},
		{"acks", "2", "acks"},
		{"retries", "-1", "retries"},
		{"linger.ms", "5ms", "linger.ms"},
		{"linger.ms", "99999999999", "linger.ms"},
		{"enable.idempotence", "yes", "enable.idempotence"},
		{"compression.type", "brotli", "compression.type"},
		{"max.request.size", "99999999999", "max.request.size"},
		{"buffer.memory", "1000", "buffer.memory"},
		{"transactional.id", "x", "at least once"},
		{"transaction.timeout.ms", "60000", "at least once"},
		{"key.serializer", "io.confluent.kafka.serializers.KafkaAvroSerializer", "key.serializer"},
		{"security.protocol", "TLS", "security.protocol"},
		{"sasl.mechanism", "GSSAPI", "sasl.mechanism"},
		{"sasl.jaas.config", "com.sun.security.auth.module.Krb5LoginModule required;", "sasl.jaas.config"},
		{
			"sasl.jaas.config", `org.apache.kafka.common.security.plain.PlainLoginModule required username="u";`,
			"sasl.jaas.config",
		},
		{"sasl.jaas.config", `org.apache.kafka.common.security.scram.ScramLoginModule required username="u" password="p" tokenauth="true";`, "sasl.jaas.config"},
		{"ssl.keystore.type", "JKS", "ssl.keystore.type"},
		{"ssl.endpoint.identification.algorithm", "ldaps", "ssl.endpoint"},
	} {
		_, err := parseProperties("a:1", map[string]string{tt.name: tt.value})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s=%s: error %v, want one that names %s", tt.name, tt.value, err, tt.want)
		}
	}
	for _, values := range []map[string]string{
		{"enable.idempotence": "true", "acks": "0"},
		{"enable.idempotence": "true", "max.in.flight.requests.per.connection": "6"},
	} {
		if _, err := parseProperties("a:1", values); err == nil {
			t.Errorf("%v: no error", values)
		}
	}
	if _, err := parseProperties(" , ", nil); err == nil || !strings.Contains(err.Error(), "bootstrap.servers") {
		t.Errorf("no brokers: error %v", err)
	}
}

func TestNewProducer_errors(t *testing.T) {
	good := Config{Brokers: "localhost:1", Topic: "pages", Format: "json"}
	for _, tt := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Topic = "" }, "no name of a topic"},
		{func(c *Config) { c.Topic = "pages/1" }, "no name of a topic"},
		{func(c *Config) { c.Format = "elastic" }, "json, cdr31, content"},
		{func(c *Config) { c.Brokers = "" }, "bootstrap.servers"},
		{func(c *Config) { c.Properties = map[string]string{"security.protocol": "SASL_SSL"} }, "sasl.jaas.config"},
		{func(c *Config) {
			c.Properties = map[string]string{"security.protocol": "SSL", "ssl.truststore.location": "no such file"}
		}, "ssl.truststore.location"},
		{func(c *Config) {
			c.Properties = map[string]string{"security.protocol": "SSL", "ssl.truststore.certificates": "none"}
		}, "truststore"},
		{func(c *Config) {
			c.Properties = map[string]string{"security.protocol": "SSL", "ssl.keystore.certificate.chain": "none"}
		}, "keystore"},
	} {
		c := good
		tt.change(&c)
		p, err := NewProducer(c)
		if err == nil {
			p.Close()
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error %v, want one with %q", c, err, tt.want)
		}
	}
}

// TestProperties_documented: the page has a row for each property, and none for others.
func TestProperties_documented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/formats/kafka.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| property |")
	table, _, _ = strings.Cut(table, "\n\n")
	documented := map[string]bool{}
	for row := range strings.Lines(table) {
		first, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " |")
		for name := range strings.SplitSeq(first, ", ") {
			if strings.HasPrefix(name, "`") {
				documented[strings.Trim(name, "`")] = true
			}
		}
	}
	known := slices.Sorted(maps.Keys(properties))
	if diff := cmp.Diff(known, slices.Sorted(maps.Keys(documented))); diff != "" {
		t.Errorf("-known +documented:\n%s", diff)
	}
}

func TestReadProperties(t *testing.T) {
	file := "# a comment\n! another\n\nacks=all\r\nlinger.ms : 100\n" +
		"sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required \\\n    username=\"u\" \\\n  " +
		"password=\"p=q\";\n  retries = 3"
	want := map[string]string{
		"acks": "all", "linger.ms": "100", "retries": "3",
		"sasl.jaas.config": `org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="p=q";`,
	}
	got, err := ReadProperties([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := ReadProperties([]byte("acks all")); err == nil {
		t.Error("a line without = was read")
	}
}

// FuzzProperties: no file and no value breaks the reading.
func FuzzProperties(f *testing.F) {
	f.Add([]byte("acks=all\nlinger.ms: 5\\\n0\n"))
	f.Add([]byte(`sasl.jaas.config=PlainLoginModule required username="a\"b" password="\\";`))
	f.Add([]byte("ssl.keystore.type=PEM\nbatch.size=-1\n=\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		values, err := ReadProperties(file)
		if err != nil {
			return
		}
		s, err := parseProperties("a:1", values)
		if err == nil && (len(s.brokers) == 0 || s.idempotent == nil || s.maxRequest > s.buffer || s.linger < 0) {
			t.Errorf("%q gives %+v", file, s)
		}
	})
}

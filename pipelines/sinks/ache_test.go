package sinks

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// acheYML has both servers, like a configuration of ACHE.
const acheYML = `
target_storage.data_formats: [ELASTICSEARCH, KAFKA]
target_storage.data_format.elasticsearch.rest.hosts:
  - http://node1:9200
  - https://node2
target_storage.data_format.elasticsearch.rest.connect_timeout: 5000
target_storage.data_format.elasticsearch.rest.socket_timeout: 45000
target_storage.data_format.elasticsearch.rest.max_retry_timeout_millis: 90000
target_storage.data_format.elasticsearch.rest.initial_connection_timeout: 7000
target_storage.data_format.elasticsearch.rest.username: writer
target_storage.data_format.elasticsearch.rest.password: secret
target_storage.data_format.elasticsearch.index_name: crawl
target_storage.data_format.elasticsearch.type_name: document
target_storage.data_format.kafka.topic_name: pages
target_storage.data_format.kafka.format: CDR31
target_storage.data_format.kafka.properties:
  bootstrap.servers: broker1:9092,broker2:9092
  key.serializer: org.apache.kafka.common.serialization.StringSerializer
  linger.ms: 100
  acks: all
`

// fromACHE returns the configurations from the server flags with an ache.yml.
func fromACHE(t *testing.T, yml string, args ...string) (elastic.Config, kafka.Config, error) {
	t.Helper()
	f := cli.NewFlags(flag.NewFlagSet("test", flag.ContinueOnError), cli.Command{})
	asked := NewFlags(f)
	if err := f.Parse(append([]string{"--ache_config=" + configFile(t, yml)}, args...)); err != nil {
		t.Fatal(err)
	}
	s, err := asked.Read()
	return *s.configs[schemas.SinkElastic].(*elastic.Config), *s.configs[schemas.SinkKafka].(*kafka.Config), err
}

func configFile(t *testing.T, yml string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "ache.yml")
	if err := os.WriteFile(name, []byte(yml), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestServerFlags_ache: all server settings of ACHE apply.
func TestServerFlags_ache(t *testing.T) {
	index, topic, err := fromACHE(t, acheYML)
	if err != nil {
		t.Fatal(err)
	}
	wantIndex := elastic.Config{ID: "url", Bytes: 5 << 20, Options: elastic.Options{
		Hosts: []string{"http://node1:9200", "https://node2"}, Index: "crawl", Type: "document", Model: elastic.ACHE,
		User: "writer", Password: "secret",
		ConnectTimeout: 5 * time.Second, SocketTimeout: 45 * time.Second, StartTimeout: 7 * time.Second,
		RetryTimeout: 90 * time.Second, BatchBytes: 5 << 20,
	}}
	if diff := gocmp.Diff(wantIndex, index); diff != "" {
		t.Errorf("Elasticsearch (-want +got):\n%s", diff)
	}
	wantTopic := kafka.Config{
		Brokers: "broker1:9092,broker2:9092", Topic: "pages", Format: "cdr31",
		Properties: map[string]string{
			"key.serializer": "org.apache.kafka.common.serialization.StringSerializer", "linger.ms": "100", "acks": "all",
		},
	}
	if diff := gocmp.Diff(wantTopic, topic); diff != "" {
		t.Errorf("Kafka (-want +got):\n%s", diff)
	}
}

// TestServerFlags_acheDefaults: missing settings have ACHE's defaults. A server that is not among the formats is
// ignored.
func TestServerFlags_acheDefaults(t *testing.T) {
	const hosts = "target_storage.data_format.elasticsearch.rest.hosts: http://node1\n"
	index, topic, err := fromACHE(t, "target_storage.data_format.type: ELASTICSEARCH\n"+hosts)
	want := elastic.Options{
		Hosts: []string{"http://node1"}, Index: "ache-data", Type: "page", Model: elastic.ACHE,
		ConnectTimeout: 30 * time.Second, SocketTimeout: 30 * time.Second, StartTimeout: 30 * time.Second,
		RetryTimeout: 5 * time.Minute, BatchBytes: 5 << 20,
	}
	if diff := gocmp.Diff(want, index.Options); diff != "" || err != nil || topic.Brokers != "" {
		t.Errorf("%v, brokers %q; Elasticsearch (-want +got):\n%s", err, topic.Brokers, diff)
	}
	index, topic, err = fromACHE(t, "target_storage.data_format.type: KAFKA\n"+
		"target_storage.data_format.kafka.topic_name: pages\n"+hosts)
	if err != nil || index.Wanted() || topic.Brokers != "localhost:9092" || topic.Topic != "pages" ||
		topic.Format != "json" {
		t.Errorf("%v; hosts %v, Kafka %+v; want no host, and the topic pages of localhost:9092 in JSON", err, index.Hosts,
			topic)
	}
}

// TestServerFlags_flagsWin: a flag overrides the ache.yml, even an invalid one.
func TestServerFlags_flagsWin(t *testing.T) {
	t.Setenv(elastic.PasswordVariable, "of the environment")
	yml := strings.NewReplacer("crawl", "No Index", "[ELASTICSEARCH, KAFKA]",
		"[KAFKA, FILES, ELASTICSEARCH]").Replace(acheYML)
	index, topic, err := fromACHE(
		t, yml, "--elastic=http://other", "--elastic_index=mine", "--elastic_type=t", "--elastic_documents=gleaner",
		"--elastic_user=me",
		sinkFile(t, "elastic_retry_timeout: 1h\nelastic_connect_timeout: 1s\nelastic_socket_timeout: 2s\n"+
			"elastic_start_timeout: 3s\nelastic_index: theirs\nelastic: [http://one, http://two]\n"),
		"--kafka=other:9092", "--kafka_topic=posts", "--kafka_format=content", "--kafka_property=linger.ms=7",
	)
	if err != nil {
		t.Fatal(err)
	}
	wantIndex := elastic.Config{ID: "capture", Bytes: 5 << 20, Options: elastic.Options{
		Hosts: []string{"http://other"}, Index: "mine", Type: "t", Model: elastic.Gleaner, User: "me",
		Password:       "of the environment",
		ConnectTimeout: time.Second, SocketTimeout: 2 * time.Second, StartTimeout: 3 * time.Second, RetryTimeout: time.Hour,
		BatchBytes: 5 << 20,
	}}
	if diff := gocmp.Diff(wantIndex, index); diff != "" {
		t.Errorf("Elasticsearch (-want +got):\n%s", diff)
	}
	if topic.Brokers != "other:9092" || topic.Topic != "posts" || topic.Format != "content" ||
		topic.Properties["linger.ms"] != "7" || topic.Properties["acks"] != "all" {
		t.Errorf("Kafka %+v", topic)
	}
}

// TestServerFlags_acheWrong: an error names the file and the key.
func TestServerFlags_acheWrong(t *testing.T) {
	for _, tt := range []struct{ name, old, new, key string }{
		{"unknown type", "[ELASTICSEARCH, KAFKA]", "[ELASTICSEARCH, TAPE]", "data_formats: \"TAPE\""},
		{"files alone", "[ELASTICSEARCH, KAFKA]", "[FILES, WARC]", "data_format.type: FILES, WARC is no server"},
		{"no hosts", "rest.hosts", "rest.nodes", "elasticsearch.rest.hosts: elastic: no hosts"},
		{"a host that is none", "https://node2", "node2", "elasticsearch.rest.hosts"},
		{"an index that is none", "crawl", "No Index", "elasticsearch.index_name"},
		{"no time", "45000", "soon", "elasticsearch.rest.socket_timeout"},
		{"no time at all", "90000", "0", "elasticsearch.rest.max_retry_timeout_millis"},
		{"no topic", "topic_name", "topic", "kafka.topic_name"},
		{"unknown format", "CDR31", "XML", "kafka.format"},
		{"a format that is not sent", "CDR31", "ELASTIC", "kafka.format"},
		{"unknown property", "linger.ms", "lingerms", "kafka.properties: kafka: the property \"lingerms\""},
		{"wrong value", "100", "soon", "kafka.properties: kafka: the property linger.ms"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := fromACHE(t, strings.Replace(acheYML, tt.old, tt.new, 1))
			if err == nil || !strings.Contains(err.Error(), "ache.yml: ") ||
				!strings.Contains(err.Error(), "target_storage.data_format") || !strings.Contains(err.Error(), tt.key) {
				t.Errorf("error %v, want one about ache.yml and %s", err, tt.key)
			}
		})
	}
}

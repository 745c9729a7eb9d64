package sinks

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// sinkFile returns --sink with a file.
func sinkFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "sinks.yml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "--sink=" + name
}

// TestSinkFile: settings come from the file, including lists, or have their defaults.
func TestSinkFile(t *testing.T) {
	s, err := withFile(t, "# hosts\nelastic: [http://node1, http://node2]\nelastic_batch: 1MiB\n"+
		"hbase_retry_timeout: 2m\nkafka_property: [linger.ms=5, acks=all]\n")
	if err != nil {
		t.Fatal(err)
	}
	index, topic := s.configs[schemas.SinkElastic].(*elastic.Config), s.configs[schemas.SinkKafka].(*kafka.Config)
	if strings.Join(index.Hosts, " ") != "http://node1 http://node2" || index.BatchBytes != 1<<20 ||
		index.SocketTimeout != time.Minute {
		t.Errorf("Elasticsearch: %+v", index)
	}
	if topic.Properties["linger.ms"] != "5" || topic.Properties["acks"] != "all" {
		t.Errorf("Kafka: %v", topic.Properties)
	}
}

// TestSinkFile_wrong: errors name the line.
func TestSinkFile_wrong(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"unknown", "elastic: http://a\nelastic_sockt_timeout: 1s\n", "sinks.yml:2: there is no elastic_sockt_timeout"},
		{"twice", "elastic: http://a\nelastic: http://b\n", "sinks.yml"},
		{"no time span", "elastic_socket_timeout: soon", "sinks.yml:1: elastic_socket_timeout: not a time span"},
		{"nested", "elastic:\n  hosts: http://a\n", "sinks.yml:2: want lines such as"},
		{"a list", "- elastic\n", "sinks.yml:1: want lines such as"},
		{"empty", "", "EOF"},
		{"not YAML", "a: [", "sinks.yml"},
		{"a reference to itself", "elastic: &a [*a]\n", "sinks.yml"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := withFile(t, tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// withFile returns the sinks from a file.
func withFile(t *testing.T, text string) (Sinks, error) {
	t.Helper()
	f := cli.NewFlags(flag.NewFlagSet("test", flag.ContinueOnError), cli.Command{})
	asked := NewFlags(f)
	if err := f.Parse([]string{sinkFile(t, text)}); err != nil {
		t.Fatal(err)
	}
	return asked.Read()
}

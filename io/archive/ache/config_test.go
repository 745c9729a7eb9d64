package ache

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/dump"
)

const sampleConfig = `
# as in ACHE's documentation
target_storage.data_format.type: WARC
target_storage.data_format.warc.compress: true
target_storage.data_format.warc.max_file_size: 262144000
target_storage.data_format.elasticsearch.rest.hosts:
  - http://node1:9200
  - http://node2:9200
target_storage.data_format.kafka.topic_name: mytopicname
target_storage.data_format.kafka.properties:
  bootstrap.servers: localhost:9092
  acks: all
  batch.size: 5
link_storage.max_pages_per_domain: 100
`

func TestParseConfig(t *testing.T) {
	tests := []struct {
		name, text string
		want       []Output
	}{
		{"nothing said", "", []Output{{"ache-files", dump.WriteOptions{MaxFileBytes: 256 << 20}}}},
		{"WARC", sampleConfig, []Output{{"ache-warc", dump.WriteOptions{MaxFileBytes: 262144000, Compress: dump.On}}}},
		{
			"plain WARC", "target_storage.data_format.type: WARC\ntarget_storage.data_format.warc.compress: false",
			[]Output{{"ache-warc", dump.WriteOptions{MaxFileBytes: 262144000, Compress: dump.Off}}},
		},
		{"several", "target_storage.data_formats: [FILES, FILESYSTEM_CBOR]\n" +
			"target_storage.data_format.filesystem.hash_file_name: true\ntarget_storage.data_format.files.max_file_size: " +
			"134217728", []Output{
			{"ache-files", dump.WriteOptions{MaxFileBytes: 134217728}},
			{"ache-cbor", dump.WriteOptions{HashNames: true, Compress: dump.Off}},
		}},
		{"nested keys", "target_storage:\n  data_format:\n    type: FILESYSTEM_JSON\n    filesystem:\n      " +
			"compress_data: true", []Output{{"ache-json", dump.WriteOptions{Compress: dump.On}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := ParseConfig([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.Outputs()
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("Outputs: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestParseConfig_servers(t *testing.T) {
	c, err := ParseConfig([]byte(sampleConfig))
	if err != nil {
		t.Fatal(err)
	}
	es := ElasticsearchConfig{
		Hosts: []string{"http://node1:9200", "http://node2:9200"}, ConnectTimeout: 30 * time.Second,
		SocketTimeout:            30 * time.Second,
		InitialConnectionTimeout: 30 * time.Second, IndexName: "ache-data", TypeName: "page",
	}
	if diff := cmp.Diff(es, c.Elasticsearch); diff != "" {
		t.Errorf("Elasticsearch (-want +got):\n%s", diff)
	}
	kafka := KafkaConfig{"mytopicname", "JSON", map[string]string{
		"bootstrap.servers": "localhost:9092", "acks": "all",
		"batch.size": "5",
	}}
	if diff := cmp.Diff(kafka, c.Kafka); diff != "" {
		t.Errorf("Kafka (-want +got):\n%s", diff)
	}
}

func TestParseConfig_wrong(t *testing.T) {
	for text, want := range map[string]string{
		"target_storage.data_format.type: TAPE":                                               "TAPE",
		"target_storage.data_format.warc.compress: maybe":                                     "warc.compress",
		"target_storage.data_format.files.max_file_size: -1":                                  "files.max_file_size",
		"target_storage.data_format.files.max_file_size: 99999999999999999999":                "files.max_file_size",
		"target_storage.data_formats: [FILES, TAPE]":                                          "target_storage.data_formats",
		"target_storage.data_format.kafka.format: XML":                                        "kafka.format",
		"target_storage.data_format.elasticsearch.rest.connect_timeout: 0":                    "rest.connect_timeout",
		"target_storage.data_format.elasticsearch.rest.socket_timeout: 1h":                    "rest.socket_timeout",
		"target_storage.data_format.elasticsearch.rest.max_retry_timeout_millis: 99999999999": "rest.max_retry_timeout_millis",
		"a: [": "configuration",
	} {
		if _, err := ParseConfig([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseConfig(%q): error %v, want one about %s", text, err, want)
		}
	}
	c, err := ParseConfig([]byte("target_storage.data_formats: [KAFKA, FILES]"))
	if err != nil {
		t.Fatal(err)
	}
	if list, err := c.Outputs(); err == nil || !strings.Contains(err.Error(), "KAFKA") || len(list) != 1 {
		t.Errorf("Outputs = %v, %v; want FILES, and an error about KAFKA", list, err)
	}
}

// TestReadConfig: errors name the file.
func TestReadConfig(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ache.yml")
	if _, err := ReadConfig(name); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("no file: error %v, want one about %s", err, name)
	}
	for text, want := range map[string]string{
		sampleConfig:                            "",
		"target_storage.data_format.type: TAPE": name + ": ache: configuration: target_storage.data_format.type",
		strings.Repeat("#", maxConfig+1):        name + ": more than",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadConfig(name); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("ReadConfig of %.40q: error %v, want %q", text, err, want)
		}
	}
}

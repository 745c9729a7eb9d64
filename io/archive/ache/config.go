package ache

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/gleaner-web/gleaner/io/archive/dump"
)

// Config is the part of ACHE's configuration file, ache.yml, about stored pages: the keys that begin with
// target_storage. For ACHE's defaults, parse an empty file; the zero value is different.
type Config struct {
	DataFormats     []string // target_storage.data_formats, or data_format.type: FILES, FILESYSTEM_HTML, …
	TargetDirectory string   // target_directory

	HashFileName bool // data_format.filesystem.hash_file_name
	CompressData bool // data_format.filesystem.compress_data

	FilesMaxBytes int64 // data_format.files.max_file_size

	WARCMaxBytes int64 // data_format.warc.max_file_size
	WARCCompress bool  // data_format.warc.compress

	Elasticsearch ElasticsearchConfig
	Kafka         KafkaConfig
}

// ElasticsearchConfig has the keys below data_format.elasticsearch.
type ElasticsearchConfig struct {
	Hosts                    []string      // rest.hosts; a URL without a port means 9200
	ConnectTimeout           time.Duration // rest.connect_timeout
	SocketTimeout            time.Duration // rest.socket_timeout
	MaxRetryTimeout          time.Duration // rest.max_retry_timeout_millis, or 0; ACHE does not use it
	InitialConnectionTimeout time.Duration // rest.initial_connection_timeout
	Username, Password       string        // rest.username, rest.password; used if both are set
	IndexName                string        // index_name
	TypeName                 string        // type_name
}

// KafkaConfig has the keys below data_format.kafka.
type KafkaConfig struct {
	TopicName  string            // topic_name
	Format     string            // format: JSON, CDR31 or ELASTIC
	Properties map[string]string // properties, of Kafka's own producer
}

// The formats of ACHE, by their names, and those that we write, by their names in capture.Outputs. A format with "" is
// valid in a configuration but is not a file: Outputs reports it.
var dataFormats = map[string]string{
	"FILES": "ache-files", "FILESYSTEM_HTML": "ache-html", "FILESYSTEM_JSON": "ache-json", "FILESYSTEM_CBOR": "ache-cbor",
	"WARC": "ache-warc", "ELASTICSEARCH": "", "KAFKA": "", "ROCKSDB": "",
}

const prefix = "target_storage."

// maxConfig limits an ache.yml, in bytes.
const maxConfig = 1 << 20

// ReadConfig is like ParseConfig for the file of this name. Errors name the file.
func ReadConfig(name string) (Config, error) {
	// Checked first, so that a wrong name, for example of an archive, is not read into memory.
	info, err := os.Stat(name)
	if err == nil && info.Size() > maxConfig {
		err = fmt.Errorf("%s: more than %d bytes", name, maxConfig)
	}
	if err != nil {
		return Config{}, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return Config{}, err
	}
	c, err := ParseConfig(text)
	if err != nil {
		return Config{}, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// ParseConfig reads an ache.yml. Keys may be flat with dots, as ACHE wants them, or nested; keys of other parts are
// ignored. Settings without a default are empty.
func ParseConfig(text []byte) (Config, error) {
	var tree map[string]any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		return Config{}, fmt.Errorf("ache: configuration: %w", err)
	}
	// Flat keys, however they were written, so that each setting has one name.
	v := settings{values: map[string]any{}}
	v.flatten("", tree)
	c := Config{
		DataFormats:     v.list("data_formats"),
		TargetDirectory: v.text("target_directory", "data_pages"),
		HashFileName:    v.truth("data_format.filesystem.hash_file_name", false),
		CompressData:    v.truth("data_format.filesystem.compress_data", false),
		FilesMaxBytes:   v.number("data_format.files.max_file_size", defaultFilesBytes),
		WARCMaxBytes:    v.number("data_format.warc.max_file_size", defaultWARCBytes),
		WARCCompress:    v.truth("data_format.warc.compress", true),
		Elasticsearch:   v.elasticsearch(),
		Kafka:           v.kafka(),
	}
	// data_formats names several formats, data_format.type a single one; the former wins.
	key := "data_formats"
	if len(c.DataFormats) == 0 {
		key = "data_format.type"
		c.DataFormats = []string{v.text(key, "FILES")}
	}
	// A misspelt format must not lead to a run that writes nothing.
	for _, f := range c.DataFormats {
		if _, known := dataFormats[f]; !known {
			v.fail(key, f)
		}
	}
	return c, v.err
}

// Output is a format that a configuration asks for: its name in capture.Outputs, and options.
type Output struct {
	Name    string
	Options dump.WriteOptions
}

// Outputs returns the formats that are files, in the order of the configuration. The error names formats that are
// servers or a database, but the outputs are valid all the same.
func (c Config) Outputs() ([]Output, error) {
	var list []Output
	var others []string
	for _, f := range c.DataFormats {
		o := Output{Name: dataFormats[f]}
		switch {
		case o.Name == "":
			others = append(others, f)
			continue
		// These ignore sizes, because each page has its own file.
		case strings.HasPrefix(f, "FILESYSTEM"):
			o.Options = dump.WriteOptions{HashNames: c.HashFileName, Compress: onOff(c.CompressData)}
		case f == "FILES":
			// FILES is always compressed.
			o.Options = dump.WriteOptions{MaxFileBytes: c.FilesMaxBytes}
		case f == "WARC":
			o.Options = dump.WriteOptions{MaxFileBytes: c.WARCMaxBytes, Compress: onOff(c.WARCCompress)}
		}
		list = append(list, o)
	}
	if len(others) > 0 {
		return list, fmt.Errorf("ache: no files are written for %s", strings.Join(others, ", "))
	}
	return list, nil
}

func onOff(b bool) dump.Switch {
	if b {
		return dump.On
	}
	return dump.Off
}

// settings are the values of a configuration by their keys after prefix. err is the first invalid one.
type settings struct {
	values map[string]any
	err    error
}

// flatten stores the values below a key. Keys may be nested and have dots as well.
func (s *settings) flatten(key string, value any) {
	if m, ok := value.(map[string]any); ok {
		for k, v := range m {
			s.flatten(strings.TrimPrefix(key+"."+k, "."), v)
		}
		return
	}
	// Keys of other parts of ACHE are ignored, and so are keys without a value, which keep their default.
	if rest, ok := strings.CutPrefix(key, prefix); ok && value != nil {
		s.values[rest] = value
	}
}

func (s *settings) fail(key string, value any) {
	// Later errors may follow from the first.
	if s.err == nil {
		s.err = fmt.Errorf("ache: configuration: %s%s: %.100q is not one of its values", prefix, key, fmt.Sprint(value))
	}
}

// text returns a value as text, or usual if the key is not set.
func (s *settings) text(key, usual string) string {
	v, ok := s.values[key]
	if !ok {
		return usual
	}
	// YAML may have parsed it as a number or boolean.
	return fmt.Sprint(v)
}

// truth reads a boolean, from YAML or text.
func (s *settings) truth(key string, usual bool) bool {
	b, err := strconv.ParseBool(s.text(key, strconv.FormatBool(usual)))
	if err != nil {
		s.fail(key, s.values[key])
	}
	return b
}

// number reads a whole number that is not negative.
func (s *settings) number(key string, usual int64) int64 {
	n, err := strconv.ParseInt(s.text(key, strconv.FormatInt(usual, 10)), 10, 64)
	if err != nil || n < 0 {
		s.fail(key, s.values[key])
		return usual
	}
	return n
}

// list reads a list of texts, or a single text.
func (s *settings) list(key string) []string {
	v, ok := s.values[key]
	if !ok {
		return nil
	}
	items, ok := v.([]any)
	if !ok {
		items = []any{v}
	}
	var list []string
	for _, item := range items {
		list = append(list, fmt.Sprint(item))
	}
	// Only adjacent repetitions are dropped.
	return slices.Compact(list)
}

// below returns the values whose keys begin with key, by the rest of the key. Lists are joined by commas.
func (s *settings) below(key string) map[string]string {
	m := map[string]string{}
	for k := range s.values {
		if name, ok := strings.CutPrefix(k, key); ok {
			m[name] = strings.Join(s.list(k), ",")
		}
	}
	return m
}

// millis reads a time span of a Java int. A span that is set must not be 0.
func (s *settings) millis(key string, usual int64) time.Duration {
	// The default may be 0, which means that none is set.
	n := s.number(key, usual)
	if v, said := s.values[key]; said && (n == 0 || n > math.MaxInt32) {
		s.fail(key, v)
	}
	return time.Duration(min(n, math.MaxInt32)) * time.Millisecond
}

func (s *settings) elasticsearch() ElasticsearchConfig {
	const key = "data_format.elasticsearch."
	// The defaults of ACHE's code.
	return ElasticsearchConfig{
		Hosts:                    s.list(key + "rest.hosts"),
		ConnectTimeout:           s.millis(key+"rest.connect_timeout", 30000),
		SocketTimeout:            s.millis(key+"rest.socket_timeout", 30000),
		MaxRetryTimeout:          s.millis(key+"rest.max_retry_timeout_millis", 0),
		InitialConnectionTimeout: s.millis(key+"rest.initial_connection_timeout", 30000),
		Username:                 s.text(key+"rest.username", ""),
		Password:                 s.text(key+"rest.password", ""),
		IndexName:                s.text(key+"index_name", "ache-data"),
		TypeName:                 s.text(key+"type_name", "page"),
	}
}

func (s *settings) kafka() KafkaConfig {
	const key = "data_format.kafka."
	c := KafkaConfig{
		TopicName:  s.text(key+"topic_name", ""),
		Format:     s.text(key+"format", "JSON"),
		Properties: s.below(key + "properties."),
	}
	// Formats of messages have other names than those of files.
	if !slices.Contains([]string{"JSON", "CDR31", "ELASTIC"}, c.Format) {
		s.fail(key+"format", c.Format)
	}
	return c
}

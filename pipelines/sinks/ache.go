package sinks

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// configure takes settings from ache.yml unless a flag sets them. Errors name the file and the key.
func (s Sinks) configure(f *cli.Flags, name string) error {
	c, err := ache.ReadConfig(name)
	if err != nil {
		return err
	}
	// These formats are files, which convert writes.
	var others []string
	for _, format := range c.DataFormats {
		switch format {
		case "ELASTICSEARCH":
			err = setElastic(f, s.configs[schemas.SinkElastic].(*elastic.Config), c.Elasticsearch)
		case "KAFKA":
			err = s.setKafka(f, c.Kafka)
		default:
			others = append(others, format)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	// A configuration with only files is more likely a mistake.
	if len(others) == len(c.DataFormats) {
		return fmt.Errorf("%s: target_storage.data_formats, or data_format.type: %s is no server; pipelines/convert "+
			"writes files as ACHE does", name, strings.Join(others, ", "))
	}
	if len(others) > 0 {
		slog.Warn(fmt.Sprintf("%s: %s: not written; pipelines/convert writes files as ACHE does", name,
			strings.Join(others, ", ")))
	}
	return nil
}

// unlessSet sets a value unless its flag has one.
func unlessSet[T any](f *cli.Flags, flag string, to *T, value T) {
	if !f.Given(flag) {
		*to = value
	}
}

// elasticKey is the prefix of ACHE's keys, for messages.
const elasticKey = "target_storage.data_format.elasticsearch."

// setElastic checks each key separately, so that the message names the wrong one.
func setElastic(f *cli.Flags, to *elastic.Config, c ache.ElasticsearchConfig) error {
	if err := (elastic.Options{Hosts: c.Hosts}).Check(); err != nil && !f.Given("elastic") {
		return fmt.Errorf("%srest.hosts: %w", elasticKey, err)
	}
	// Check needs a valid host to reach the index.
	if err := (elastic.Options{Hosts: []string{"http://localhost"}, Index: c.IndexName}).Check(); err != nil &&
		!f.Given("elastic_index") {
		return fmt.Errorf("%sindex_name: %w", elasticKey, err)
	}
	unlessSet(f, "elastic", &to.Hosts, c.Hosts)
	// Users of ACHE expect its document model.
	unlessSet(f, "elastic_documents", &to.Model, elastic.ACHE)
	unlessSet(f, "elastic_index", &to.Index, c.IndexName)
	unlessSet(f, "elastic_type", &to.Type, c.TypeName)
	unlessSet(f, "elastic_connect_timeout", &to.ConnectTimeout, c.ConnectTimeout)
	unlessSet(f, "elastic_socket_timeout", &to.SocketTimeout, c.SocketTimeout)
	unlessSet(f, "elastic_start_timeout", &to.StartTimeout, c.InitialConnectionTimeout)
	// 0 means that the file does not say.
	if c.MaxRetryTimeout > 0 {
		unlessSet(f, "elastic_retry_timeout", &to.RetryTimeout, c.MaxRetryTimeout)
	}
	// A user name needs a password.
	if c.Username != "" && c.Password != "" && !f.Given("elastic_user") {
		to.User, to.Password = c.Username, secret.Text(c.Password)
	}
	return nil
}

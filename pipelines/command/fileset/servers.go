//go:build !local

package fileset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/io/sink/postgres"
	"github.com/gleaner-web/gleaner/io/sink/sandcrawler"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// Servers get results beside the output. They travel to workers as JSON, with their secrets as tickets.
type Servers struct {
	Postgres postgres.Config
	Kafka    kafka.Config
	Env      string // of Sandcrawler's topics: prod, qa

	patience string // --postgres_retry_timeout
}

func (s *Servers) settings() []setting.Setting {
	list := []setting.Setting{{
		Name: "postgres", Value: &s.Postgres.URL, Example: "postgres://writer@127.0.0.1/sandcrawler",
		Help: "database of PostgreSQL whose tables get results too, a unit's in one transaction before it is done: " +
			"Sandcrawler's ingest_fileset_platform, ingest_file_result, ingest_request, file_meta and cdx, which are made " +
			"when they are not there; the password is in the environment's " + postgres.Variables[0] + " or " +
			postgres.Variables[1],
		Brief: "database whose tables get results too",
	}, {
		Name: "kafka", Value: &s.Kafka.Brokers, Example: "localhost:9092",
		Help: "brokers of Apache Kafka, whose topics sandcrawler-ENV.ingest-fileset-results and, for datasets of one " +
			"file, sandcrawler-ENV.ingest-file-results get results too; each at least once",
		Brief: "brokers whose topics get results too",
	}, {
		Name: "kafka_env", Value: &s.Env, Default: "qa", Example: "prod",
		Help: "ENV in the names of topics",
	}, {
		Name: "postgres_retry_timeout", Value: &s.patience, Default: "5m",
		Help: "how long a unit's transaction is tried while the database does not answer; then the run fails, and goes " +
			"on when it is started again",
	}}
	for _, d := range s.Kafka.Settings() {
		if d.Name == "kafka_property" { // read sets the other fields
			list = append(list, d)
		}
	}
	return setting.Under(output, list)
}

// read completes the configurations after parsing.
func (s *Servers) read() (err error) {
	// Complete requires a table; OpenTables writes to all Sandcrawler tables.
	s.Postgres.Table = "ingest_fileset_platform"
	if s.Postgres.RetryTimeout, err = time.ParseDuration(s.patience); err != nil || s.Postgres.RetryTimeout <= 0 {
		return cli.Usagef("--postgres_retry_timeout=%s: name a time, such as 5m", s.patience)
	}
	if err := s.Postgres.Complete(); err != nil {
		return cli.Usagef("%v", err)
	}
	if s.Kafka.Brokers == "" {
		return nil
	}
	s.Kafka.Topic, s.Kafka.Format = sandcrawler.FilesetResults(s.Env), kafka.Formats()[0]
	if err := s.Kafka.Complete(); err != nil {
		return cli.Usagef("%v", err)
	}
	return nil
}

// lasting returns the options that change which server has the results: with others, units are done again.
func (s Servers) lasting() map[string]any {
	lasting := map[string]any{}
	if s.Postgres.Wanted() {
		lasting["postgres"] = s.Postgres.Lasting()
	}
	if s.Kafka.Wanted() {
		lasting["kafka"] = s.Kafka.Lasting()
	}
	return lasting
}

func (s Servers) open(ctx context.Context) (to sinks, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, to.Close())
		}
	}()
	if s.Postgres.Wanted() {
		tables, err := sandcrawler.OpenTables(ctx, s.Postgres)
		if err != nil {
			return to, fmt.Errorf("--postgres: %w", err)
		}
		to = append(to, tables)
	}
	if s.Kafka.Wanted() {
		topics, err := sandcrawler.OpenTopics(ctx, s.Kafka, s.Env)
		if err != nil {
			return to, fmt.Errorf("--kafka: %w", err)
		}
		to = append(to, topics)
	}
	return to, nil
}

// elsewhere returns an error if a server's settings hold only on this machine.
func (s Servers) elsewhere() error { return cmp.Or(s.Postgres.Elsewhere(), s.Kafka.Elsewhere()) }

// properties are those of Kafka's client.
func (s Servers) properties() map[string]string { return s.Kafka.Properties }

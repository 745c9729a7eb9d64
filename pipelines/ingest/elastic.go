package main

import (
	"cmp"
	"errors"
	"os"
	"time"

	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// The heading of --help.
const elasticGroup = "Elasticsearch and OpenSearch"

// elasticFlags are the command line's.
type elasticFlags struct {
	hosts                          *[]string
	index, kind, model, id         *string
	user, ca                       *string
	password                       secret.Text // of a configuration; else the environment has it
	batch                          *int64
	connect, socket, start, giveUp timeSpan
}

func (e *elasticFlags) flags(f *run.Flags) {
	e.hosts = f.Strings(cli.Flag{Name: "elastic", Help: "hosts of a cluster, of Elasticsearch 1 to 9 or OpenSearch 1 to 3, in whose index documents are written too, before their unit is done", Example: "http://127.0.0.1:9200", Group: elasticGroup})
	e.model = f.String(cli.Flag{Name: "elastic_documents", Default: string(elastic.Gleaner), Help: "what is written: gleaner for the documents of the output, ache for those that ACHE would write of pages", Example: string(elastic.ACHE), Group: elasticGroup})
	e.index = f.String(cli.Flag{Name: "elastic_index", Help: "the index, which is made when it is not there; gleaner, or ache-data for ACHE's documents", Example: "crawl-2026", Group: elasticGroup})
	e.kind = f.String(cli.Flag{Name: "elastic_type", Default: "page", Help: "the documents' type, which servers before Elasticsearch 7 want", Example: "document", Group: elasticGroup})
	e.id = f.String(cli.Flag{Name: "elastic_id", Help: "what a document is known by: url, so that one capture of a page takes the place of another, or capture; capture, or url for ACHE's documents", Example: "url", Group: elasticGroup})
	e.user = f.String(cli.Flag{Name: "elastic_user", Help: "user, whose password is in the environment's " + job.PasswordVariable, Example: "writer", Group: elasticGroup})
	e.ca = f.String(cli.Flag{Name: "elastic_ca", Help: "file with the certificates to trust, in PEM, in place of the system's", Example: "ca.pem", Group: elasticGroup})
	e.batch = f.Bytes(cli.Flag{Name: "elastic_batch", Default: "5MiB", Help: "bytes that are sent at once; each unit under way holds three times as much", Example: "1MiB", Group: elasticGroup})
	f.Var(&e.connect, cli.Flag{Name: "elastic_connect_timeout", Default: "30s", Help: "how long a host may take to be connected", Example: "5s", Group: elasticGroup})
	f.Var(&e.socket, cli.Flag{Name: "elastic_socket_timeout", Default: "1m", Help: "how long it may take to answer then", Example: "2m", Group: elasticGroup})
	f.Var(&e.start, cli.Flag{Name: "elastic_start_timeout", Default: "30s", Help: "how long no host may answer at the start", Example: "2m", Group: elasticGroup})
	f.Var(&e.giveUp, cli.Flag{Name: "elastic_retry_timeout", Default: "5m", Help: "how long hosts that are down or busy are asked again before the run fails", Example: "1h", Group: elasticGroup})
}

// options are what the flags say, with the password and the certificates.
func (e *elasticFlags) options() (job.ElasticOptions, error) {
	if len(*e.hosts) == 0 {
		return job.ElasticOptions{}, nil
	}
	o := job.ElasticOptions{ID: *e.id, Options: elastic.Options{
		Hosts: *e.hosts, Index: *e.index, Type: *e.kind, Model: elastic.Model(*e.model), User: *e.user, Password: e.password, BatchBytes: int(*e.batch),
		ConnectTimeout: time.Duration(e.connect), SocketTimeout: time.Duration(e.socket), StartTimeout: time.Duration(e.start), RetryTimeout: time.Duration(e.giveUp),
	}}
	index, id := "gleaner", "capture"
	if o.Model == elastic.ACHE {
		index, id = "ache-data", "url"
	}
	for i, h := range o.Hosts {
		o.Hosts[i] = secret.Hide(h)
	}
	o.Index, o.ID = cmp.Or(o.Index, index), cmp.Or(o.ID, id)
	if o.User != "" && o.Password == "" {
		if o.Password = secret.Text(os.Getenv(job.PasswordVariable)); o.Password == "" {
			return o, cli.Usagef("--elastic_user: the password of %s is to be in the environment variable %s, which is empty", o.User, job.PasswordVariable)
		}
	}
	if *e.ca != "" {
		pem, err := os.ReadFile(*e.ca)
		if err != nil {
			return o, cli.Usagef("--elastic_ca: %v", err)
		}
		o.CA = string(pem)
	}
	return o, nil
}

// timeSpan is the value of a flag.
type timeSpan time.Duration

// String is the time span as Go writes it.
func (d *timeSpan) String() string { return time.Duration(*d).String() }

// Set reads a time span.
func (d *timeSpan) Set(s string) error {
	v, err := time.ParseDuration(s)
	if err != nil {
		return errors.New("not a time span such as 90s, 5m or 1h30m")
	}
	*d = timeSpan(v)
	return nil
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/boilerpipe"
	"github.com/gleaner-web/gleaner/transforms/term"
)

// ElasticOptions say to which index documents are written beside the output; without Hosts to none.
type ElasticOptions struct {
	elastic.Options
	ID string // what documents are known by: "url" or "capture"
}

// passwordVariable is where the password is taken from: what stands on a command line is seen by all users of a
// machine.
const passwordVariable = "ELASTIC_PASSWORD"

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
	e.user = f.String(cli.Flag{Name: "elastic_user", Help: "user, whose password is in the environment's " + passwordVariable, Example: "writer", Group: elasticGroup})
	e.ca = f.String(cli.Flag{Name: "elastic_ca", Help: "file with the certificates to trust, in PEM, in place of the system's", Example: "ca.pem", Group: elasticGroup})
	e.batch = f.Bytes(cli.Flag{Name: "elastic_batch", Default: "5MiB", Help: "bytes that are sent at once; each unit under way holds three times as much", Example: "1MiB", Group: elasticGroup})
	f.Var(&e.connect, cli.Flag{Name: "elastic_connect_timeout", Default: "30s", Help: "how long a host may take to be connected", Example: "5s", Group: elasticGroup})
	f.Var(&e.socket, cli.Flag{Name: "elastic_socket_timeout", Default: "1m", Help: "how long it may take to answer then", Example: "2m", Group: elasticGroup})
	f.Var(&e.start, cli.Flag{Name: "elastic_start_timeout", Default: "30s", Help: "how long no host may answer at the start", Example: "2m", Group: elasticGroup})
	f.Var(&e.giveUp, cli.Flag{Name: "elastic_retry_timeout", Default: "5m", Help: "how long hosts that are down or busy are asked again before the run fails", Example: "1h", Group: elasticGroup})
}

// options are what the flags say, with the password and the certificates.
func (e *elasticFlags) options() (ElasticOptions, error) {
	if len(*e.hosts) == 0 {
		return ElasticOptions{}, nil
	}
	o := ElasticOptions{ID: *e.id, Options: elastic.Options{
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
		if o.Password = secret.Text(os.Getenv(passwordVariable)); o.Password == "" {
			return o, cli.Usagef("--elastic_user: the password of %s is to be in the environment variable %s, which is empty", o.User, passwordVariable)
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

// on tells whether documents are written to an index.
func (o ElasticOptions) on() bool { return len(o.Hosts) > 0 }

// check finds what is wrong with the options.
func (o ElasticOptions) check(indexOnly bool) error {
	switch {
	case !o.on():
		return nil
	case indexOnly:
		return cli.Usagef("--elastic takes documents, and --format=cdxj alone makes none: write documents too, as with --format=jsonl,cdxj")
	case o.ID != "url" && o.ID != "capture":
		return cli.Usagef("--elastic_id: %q is neither url nor capture", o.ID)
	case o.BatchBytes <= 0 || min(o.ConnectTimeout, o.SocketTimeout, o.StartTimeout, o.RetryTimeout) <= 0:
		return cli.Usagef("--elastic_batch and the timeouts of --elastic must be positive")
	}
	if err := o.Check(); err != nil {
		return cli.Usagef("--elastic: %v", err)
	}
	return nil
}

// lasting are the options that change what is where; hosts without user and password.
func (o ElasticOptions) lasting() map[string]any {
	hosts := make([]string, len(o.Hosts))
	for i, h := range o.Hosts {
		hosts[i], _, _ = strings.Cut(secret.Hide(h), "#")
	}
	return map[string]any{"hosts": hosts, "index": o.Index, "type": o.Type, "documents": o.Model, "id": o.ID}
}

// addVersions adds the versions of what makes the documents.
func (o ElasticOptions) addVersions(v map[string]string) {
	if o.on() && o.Model == elastic.ACHE {
		v["boilerpipe"], v["term"] = boilerpipe.Version, term.Version
	}
}

// openElastic connects to the cluster; without --elastic the client is nil.
func openElastic(ctx context.Context, o ElasticOptions) (*elastic.Client, error) {
	if !o.on() {
		return nil, nil
	}
	to, err := o.withPassword()
	if err != nil {
		return nil, err
	}
	return elastic.Open(ctx, to)
}

// withPassword are the options of the client. The process of a worker knows no secrets of the one that sent it, and
// has the password from its environment.
func (o ElasticOptions) withPassword() (elastic.Options, error) {
	if o.User != "" && o.Password == "" {
		if o.Password = secret.Text(os.Getenv(passwordVariable)); o.Password == "" {
			return o.Options, fmt.Errorf("--elastic_user: the password of %s is to be in the environment variable %s of each "+
				"worker, where it is empty", o.User, passwordVariable)
		}
	}
	return o.Options, nil
}

// refresh has searches find what the run has written, where documents are written to an index. That they find it
// later is no failure of the run.
func (o ElasticOptions) refresh(ctx context.Context) {
	if !o.on() {
		return
	}
	to, err := o.withPassword()
	if err == nil {
		err = elastic.Refresh(ctx, to)
	}
	if err != nil {
		slog.Warn(fmt.Sprintf("%v; all documents are there, and searches find them after the index's refresh_interval", err))
	}
}

// indexed makes the document that the index gets of it; nil when it gets none.
func (e *engine) indexed(it *item) (*elastic.Document, error) {
	o := e.o.Elastic
	if !o.on() || o.Model == elastic.ACHE && !isStoredByACHE(it.cap) {
		return nil, nil
	}
	id := elastic.URLID(it.cap.RequestedURL())
	if o.ID == "capture" {
		id = elastic.CaptureID(it.doc)
	}
	if o.Model == elastic.ACHE {
		return &elastic.Document{ID: id, Source: ache.ElasticDocument(it.cap, e.enrich.HTML(it.cap)), Reject: elastic.RejectOf(it.doc)}, nil
	}
	d, err := elastic.FromDocument(it.doc, id)
	return &d, err
}

// isStoredByACHE tells whether ACHE would store such a capture: redirects and errors would take the place of the page.
func isStoredByACHE(c *schemas.Capture) bool {
	return c.RecordType != schemas.TypeRevisit && (c.Status == 0 || c.Status >= 200 && c.Status <= 299)
}

// openIndex has u write to the index, if there is one, and returns what gives that up.
func (e *engine) openIndex(ctx context.Context, u *unitRun) (abort func()) {
	if e.elastic == nil {
		return func() {}
	}
	u.elastic = e.elastic.NewWriter(ctx, u.refuse)
	return u.elastic.Abort
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

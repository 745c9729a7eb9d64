package job

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/boilerpipe"
	"github.com/gleaner-web/gleaner/transforms/term"
)

// ElasticOptions say to which index documents are written beside the output; without Hosts to none.
type ElasticOptions struct {
	elastic.Options
	ID string // what documents are known by: "url" or "capture"
}

// PasswordVariable is where the password is taken from: what stands on a command line is seen by all users of a
// machine.
const PasswordVariable = "ELASTIC_PASSWORD"

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
		if o.Password = secret.Text(os.Getenv(PasswordVariable)); o.Password == "" {
			return o.Options, fmt.Errorf("--elastic_user: the password of %s is to be in the environment variable %s of each "+
				"worker, where it is empty", o.User, PasswordVariable)
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

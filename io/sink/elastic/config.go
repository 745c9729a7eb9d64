package elastic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/transforms/boilerpipe"
	"github.com/gleaner-web/gleaner/transforms/term"
)

// Config selects the index for documents; without Hosts there is none. See [sink.Config].
type Config struct {
	Options
	ID     string // id of documents: byURL or byCapture
	CAFile string // the file that CA is read from
	Bytes  int64  // Options.BatchBytes
}

// The ids of documents.
const (
	byURL     = "url"     // so that one capture of a page replaces another
	byCapture = "capture" //
)

// PasswordVariable is the variable with the password, because all users of a machine see its command lines.
const PasswordVariable = "ELASTIC_PASSWORD"

// Settings returns the flags.
func (c *Config) Settings() []setting.Setting {
	return []setting.Setting{
		{
			Name: "elastic", Value: &c.Hosts, Example: "http://127.0.0.1:9200",
			Help: "hosts of a cluster, of Elasticsearch 1 to 9 or OpenSearch 1 to 3, in whose index documents are written " +
				"too, before their unit is done",
		},
		{
			Name: "elastic_documents", Value: (*string)(&c.Model), Default: string(Gleaner), Example: string(ACHE),
			Help: "what is written: gleaner for the documents of the output, ache for those that ACHE would write of pages",
		},
		{
			Name: "elastic_index", Value: &c.Index, Example: "crawl-2026",
			Help: "the index, which is made when it is not there; gleaner, or ache-data for ACHE's documents",
		},
		{
			Name: "elastic_type", Value: &c.Type, Default: "page", Example: "document",
			Help: "the documents' type, which servers before Elasticsearch 7 want",
		},
		{
			Name: "elastic_id", Value: &c.ID, Example: byURL,
			Help: "what a document is known by: url, so that one capture of a page takes the place of another, or capture; " +
				"capture, or url for ACHE's documents",
		},
		{
			Name: "elastic_user", Value: &c.User, Example: "writer",
			Help: "user, whose password is in the environment's " + PasswordVariable,
		},
		{
			Name: "elastic_ca", Value: &c.CAFile, Example: "ca.pem",
			Help: "file with the certificates to trust, in PEM, in place of the system's",
		},
		{
			Name: "elastic_batch", Rare: true, Value: &c.Bytes, Default: "5MiB", Example: "1MiB",
			Help: "bytes that are sent at once; each unit under way holds three times as much",
		},
		{
			Name: "elastic_connect_timeout", Rare: true, Value: &c.ConnectTimeout, Default: "30s", Example: "5s",
			Help: "how long a host may take to be connected",
		},
		{
			Name: "elastic_socket_timeout", Rare: true, Value: &c.SocketTimeout, Default: "1m", Example: "2m",
			Help: "how long it may take to answer then",
		},
		{
			Name: "elastic_start_timeout", Rare: true, Value: &c.StartTimeout, Default: "30s", Example: "2m",
			Help: "how long no host may answer at the start",
		},
		{
			Name: "elastic_retry_timeout", Rare: true, Value: &c.RetryTimeout, Default: "5m", Example: "1h",
			Help: "how long hosts that are down or busy are asked again before the run fails",
		},
	}
}

// Wanted reports whether documents are written to an index.
func (c *Config) Wanted() bool { return len(c.Hosts) > 0 }

// Complete hides the secrets in the hosts' URLs, reads the certificates and the password, and checks the options. A
// worker may call it again with the same result.
func (c *Config) Complete() error {
	if !c.Wanted() {
		return nil
	}
	// For ACHE's documents the defaults are those of ACHE, so that its own index can be continued.
	index, id := "gleaner", byCapture
	if c.Model == ACHE {
		index, id = "ache-data", byURL
	}
	// The flags store sizes as int64.
	c.Index, c.ID, c.BatchBytes = cmp.Or(c.Index, index), cmp.Or(c.ID, id), int(c.Bytes)
	for i, h := range c.Hosts {
		// From here on only hidden names are shown; the client reveals them.
		c.Hosts[i] = secret.Hide(h)
	}
	if err := c.findPassword(); err != nil {
		return err
	}
	// Read now, so that a worker needs no file of this machine.
	if c.CAFile != "" {
		pem, err := os.ReadFile(c.CAFile)
		if err != nil {
			return fmt.Errorf("--elastic_ca: %w", err)
		}
		c.CA = string(pem)
	}
	switch {
	case c.ID != byURL && c.ID != byCapture:
		return fmt.Errorf("--elastic_id: %q is neither url nor capture", c.ID)
	case c.BatchBytes <= 0 || min(c.ConnectTimeout, c.SocketTimeout, c.StartTimeout, c.RetryTimeout) <= 0:
		return errors.New("elastic_batch and the time-outs of --sink must be positive")
	}
	if err := c.Check(); err != nil {
		return fmt.Errorf("--elastic: %w", err)
	}
	return nil
}

// findPassword reads the user's password from the environment if it is unknown. A worker does not know the secrets of
// the process that sent it.
func (c *Config) findPassword() error {
	// There is no user, or the password is known.
	if c.User == "" || c.Password != "" {
		return nil
	}
	if c.Password = secret.Text(os.Getenv(PasswordVariable)); c.Password == "" {
		return fmt.Errorf("--elastic_user: the password of %s is to be in the environment variable %s, here and of each "+
			"worker, where it is empty", c.User, PasswordVariable)
	}
	return nil
}

// Lasting returns the settings that change the content or place of documents. Hosts are without user and password. They
// decide whether a later run continues with the same index.
func (c *Config) Lasting() map[string]any {
	hosts := make([]string, len(c.Hosts))
	for i, h := range c.Hosts {
		// The part after "#" depends on hidden parts, and would differ for another password.
		hosts[i], _, _ = strings.Cut(secret.Hide(h), "#")
	}
	return map[string]any{"hosts": hosts, "index": c.Index, "type": c.Type, "documents": c.Model, "id": c.ID}
}

// Versions returns the version of ACHE's documents; others have that of the output.
func (c *Config) Versions() map[string]string {
	if c.Model != ACHE {
		return nil
	}
	return map[string]string{"boilerpipe": boilerpipe.Version, "term": term.Version}
}

// Elsewhere returns an error for hosts with hidden parts. Only this process knows these, so a worker elsewhere could
// not use such a host.
func (c *Config) Elsewhere() error {
	for _, h := range c.Hosts {
		if secret.Hides(h) {
			return fmt.Errorf("--elastic: the user in %s would travel with the job, to be read by whoever sees jobs: "+
				"name it by --elastic_user, and have %s in the environment of the workers", h, PasswordVariable)
		}
	}
	return nil
}

// Open connects to the cluster.
func (c *Config) Open(ctx context.Context) (sink.Sink, error) {
	// A worker has the configuration, but not the password.
	if err := c.findPassword(); err != nil {
		return nil, err
	}
	client, err := Open(ctx, c.Options)
	if err != nil {
		return nil, err
	}
	return &index{client, c.ID == byURL}, nil
}

// Finish makes the run's documents visible to searches. It runs once at the end, because a refresh is expensive for the
// cluster.
func (c *Config) Finish(ctx context.Context) error {
	if err := c.findPassword(); err != nil {
		return err
	}
	if err := Refresh(ctx, c.Options); err != nil {
		return fmt.Errorf("%w; all documents are there, and searches find them after the index's refresh_interval", err)
	}
	return nil
}

// Package elastic writes documents to indexes of Elasticsearch 1 to 9 and OpenSearch 1 to 3, over HTTP. It sends
// batches to _bulk, as updates that create a missing document, so that writing one twice does no harm.
//
//	c, err := elastic.Open(ctx, elastic.Options{Hosts: []string{"http://127.0.0.1:9200"}, Index: "pages"})
//	if err != nil {
//		return err
//	}
//	defer c.Close()
//	w := c.NewWriter(ctx, func(r schemas.Reject) error { rejects = append(rejects, r); return nil })
//	for _, d := range documents {
//		if err := w.Write(d); err != nil {
//			return err
//		}
//	}
//	return w.Close() // when it returns nil, all documents are in the index
//
// A document that the server cannot take becomes a reject, and the others continue. If a server is busy (429), down or
// restarting, the client tries the next host, with growing pauses, until Options.RetryTimeout is over. A batch that is
// too large for the server (413) is halved.
//
// docs/formats/elasticsearch.md has the mappings.
package elastic

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// Options are the options of Open. They hold only text and numbers, so that they can travel to workers as JSON. The
// zero value takes the defaults, except that Hosts is required.
type Options struct {
	// Hosts are http or https URLs, or their names from package secret, which are tried in turn. The default port is
	// 9200.
	Hosts []string
	Index string // default "ache-data"
	Type  string // of documents, for servers before Elasticsearch 7; default "page"
	Model Model  // kind of documents, which determines the mapping of a new index; default ACHE

	User     string      // for HTTP Basic, which is used when there is a user
	Password secret.Text // as JSON only this process can decode it
	CA       string      // certificates in PEM to trust instead of the system's

	ConnectTimeout time.Duration // to connect to a host; 30 s
	SocketTimeout  time.Duration // from there to the end of an answer; 1 min
	StartTimeout   time.Duration // until some host answers, at start; 30 s
	RetryTimeout   time.Duration // until a batch fails; 5 min
	FirstPause     time.Duration // before another attempt at a host; doubles with each failure up to 10 s; 200 ms

	BatchBytes     int // a writer holds at most three times as many, or one document; 5 MiB
	BatchDocuments int // 1,000
}

const (
	maxPause  = 10 * time.Second
	userAgent = "gleaner"
)

// withDefaults replaces zero values.
func (o Options) withDefaults() Options {
	o.Index = cmp.Or(o.Index, "ache-data")
	o.Type = cmp.Or(o.Type, "page")
	o.Model = cmp.Or(o.Model, ACHE)
	o.ConnectTimeout = cmp.Or(o.ConnectTimeout, 30*time.Second)
	o.SocketTimeout = cmp.Or(o.SocketTimeout, time.Minute)
	o.StartTimeout = cmp.Or(o.StartTimeout, 30*time.Second)
	o.RetryTimeout = cmp.Or(o.RetryTimeout, 5*time.Minute)
	o.FirstPause = cmp.Or(o.FirstPause, 200*time.Millisecond)
	o.BatchBytes = cmp.Or(o.BatchBytes, 5<<20)
	o.BatchDocuments = cmp.Or(o.BatchDocuments, 1000)
	return o
}

// Check checks the options without a request to any host.
func (o Options) Check() error {
	_, err := newClient(o)
	return err
}

// ErrRefused means that a server refuses us: wrong credentials, no permission for the index, an untrusted certificate.
// Another attempt would not help.
var ErrRefused = errors.New("refused by the server")

// Client is a connection to a cluster. It is safe for concurrent use.
type Client struct {
	o       Options
	http    *http.Client
	version Version

	mu     sync.Mutex
	hosts  []*host
	turn   int // index of the next host
	random *rand.Rand
}

// Open finds out the version of the server, and makes the index with its mapping if it is missing.
func Open(ctx context.Context, o Options) (*Client, error) {
	c, err := newClient(o)
	if err != nil {
		return nil, err
	}
	if err := c.start(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Close closes the connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Version returns the version of the server.
func (c *Client) Version() Version { return c.version }

// newClient checks the options, without a request to any host.
func newClient(o Options) (*Client, error) {
	o = o.withDefaults()
	// A fixed seed is enough: pauses only have to differ from one attempt to the next.
	c := &Client{o: o, random: rand.New(rand.NewPCG(1, uint64(len(o.Hosts))))}
	if len(o.Hosts) == 0 {
		return nil, errors.New("elastic: no hosts")
	}
	// From here on messages hide the password everywhere.
	secret.Note(string(o.Password))
	for _, h := range o.Hosts {
		u, err := hostURL(h)
		if err != nil {
			return nil, err
		}
		c.hosts = append(c.hosts, &host{url: u})
	}
	if err := checkName(o.Index); err != nil {
		return nil, err
	}
	if o.Model != ACHE && o.Model != Gleaner {
		return nil, fmt.Errorf("elastic: there is no model %q; there are %s and %s", o.Model, ACHE, Gleaner)
	}
	pool, err := certificates(o.CA)
	if err != nil {
		return nil, err
	}
	c.http = &http.Client{
		Transport: &http.Transport{
			DialContext:         (&net.Dialer{Timeout: o.ConnectTimeout}).DialContext,
			TLSClientConfig:     &tls.Config{RootCAs: pool},
			TLSHandshakeTimeout: o.ConnectTimeout,
			MaxIdleConnsPerHost: 16,
			IdleConnTimeout:     time.Minute,
			Proxy:               http.ProxyFromEnvironment,
		},
		// A redirect would take the documents, and the password, elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// hostURL parses a host.
func hostURL(s string) (*url.URL, error) {
	s = secret.Hide(s)
	u, err := url.Parse(secret.Reveal(s))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" {
		return nil, fmt.Errorf("elastic: %q is no URL of a host, such as http://127.0.0.1:9200",
			s[strings.LastIndexByte(s, '@')+1:])
	}
	// The default port of both servers.
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), "9200")
	}
	return u, nil
}

// checkName checks that the name of an index is valid for all versions, and not a pattern.
func checkName(s string) error {
	if s == "." || s == ".." || len(s) > 255 || strings.ContainsAny(s[:1], "-_+") ||
		strings.ContainsAny(s, "\\/*?\"<>| ,#:") || strings.ToLower(s) != s {
		return fmt.Errorf(`elastic: %q is no name of an index: lower case, none of \/*?"<>|,#: and spaces, at most `+
			`255 bytes, no -, _ or + in front`, s)
	}
	return nil
}

// certificates returns the certificates to trust; nil means the system's own.
func certificates(pem string) (*x509.CertPool, error) {
	if pem == "" {
		return nil, nil
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM([]byte(pem)) {
		return nil, errors.New("elastic: there is no certificate in the CA file: it must be PEM")
	}
	return pool, nil
}

// Package elastic writes documents to indexes of Elasticsearch 1 to 9 and OpenSearch 1 to 3, over HTTP: batches to
// _bulk, as updates that make the document when it is not there, so that writing one twice does no harm.
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
//	return w.Close() // what was written is in the index when it returns nil
//
// What the server cannot take of a document is told as a reject, and the others go on. A server that is busy (429),
// down or starting again is asked again, the next host first, with pauses that grow, until Options.RetryTimeout is
// over. A batch that is too large for the server (413) is halved.
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

// Options of Open. They hold text and numbers alone, so that they can travel to workers as JSON. The zero value of all
// but Hosts takes the defaults.
type Options struct {
	// URLs, or their names of package secret, http or https; the port is 9200 where none is given. Tried in turn
	Hosts []string
	Index string // "ache-data"
	Type  string // of documents, which servers before Elasticsearch 7 have; "page"
	Model Model  // whose documents these are, and so the mapping of a new index; ACHE

	User     string      // for HTTP Basic, which is used when there is a user
	Password secret.Text // as JSON it is known to this process alone
	CA       string      // certificates in PEM to trust instead of the system's

	ConnectTimeout time.Duration // to connect to a host; 30 s
	SocketTimeout  time.Duration // from there to the end of an answer; 1 min
	StartTimeout   time.Duration // until some host answers, at start; 30 s
	RetryTimeout   time.Duration // until a batch is given up; 5 min
	FirstPause     time.Duration // before a host is asked again; doubles with each failure up to 10 s; 200 ms

	BatchBytes     int // a writer holds at most three times as many, or one document; 5 MiB
	BatchDocuments int // 1,000
}

const (
	maxPause  = 10 * time.Second
	userAgent = "gleaner"
)

// withDefaults fills what is zero.
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

// Check finds what is wrong with the options, without asking any host.
func (o Options) Check() error {
	_, err := newClient(o)
	return err
}

// ErrRefused is that a server does not let us: wrong credentials, no right to the index, a certificate that is not
// trusted. Asking again is no use.
var ErrRefused = errors.New("refused by the server")

// Client is a connection to a cluster. It may be used by several goroutines at the same time.
type Client struct {
	o       Options
	http    *http.Client
	version Version

	mu     sync.Mutex
	hosts  []*host
	turn   int // which host is next
	random *rand.Rand
}

// Open finds out which server it is, and makes the index with its mapping when it is not there.
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

// Close ends the connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Version is that of the server.
func (c *Client) Version() Version { return c.version }

// newClient asks no host: it only finds out whether the options are sound.
func newClient(o Options) (*Client, error) {
	o = o.withDefaults()
	// Seeded with a fixed number: pauses only have to differ from one attempt to the next.
	c := &Client{o: o, random: rand.New(rand.NewPCG(1, uint64(len(o.Hosts))))}
	if len(o.Hosts) == 0 {
		return nil, errors.New("elastic: no hosts")
	}
	// From here on messages hide it wherever it turns up.
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

// hostURL reads a host as it is given.
func hostURL(s string) (*url.URL, error) {
	s = secret.Hide(s)
	u, err := url.Parse(secret.Reveal(s))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" {
		return nil, fmt.Errorf("elastic: %q is no URL of a host, such as http://127.0.0.1:9200",
			s[strings.LastIndexByte(s, '@')+1:])
	}
	// The port that both servers listen on unless they are told otherwise.
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), "9200")
	}
	return u, nil
}

// checkName tells what is wrong with the name of an index: it is to be one that all versions take, and no pattern.
func checkName(s string) error {
	if s == "." || s == ".." || len(s) > 255 || strings.ContainsAny(s[:1], "-_+") ||
		strings.ContainsAny(s, "\\/*?\"<>| ,#:") || strings.ToLower(s) != s {
		return fmt.Errorf(`elastic: %q is no name of an index: lower case, none of \/*?"<>|,#: and spaces, at most `+
			`255 bytes, no -, _ or + in front`, s)
	}
	return nil
}

// certificates are those to trust; nil stands for the system's own.
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

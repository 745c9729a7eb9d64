package fetch

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/guard"
)

// keepFor is how long an unused connection is kept. Servers hang up after as little as 5 s. A closed connection is
// replaced without counting as an attempt.
const keepFor = 30 * time.Second

// connection is a connection to a server, or through a proxy.
type connection struct {
	net.Conn
	in     *bufio.Reader
	origin string
	ip     string // of the server; "" with a proxy
	proxy  string // prefix of the path in a request: the whole URL, for proxies of plain HTTP
	fields string // lines for the proxy alone
	used   bool   // by an earlier request
	sent   []byte // the request for the archive, without header fields for a proxy
	until  time.Time
}

// close hangs up. All needed bytes are here, so an error does not matter.
func (c *connection) close() { _ = c.Close() }

// dialer makes connections.
type dialer struct {
	o      Options
	guard  *guard.Guard
	tls    *tls.Config
	direct net.Dialer // checks each address
	free   net.Dialer // for proxies and Options.Hosts, which the user chose
}

func newDialer(o Options, g *guard.Guard) dialer {
	d := dialer{o: o, guard: g, free: net.Dialer{Timeout: o.Timeout}}
	d.direct = d.free
	// Checked for each address at the moment of dialling, so that a name that later resolves to a private address is
	// caught.
	d.direct.Control = g.Control
	// No protocol is offered, so that servers speak HTTP/1.1. TLS 1.0 and 1.1 are deprecated by RFC 8996.
	d.tls = &tls.Config{MinVersion: tls.VersionTLS12}
	return d
}

// dial connects to the place of t. ctx ends the connection; the deadline is for connecting alone.
func (d dialer) dial(ctx context.Context, t target) (*connection, error) {
	ctx, cancel := context.WithTimeout(ctx, d.o.Timeout)
	defer cancel()
	// Options.Hosts takes precedence over the proxy: it names the place to go to, with nothing in between.
	address, secure := net.JoinHostPort(t.host, t.port), t.scheme == "https"
	dialer := &d.direct
	if elsewhere, ok := d.o.Hosts[t.host]; ok {
		plain := strings.TrimPrefix(elsewhere, "http://")
		address, secure, dialer = plain, secure && plain == elsewhere, &d.free
	} else if proxy, err := d.guard.Proxy(&url.URL{Scheme: t.scheme, Host: address}); err != nil {
		// It has none of this package's kinds, because the user's settings are wrong and not a server.
		return nil, fmt.Errorf("the proxy that the environment names: %w", err)
	} else if proxy != nil {
		return d.byProxy(ctx, t, proxy)
	}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, unreachable(err)
	}
	c := &connection{Conn: conn, ip: ipOf(conn)}
	return d.finish(ctx, t, c, secure)
}

// finish starts TLS if needed.
func (d dialer) finish(ctx context.Context, t target, c *connection, secure bool) (*connection, error) {
	c.origin = t.origin()
	if secure {
		config := d.tls.Clone()
		// This is the name in the URL, even where Options.Hosts redirects the connection: the certificate must match
		// it.
		config.ServerName = t.host
		over := tls.Client(c.Conn, config)
		if err := over.HandshakeContext(ctx); err != nil {
			c.close()
			return nil, unreachable(err)
		}
		c.Conn = over
	}
	c.in = bufio.NewReaderSize(c.Conn, 16<<10)
	return c, nil
}

// byProxy connects to t through a proxy. For https it uses CONNECT (RFC 9110, section 9.3.6), for http a request with
// the whole URL (RFC 9112, section 3.2.2).
func (d dialer) byProxy(ctx context.Context, t target, proxy *url.URL) (*connection, error) {
	if proxy.Scheme != "http" {
		return nil, fmt.Errorf("a proxy of scheme %q is not supported", proxy.Scheme)
	}
	// The proxy resolves the name, so that Control would only see the proxy's own address.
	if err := d.guard.CheckHost(ctx, t.host); err != nil {
		return nil, err
	}
	port := proxy.Port()
	if port == "" {
		port = "80"
	}
	conn, err := d.free.DialContext(ctx, "tcp", net.JoinHostPort(proxy.Hostname(), port))
	if err != nil {
		return nil, unreachable(err)
	}
	// No ip: it would be the proxy's, and WARC-IP-Address is the server's.
	c := &connection{Conn: conn}
	fields := ""
	if u := proxy.User; u != nil {
		word, _ := u.Password()
		fields = "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(u.Username()+":"+word)) + "\r\n"
	}
	if t.scheme == "http" {
		c.proxy, c.fields = "http://"+t.authority(), fields
		return d.finish(ctx, t, c, false)
	}
	if err := tunnel(ctx, conn, net.JoinHostPort(t.host, t.port), fields); err != nil {
		c.close()
		return nil, unreachable(err)
	}
	return d.finish(ctx, t, c, true)
}

// tunnel makes a proxy connect to an address.
func tunnel(ctx context.Context, conn net.Conn, address, fields string) error {
	// The deadline is dial's time-out. talk sets another one before the first request.
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %[1]s\r\n%s\r\n", address, fields); err != nil {
		return err
	}
	// Nothing follows the header until we send something, so the buffer swallows nothing.
	head, err := readHead(bufio.NewReader(conn))
	if err != nil {
		return err
	}
	answer, err := parseHead(head, conn)
	if err != nil {
		return err
	}
	if answer.parsed.StatusCode != http.StatusOK {
		return fmt.Errorf("the proxy answers %d", answer.parsed.StatusCode)
	}
	return nil
}

// ipOf returns the address at the other end.
func ipOf(conn net.Conn) string {
	host, _, err := net.SplitHostPort(conn.RemoteAddr().String())
	if err != nil {
		return ""
	}
	return host
}

// unreachable gives an error of the network its kind. An error about a private address keeps its own.
func unreachable(err error) error {
	if errors.Is(err, ErrPrivate) || errors.Is(err, ErrProtocol) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnreachable, err)
}

package server

import (
	"net"
	"net/netip"
	"sync"

	"golang.org/x/net/netutil"

	"github.com/gleaner-web/gleaner/pipelines/server/account"
)

// The bounds of connections: of all, and of one network (see account.Network). Browsers open six to a server.
const (
	mostConns   = 1024
	mostConnsOf = 128
	// sendBuffer is what the system takes of an answer before its reader has, in bytes; Linux doubles it. Without it that
	// is some megabytes: a slow download would then seem to stand still, as nothing more is taken until a third is sent.
	// So 85 KiB within stallTime are the least speed in practice.
	sendBuffer = 128 << 10
)

// Bounded bounds the connections of a listener, all of them and those of a network. Loopback and proxies, after which
// many are, are not bounded by network. Connections over the first bound wait, those over the second are closed.
func Bounded(l net.Listener, proxies []netip.Prefix) net.Listener {
	b := &bounder{Listener: l, proxies: proxies, most: mostConnsOf, of: map[string]int{}}
	return netutil.LimitListener(b, mostConns)
}

// bounder bounds the connections of networks.
type bounder struct {
	net.Listener
	proxies []netip.Prefix
	most    int
	mu      sync.Mutex
	of      map[string]int
}

// Accept is that of net.Listener.
func (b *bounder) Accept() (net.Conn, error) {
	for {
		c, err := b.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if t, is := c.(*net.TCPConn); is {
			_ = t.SetWriteBuffer(sendBuffer) // the system's own serves as well
		}
		ip := addressOf(c.RemoteAddr().String())
		if !ip.IsValid() || ip.IsLoopback() || contains(b.proxies, ip) {
			return c, nil
		}
		if network := account.Network(ip.String()); b.enter(network) {
			return &counted{Conn: c, leave: sync.OnceFunc(func() { b.leave(network) })}, nil
		}
		_ = c.Close() // nothing was read or written
	}
}

func (b *bounder) enter(network string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.of[network] >= b.most {
		return false
	}
	b.of[network]++
	return true
}

func (b *bounder) leave(network string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.of[network]--; b.of[network] == 0 {
		delete(b.of, network)
	}
}

// counted is a connection that counts until it is closed.
type counted struct {
	net.Conn
	leave func()
}

// Close is that of net.Conn.
func (c *counted) Close() error {
	c.leave()
	return c.Conn.Close()
}

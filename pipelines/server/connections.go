package server

import (
	"net"
	"net/netip"
	"sync"

	"golang.org/x/net/netutil"

	"github.com/gleaner-web/gleaner/pipelines/server/account"
)

// Bounds of connections: in total, and for one network (see account.Network). Browsers open six to a server.
const (
	mostConns   = 1024
	mostConnsOf = 128
	// sendBuffer is the number of bytes that the system buffers of an answer; Linux doubles it. The default is some
	// megabytes. With that a slow download would seem stalled, as no more is accepted until a third is sent. So the
	// effective minimum speed is 85 KiB within stallTime.
	sendBuffer = 128 << 10
)

// Bounded bounds the connections of a listener in total and for each network. Networks of loopback and proxies, which
// many users share, have no bound. Connections over the first bound wait; those over the second are closed.
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

// Accept implements net.Listener.
func (b *bounder) Accept() (net.Conn, error) {
	for {
		c, err := b.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if t, is := c.(*net.TCPConn); is {
			_ = t.SetWriteBuffer(sendBuffer) // the system's default works as well
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

// Close implements net.Conn.
func (c *counted) Close() error {
	c.leave()
	return c.Conn.Close()
}

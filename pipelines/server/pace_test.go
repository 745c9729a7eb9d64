package server

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"testing"
	"time"
)

// pacedServer answers by h, over HTTP/2 if two is set. Its connections buffer little.
func pacedServer(t *testing.T, two bool, h http.HandlerFunc) (*httptest.Server, *http.Client) {
	t.Helper()
	s := httptest.NewUnstartedServer(paced(time.Second, h))
	s.Listener, s.EnableHTTP2 = Bounded(s.Listener, nil), two
	if two {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s, s.Client()
}

// TestPaced: slow readers get everything, clients that read nothing are dropped, and computing is not limited.
func TestPaced(t *testing.T) {
	for _, two := range []bool{false, true} {
		t.Run(map[bool]string{false: "HTTP/1.1", true: "HTTP/2"}[two], func(t *testing.T) {
			t.Parallel()
			left := make(chan error, 1)
			s, c := pacedServer(t, two, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/think" {
					time.Sleep(1500 * time.Millisecond)
				}
				parts := 64
				if r.URL.Path == "/nothing" {
					parts = 1024 // more than any buffer or window holds
				}
				for range parts {
					if _, err := w.Write(make([]byte, 64<<10)); err != nil {
						left <- err
						panic(http.ErrAbortHandler)
					}
				}
			})
			for path, pause := range map[string]time.Duration{"/slow": 25 * time.Millisecond, "/think": 0} {
				a, err := c.Get(s.URL + path)
				if err != nil {
					t.Fatalf("%s: %v", path, err)
				}
				n, part := 0, make([]byte, 64<<10)
				for err == nil {
					var m int
					m, err = io.ReadFull(a.Body, part)
					n += m
					time.Sleep(pause)
				}
				if _ = a.Body.Close(); n != 4<<20 {
					t.Errorf("%s: %d bytes, then %v, want all 4 MiB", path, n, err)
				}
			}
			begin := time.Now()
			a, err := c.Get(s.URL + "/nothing")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = a.Body.Close() }() // the body is not needed
			select {
			case err := <-left:
				if !two && !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("a reader who takes nothing: %v", err)
				}
				if took := time.Since(begin); took < 900*time.Millisecond {
					t.Errorf("a reader who takes nothing is left after %v", took)
				}
			case <-time.After(20 * time.Second):
				t.Error("a reader who takes nothing keeps the answer for ever")
			}
		})
	}
}

// from is a connection from an address.
type from struct {
	net.Conn
	address string
	closed  *int
}

func (f from) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(f.address), 1))
}

func (f from) Close() error {
	*f.closed++
	return nil
}

// queue is a listener with waiting connections.
type queue struct {
	net.Listener
	waiting []net.Conn
}

func (q *queue) Accept() (net.Conn, error) {
	if len(q.waiting) == 0 {
		return nil, io.EOF
	}
	c := q.waiting[0]
	q.waiting = q.waiting[1:]
	return c, nil
}

func TestBounder(t *testing.T) {
	for _, test := range []struct {
		name      string
		addresses []string
		accepted  int
	}{
		{"one address", []string{"192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.1"}, 2},
		{"a /64", []string{"2001:db8::1", "2001:db8::2", "2001:db8::ffff:1", "2001:db8:0:1::1"}, 3},
		{"IPv4 in IPv6", []string{"::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"}, 3},
		{"a proxy", []string{"10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2"}, 4},
		{"loopback", []string{"127.0.0.1", "127.0.0.1", "::1", "::1"}, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			closed, q := 0, &queue{}
			for _, a := range test.addresses {
				q.waiting = append(q.waiting, from{nil, a, &closed})
			}
			proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
			b := &bounder{Listener: q, proxies: proxies, most: 2, of: map[string]int{}}
			var list []net.Conn
			for {
				c, err := b.Accept()
				if err != nil {
					break
				}
				list = append(list, c)
			}
			if len(list) != test.accepted || closed != len(test.addresses)-test.accepted {
				t.Errorf("%d accepted and %d closed, want %d accepted", len(list), closed, test.accepted)
			}
			for _, c := range list {
				_, _ = c.Close(), c.Close() // twice, as net/http may
			}
			if len(b.of) != 0 {
				t.Errorf("after all are closed %v are counted", b.of)
			}
		})
	}
}

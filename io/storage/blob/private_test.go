package blob

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// proxyFor starts a proxy that answers everything itself, and has the environment name it.
func proxyFor(t *testing.T, asked *atomic.Int64) *Store {
	t.Helper()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if strings.HasPrefix(r.URL.Path, "/to/") {
			http.Redirect(w, r, "http://"+strings.TrimPrefix(r.URL.Path, "/to/")+"/", http.StatusFound)
			return
		}
		http.ServeContent(w, r, "", time.Unix(1e9, 0), strings.NewReader("secrets of the machine"))
	}))
	t.Cleanup(proxy.Close)
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("NO_PROXY", "")
	store := New(Options{Patience: Patience{First: time.Millisecond, Last: time.Millisecond, Stall: time.Second}})
	t.Cleanup(func() { _ = store.Close() })
	return store
}

func TestAttack12_proxiesAreNotAskedForPrivateHosts(t *testing.T) {
	var asked atomic.Int64
	store := proxyFor(t, &asked)
	for _, host := range []string{
		"169.254.169.254", "10.0.0.1:8080", "0x7f.1", "2130706433", "017700000001", "0xa9fea9fe", "169.254.43518",
		"[::ffff:127.0.0.1]", "[::1]",
		"[fe80::1%25eth0]", "[::7f00:1]", "10.0.0.1.", "１６９.254.169.254", "169。254。169。254", "metadata",
		"metadata.google.internal",
		"metadata.google.internal.", "printer.local", "router.lan", "a.localhost", "127.0.0.1", "localhost",
	} {
		o, err := store.Open(t.Context(), "http://"+host+"/latest/meta-data/")
		if err == nil {
			_ = o.Close()
		}
		if !errors.Is(err, ErrPrivate) {
			t.Errorf("%s: %v, want %v", host, err, ErrPrivate)
		}
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("the proxy was asked %d times", n)
	}
	if _, err := store.Open(t.Context(), "http://93.184.216.34/to/169.254.169.254"); !errors.Is(err, ErrPrivate) ||
		asked.Load() != 1 {
		t.Errorf("redirected: %v, %d requests; want %v, and one", err, asked.Load(), ErrPrivate)
	}
	o, err := store.Open(t.Context(), "http://93.184.216.34/a")
	if err != nil {
		t.Fatalf("a public address: %v", err)
	}
	_ = o.Close()
}

// TestAttack12_theProxyIsNoInput: its own address is not an exception from the rule when it is named as an input.
func TestAttack12_theProxyIsNoInput(t *testing.T) {
	var asked atomic.Int64
	store := proxyFor(t, &asked)
	p, err := newGuarded(false).guard.Proxy(&url.URL{Scheme: "http", Host: "example.com"})
	if err != nil || p == nil {
		t.Fatalf("%v, %v", p, err)
	}
	if _, err := store.Open(t.Context(), p.String()+"/squid-internal-mgr/menu"); !errors.Is(err, ErrPrivate) ||
		asked.Load() > 0 {
		t.Errorf("%v after %d requests, want %v", err, asked.Load(), ErrPrivate)
	}
}

// dripping serves size bytes, of which each request gets some at once and then one byte a while.
func dripping(t *testing.T, size, first int, while time.Duration, closes bool) (*Store, string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		if r.Method == http.MethodHead {
			w.Header().Set("Content-Length", strconv.Itoa(size))
			return
		}
		from, _, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Range"), "bytes="), "-")
		off, _ := strconv.Atoi(from)
		w.Header().Set("Content-Range", "bytes "+strconv.Itoa(off)+"-"+strconv.Itoa(size-1)+"/"+strconv.Itoa(size))
		w.WriteHeader(http.StatusPartialContent)
		_, _ = io.WriteString(w, strings.Repeat("x", min(first, size-off)))
		for i := off + first; i < size && r.Context().Err() == nil; i++ {
			_ = http.NewResponseController(w).Flush()
			time.Sleep(while)
			_, _ = io.WriteString(w, "x")
			if closes && i > off+first+3 {
				return
			}
		}
	}))
	t.Cleanup(server.Close)
	store := New(Options{PrivateHosts: true, Patience: Patience{
		First: time.Millisecond, Last: time.Millisecond,
		Stall: 100 * time.Millisecond,
	}})
	t.Cleanup(func() { _ = store.Close() })
	return store, server.URL + "/a"
}

// TestAttack12_aDrippingServerIsGivenUp: also when it ends its answers before their time is over.
func TestAttack12_aDrippingServerIsGivenUp(t *testing.T) {
	for name, closes := range map[string]bool{"drips on": false, "closes": true} {
		t.Run(name, func(t *testing.T) {
			store, url := dripping(t, 1<<20, 0, 10*time.Millisecond, closes)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			o, err := store.Open(ctx, url)
			if err != nil {
				t.Fatal(err)
			}
			defer o.Close()
			if n, err := o.ReadAt(make([]byte, 1<<20), 0); err == nil || ctx.Err() != nil {
				t.Errorf("%d bytes, %v; want an error before the test gives up", n, err)
			}
		})
	}
}

// TestAttack12_aReaderThatPausesIsNoDrippingServer: the time between two reads is not the server's.
func TestAttack12_aReaderThatPausesIsNoDrippingServer(t *testing.T) {
	store, url := dripping(t, 3000, 3000, time.Millisecond, false)
	o, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	for i := range int64(3) {
		if n, err := o.ReadAt(make([]byte, 1000), 1000*i); n != 1000 || err != nil {
			t.Fatalf("read %d: %d bytes, %v", i, n, err)
		}
		time.Sleep(150 * time.Millisecond)
	}
}

func TestGuard(t *testing.T) {
	// A name that leads into the private network is refused when it is dialled, and not asked again.
	_, err := New(Options{}).Open(t.Context(), "http://localhost:1/a")
	if !errors.Is(err, ErrPrivate) {
		t.Errorf("localhost: %v", err)
	}
}

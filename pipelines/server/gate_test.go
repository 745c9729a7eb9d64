package server

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// TestUnder: names of collections may begin with the name of a service.
func TestUnder(t *testing.T) {
	for _, test := range []struct {
		path, service string
		want          bool
	}{
		{"/jobs", "/jobs", true},
		{"/jobs/7", "/jobs", true},
		{"/jobs-2025/search", "/jobs", false},
		{"/cdx", "/cdx", true},
		{"/cdx-2024", "/cdx", false},
		{"/openapi.json", "/openapi", true},
		{"/openapi-x", "/openapi", false},
		{"/timemap/link/http://example.org/", "/timemap/", true},
		{"/wasapi/v1/files/a", "/wasapi/v1/files/", true},
	} {
		if got := under(test.path, test.service); got != test.want {
			t.Errorf("under(%q, %q) = %t, want %t", test.path, test.service, got, test.want)
		}
	}
}

// slow is a client that requests a path, and reads nothing of the answer until the test ends.
func slow(t *testing.T, s *httptest.Server, path, name string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() }) // all of it is over by then
	_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
	if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\nName: %s\r\n\r\n", path, name); err != nil {
		t.Fatal(err)
	}
	return c
}

// gatedServer answers with 16 MiB to ?large, else with "ok", through the gate. It sends to begun for each large
// answer.
func gatedServer(t *testing.T, g *gate) (*httptest.Server, chan struct{}) {
	begun := make(chan struct{}, 100)
	one := &server{gate: g}
	h := one.gated(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "large" {
			_, _ = io.WriteString(w, "ok") // the client has left
			return
		}
		begun <- struct{}{}
		for range 256 {
			if _, err := w.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	}))
	s := httptest.NewServer(paced(stallTime, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := view.Actor{Name: r.Header.Get("Name"), Open: r.Header.Get("Name") == ""}
		h.ServeHTTP(w, r.WithContext(view.WithActor(r.Context(), a)))
	})))
	t.Cleanup(s.Close)
	return s, begun
}

// asks requests a path and returns the status and the body.
func asks(t *testing.T, s *httptest.Server, path, name string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", s.URL+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Name", name)
	a, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatalf("GET %s: %v", path, err)
	}
	defer func() { _ = a.Body.Close() }() // it is read
	b, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatalf("GET %s: %v", path, err)
	}
	return a.StatusCode, string(b)
}

// TestGated_slowReaders: clients that do not read block nobody else, in any lane.
func TestGated_slowReaders(t *testing.T) {
	for _, path := range []string{
		"/api/v1/export", "/cdx", "/cdx/search/cdx", "/wasapi/v1/files/a", "/shelf", "/timemap/link/x",
	} {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			g := newGate()
			s, begun := gatedServer(t, g)
			n := cap(g.lane(path).turns) + 3
			for range n {
				slow(t, s, path+"?large", "")
			}
			for range n {
				<-begun
			}
			if status, body := asks(t, s, path, ""); status != 200 || body != "ok" {
				t.Errorf("beside %d slow readers: %d %s", n, status, body)
			}
			if status, body := asks(t, s, path+"?large", ""); status != 200 || len(body) != 16<<20 {
				t.Errorf("a whole answer beside them: %d, %d bytes", status, len(body))
			}
		})
	}
}

// TestGated_mostOfOne: the number of unfinished answers of a user is limited, and others are still served.
func TestGated_mostOfOne(t *testing.T) {
	g := newGate()
	g.long = newLane(2, 5, 3)
	s, begun := gatedServer(t, g)
	path := "/api/v1/export"
	var mine []net.Conn
	for range 3 {
		mine = append(mine, slow(t, s, path+"?large", "ada"))
		<-begun
	}
	if status, body := asks(t, s, path, "ada"); status != 503 || !strings.Contains(body, "busy") {
		t.Errorf("a fourth one: %d %s, want 503", status, body)
	}
	if status, _ := asks(t, s, path, "bob"); status != 200 {
		t.Errorf("another account: %d", status)
	}
	slow(t, s, path+"?large", "bob")
	slow(t, s, path+"?large", "bob")
	<-begun
	<-begun
	if status, _ := asks(t, s, path, "eve"); status != http.StatusServiceUnavailable {
		t.Errorf("a sixth one of all: %d, want 503", status)
	}
	for _, c := range mine {
		_ = c.Close() // this ends its answer
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if status, _ := asks(t, s, path, "ada"); status == 200 {
			break
		} else if time.Now().After(end) {
			t.Fatalf("after its clients are gone: %d", status)
		}
	}
}

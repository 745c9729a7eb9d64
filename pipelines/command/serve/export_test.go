package serve

import (
	"net"
	"path/filepath"
	"slices"
	"testing"
)

func TestMissing(t *testing.T) {
	empty := t.TempDir()
	typo := filepath.Join(empty, "nosuch")
	got := missing([]string{empty, typo, "gs://bucket/new"})
	if !slices.Equal(got, []string{typo}) {
		t.Errorf("missing = %q, want %q alone: an empty folder is there, and a bucket cannot be asked", got, typo)
	}
}

func TestReachable(t *testing.T) {
	any4, any6 := &net.TCPAddr{IP: net.IPv4zero, Port: 8080}, &net.TCPAddr{IP: net.IPv6unspecified, Port: 8080}
	named := config{hosts: []string{"archive.example.org", "other.example.org"}}
	if got := named.reachable(any6); got != "archive.example.org:8080" {
		t.Errorf("with a name: %s", got)
	}
	for _, at := range []net.Addr{any4, any6} {
		got := (&config{}).reachable(at)
		host, port, err := net.SplitHostPort(got)
		if ip := net.ParseIP(host); err != nil || port != "8080" || ip != nil && ip.IsUnspecified() {
			t.Errorf("%s is to be opened at %s", at, got)
		}
	}
	if got := named.reachable(&net.TCPAddr{IP: net.IPv6loopback, Port: 1}); got != "[::1]:1" {
		t.Errorf("an address of its own: %s", got)
	}
}

func TestFreeName(t *testing.T) {
	taken := map[string]bool{}
	for _, c := range []struct{ collection, want string }{
		{"out", "out.html"},
		{"/data/crawl/out/", "out-2.html"},
		{`C:\crawls\out`, "out-3.html"},
		{"gs://bucket/crawl-2026", "crawl-2026.html"},
		{".", "collection.html"},
		{"../..", "collection-2.html"},
		{"/", "collection-3.html"},
	} {
		if got := freeName(c.collection, taken); got != c.want {
			t.Errorf("freeName(%q) = %q, want %q", c.collection, got, c.want)
		}
	}
}

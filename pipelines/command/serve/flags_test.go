package serve

import (
	"errors"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/server/account"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// parsed reads a command line as the command does.
func parsed(t *testing.T, args ...string) (config, error) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	before := flag.CommandLine
	defer func() { flag.CommandLine = before }()
	flag.CommandLine = flag.NewFlagSet("serve", flag.ContinueOnError)
	flag.CommandLine.SetOutput(io.Discard)
	return parse(args)
}

// TestIsLoopback: an address that others may reach needs accounts, and one that is not understood counts as such.
func TestIsLoopback(t *testing.T) {
	for addr, want := range map[string]bool{
		"127.0.0.1:8080": true, "127.9.9.9:1": true, "[::1]:0": true, "localhost:80": true, "[::ffff:127.0.0.1]:80": true,
		":8080": false, "0.0.0.0:80": false, "[::]:80": false, "192.168.1.1:80": false, "archive.example:80": false,
		"localhost.example:80": false, "127.1:80": false, "[fe80::1%eth0]:80": false,
	} {
		if got, err := isLoopback(addr); got != want || err != nil {
			t.Errorf("isLoopback(%q) = %v, %v", addr, got, err)
		}
	}
	for _, addr := range []string{"", "8080", "127.0.0.1", "::1", "[::1]", "a:b:c", "http://127.0.0.1:80"} {
		if got, err := isLoopback(addr); err == nil || got {
			t.Errorf("isLoopback(%q) = %v, %v", addr, got, err)
		}
	}
}

func TestPrefixOf(t *testing.T) {
	for text, inside := range map[string]string{
		"10.0.0.1": "10.0.0.1", "10.0.0.1/8": "10.255.0.1", "::1": "::1", "2001:db8::/32": "2001:db8:1::1",
		"0.0.0.0/0": "8.8.8.8",
	} {
		p, err := prefixOf(text)
		if err != nil || !p.Contains(netip.MustParseAddr(inside)) {
			t.Errorf("prefixOf(%q) = %v, %v", text, p, err)
		}
	}
	if p, err := prefixOf("10.0.0.1"); err != nil || p.Contains(netip.MustParseAddr("10.0.0.2")) {
		t.Errorf("an address is a network of others: %v, %v", p, err)
	}
	for _, text := range []string{"", "10.0.0", "10.0.0.0/33", "proxy.example", "10.0.0.1:80", "::/129"} {
		if p, err := prefixOf(text); err == nil {
			t.Errorf("prefixOf(%q) = %v", text, p)
		}
	}
}

// TestParse: collections are named by flags, arguments or not at all, and the address decides about accounts.
func TestParse(t *testing.T) {
	for _, tt := range []struct {
		line        string
		collections string
		open        bool
		inputs      string
		origin      string
	}{
		{"", "out", true, ".", "127.0.0.1:0"},
		{"a b", "a b", true, ".", "127.0.0.1:0"},
		{"--collection=a,b c", "a b c", true, ".", "127.0.0.1:0"},
		{"--addr=[::1]:9000 --inputs=/w", "out", true, "/w", "[::1]:0"},
		{"--addr=0.0.0.0:80", "out", false, "", ""},
		{"--addr=0.0.0.0:80 --replay_origin=https://Replay.example.org/x/", "out", false, "", "https://Replay.example.org"},
		{"--addr=0.0.0.0:80 --replay_origin=0.0.0.0:81", "out", false, "", "0.0.0.0:81"},
	} {
		c, err := parsed(t, strings.Fields(tt.line)...)
		if err != nil || strings.Join(c.collections, " ") != tt.collections || c.open != tt.open || c.inputs != tt.inputs ||
			c.replayOrigin != tt.origin || c.state == "" {
			t.Errorf("%q: %q, open %v, inputs %q, origin %q, state %q, %v", tt.line, c.collections, c.open, c.inputs,
				c.replayOrigin,
				c.state, err)
		}
	}
	c, err := parsed(t, "--trusted_proxies=10.0.0.1,192.168.0.0/16", "--state=/s")
	if err != nil || len(c.proxies) != 2 || c.state != "/s" {
		t.Errorf("%v, %q, %v", c.proxies, c.state, err)
	}
}

// TestParse_refused: a command line that cannot be followed is a mistake that names the flag.
func TestParse_refused(t *testing.T) {
	for line, want := range map[string]string{
		"--addr=8080":                      "--addr=8080",
		"--replay=http://127.0.0.1/all":    "{url}",
		"--replay_origin=ftp://a.example/": "--replay_origin",
		"--replay_origin=https://":         "--replay_origin",
		"--replay_origin=81":               "--replay_origin",
		"--replay_origin=0.0.0.0:81":       "loopback",
		"--trusted_proxies=proxy.example":  "--trusted_proxies",
		"--state=s3://bucket/x":            "--state",
		"--tls_cert=/none --tls_key=/none": "/none",
		"--tls_cert=/none":                 "tls_",
		"--unknown":                        "unknown",
	} {
		_, err := parsed(t, strings.Fields(line)...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want a mistake that names %q", line, err, want)
		}
	}
}

// TestStateDir: a collection has the same state from wherever the server starts, and others have another one.
func TestStateDir(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	dir := t.TempDir()
	t.Chdir(dir)
	var got []string
	for _, list := range [][]string{
		{"out"},
		{filepath.Join(dir, "out"), "more"},
		{"./out/"},
		{"other"},
		{"gs://bucket/out"},
	} {
		state, err := stateDir(list)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, state)
	}
	if got[0] != got[1] || got[0] != got[2] || len(slices.Compact(slices.Sorted(slices.Values(got)))) != 3 {
		t.Errorf("states %q, want three", got)
	}
	if _, err := stateDir(nil); err == nil {
		t.Error("no collection has a state")
	}
}

// TestDivided: requests for the replay's name go to its handler, and all others to the pages.
func TestDivided(t *testing.T) {
	answer := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) })
	}
	c := config{replayOrigin: "https://Replay.example.org"}
	h := c.divided(&replayer{handler: answer("replay")}, answer("pages"))
	for host, want := range map[string]string{
		"replay.example.org": "replay", "REPLAY.example.org": "replay", "archive.example.org": "pages", "": "pages",
		"replay.example.org.evil.example": "pages", "x.replay.example.org": "pages",
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = host
		if h.ServeHTTP(w, r); w.Body.String() != want {
			t.Errorf("the host %q gets %s, want %s", host, w.Body, want)
		}
	}
}

// TestKeep: accounts are added, changed and removed by the command, and mistakes end with its usage.
func TestKeep(t *testing.T) {
	s, err := account.Open(t.Context(), filepath.Join(t.TempDir(), "accounts.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // the test is over
	before := os.Stdin
	defer func() { os.Stdin = before }()
	for _, tt := range []struct {
		deed, name, input string
		code              int
	}{
		{"add", "ada", "a long enough password\r\nmore", cli.ExitDone},
		{"add", "ada", "a long enough password\n", cli.ExitUsage},
		{"add", "bob", "short", cli.ExitUsage},
		{"add", "", "a long enough password\n", cli.ExitUsage},
		{"password", "ada", "another long password", cli.ExitDone},
		{"password", "nobody", "another long password", cli.ExitUsage},
		{"role", "ada", "", cli.ExitDone},
		{"role", "nobody", "", cli.ExitUsage},
		{"remove", "nobody", "", cli.ExitUsage},
		{"ban", "ada", "", cli.ExitUsage},
	} {
		name := filepath.Join(t.TempDir(), "input")
		if err := os.WriteFile(name, []byte(tt.input), 0o600); err != nil {
			t.Fatal(err)
		}
		if os.Stdin, err = os.Open(name); err != nil {
			t.Fatal(err)
		}
		code, err := keep(t.Context(), s, tt.deed, tt.name, int(view.Editor))
		_ = os.Stdin.Close() // it was only read
		var usage *cli.UsageError
		if code != tt.code || (code == cli.ExitUsage) != errors.As(err, &usage) {
			t.Errorf("%s %s: %d, %v; want %d", tt.deed, tt.name, code, err, tt.code)
		}
	}
	if list, err := s.Users(t.Context()); err != nil || len(list) != 1 || list[0].Role != int(view.Editor) {
		t.Errorf("the users are %+v, %v", list, err)
	}
}

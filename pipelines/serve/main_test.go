package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"
)

// asCommand is the environment variable that makes the test binary the program.
const asCommand = "GLEANER_TEST_SERVE"

func TestMain(m *testing.M) {
	docsandbox.Main() // for child processes that read documents
	if os.Getenv(asCommand) != "" {
		main() // does not return
	}
	os.Exit(m.Run())
}

// run runs a command to its end: serve, or with job set, a command for its jobs.
func run(t testing.TB, job bool, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	if job {
		cmd.Env = append(cmd.Env, "GLEANER_JOB=1")
	}
	cmd.Stdin = strings.NewReader(stdin)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	_ = cmd.Run() // the exit code shows the error
	return out.String(), said.String(), cmd.ProcessState.ExitCode()
}

// ingest writes a collection of archives.
func ingest(t testing.TB, out string, archives ...string) {
	t.Helper()
	_, stderr, code := run(t, true, "", append([]string{"ingest", "--output=" + out}, archives...)...)
	if code != 0 && code != 3 {
		t.Fatalf("ingest: exit code %d\n%s", code, stderr)
	}
}

// archives returns the folder of the test archives.
func archives(t testing.TB) string {
	t.Helper()
	path, err := filepath.Abs("../../testdata/archives")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// server is a running server.
type server struct {
	t       testing.TB
	base    string // http://127.0.0.1:port
	printed string // the URL in its output
	cmd     *exec.Cmd

	mu  sync.Mutex
	log bytes.Buffer
}

// Write receives the server's output.
func (s *server) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Write(p)
}

func (s *server) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// start starts a server on a free port, and waits for its URL.
func start(t testing.TB, args ...string) *server {
	t.Helper()
	s := &server{t: t}
	standard := []string{"--addr=127.0.0.1:0", "--log_level=debug"}
	s.cmd = exec.Command(os.Args[0], append(standard, args...)...)
	s.cmd.Env = append(os.Environ(), asCommand+"=1")
	s.cmd.Stderr = s
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.kill(syscall.SIGKILL) })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the server did not say where it is: %v\n%s", err, s.said())
	}
	// Requests to a server on all addresses use loopback, so that the log has the same address on every machine.
	s.printed = strings.TrimSpace(line)
	s.base = regexp.MustCompile(`//.*(:\d+)/$`).ReplaceAllString(s.printed, "//127.0.0.1$1")
	return s
}

func (s *server) kill(sig syscall.Signal) {
	_ = s.cmd.Process.Signal(sig) // it may have ended
	_, _ = s.cmd.Process.Wait()   // likewise
}

// get requests a path, and checks the status.
func (s *server) get(path string, status int) string {
	s.t.Helper()
	r, err := http.Get(s.base + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }() // nothing of it is used afterwards
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != status {
		s.t.Fatalf("GET %s: %s, %v, want %d\n%.500s", path, r.Status, err, status, body)
	}
	return string(body)
}

// json requests a path of the API and decodes the response.
func (s *server) json(path string, to any) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(s.get(path, http.StatusOK)), to); err != nil {
		s.t.Fatalf("GET %s: %v", path, err)
	}
}

// send sends an API request, and returns the status and the body.
func (s *server) send(method, path, body string, headers ...string) (int, string) {
	s.t.Helper()
	r, err := http.NewRequest(method, s.base+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if r.Header.Set(name, value); name == "Host" {
			r.Host = value
		}
	}
	a, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = a.Body.Close() }() // nothing of it is used afterwards
	answer, _ := io.ReadAll(a.Body)       // a partial body is compared too
	return a.StatusCode, string(answer)
}

// ready waits for the index of all collections.
func (s *server) ready() {
	s.t.Helper()
	s.until("the index is ready", time.Minute, func() bool {
		var list struct {
			Collections []struct {
				Version string
				Index   struct{ Ready bool }
			}
		}
		s.json("/api/v1/collections", &list)
		for _, c := range list.Collections {
			if !c.Index.Ready && c.Version != "" {
				return false
			}
		}
		return true
	})
}

// until waits for a condition.
func (s *server) until(what string, most time.Duration, holds func() bool) {
	s.t.Helper()
	for end := time.Now().Add(most); !holds(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			// The requests of this loop would hide the other lines.
			said := requests.ReplaceAllString(s.said(), "")
			s.t.Fatalf("after %v not yet: %s\n…%s", most, what, said[max(0, len(said)-4000):])
		}
	}
}

// requests are the lines of the log about requests.
var requests = regexp.MustCompile(`(?m)^.*debug: request method=.*\n`)

// shelf makes a collection of the test archives once.
var shelf = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "gleaner-serve-")
	if err != nil {
		panic(err)
	}
	return filepath.Join(dir, "shelf")
})

var made sync.Once

func collection(t testing.TB) string {
	t.Helper()
	made.Do(func() { ingest(t, shelf(), archives(t)) })
	return shelf()
}

// browser returns a client that keeps cookies and follows no redirect.
func browser(t testing.TB) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, CheckRedirect: func(*http.Request,
		[]*http.Request,
	) error {
		return http.ErrUseLastResponse
	}}
}

func read(t testing.TB, r *http.Response, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }() // nothing of it is used afterwards
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestServe_firstMinute(t *testing.T) {
	s := start(t, "--collection="+collection(t), "--state="+t.TempDir())
	s.ready()
	var o struct{ Captures, Addresses, Hosts int64 }
	s.json("/api/v1/overview", &o)
	if o.Captures != 121 || o.Addresses != 113 {
		t.Errorf("overview: %+v, want 121 captures of 113 addresses", o)
	}
	for _, path := range []string{
		"/shelf", "/shelf/search?query=harbour", "/shelf/hosts", "/shelf/hosts/www.harbour-gazette.example",
		"/shelf/entities",
		"/shelf/runs", "/shelf/runs/1", "/jobs", "/jobs/new", "/datasets", "/healthz", "/openapi.json",
		"/shelf/resource?url=https://www.harbour-gazette.example/",
	} {
		s.get(path, http.StatusOK)
	}
	// Each value of each facet in the overview links to a search with as many results.
	var facets struct {
		Facets []struct {
			Param  string
			Values []struct {
				Value, Link string
				Count       int64
			}
		}
	}
	s.json("/api/v1/overview", &facets)
	for _, f := range facets.Facets {
		for _, v := range f.Values {
			var found struct{ Captures int64 }
			s.json(strings.Replace(v.Link, "/shelf/search?", "/api/v1/search?collection=shelf&", 1), &found)
			if found.Captures != v.Count {
				t.Errorf("%s %q: the overview says %d, its link finds %d", f.Param, v.Value, v.Count, found.Captures)
			}
		}
	}
}

func TestSearch_pagesAreTheWhole(t *testing.T) {
	s := start(t, "--collection="+collection(t), "--state="+t.TempDir())
	s.ready()
	for _, order := range []string{"newest", "oldest", "surt", "relevance", "length"} {
		seen, cursor, pages := map[string]bool{}, "", 0
		for {
			var a struct {
				Total int64
				Next  string `json:"next_cursor"`
				Hits  []struct {
					Filename         string
					Offset, Sequence int64
				}
			}
			s.json("/api/v1/search?query=harbour&fold=none&limit=7&order="+order+"&cursor="+cursor, &a)
			for _, h := range a.Hits {
				key := fmt.Sprint(h)
				if seen[key] {
					t.Fatalf("order %s: %s came twice", order, key)
				}
				seen[key] = true
			}
			if pages++; a.Next == "" {
				if int64(len(seen)) != a.Total || pages < 3 {
					t.Errorf("order %s: %d captures on %d pages, want %d", order, len(seen), pages, a.Total)
				}
				break
			}
			cursor = a.Next
		}
	}
}

func TestETags(t *testing.T) {
	s := start(t, "--collection="+collection(t), "--state="+t.TempDir())
	s.ready()
	// The index of links is made after the other one, and changes the tag once.
	tag := ""
	s.until("a search with its tag is answered by 304", time.Minute, func() bool {
		r, err := http.Get(s.base + "/api/v1/search?query=harbour")
		read(t, r, err)
		tag = r.Header.Get("ETag")
		status, _ := s.send("GET", "/api/v1/search?query=harbour", "", "If-None-Match: "+tag)
		return tag != "" && status == http.StatusNotModified
	})
	if status, _ := s.send("GET", "/api/v1/search?query=port", "", "If-None-Match: "+tag); status != http.StatusOK {
		t.Errorf("another search with the tag: %d, want 200", status)
	}
}

// TestRunBeside: documents from another process appear without a restart.
func TestRunBeside(t *testing.T) {
	out := filepath.Join(t.TempDir(), "grows")
	s := start(t, "--collection="+out, "--state="+t.TempDir())
	if body := s.get("/api/v1/overview", http.StatusServiceUnavailable); !strings.Contains(body, "Nothing here yet") {
		t.Errorf("an empty collection: %s", body)
	}
	var o struct{ Captures int64 }
	more := func(than int64) func() bool {
		return func() bool {
			status, body := s.send("GET", "/api/v1/overview", "")
			return status == http.StatusOK && json.Unmarshal([]byte(body), &o) == nil && o.Captures > than
		}
	}
	ingest(t, out, filepath.Join(archives(t), "site.warc"))
	s.until("the first run is seen", time.Minute, more(0))
	ingest(t, out, "--add", filepath.Join(archives(t), "site.arc.gz"))
	s.until("the second run is seen", time.Minute, more(o.Captures))
	s.ready()
	var a struct{ Total int64 }
	s.json("/api/v1/search?fold=none", &a)
	if a.Total != o.Captures {
		t.Errorf("a search finds %d captures, want %d", a.Total, o.Captures)
	}
}

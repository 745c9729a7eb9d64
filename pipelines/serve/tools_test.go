package main

import (
	"encoding/base32"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// startPywb starts pywb with a collection called shelf and without its own index. It returns a function that requests
// the archived page of a time.
func startPywb(t *testing.T, config string) func(stamp, page string) (status int, body string) {
	t.Helper()
	bin := pythontest.Locked(t, "../../docs/tutorials/pywb.txt")
	dir := t.TempDir()
	config = "collections:\n  shelf:\n" + config
	if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	pywb := exec.Command(filepath.Join(bin, "wayback"), "-p", fmt.Sprint(port), "-b", "127.0.0.1")
	pywb.Dir = dir
	if err := pywb.Start(); err != nil {
		t.Skipf("pywb does not start: %v", err)
	}
	t.Cleanup(func() { _ = pywb.Process.Kill(); _ = pywb.Wait() }) // it may have ended
	// pywb does not close connections, and an idle one must not block the test.
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	return func(stamp, page string) (status int, body string) {
		r, err := client.Get(fmt.Sprintf("http://127.0.0.1:%d/shelf/%sid_/%s", port, stamp, page))
		if err != nil {
			return 0, ""
		}
		defer func() { _ = r.Body.Close() }() // nothing of it is used afterwards
		b, _ := io.ReadAll(r.Body)            // a partial body is compared too
		return r.StatusCode, string(b)
	}
}

// pywbIndex configures pywb for our CDX server. Bodies come from replay, or with "" from archives in a folder.
func pywbIndex(s *server, replay, archives string) string {
	config := fmt.Sprintf("    index:\n      type: cdx\n      api_url: %s/cdx?url={url}&closest={closest}&sort=closest\n"+
		"      replay_url: '%s'\n", s.base, replay)
	if archives != "" {
		config += "    archive_paths: " + archives + "/\n"
	}
	return config
}

// TestCDX_pywbReplays: pywb finds the pages of the test archives with our CDX server, and replays their archived
// bytes.
func TestCDX_pywbReplays(t *testing.T) {
	s := start(t, "--collection="+collection(t), "--state="+t.TempDir())
	s.ready()
	replay := startPywb(t, pywbIndex(s, "", archives(t)))
	s.until("pywb answers", time.Minute,
		func() bool { n, _ := replay("20241201090029", "https://www.harbour-gazette.example/"); return n == 200 })
	// Each page is compared with our own memento. pywb 2.10 does not read zstd.
	lines := strings.Split(strings.TrimSpace(s.get("/cdx?url=harbour-gazette.example&matchType=domain&filter=mime:text/html&filter==status:200&filter=!filename:.zst&fl=timestamp,url", 200)), "\n")
	if len(lines) < 20 {
		t.Fatalf("%d captures", len(lines))
	}
	wrong := 0
	for _, line := range lines {
		stamp, page, _ := strings.Cut(line, " ")
		status, body := replay(stamp, page)
		if want := s.get("/memento/"+stamp+"/"+page, 200); status != 200 || body != want {
			wrong++
			t.Errorf("%s %s: %d, %d bytes, want %d", stamp, page, status, len(body), len(want))
		}
	}
	t.Logf("pywb replayed %d of %d captures", len(lines)-wrong, len(lines))
}

// TestCDX_pywbReplaysRevisitsAndTwins: pywb replays revisits, and pages with captures of http, https and www in one
// second. The latter must not redirect to each other forever. Bodies come from archives, and from our mementos, which
// have the payloads of revisits that pywb cannot resolve.
func TestCDX_pywbReplaysRevisitsAndTwins(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	pages := twins(t, dir)
	ingest(t, out, dir)
	s := start(t, "--collection="+out, "--state="+t.TempDir())
	s.ready()
	replays := func(config, first string, want map[string]string) {
		t.Helper()
		replay := startPywb(t, config)
		stamp, page, _ := strings.Cut(first, " ")
		s.until("pywb answers", time.Minute, func() bool { n, _ := replay(stamp, page); return n == 200 })
		for asked, body := range want {
			stamp, page, _ := strings.Cut(asked, " ")
			if status, got := replay(stamp, page); status != 200 || got != body {
				t.Errorf("%s: %d %.80q, want %.80q", asked, status, got, body)
			}
		}
	}
	const first = "20160210100000 https://www.twin.example/0"
	replays(pywbIndex(s, "", dir), first, pages)
	// Mementos have no status, so redirects have empty bodies.
	maps.DeleteFunc(pages, func(asked, _ string) bool { return !strings.Contains(asked, "https://www.") })
	fromMementos := func() string { return pywbIndex(s, s.base+"/memento/{timestamp}/{url}", "") }
	replays(fromMementos(), first, pages)
	dir, out, pages = t.TempDir(), filepath.Join(t.TempDir(), "out"), map[string]string{}
	titles := revisitShelf(t, dir)
	ingest(t, out, dir)
	s = start(t, "--collection="+out, "--state="+t.TempDir())
	s.ready()
	for url, r := range revisitRows(t, "--collection="+out, "--where=record_type = revisit") {
		if titles[url] != "" {
			pages[digits(r.Timestamp)+" "+url] = revisitPage(titles[url])
		}
	}
	replays(fromMementos(), "20140201000011 http://r.example/by-id", pages)
}

// twins writes an archive of 20 pages, each with redirects from http to https and then to www within a second. A
// month later, the same captures are revisits. It returns the expected pages by request.
func twins(t *testing.T, dir string) map[string]string {
	t.Helper()
	pages := map[string]string{}
	var records []string
	redirect := func(to string) string {
		return "HTTP/1.1 301 Moved\r\nLocation: " + to + "\r\nContent-Length: 0\r\n\r\n"
	}
	for i := range 20 {
		body := revisitPage(fmt.Sprintf("Jumeau %d", i))
		digest := "WARC-Payload-Digest: " + sha1Of(base32.StdEncoding.EncodeToString, body)
		bare, www := fmt.Sprintf("twin.example/%d", i), fmt.Sprintf("https://www.twin.example/%d", i)
		const first, second = "2016-02-10T10:00:00Z", "2016-03-10T10:00:00Z"
		n := 10 * i
		records = append(records,
			warcRecord(n+1, "response", "http://"+bare, first, redirect("https://"+bare)),
			warcRecord(n+2, "response", "https://"+bare, first, redirect(www)),
			warcRecord(n+3, "response", www, first, okHead+body, digest),
			warcRecord(n+4, "revisit", www, second, okHead, identical, digest,
				"WARC-Refers-To-Target-URI: "+www, "WARC-Refers-To-Date: "+first),
		)
		for _, page := range []string{"http://" + bare, "https://" + bare, www} {
			pages["20160210100000 "+page] = body
		}
		pages["20160310100000 "+www] = body
	}
	writeWARC(t, filepath.Join(dir, "twins.warc.gz"), records...)
	return pages
}

// TestMemento_clientReads: memento_client, by the authors of RFC 7089, finds the capture of a time with our TimeGate.
func TestMemento_clientReads(t *testing.T) {
	python := pythontest.Interpreter(t, "import memento_client", "memento_client==0.6.1")
	s := start(t, "--collection="+collection(t), "--state="+t.TempDir())
	script := `
import datetime, sys, types
from memento_client import MementoClient
page = "https://www.harbour-gazette.example/2023/06/last-shout-at-the-fish-auction.html"
# The page itself is not on the net: what the client would learn from it is nothing.
page_answer = types.SimpleNamespace(headers={}, status_code=200, url=page)
client = MementoClient(timegate_uri=sys.argv[1] + "/timegate/", check_native_timegate=False)
found = client.get_memento_info(page, datetime.datetime(2025, 1, 1), req_uri_response=page_answer)["mementos"]
for name in "first", "closest", "last":
    print(name, found[name]["datetime"], found[name]["uri"][0])
`
	out, err := exec.Command(python, "-c", script, s.base).CombinedOutput()
	want := fmt.Sprintf("first 2024-12-23 15:01:27 %[1]s/memento/20241223150127/%[2]s\nclosest 2024-12-23 15:01:27 "+
		"%[1]s/memento/20241223150127/%[2]s\n"+
		"last 2025-09-16 15:13:03 %[1]s/memento/20250916151303/%[2]s\n", s.base,
		"https://www.harbour-gazette.example/2023/06/last-shout-at-the-fish-auction.html")
	if err != nil || !strings.HasSuffix(string(out), want) {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}

// TestAPI_schemathesis: valid and invalid requests from our OpenAPI document give no failure and no undocumented
// response. A schema cannot describe filters and dates, so a request that fits it may be refused
// (positive_data_acceptance).
func TestAPI_schemathesis(t *testing.T) {
	python := pythontest.Interpreter(t, "import schemathesis", "schemathesis==4.32.5")
	state, sources := t.TempDir(), filepath.Join(t.TempDir(), "sources")
	if _, stderr, code := run(t, true, "", "sources", "--collection="+collection(t), "--output="+sources); code != 0 {
		t.Fatal(stderr)
	}
	s := start(t, "--collection="+collection(t), "--state="+state, "--sources="+sources)
	s.ready()
	s.get("/api/v1/entities", 200)
	// 431 refuses a head above the limit; the tool's own list lacks it.
	config := filepath.Join(t.TempDir(), "schemathesis.toml")
	refusals := "[checks]\nnegative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 406, 409, 415, 422, " +
		"428, 429, 431]\n"
	if err := os.WriteFile(config, []byte(refusals), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"-m", "schemathesis.cli", "--config-file=" + config, "run", s.base + "/openapi.json", "--no-color",
		"--phases=fuzzing,coverage", "--exclude-checks=positive_data_acceptance", "--exclude-path-regex=jobs$",
	}
	if os.Getenv("GLEANER_SLOW") != "" {
		args = append(args, "--max-examples=300") // about ten minutes, other requests each time
	} else {
		// The requests are the same in each run; random ones are above. A busy machine must not fail the test.
		args = append(args, "--max-examples=5", "--seed=1", "--generation-deterministic",
			"--suppress-health-check=all", "--request-timeout=120", "--workers=1")
	}
	cmd := exec.Command(python, args...)
	cmd.Dir = t.TempDir() // it keeps a cache in its working directory
	out, err := cmd.CombinedOutput()
	text := string(out)
	if at := strings.Index(text, "= SUMMARY ="); err == nil && at > 0 {
		t.Log(text[at:])
	} else if err != nil {
		t.Errorf("%v\n%.4000s", err, text)
	}
	if strings.Contains(s.said(), "panicked") {
		t.Error("a request panicked")
	}
}

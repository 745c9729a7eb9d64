package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/servertest"
)

// serverPages is the number of pages in tests with real servers, in units of some hundred. The tests of
// io/sink/elastic and io/sink/kafka send 20,000 without the command.
const serverPages = 2000

// pagesFile writes pages as JSON lines for several units, and returns the file and its URLs in order.
func pagesFile(t *testing.T) (name string, urls []string) {
	t.Helper()
	var b bytes.Buffer
	for i := range serverPages {
		url := fmt.Sprintf("http://example.com/%04d", i)
		fmt.Fprintf(&b, `{"url":%q,"content":null,"response_body":"<title>Page %d</title><p>%s"}`+"\n", url, i,
			strings.Repeat("Some text of the page. ", 20))
		urls = append(urls, url)
	}
	name = filepath.Join(t.TempDir(), "pages.jsonl")
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return name, urls
}

// server can be killed and restarted.
type server interface {
	Kill()
	Restart()
}

// runThroughKill runs the command, kills the server after the first unit, and restarts it a second later. The run
// must wait for it and succeed. It returns the output of the run.
func runThroughKill(t *testing.T, s server, out string, args ...string) string {
	t.Helper()
	cmd := command(t.Context(), append(args, "--output="+out)...)
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	waitFor(t, filepath.Join(out, "documents-*"))
	s.Kill()
	select {
	case err := <-ended:
		t.Fatalf("the run ended without its server: %v\n%s", err, &text)
	case <-time.After(time.Second):
	}
	s.Restart()
	select {
	case err := <-ended:
		if err != nil {
			t.Fatalf("%v\n%s", err, &text)
		}
	case <-time.After(5 * time.Minute):
		t.Fatalf("the server is there again, and the run does not end")
	}
	return text.String()
}

// TestAttack07_realKafka: after the run, each page is in the topic for a consumer of committed messages. Each is
// there once, because only the broker was killed. The run logs when the broker fails and when it is back.
func TestAttack07_realKafka(t *testing.T) {
	t.Parallel() // it mostly waits
	k := servertest.StartKafka(t)
	in, want := pagesFile(t)
	// A busy machine may take longer than the default of two minutes to restart a broker.
	text := runThroughKill(t, k, t.TempDir(), "--extract=mime", "--unit_size=64KiB", "--workers=1", "--kafka="+k.Brokers,
		"--kafka_topic=pages", "--kafka_property=delivery.timeout.ms=600000", in)
	k.Ready()
	got := urlsOf(inTopic(t, "kafka://"+k.Brokers+"/pages"))
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("%d pages in the topic, want %d (-want +got):\n%.1000s", len(got), len(want), diff)
	}
	saidOutage(t, text, k.Brokers)
}

// saidOutage checks that a run logged the server's failure and its return.
func saidOutage(t *testing.T, text, address string) {
	t.Helper()
	for _, want := range []string{address + " does not answer", address + " answers again"} {
		if !strings.Contains(text, want) {
			t.Errorf("the run did not say that %s:\n%s", want, text)
		}
	}
}

// docBlocks returns the commands of a page of docs with their outputs. These are adjacent fenced blocks, the first
// with the language sh and the second without one.
func docBlocks(t *testing.T, name string) (pairs [][2]string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("../../docs", name))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)```sh\n([^`]*)```\n+```\n([^`]*)```").FindAllStringSubmatch(string(page),
		-1) {
		pairs = append(pairs, [2]string{m[1], m[2]})
	}
	return pairs
}

// TestAttack15_realOpenSearch runs all tests of a real server with one, because it takes half a minute to start.
func TestAttack15_realOpenSearch(t *testing.T) {
	t.Parallel() // it mostly waits
	servertest.Need(t, "bash", "curl")
	s := servertest.StartOpenSearch(t)
	t.Run("docs find what they say", func(t *testing.T) { docsFindWhatTheySay(t, s) })
	t.Run("once though killed", func(t *testing.T) { onceThoughKilled(t, s) })
}

// docsFindWhatTheySay runs the commands of docs/formats/elasticsearch.md. Documents of a run are found at once,
// though the index never refreshes by itself. Entities, languages and quality are searchable.
func docsFindWhatTheySay(t *testing.T, s *servertest.OpenSearch) {
	never, err := http.NewRequest(http.MethodPut, s.URL+"/_index_template/never", strings.NewReader(
		`{"index_patterns":["gleaner"],"template":{"settings":{"refresh_interval":"-1","number_of_replicas":0}}}`))
	if err != nil {
		t.Fatal(err)
	}
	never.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(never)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp, err)
	}
	closeFile(t, resp.Body)
	blocks := docBlocks(t, "formats/elasticsearch.md")
	if len(blocks) < 3 {
		t.Fatalf("%d blocks of commands and their output, want 3 at least", len(blocks))
	}
	for _, b := range blocks {
		script := strings.NewReplacer("127.0.0.1:9200", strings.TrimPrefix(s.URL, "http://"), "--output=out", "--output="+
			t.TempDir()).Replace(b[0])
		cmd := shell(t, script)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		got, err := cmd.Output()
		if diff := gocmp.Diff(b[1], strings.TrimRight(string(got), "\n")+"\n"); diff != "" || err != nil {
			t.Errorf("%v; the command\n%s\nprints (-docs +printed):\n%s\n%s", err, b[0], diff, &stderr)
		}
	}
}

// onceThoughKilled checks that each page is in the index once, though the server is killed meanwhile.
func onceThoughKilled(t *testing.T, s *servertest.OpenSearch) {
	in, want := pagesFile(t)
	text := runThroughKill(t, s, t.TempDir(), "--extract=mime", "--unit_size=64KiB", "--workers=1", "--elastic="+s.URL,
		"--elastic_index=pages", in)
	saidOutage(t, text, strings.TrimPrefix(s.URL, "http://"))
	var found struct {
		Hits struct {
			Hits []struct {
				Source struct{ URL string } `json:"_source"`
			}
		}
	}
	for _, request := range []string{"/pages/_search?size=10000&_source=url"} {
		resp, err := http.Get(s.URL + request)
		if err != nil {
			t.Fatal(err)
		}
		err = json.NewDecoder(resp.Body).Decode(&found)
		if _ = resp.Body.Close(); err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d, %v", request, resp.StatusCode, err)
		}
	}
	var got []string
	for _, h := range found.Hits.Hits {
		got = append(got, h.Source.URL)
	}
	slices.Sort(got)
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("%d documents in the index, want %d (-want +got):\n%.1000s", len(got), len(want), diff)
	}
}

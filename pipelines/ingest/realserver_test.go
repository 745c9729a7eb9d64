package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/servertest"
)

// serverPages is how many pages the tests with real servers send, in units of some hundred. Those of io/elastic and io/kafka, without
// the command around, send 20,000.
const serverPages = 2000

// pagesFile writes pages as JSON lines, which are split into units, and returns the file and their URLs in order.
func pagesFile(t *testing.T) (name string, urls []string) {
	t.Helper()
	var b bytes.Buffer
	for i := range serverPages {
		url := fmt.Sprintf("http://example.com/%04d", i)
		fmt.Fprintf(&b, `{"url":%q,"content":null,"response_body":"<title>Page %d</title><p>%s"}`+"\n", url, i, strings.Repeat("Some text of the page. ", 20))
		urls = append(urls, url)
	}
	name = filepath.Join(t.TempDir(), "pages.jsonl")
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return name, urls
}

// server is one that can be killed and started again.
type server interface {
	Kill()
	Restart()
}

// runThroughKill runs the command, and kills the server when the first unit is done, and starts it again a second later. The run
// must wait for it, and come to a good end.
func runThroughKill(t *testing.T, s server, out string, args ...string) {
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
}

// TestIngest_realOpenSearch: each page is in the index once, though the server is killed (kill -9) meanwhile.
func TestIngest_realOpenSearch(t *testing.T) {
	t.Parallel() // it mostly waits
	s := servertest.StartOpenSearch(t)
	in, want := pagesFile(t)
	runThroughKill(t, s, t.TempDir(), "--extract=mime", "--unit_size=64KiB", "--workers=1", "--elastic="+s.URL, "--elastic_index=pages", in)
	var found struct {
		Hits struct {
			Hits []struct {
				Source struct{ URL string } `json:"_source"`
			}
		}
	}
	for _, request := range []string{"/pages/_refresh", "/pages/_search?size=10000&_source=url"} {
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

// TestIngest_realKafka: likewise each page is in the topic once, by transactions. Now and then the broker forgets the marks of
// the first when it starts again, and the run writes them.
func TestIngest_realKafka(t *testing.T) {
	t.Parallel() // it mostly waits
	k := servertest.StartKafka(t)
	in, want := pagesFile(t)
	runThroughKill(t, k, t.TempDir(), "--extract=mime", "--unit_size=64KiB", "--workers=1",
		"--kafka="+k.Brokers, "--kafka_topic=pages", "--kafka_property=transactional.id=crawl", in)
	got := urlsOf(inTopic(t, "kafka://"+k.Brokers+"/pages"))
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("%d pages in the topic, want %d (-want +got):\n%.1000s", len(got), len(want), diff)
	}
}

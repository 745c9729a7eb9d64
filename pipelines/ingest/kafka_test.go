package main

import (
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/gleaner-web/gleaner/io/capture"
	"github.com/gleaner-web/gleaner/io/kafka"
	"github.com/gleaner-web/gleaner/schemas"
)

// broker starts a broker within the test, with a topic, and returns its address.
func broker(t *testing.T, topic string) string {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(3, topic))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return strings.Join(c.ListenAddrs(), ",")
}

// inTopic returns the captures of a topic.
func inTopic(t *testing.T, url string) (list []*schemas.Capture) {
	t.Helper()
	units, _, err := kafka.Plan(t.Context(), url, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range units {
		r := kafka.NewReader(u, nil, capture.Options{OnReject: func(r schemas.Reject) { t.Errorf("rejected: %+v", r) }})
		for c, err := range r.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, c)
		}
	}
	return list
}

// sent are the URLs of the documents that were sent, in order.
func sent(t *testing.T, dir string) (urls []string) {
	t.Helper()
	for _, line := range documents(t, dir) {
		var d schemas.Document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(d.Errors, func(e schemas.StageError) bool { return e.Stage == "kafka" }) {
			urls = append(urls, d.URL)
		}
	}
	slices.Sort(urls)
	return urls
}

func urlsOf(list []*schemas.Capture) (urls []string) {
	for _, c := range list {
		urls = append(urls, c.URL)
	}
	slices.Sort(urls)
	return urls
}

// TestIngest_kafka sends the pages of archives, exactly once however often the run is killed, and reads them back as an
// input.
func TestIngest_kafka(t *testing.T) {
	brokers := broker(t, "pages")
	topic := "kafka://" + brokers + "/pages"
	out := t.TempDir()
	args := []string{
		"--output=" + out, "--extract=mime,text", "--unit_size=64KiB", "--workers=1", "--kafka=" + brokers, "--kafka_topic=pages",
		"--kafka_property=transactional.id=test", "--kafka_property=linger.ms=0", archives,
	}
	begin := time.Now()
	mustRun(t, "--output="+t.TempDir(), "--extract=mime,text", "--unit_size=64KiB", "--workers=1", archives)
	took := time.Since(begin)
	r := rand.New(rand.NewPCG(2026, 11))
	killed := 0
	for range 6 {
		killed += killAfter(t, time.Duration(r.Int64N(int64(took))), args)
	}
	if killed == 0 {
		t.Fatalf("no run was killed before its end; one that sends nothing took %v", took)
	}
	mustRun(t, args...)
	want := sent(t, out)
	if diff := gocmp.Diff(want, urlsOf(inTopic(t, topic))); diff != "" || len(want) < 20 {
		t.Errorf("%d documents; the topic differs (-documents +topic):\n%s", len(want), diff)
	}
	mustRun(t, append(args, "--fresh")...)
	if n := len(inTopic(t, topic)); n != len(want) {
		t.Errorf("started over, and the topic has %d messages, want %d as before", n, len(want))
	}

	again := t.TempDir()
	mustRun(t, "--output="+again, "--extract=mime,text", "--format=jsonl,cdxj", topic)
	if diff := gocmp.Diff(want, sent(t, again)); diff != "" {
		t.Errorf("read from the topic, -want +got:\n%s", diff)
	}
	if done := mustRun(t, "--output="+again, "--extract=mime,text", "--format=jsonl,cdxj", topic); strings.Contains(done.stderr, "units are done") {
		t.Errorf("nothing has come, and stderr is %q", done.stderr)
	}
}

// TestIngest_kafkaContent: what was extracted is in the messages, and a changed input is sent again.
func TestIngest_kafkaContent(t *testing.T) {
	brokers := broker(t, "posts")
	in := filepath.Join(t.TempDir(), "pages.jsonl")
	page := func(title string) {
		t.Helper()
		line := `{"url":"http://example.com/","content":null,"response_body":"<title>` + title + `</title><p>Hello`
		if err := os.WriteFile(in, []byte(line+`"}`+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{
		"--output=" + t.TempDir(), "--extract=metadata", "--kafka=" + brokers, "--kafka_topic=posts", "--kafka_format=content",
		"--kafka_property=transactional.id=test", in,
	}
	page("The first")
	mustRun(t, args...)
	page("The second one")
	mustRun(t, args...)
	titles := []string{}
	for _, c := range inTopic(t, "kafka://"+brokers+"/posts") {
		titles = append(titles, c.Crawl["content.title"])
	}
	slices.SortFunc(titles, cmp.Compare)
	if diff := gocmp.Diff([]string{"The first", "The second one"}, titles); diff != "" {
		t.Errorf("titles, -want +got:\n%s", diff)
	}
}

// TestParse_kafka: what is wrong is said before anything is begun.
func TestParse_kafka(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--kafka_topic=x", "a"}, "--kafka"},
		{[]string{"--kafka=b:1", "a"}, "no name of a topic"},
		{[]string{"--kafka=b:1", "--kafka_topic=x", "--kafka_format=xml", "a"}, "json, cdr31, content"},
		{[]string{"--kafka=b:1", "--kafka_topic=x", "--kafka_property=lingerms=1", "a"}, "lingerms"},
		{[]string{"--kafka=b:1", "--kafka_topic=x", "--kafka_property=linger", "a"}, "name=value"},
		{[]string{"--kafka=b:1", "--kafka_topic=x", "--kafka_property=@nowhere", "a"}, "nowhere"},
		{[]string{"--kafka=b:1", "--kafka_topic=x", "--format=cdxj", "a"}, "cdxj"},
		{[]string{"--kafka_property=linger.ms=1", "a"}, "neither"},
		{[]string{"kafka://127.0.0.1:1"}, "kafka://host:port/topic"},
	} {
		r := runCommand(t, append([]string{"--output=" + t.TempDir()}, tt.args...)...)
		if r.code != 2 || !strings.Contains(r.stderr, tt.want) {
			t.Errorf("%v: exit code %d, stderr %q; want 2 and %q", tt.args, r.code, r.stderr, tt.want)
		}
	}
}

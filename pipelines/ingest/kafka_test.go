package main

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/sink/kafka"
	"github.com/gleaner-web/gleaner/schemas"
)

// broker starts a broker with a topic in the test, and returns its address.
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
		r := kafka.NewReader(u, nil, archive.Options{})
		for item, err := range r.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if item.Reject != nil {
				t.Errorf("rejected: %+v", item.Reject)
				continue
			}
			c := item.Capture
			list = append(list, c)
		}
	}
	return list
}

// sent returns the URLs of the documents that are sent, in order.
func sent(t *testing.T, dir string) (urls []string) {
	t.Helper()
	for _, line := range documents(t, dir) {
		var d schemas.Document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		// A revisit without a body is not a page.
		if d.RecordType != schemas.TypeRevisit || d.BodyBytes > 0 {
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

// TestIngest_kafka sends the pages of archives, each at least once for any number of kills, and exactly once without.
// It reads the pages back as an input.
func TestIngest_kafka(t *testing.T) {
	t.Parallel()
	brokers := broker(t, "pages")
	topic := "kafka://" + brokers + "/pages"
	out := t.TempDir()
	args := []string{
		"--output=" + out, "--extract=mime,text", "--unit_size=64KiB", "--workers=1", "--kafka=" + brokers,
		"--kafka_topic=pages",
		"--kafka_property=linger.ms=0", archives,
	}
	begin := time.Now()
	clean := t.TempDir()
	mustRun(t, "--output="+clean, "--extract=mime,text", "--unit_size=64KiB", "--workers=1", archives)
	took := time.Since(begin)
	killOften(t, 6, took, args) // a run that sends takes longer
	mustRun(t, args...)
	want := sent(t, out)
	if diff := gocmp.Diff(sent(t, clean), want); diff != "" || len(want) < 20 {
		t.Fatalf("%d documents; those of a run that was not killed differ:\n%s", len(want), diff)
	}
	there := urlsOf(inTopic(t, topic))
	if missing := without(want, there); len(missing) > 0 {
		t.Errorf("of %d documents, the topic has not %v", len(want), missing)
	}
	mustRun(t, args...)
	if again := urlsOf(inTopic(t, topic)); len(again) != len(there) {
		t.Errorf("with nothing to do, %d messages became %d", len(there), len(again))
	}

	once, again := broker(t, "pages"), t.TempDir()
	topic = "kafka://" + once + "/pages"
	mustRun(t, "--output="+t.TempDir(), "--extract=mime,text", "--kafka="+once, "--kafka_topic=pages", archives)
	mustRun(t, "--output="+again, "--extract=mime,text", "--format=jsonl,cdxj", topic)
	if diff := gocmp.Diff(want, sent(t, again)); diff != "" {
		t.Errorf("read from the topic, -want +got:\n%s", diff)
	}
	if done := mustRun(t, "--output="+again, "--extract=mime,text", "--format=jsonl,cdxj",
		topic); strings.Contains(done.stderr, "units are done") {
		t.Errorf("nothing has come, and stderr is %q", done.stderr)
	}
}

// without returns the elements of list that are not in others, as multisets.
func without(list, others []string) (missing []string) {
	count := map[string]int{}
	for _, o := range others {
		count[o]++
	}
	for _, s := range list {
		if count[s]--; count[s] < 0 {
			missing = append(missing, s)
		}
	}
	return missing
}

// TestIngest_kafkaContent: messages contain the extracted data, and a changed input is sent again.
func TestIngest_kafkaContent(t *testing.T) {
	t.Parallel()
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
		"--output=" + t.TempDir(), "--extract=metadata", "--kafka=" + brokers, "--kafka_topic=posts",
		"--kafka_format=content",
		in,
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

// TestParse_kafka: errors are found before the work.
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

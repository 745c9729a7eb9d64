package kafka

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/schemas"
)

// put puts messages as they are into partition 0 of the topic.
func put(t testing.TB, brokers string, values ...[]byte) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, v := range values {
		if err := client.ProduceSync(t.Context(), &kgo.Record{
			Topic: "pages", Key: []byte("k"),
			Value: v,
		}).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
}

// read reads all units of the topic as it is now.
func read(t testing.TB, brokers string) (captures []*schemas.Capture, rejects []schemas.Reject, counts schemas.Counts) {
	t.Helper()
	units, _, err := Plan(t.Context(), "kafka://"+brokers+"/pages", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range units {
		r := NewReader(u, nil, archive.Options{})
		for item, err := range r.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if item.Reject != nil {
				rejects = append(rejects, *item.Reject)
				continue
			}
			c := item.Capture
			captures = append(captures, c)
		}
		counts.Add(r.Counts())
		if in := r.Inputs()[0]; in.Next != in.End {
			t.Errorf("reading %s arrived at %d, want %d", in.File, in.Next, in.End)
		}
	}
	return captures, rejects, counts
}

// TestReader_formats: messages in each format are read.
func TestReader_formats(t *testing.T) {
	for _, format := range Formats() {
		brokers := fake(t)
		commit(t, send(t, open(t, Config{Brokers: brokers, Topic: "pages", Format: format}), 0, 20))
		got, rejects, counts := read(t, brokers)
		if len(got) != 20 || len(rejects) > 0 || counts.Captures != 20 || counts.BytesLost != 0 || counts.BytesRead == 0 {
			t.Errorf("%s: %d captures, rejects %v, counts %+v", format, len(got), rejects, counts)
		}
		seen := map[string]bool{}
		for _, c := range got {
			seen[c.URL] = true
			if !strings.HasPrefix(string(c.Body), "<p>page ") || c.Origin.Length == 0 ||
				!strings.HasPrefix(c.Origin.File, "kafka://"+brokers+"/pages/") {
				t.Errorf("%s: capture %+v", format, c)
			}
		}
		if len(seen) != 20 {
			t.Errorf("%s: %d URLs", format, len(seen))
		}
	}
}

// TestReader_asACHE reads what ACHE has sent: its keys are before the messages in the dump.
func TestReader_asACHE(t *testing.T) {
	dump, err := os.ReadFile("../../../testdata/seeds/ache/KAFKA-JSON.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	brokers := fake(t)
	for line := range strings.Lines(string(dump)) {
		_, value, _ := strings.Cut(line, "\t")
		put(t, brokers, []byte(value))
	}
	got, rejects, _ := read(t, brokers)
	if len(got) != 4 || len(rejects) > 0 || got[1].URL != "https://www.example.com/final/page" {
		t.Errorf("captures %+v, rejects %v", got, rejects)
	}
}

// TestReader_odd: a message that is not a page is reported and counted, and reading continues.
func TestReader_odd(t *testing.T) {
	brokers := fake(t)
	put(t, brokers, []byte(`{"url":"http://a/","content":"eA=="}`), []byte("hello"), nil,
		[]byte(`{"url":1,"content":"eA=="}`), []byte(`{"url":"http://b/","content":"eQ=="}`))
	got, rejects, counts := read(t, brokers)
	if len(got) != 2 || string(got[1].Body) != "y" || got[1].Origin.Offset != 4 {
		t.Errorf("captures %+v", got)
	}
	var kinds []string
	for _, r := range rejects {
		kinds = append(kinds, fmt.Sprintf("%d %s", r.Offset, r.Kind))
	}
	if diff := cmp.Diff([]string{"1 unsupported", "3 garbage"}, kinds); diff != "" {
		t.Errorf("rejects, -want +got:\n%s", diff)
	}
	if counts.Records != 5 || counts.ByType["tombstone"] != 1 || counts.BytesLost != 5+
		int64(len(`{"url":1,"content":"eA=="}`)) {
		t.Errorf("counts %+v", counts)
	}
}

// TestPlan: units end at multiples, at the last message, and before messages that are not committed.
func TestPlan(t *testing.T) {
	brokers := fake(t)
	var values [][]byte
	for n := range messagesPerUnit + 10 {
		values = append(values, fmt.Appendf(nil, `{"url":"http://a/%d","content":""}`, n))
	}
	put(t, brokers, values...)
	url := "kafka://" + brokers + "/pages"
	ranges := func() (list []string) {
		units, stamps, err := Plan(t.Context(), url, nil, 7)
		if err != nil {
			t.Fatal(err)
		}
		for i, u := range units {
			in := u.Inputs[0]
			if u.ID != 7+i || in.Format == "" || !strings.HasPrefix(stamps[in.File], "topic ") {
				t.Errorf("unit %+v, stamps %v", u, stamps)
			}
			list = append(list, fmt.Sprint(strings.TrimPrefix(in.File, url), " ", in.Start, " ", in.End))
		}
		return list
	}
	if diff := cmp.Diff([]string{"/0 0 5000", "/0 5000 5010"}, ranges()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	client := openTransaction(t, brokers)
	if diff := cmp.Diff([]string{"/0 0 5000", "/0 5000 5010"}, ranges()); diff != "" {
		t.Errorf("with a transaction that is open, -want +got:\n%s", diff)
	}
	if err := client.EndTransaction(t.Context(), kgo.TryAbort); err != nil {
		t.Fatal(err)
	}
	got, _, _ := read(t, brokers)
	if len(got) != messagesPerUnit+10 {
		t.Errorf("%d captures, want %d: none of what was aborted", len(got), messagesPerUnit+10)
	}
}

// openTransaction sends messages as another program may, in a transaction that is not ended.
func openTransaction(t *testing.T, brokers string) *kgo.Client {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(strings.Split(brokers, ",")...), kgo.TransactionalID("x"),
		kgo.DefaultProduceTopic("pages"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	if err := client.BeginTransaction(); err != nil {
		t.Fatal(err)
	}
	for range 30 {
		if err := client.ProduceSync(t.Context(), kgo.StringRecord("{}")).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	return client
}

func TestPlan_errors(t *testing.T) {
	brokers := fake(t)
	for _, url := range []string{
		"kafka://", "kafka:///pages", "kafka://" + brokers, "kafka://" + brokers + "/",
		"kafka://" + brokers + "/a/b", "kafka://" + brokers + "/unknown",
	} {
		if units, _, err := Plan(t.Context(), url, nil, 0); err == nil || !strings.Contains(err.Error(), url) {
			t.Errorf("Plan(%s) = %v, %v, want an error that names it", url, units, err)
		}
	}
}

// TestReader_gone: messages that were removed are an error, and no silence.
func TestReader_gone(t *testing.T) {
	brokers := fake(t)
	put(t, brokers, []byte("{}"))
	u := schemas.Unit{Inputs: []schemas.Range{{File: "kafka://" + brokers + "/pages/0", Start: 100, End: 200}}}
	for _, err := range NewReader(u, map[string]string{"delivery.timeout.ms": "2000"},
		archive.Options{}).All(t.Context()) {
		if err == nil || !strings.Contains(err.Error(), "pages/0") {
			t.Errorf("error %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range NewReader(u, nil, archive.Options{}).All(ctx) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want that of the context", err)
		}
	}
	u.Inputs[0].File = "kafka://" + brokers + "/pages"
	for _, err := range NewReader(u, nil, archive.Options{}).All(t.Context()) {
		if err == nil {
			t.Error("a topic was read as a partition")
		}
	}
}

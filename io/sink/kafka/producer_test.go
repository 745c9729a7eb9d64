package kafka

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
)

// fake starts a broker within the test, with a topic called pages, and returns its address.
func fake(t testing.TB, o ...kfake.Opt) string {
	t.Helper()
	c, err := kfake.NewCluster(append([]kfake.Opt{kfake.NumBrokers(1), kfake.SeedTopics(3, "pages")}, o...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return strings.Join(c.ListenAddrs(), ",")
}

func open(t testing.TB, c Config) *Producer {
	t.Helper()
	if c.Topic == "" {
		c.Topic, c.Format = "pages", "json"
	}
	p, err := NewProducer(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// page is the n-th page.
func page(n int) *schemas.Capture {
	return &schemas.Capture{
		URL: fmt.Sprintf("http://example.com/%d", n), RecordType: schemas.TypeResponse,
		Timestamp:    time.UnixMilli(1429167830257).UTC(),
		MIMEDeclared: "text/html", Body: fmt.Appendf(nil, "<p>page %d", n),
	}
}

// send sends pages as one unit, without committing it.
func send(t testing.TB, p *Producer, from, to int) *Delivery {
	t.Helper()
	d := p.Begin()
	for n := from; n < to; n++ {
		m, err := p.Encode(fmt.Sprint("id ", n), page(n), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func commit(t testing.TB, d *Delivery) {
	t.Helper()
	if rejects, err := d.Commit(t.Context()); err != nil || len(rejects) > 0 {
		t.Fatalf("Commit = %v, %v", rejects, err)
	}
}

// keys are those of the topic that tests write to.
func keys(t testing.TB, brokers string) map[string]int {
	t.Helper()
	return keysOf(t, brokers, "pages")
}

// keysOf counts the committed messages of a topic by their keys.
func keysOf(t testing.TB, brokers, topic string) map[string]int {
	t.Helper()
	count := map[string]int{}
	for _, rec := range recordsOf(t, brokers, topic) {
		count[string(rec.Key)]++
	}
	return count
}

// recordsOf are the messages that keysOf counts.
func recordsOf(t testing.TB, brokers, topic string) (list []*kgo.Record) {
	t.Helper()
	units, _, err := Plan(t.Context(), "kafka://"+brokers+"/"+topic, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range units {
		for _, in := range u.Inputs {
			r := NewReader(u, nil, archive.Options{})
			for {
				rec, err := r.next(t.Context(), &in)
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if rec != nil {
					list = append(list, rec)
				}
			}
			r.Close()
		}
	}
	return list
}

// each is a count of once for each page.
func each(from, to int) map[string]int {
	count := map[string]int{}
	for n := from; n < to; n++ {
		count[page(n).URL]++
	}
	return count
}

func TestProducer(t *testing.T) {
	for _, properties := range []map[string]string{
		nil,
		{"acks": "1", "compression.type": "zstd"},
		{"acks": "0", "retries": "0", "linger.ms": "0"},
		{"acks": "all", "retries": "0", "batch.size": "5", "linger.ms": "100", "buffer.memory": "33554432"}, // ACHE's own
		{"enable.idempotence": "false", "max.in.flight.requests.per.connection": "2", "compression.type": "lz4"},
		{"compression.type": "gzip"},
	} {
		t.Run(fmt.Sprint(properties), func(t *testing.T) {
			brokers := fake(t)
			p := open(t, Config{Brokers: brokers, Properties: properties})
			if err := p.Ping(t.Context()); err != nil {
				t.Fatal(err)
			}
			commit(t, send(t, p, 0, 50))
			commit(t, send(t, p, 50, 60))
			commit(t, send(t, p, 0, 0))
			got := keys(t, brokers)
			// Without acknowledgements, Commit does not wait until the broker has the messages.
			for end := time.Now().Add(10 * time.Second); properties["acks"] == "0" && len(got) < 60 &&
				time.Now().Before(end); {
				got = keys(t, brokers)
			}
			if diff := cmp.Diff(each(0, 60), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestDelivery_failure: a message that the broker does not take fails the unit.
func TestDelivery_failure(t *testing.T) {
	p := open(t, Config{Brokers: fake(t), Topic: "unknown", Format: "json"})
	_, err := send(t, p, 0, 1).Commit(t.Context())
	if err == nil || !strings.Contains(err.Error(), "topic unknown") {
		t.Errorf("Commit = %v, want an error that names the topic", err)
	}
}

// TestDelivery_noAnswer: an unacknowledged message fails when its time is over, although it may have arrived.
func TestDelivery_noAnswer(t *testing.T) {
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "pages"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.ControlKey(int16(kmsg.Produce), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		return nil, errors.New("the connection breaks"), true
	})
	p := open(t, Config{
		Brokers:    strings.Join(c.ListenAddrs(), ","),
		Properties: map[string]string{"delivery.timeout.ms": "1500"},
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := send(t, p, 0, 1).Commit(ctx); err == nil || ctx.Err() != nil {
		t.Errorf("Commit = %v, want an error before the test's own", err)
	}
}

// TestDelivery_refused: messages that exceed the topic's limit are reported one by one, in the order in which they were
// sent. The others arrive.
func TestDelivery_refused(t *testing.T) {
	brokers := fake(t, kfake.BrokerConfigs(map[string]string{"message.max.bytes": "5000"}))
	p := open(t, Config{Brokers: brokers, Properties: map[string]string{"linger.ms": "0"}})
	d := p.Begin()
	for n := range 20 {
		c := page(n)
		if n%5 == 2 {
			c.Body = bytes.Repeat([]byte("long"), 2000)
		}
		m, err := p.Encode("", c, nil)
		if err != nil {
			t.Fatal(err)
		}
		m.Reject = schemas.Reject{URL: c.URL}
		if err := d.Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		d.pending.Wait() // or one batch would have all of them
	}
	rejects, err := d.Commit(t.Context())
	var urls []string
	for _, r := range rejects {
		if r.Kind != schemas.KindRefused || r.Stage != schemas.SinkKafka ||
			!strings.Contains(r.Message, "MESSAGE_TOO_LARGE") {
			t.Errorf("reject %+v", r)
		}
		urls = append(urls, r.URL)
	}
	if want := []string{page(2).URL, page(7).URL, page(12).URL, page(17).URL}; err != nil || !slices.Equal(urls, want) {
		t.Errorf("refused are %v, %v; want %v", urls, err, want)
	}
	if n := len(keys(t, brokers)); n != 16 {
		t.Errorf("%d messages are there, want 16", n)
	}
}

// TestProducer_TopicLimit: the topic's own limit is asked for, or that of new ones, and producers keep to it.
func TestProducer_TopicLimit(t *testing.T) {
	brokers := fake(t, kfake.BrokerConfigs(map[string]string{"message.max.bytes": "7000"}))
	set := kadm.AlterConfig{Op: kadm.SetConfig, Name: "max.message.bytes", Value: new("5000")}
	if _, err := kadm.NewClient(open(t, Config{Brokers: brokers}).client).AlterTopicConfigs(t.Context(),
		[]kadm.AlterConfig{set}, "pages"); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		topic, properties string
		want, limit       int64
	}{
		{"pages", "", 5000, 5000},
		{"new", "", 7000, 7000},
		{"pages", "4000", 5000, 4000},
		{"pages", "6000", 5000, 5000},
	} {
		c := Config{Brokers: brokers, Topic: test.topic, Format: "json"}
		if test.properties != "" {
			c.Properties = map[string]string{"max.request.size": test.properties}
		}
		var err error
		if c.MaxMessage, err = open(t, c).TopicLimit(t.Context()); err != nil || c.MaxMessage != test.want {
			t.Errorf("%+v: TopicLimit = %d, %v", test, c.MaxMessage, err)
		}
		if got := open(t, c).limit.bytes; got != test.limit {
			t.Errorf("%+v: messages may have %d bytes", test, got)
		}
	}
}

func TestPing(t *testing.T) {
	p := open(t, Config{Brokers: "127.0.0.1:1"})
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := p.Ping(ctx); err == nil || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Errorf("Ping = %v, want an error that names the broker", err)
	}
}

func TestEncode(t *testing.T) {
	image := &schemas.Capture{URL: "http://a/i", Body: []byte("\x89PNG\r\n\x1a\n\xff")}
	moved := page(1)
	moved.SetCrawl(schemas.CrawlRequested, "http://a/é?x=1")
	long := page(2)
	long.Body = make([]byte, 1<<20)
	for _, tt := range []struct {
		name, format string
		c            *schemas.Capture
		key, value   string
		err          error
	}{
		{
			"requested URL", "json", moved, "http://a/é?x=1",
			`{"url":"http://a/é?x=1","redirected_url":"http://example.com/1","content":"PHA+cGFnZSAx"`, nil,
		},
		{
			"CDR", "CDR31", moved, "http://a/é?x=1",
			`"raw_content":"<p>page 1","response_headers":{},"timestamp_crawl":"2015-04-16T07:03:50Z","url":"http://example.com/1","version":3.1}`, nil,
		},
		{"content", "content", page(3), "http://example.com/3", `"html":"<p>page 3"`, nil},
		{"no text", "cdr31", image, "", "", dump.ErrRefused},
		{"no URL", "json", &schemas.Capture{}, "", "", dump.ErrRefused},
		{"too long", "json", long, "", "", ErrTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := open(t, Config{Brokers: "localhost:1", Topic: "x", Format: tt.format}).Encode("id", tt.c, nil)
			if !errors.Is(err, tt.err) || string(m.Key) != tt.key || !strings.Contains(string(m.Value), tt.value) {
				t.Errorf("Encode = key %q, value %q, error %v; want %q, %q, %v", m.Key, m.Value, err, tt.key, tt.value, tt.err)
			}
		})
	}
}

// TestEncode_record: an extracted value is in the message if the format has a field for it.
func TestEncode_record(t *testing.T) {
	p := open(t, Config{Brokers: "localhost:1", Topic: "x", Format: FormatContent})
	m, err := p.Encode("id", page(1), &datastreamer.Content{Title: "A title"})
	if err != nil || !strings.Contains(string(m.Value), `"title":"A title"`) {
		t.Errorf("Encode = %s, %v", m.Value, err)
	}
}

// TestAttack05_limitTravels: what the topic takes was asked for by one process, and holds in those of workers.
func TestAttack05_limitTravels(t *testing.T) {
	b, err := json.Marshal(Config{Brokers: "localhost:1", Topic: "x", Format: "json", MaxMessage: 5000})
	if err != nil {
		t.Fatal(err)
	}
	var c Config
	if err := json.Unmarshal(b, &c); err != nil || open(t, c).limit.bytes != 5000 {
		t.Errorf("%s, %v: messages may have %d bytes, want 5000", b, err, open(t, c).limit.bytes)
	}
}

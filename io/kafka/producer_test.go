package kafka

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/gleaner-web/gleaner/io/codec"
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
		URL: fmt.Sprintf("http://example.com/%d", n), RecordType: schemas.TypeResponse, Timestamp: time.UnixMilli(1429167830257).UTC(),
		MIMEDeclared: "text/html", Body: fmt.Appendf(nil, "<p>page %d", n),
	}
}

// send sends pages as one unit, without committing it.
func send(t testing.TB, p *Producer, unit string, from, to int) *Delivery {
	t.Helper()
	d, err := p.Begin(t.Context(), unit)
	if err != nil {
		t.Fatal(err)
	}
	for n := from; n < to; n++ {
		m, err := p.Encode(page(n), nil)
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
	if err := d.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.Abort()
}

// keys are those of the topic that tests write to.
func keys(t testing.TB, brokers string) map[string]int {
	t.Helper()
	return keysOf(t, brokers, "pages")
}

// keysOf counts the messages of a topic that are committed, by their keys, up to what is there now.
func keysOf(t testing.TB, brokers, topic string) map[string]int {
	t.Helper()
	units, _, err := Plan(t.Context(), "kafka://"+brokers+"/"+topic, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, u := range units {
		for _, in := range u.Inputs {
			err := consume(t.Context(), in, nil, func(rec *kgo.Record) bool {
				count[string(rec.Key)]++
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return count
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
		{"transactional.id": "crawl", "compression.type": "gzip"},
	} {
		t.Run(fmt.Sprint(properties), func(t *testing.T) {
			brokers := fake(t)
			p := open(t, Config{Brokers: brokers, Properties: properties})
			if err := p.Ping(t.Context()); err != nil {
				t.Fatal(err)
			}
			commit(t, send(t, p, "a", 0, 50))
			commit(t, send(t, p, "b", 50, 60))
			commit(t, send(t, p, "empty", 0, 0))
			if diff := cmp.Diff(each(0, 60), keys(t, brokers)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestTransaction takes a unit through what may happen to it.
func TestTransaction(t *testing.T) {
	transactional := map[string]string{"transactional.id": "crawl"}
	for _, tt := range []struct {
		name    string
		attempt func(t *testing.T, brokers string, p *Producer)
		want    map[string]int
	}{
		{"done twice", func(t *testing.T, _ string, p *Producer) {
			commit(t, send(t, p, "a", 0, 10))
			commit(t, send(t, p, "a", 0, 10))
		}, each(0, 10)},
		{"done twice by two processes", func(t *testing.T, brokers string, p *Producer) {
			commit(t, send(t, p, "a", 0, 10))
			commit(t, send(t, open(t, Config{Brokers: brokers, Properties: transactional}), "a", 0, 10))
		}, each(0, 10)},
		{"another collection", func(t *testing.T, brokers string, p *Producer) {
			commit(t, send(t, p, "a", 0, 10))
			commit(t, send(t, open(t, Config{Brokers: brokers, Properties: map[string]string{"transactional.id": "other"}}), "a", 10, 20))
		}, each(0, 20)},
		{"aborted", func(t *testing.T, _ string, p *Producer) {
			d := send(t, p, "a", 0, 5)
			d.Abort()
			commit(t, send(t, p, "b", 5, 7))
		}, each(5, 7)},
		{"left behind and begun again", func(t *testing.T, _ string, p *Producer) {
			first := send(t, p, "a", 0, 5)
			if err := first.client.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			commit(t, send(t, p, "a", 0, 10))
			if err := first.Commit(t.Context()); err == nil {
				t.Error("an attempt that was fenced off has committed")
			}
			first.Abort()
		}, each(0, 10)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			brokers := fake(t)
			tt.attempt(t, brokers, open(t, Config{Brokers: brokers, Properties: transactional}))
			if diff := cmp.Diff(tt.want, keys(t, brokers)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestDelivery_failure: a message that the broker does not take fails the unit.
func TestDelivery_failure(t *testing.T) {
	for _, properties := range []map[string]string{nil, {"transactional.id": "crawl"}} {
		p := open(t, Config{Brokers: fake(t), Topic: "unknown", Format: "json", Properties: properties})
		d := send(t, p, "a", 0, 1)
		err := d.Commit(t.Context())
		if err == nil || !strings.Contains(err.Error(), "topic unknown") {
			t.Errorf("%v: Commit = %v, want an error that names the topic", properties, err)
		}
		d.Abort()
	}
}

// TestDelivery_noAnswer: what is sent and never acknowledged fails when its time is over, though nobody knows whether
// it has arrived.
func TestDelivery_noAnswer(t *testing.T) {
	for _, id := range []string{"", "crawl"} {
		c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "pages"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.ControlKey(int16(kmsg.Produce), func(kmsg.Request) (kmsg.Response, error, bool) {
			c.KeepControl()
			return nil, errors.New("the connection breaks"), true
		})
		properties := map[string]string{"delivery.timeout.ms": "1500"}
		if id != "" {
			properties["transactional.id"] = id
		}
		d := send(t, open(t, Config{Brokers: strings.Join(c.ListenAddrs(), ","), Properties: properties}), "a", 0, 1)
		defer d.Abort()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := d.Commit(ctx); err == nil || ctx.Err() != nil {
			t.Errorf("transactional.id=%q: Commit = %v, want an error before the test's own", id, err)
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
		{"requested URL", "json", moved, "http://a/é?x=1", `{"url":"http://a/é?x=1","redirected_url":"http://example.com/1","content":"PHA+cGFnZSAx"`, nil},
		{"CDR", "CDR31", moved, "http://a/é?x=1", `"raw_content":"<p>page 1","response_headers":{},"timestamp_crawl":"2015-04-16T07:03:50Z","url":"http://example.com/1","version":3.1}`, nil},
		{"content", "content", page(3), "http://example.com/3", `"html":"<p>page 3"`, nil},
		{"no text", "cdr31", image, "", "", codec.ErrRefused},
		{"no URL", "json", &schemas.Capture{}, "", "", codec.ErrRefused},
		{"too long", "json", long, "", "", ErrTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := open(t, Config{Brokers: "localhost:1", Topic: "x", Format: tt.format}).Encode(tt.c, nil)
			if !errors.Is(err, tt.err) || string(m.Key) != tt.key || !strings.Contains(string(m.Value), tt.value) {
				t.Errorf("Encode = key %q, value %q, error %v; want %q, %q, %v", m.Key, m.Value, err, tt.key, tt.value, tt.err)
			}
		})
	}
}

// TestEncode_record: what was extracted is in the message where the format has it.
func TestEncode_record(t *testing.T) {
	p := open(t, Config{Brokers: "localhost:1", Topic: "x", Format: FormatContent})
	m, err := p.Encode(page(1), &schemas.Content{Title: "A title"})
	if err != nil || !strings.Contains(string(m.Value), `"title":"A title"`) {
		t.Errorf("Encode = %s, %v", m.Value, err)
	}
}

package kafka

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/sink/sinktest"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestSink_contract(t *testing.T) {
	t.Parallel() // it mostly waits
	sinktest.Test(t, sinktest.Kit{
		Start: startFake,
		Open: func(ctx context.Context, address string) (sink.Sink, error) {
			c := Config{Brokers: address, Topic: "pages", Format: "json", Properties: map[string]string{
				"delivery.timeout.ms": "1500", "request.timeout.ms": "1000", "linger.ms": "0", "retry.backoff.ms": "20",
			}}
			return c.Open(ctx)
		},
		Refused: func(p *sink.Page) { p.Capture.Body = make([]byte, 1<<20) },
		Adds:    true,
	})
}

// startFake starts a broker that fails as the kit asks.
func startFake(t *testing.T) sinktest.Server {
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(3, "pages"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	var left atomic.Int64 // requests until it fails
	const never = 1 << 40
	left.Store(never)
	c.Control(func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		if left.Add(-1) < 0 {
			return nil, errors.New("the connection breaks"), true
		}
		return nil, nil, false
	})
	address := strings.Join(c.ListenAddrs(), ",")
	return sinktest.Server{
		Address: address,
		Content: func(t *testing.T) []string { return titles(t, address) },
		Fail: func(n int) {
			if n == 0 {
				n = never
			}
			left.Store(int64(n) - 1)
		},
	}
}

var title = regexp.MustCompile("<title>(.*)</title>")

// titles returns the URL and title of a topic's messages, and for one id those of the last message.
func titles(t *testing.T, brokers string) (all []string) {
	t.Helper()
	units, _, err := Plan(t.Context(), "kafka://"+brokers+"/pages", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	last := map[string]string{}
	for _, u := range units {
		for c, err := range NewReader(u, nil, archive.Options{}).Captures(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			last[c.URL] = c.URL + " " + string(title.FindSubmatch(c.Body)[1])
		}
	}
	for _, text := range last {
		all = append(all, text)
	}
	return all
}

// TestEncode_takenDown: no message has the requested URL, which is the key, after that was taken down.
func TestEncode_takenDown(t *testing.T) {
	for _, format := range Formats() {
		for _, down := range []bool{false, true} {
			p, err := NewProducer(Config{Brokers: "127.0.0.1:1", Topic: "pages", Format: format})
			if err != nil {
				t.Fatal(err)
			}
			c := &schemas.Capture{
				URL: "http://new.example/p", RecordType: schemas.TypeResponse, MIMEDeclared: "text/html",
				Body:  []byte("<p>x"),
				Crawl: map[string]string{schemas.CrawlRequested: "http://old.example/p"},
			}
			d := &schemas.Document{URL: c.URL}
			m, err := topic{p, format == FormatContent}.Encode(&sink.Page{Capture: c, Document: d, TakenDown: down})
			if err != nil || (m == nil) != down {
				t.Errorf("%s, taken down %v: message %v, error %v", format, down, m, err)
			}
			p.Close()
		}
	}
}

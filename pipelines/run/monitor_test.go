package run

import (
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
)

func TestAddressOf(t *testing.T) {
	for _, tt := range []struct{ value, want, err string }{
		{"0", "", ""},
		{"9464", "127.0.0.1:9464", ""},
		{"0.0.0.0:9464", "0.0.0.0:9464", ""},
		{"[::1]:9464", "[::1]:9464", ""},
		{":9464", ":9464", ""},
		{"127.0.0.1:0", "127.0.0.1:0", ""},
		{"", "", "neither a port nor host:port"},
		{"localhost", "", "neither a port nor host:port"},
		{"65536", "", "not a port"},
		{"-1", "", "not a port"},
		{"localhost:http", "", "not a port"},
	} {
		got, err := addressOf(tt.value)
		if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("addressOf(%q) = %q, %v; want %q, %q", tt.value, got, err, tt.want, tt.err)
		}
	}
}

func TestServe_busyPortIsAUsageError(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }() // no request is served
	_, port, _ := net.SplitHostPort(l.Addr().String())
	for _, value := range []string{port, l.Addr().String()} {
		err := serve("metrics_port", value, "/metrics", metricsHandler(&cli.Live))
		var usage *cli.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), "--metrics_port="+value+
			": another program has this port") {
			t.Errorf("serve(%q) = %v, want a cli.UsageError that says the port is taken", value, err)
		}
	}
}

func TestMetricsHandler(t *testing.T) {
	var c cli.Counters
	c.Bytes.Add(1 << 20)
	c.Captures.Add(3)
	c.Units.Add(1)
	c.Queued.Add(2)
	c.Reject("garbage")
	c.Reject("garbage")
	c.Reject("panic")
	c.Spend([]string{"mime", "text"}, []report.Spent{{Wall: time.Second, CPU: time.Second / 4}, {Wall: 2 * time.Second}})
	c.Spend([]string{"mime", "text"}, []report.Spent{{Wall: time.Second / 2}, {}})
	w := httptest.NewRecorder()
	metricsHandler(&c).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for _, want := range []string{
		"gleaner_bytes_total 1.048576e+06", "gleaner_captures_total 3", "gleaner_units_total 1", "gleaner_queue_captures 2",
		`gleaner_rejects_total{kind="garbage"} 2`, `gleaner_rejects_total{kind="panic"} 1`,
		`gleaner_extractor_seconds_total{extractor="mime"} 1.5`, `gleaner_extractor_seconds_total{extractor="text"} 2`,
		`gleaner_extractor_cpu_seconds_total{extractor="mime"} 0.25`, "# TYPE gleaner_captures_total counter",
		"# TYPE gleaner_queue_captures gauge", "go_goroutines ",
	} {
		if !strings.Contains(w.Body.String(), want+"\n") && !strings.Contains(w.Body.String(), "\n"+want) {
			t.Errorf("no %q in the metrics:\n%.3000s", want, w.Body)
		}
	}
	if c.Rejected() != 3 {
		t.Errorf("Rejected = %d, want 3", c.Rejected())
	}
}

func TestPprofHandler(t *testing.T) {
	w := httptest.NewRecorder()
	pprofHandler().ServeHTTP(w, httptest.NewRequest("GET", "/debug/pprof/", nil))
	b, err := io.ReadAll(w.Body)
	if err != nil || w.Code != 200 || !strings.Contains(string(b), "goroutine") {
		t.Errorf("status %d, %v, body %.200q; want an index of profiles", w.Code, err, b)
	}
}

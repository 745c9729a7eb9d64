package run

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// monitor has the ports for watching a run. They are only for the process that the user starts: several workers on
// one machine would need the same port.
type monitor struct{ metrics, pprof string }

// The flags are text, since they may be a port or an address.
func (m *monitor) flags(f *cli.Flags) {
	f.Add(setting.Under("Running", []setting.Setting{{
		Name: "metrics_port", Value: &m.metrics, Default: "0", Example: "9464",
		Help: "port of 127.0.0.1 where Prometheus finds metrics, at /metrics; host:port for another address; 0 for none",
	}, {
		Name: "pprof_port", Value: &m.pprof, Default: "0", Example: "6060",
		Help: "port of 127.0.0.1 where go tool pprof finds profiles, at /debug/pprof/; host:port for another address; 0 " +
			"for none",
	}}))
}

// start opens the requested ports for the life of the process. It returns a UsageError for a port in use, before any
// work.
func (m *monitor) start() error {
	if err := serve("metrics_port", m.metrics, "/metrics", metricsHandler(&cli.Live)); err != nil {
		return err
	}
	// The profile of memory takes 1.4 MB, and only this port shows it.
	if m.pprof == "0" {
		runtime.MemProfileRate = 0
	}
	return serve("pprof_port", m.pprof, "/debug/pprof/", pprofHandler())
}

// serve serves h at the address of a flag. Without a host it listens on loopback, because profiles reveal much.
func serve(flag, value, path string, h http.Handler) error {
	address, err := addressOf(value)
	if err != nil {
		return cli.Usagef("--%s=%s: %v", flag, value, err)
	}
	if address == "" {
		return nil
	}
	l, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return cli.Usagef("--%s=%s: another program has this port: name another, or 0 for none", flag, value)
	}
	if err != nil {
		return cli.Usagef("--%s=%s: %v", flag, value, err)
	}
	// The system may have chosen the port.
	slog.Info(fmt.Sprintf("http://%s%s", l.Addr(), path), "flag", flag)
	// A client that sends its header slowly must not hold a connection forever.
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		slog.Warn("the port is closed", "flag", flag, "error", server.Serve(l)) // the run continues without it
	}()
	return nil
}

// addressOf returns the address to listen at: "" for port 0, and loopback for a port alone.
func addressOf(value string) (string, error) {
	host, port := "127.0.0.1", value
	if _, err := strconv.Atoi(value); err != nil {
		if host, port, err = net.SplitHostPort(value); err != nil {
			return "", errors.New("neither a port nor host:port")
		}
	} else if value == "0" {
		return "", nil
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return "", fmt.Errorf("%q is not a port: these are 1 to 65535", port)
	}
	return net.JoinHostPort(host, port), nil
}

// pprofHandler serves net/http/pprof except the command line, which may have secrets. It avoids the default mux, on
// which any package may register.
func pprofHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}

// metricsHandler serves the counters and the process's and Go's metrics to Prometheus. The default registry may have
// metrics of libraries, so it has its own.
func metricsHandler(c *cli.Counters) http.Handler {
	r := prometheus.NewRegistry()
	r.MustRegister(collector{c}, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(r, promhttp.HandlerOpts{}))
	return mux
}

// collector reads the counters when Prometheus asks.
type collector struct{ counters *cli.Counters }

// Names and units follow Prometheus's recommendations.
var (
	bytesDesc    = prometheus.NewDesc("gleaner_bytes_total", "Bytes of the archives that were read, compressed.", nil, nil)
	capturesDesc = prometheus.NewDesc("gleaner_captures_total", "Captures that were written.", nil, nil)
	unitsDesc    = prometheus.NewDesc("gleaner_units_total", "Units that were finished.", nil, nil)
	queuedDesc   = prometheus.NewDesc("gleaner_queue_captures", "Captures that were read and are not yet written.", nil,
		nil)
	rejectsDesc = prometheus.NewDesc("gleaner_rejects_total", "Rejects by kind.", []string{"kind"}, nil)
	spentDesc   = prometheus.NewDesc("gleaner_extractor_seconds_total", "Time in extractors, by a clock on the wall.",
		[]string{"extractor"}, nil)
	cpuDesc = prometheus.NewDesc("gleaner_extractor_cpu_seconds_total",
		"Processor time in extractors, without that of other processes.", []string{"extractor"}, nil)
)

// Describe implements prometheus.Collector.
// Describe sends the descriptions.
func (c collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{bytesDesc, capturesDesc, unitsDesc, queuedDesc, rejectsDesc, spentDesc, cpuDesc} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c collector) Collect(to chan<- prometheus.Metric) {
	send := func(d *prometheus.Desc, kind prometheus.ValueType, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, kind, v, labels...)
	}
	send(bytesDesc, prometheus.CounterValue, float64(c.counters.Bytes.Load()))
	send(capturesDesc, prometheus.CounterValue, float64(c.counters.Captures.Load()))
	send(unitsDesc, prometheus.CounterValue, float64(c.counters.Units.Load()))
	send(queuedDesc, prometheus.GaugeValue, float64(c.counters.Queued.Load()))
	// Kinds and extractors are few, so labels stay bounded.
	rejects, spent := c.counters.Tables()
	for kind, n := range rejects {
		send(rejectsDesc, prometheus.CounterValue, float64(n), kind)
	}
	for name, d := range spent {
		send(spentDesc, prometheus.CounterValue, d.Wall.Seconds(), name)
		send(cpuDesc, prometheus.CounterValue, d.CPU.Seconds(), name)
	}
}

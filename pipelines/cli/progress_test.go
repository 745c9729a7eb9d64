package cli

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/gleaner-web/gleaner/schemas"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestEstimate_line(t *testing.T) {
	const total = 100 << 20
	for _, tt := range []struct {
		name    string
		samples []sample
		total   int64
		want    string
	}{
		{"at the start", []sample{{now: start}}, total, "0 B of 100.0 MiB (0%), 0 rejects"},
		{
			"steady",
			[]sample{
				{now: start.Add(10 * time.Second), bytes: 5 << 20, captures: 1000, rejects: 2},
				{now: start.Add(20 * time.Second), bytes: 10 << 20, captures: 2000, rejects: 12},
			},
			total, "10.0 MiB of 100.0 MiB (10%), 0.5 MiB/s, 100 captures/s, 12 rejects, 3m00s left",
		},
		{
			"done",
			[]sample{{now: start.Add(10 * time.Second), bytes: total, captures: 12345678, rejects: 0}},
			total,
			"100.0 MiB of 100.0 MiB (100%), 10.0 MiB/s, 1,234,568 captures/s, 0 rejects, 0s left",
		},
		{
			"more than planned",
			[]sample{{now: start.Add(time.Second), bytes: total + 1, captures: 1, rejects: 0}},
			total,
			"100.0 MiB of 100.0 MiB (100%), 100.0 MiB/s, 1 captures/s, 0 rejects",
		},
		{
			"almost done is not done",
			[]sample{{now: start.Add(time.Second), bytes: total - 1, captures: 1, rejects: 0}},
			total,
			"100.0 MiB of 100.0 MiB (99%), 100.0 MiB/s, 1 captures/s, 0 rejects, 0s left",
		},
		{
			"total not known",
			[]sample{{now: start.Add(time.Second), bytes: 1500, captures: 3, rejects: 0}},
			0,
			"1.5 KiB, 0.0 MiB/s, 3 captures/s, 0 rejects",
		},
		{
			"nothing yet",
			[]sample{{now: start.Add(time.Hour), bytes: 0, captures: 0, rejects: 0}},
			total,
			"0 B of 100.0 MiB (0%), 0.0 MiB/s, 0 captures/s, 0 rejects",
		},
		{
			"years",
			[]sample{{now: start.Add(time.Hour), bytes: 1, captures: 0, rejects: 0}},
			math.MaxInt64,
			"1 B of 8.0 EiB (0%), 0.0 MiB/s, 0 captures/s, 0 rejects",
		},
		{
			"the clock goes back",
			[]sample{{now: start.Add(-time.Hour), bytes: 1 << 20, captures: 9, rejects: 0}},
			total,
			"1.0 MiB of 100.0 MiB (1%), 0 rejects",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEstimate(sample{now: start})
			var got string
			for _, s := range tt.samples {
				got = e.line(s, tt.total)
			}
			if got != tt.want {
				t.Errorf("line = %q, want %q", got, tt.want)
			}
		})
	}
}

// TestEstimate_timeLeft: from 5 % of the input on, the time left is within 20 % if the throughput is steady. This
// holds for smooth and lumpy progress, for short and long runs, and for all ticks.
func TestEstimate_timeLeft(t *testing.T) {
	const total = int64(10 << 30)
	for _, duration := range []time.Duration{20 * time.Second, 10 * time.Minute, 5 * time.Hour} {
		for _, interval := range []time.Duration{terminalInterval, plainInterval} {
			for _, lump := range []int64{1, total / 1000} {
				e := newEstimate(sample{now: start})
				for at := interval; at < duration; at += interval {
					bytes := int64(float64(total) * at.Seconds() / duration.Seconds())
					e.add(sample{now: start.Add(at), bytes: bytes - bytes%lump})
					want := duration - at
					if bytes < total/20 || want < 2*time.Second || total-bytes < 10*lump {
						continue // at the end, one lump is a large part of the rest
					}
					got, ok := e.left(total)
					if !ok || math.Abs(got.Seconds()/want.Seconds()-1) > 0.2 {
						t.Fatalf("%v in ticks of %v and lumps of %d: after %v left is %v, %v, want %v", duration, interval, lump, at, got,
							ok, want)
					}
				}
			}
		}
	}
}

func TestEstimate_followsAChange(t *testing.T) {
	e := newEstimate(sample{now: start})
	for s := range int64(600) {
		e.add(sample{now: start.Add(time.Duration(s) * time.Second), bytes: s * 1000})
	}
	for s := range int64(600) { // ten times slower
		e.add(sample{now: start.Add(time.Duration(600+s) * time.Second), bytes: 600_000 + s*100})
	}
	got, ok := e.left(e.last.bytes + 100_000)
	if want := 1000 * time.Second; !ok || math.Abs(got.Seconds()/want.Seconds()-1) > 0.2 {
		t.Errorf("left = %v, want about %v ten minutes after things slowed down", got, want)
	}
}

func TestProgress_shows(t *testing.T) {
	for _, tt := range []struct {
		name     string
		terminal bool
		width    int
		want     string
	}{
		{"plain", false, 0, "1.0 KiB of 4.0 KiB (25%), 0.0 MiB/s, 3 captures/s, 1 rejects, 3s left\n2.0 KiB of 4.0 KiB " +
			"(50%), 0.0 MiB/s, 3 captures/s, 1 rejects, 2s left\n"},
		{"terminal", true, 0, "\r1.0 KiB of 4.0 KiB (25%), 0.0 MiB/s, 3 captures/s, 1 rejects, 3s left\x1b[K\r2.0 KiB of " +
			"4.0 KiB (50%), 0.0 MiB/s, 3 captures/s, 1 rejects, 2s left\x1b[K\r\x1b[K"},
		{"narrow", true, 11, "\r1.0 KiB of\x1b[K\r2.0 KiB of\x1b[K\r\x1b[K"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var c Counters
			out := &shown{wrote: make(chan struct{}, 10)}
			ticks := make(chan time.Time)
			stopped := false
			p := &Progress{counters: &c, total: 4096, out: out, terminal: tt.terminal, width: tt.width}
			p.start(start, ticks, func() { stopped = true })
			c.Reject("garbage")
			for i := range 2 {
				c.Bytes.Add(1024)
				c.Captures.Add(3)
				ticks <- start.Add(time.Duration(i+1) * time.Second)
				<-out.wrote
			}
			p.Stop()
			if got := out.text.String(); !stopped || got != tt.want {
				t.Errorf("shown = %q, ticker stopped: %v, want %q", got, stopped, tt.want)
			}
		})
	}
}

// shown is an output that signals every write.
type shown struct {
	text  bytes.Buffer
	wrote chan struct{}
}

func (s *shown) Write(p []byte) (int, error) {
	n, err := s.text.Write(p)
	s.wrote <- struct{}{}
	return n, err
}

func TestStartProgress_stops(t *testing.T) {
	p := StartProgress(&Live, 1)
	p.Stop()
	select {
	case <-p.ended:
	default:
		t.Error("Stop returned before the goroutine ended")
	}
}

// TestAttack19_progressShowsTheSlowestFileWithinTheWidth: the line fits for any file name, and control characters in
// the name are escaped.
func TestAttack19_progressShowsTheSlowestFileWithinTheWidth(t *testing.T) {
	long := "/data/shelf/" + strings.Repeat("x", 200) + "/2024-05\x1b[31m.warc.gz"
	for _, file := range []string{
		"a.warc.gz", long, strings.Repeat("日本", 60) + ".warc.gz",
		strings.Repeat("e\u0301", 99),
	} {
		for _, width := range []int{20, 60, 100, 200} {
			for _, terminal := range []bool{true, false} {
				var c Counters
				var out bytes.Buffer
				p := &Progress{counters: &c, total: 100 << 20, out: &out, terminal: terminal, width: width}
				c.Begin("young.warc.gz")
				c.Begin(file).since = time.Now().Add(-90 * time.Second)
				c.Bytes.Add(5 << 20)
				e := newEstimate(sample{now: time.Now().Add(-10 * time.Second)})
				p.tick(e, p.sample(time.Now()))
				line := strings.TrimSuffix(strings.TrimPrefix(out.String(), "\r"), "\x1b[K")
				line = strings.TrimSuffix(line, "\n")
				if terminal && columns(line) >= width {
					t.Errorf("width %d: %d columns: %q", width, columns(line), line)
				}
				if strings.ContainsFunc(line, unicode.IsControl) {
					t.Errorf("%q is obeyed", line)
				}
				end := schemas.Printable(file)
				if width >= 100 && (!strings.Contains(line, "0.5 MiB/s") || !strings.Contains(line, "longest 1m30s in ")) {
					t.Errorf("width %d: %q does not tell of %s", width, line, end)
				}
			}
		}
	}
}

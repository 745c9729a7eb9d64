package cli

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

func TestSummary(t *testing.T) {
	mimes := map[string]int64{"": 2000, "evil/\x1b[31m": 1500}
	for i := range 12 {
		mimes[fmt.Sprintf("text/x-%02d", i)] = int64(1000 - i/2)
	}
	m := schemas.Manifest{
		Units:         make([]schemas.UnitResult, 12),
		SiteTemplates: &schemas.SiteTemplates{Hosts: 3},
		Totals: schemas.Counts{
			Records: 1300, Captures: 1_234_567, Documents: 1_234_560, Rejects: 7,
			BytesRead: 64 << 20, BytesLost: 64, BodyBytes: 3 << 30, TemplateBlocks: 4321,
			ByType:   map[string]int64{"response": 1_234_566, "revisit": 1},
			ByMIME:   mimes,
			ByLang:   map[string]int64{"en": 800_000, "fr": 400_000},
			ByReject: map[string]int64{"inflate": 4, "garbage": 3},
			ByFlag:   map[string]int64{"payload_digest": 12},
			ByQuirk:  map[string]int64{"lf": 3},
		},
	}
	for name, tt := range map[string]struct {
		m       schemas.Manifest
		elapsed time.Duration
		peak    int64
	}{
		"summary.txt":       {m, 61 * time.Second, 123 << 20},
		"summary-empty.txt": {schemas.Manifest{}, 0, 0},
	} {
		var b strings.Builder
		if err := Summary(&b, tt.m, tt.elapsed, tt.peak); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
	}
}

// TestAttack05_summaryOfSinks: a server's message reaches the terminal without control characters. Reasons are sorted
// by their number of documents.
func TestAttack05_summaryOfSinks(t *testing.T) {
	var c schemas.Counts
	for i := range 3000 {
		c.Offer(schemas.SinkElastic)
		if i%1000 > 0 {
			continue
		}
		c.Refuse(schemas.SinkElastic, []string{"rare", "mapper\x1b[31m", "mapper\x1b[31m"}[i/1000],
			schemas.Reject{URL: fmt.Sprintf("http://a/\x1b%d", i), File: "a\x07", Offset: 7, Message: "rare: \x1b]0;x"})
	}
	c.Offer(schemas.SinkKafka)
	var b strings.Builder
	if err := Summary(&b, schemas.Manifest{Totals: c}, 0, 0); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\nElasticsearch 2,997 of 3,000 documents; 3 refused: 2 mapper\ufffd[31m, 1 rare, first http://a/\ufffd0 (a\ufffd " +
			"at 7): rare: \ufffd]0;x\n",
		"\nKafka        1 of 1 message\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("summary %q; want the line %q", b.String(), want)
		}
	}
}

func TestPlain(t *testing.T) {
	for name, want := range map[string]string{
		"text/html": "text/html", "": "(none)", "a\x1b[31m\nb\u202e": "a�[31m�b�", "a\xffb": "a�b",
		strings.Repeat("é", 60): strings.Repeat("é", 39) + "…",
	} {
		if got := plain(name); got != want {
			t.Errorf("plain(%q) = %q, want %q: archives choose these names", name, got, want)
		}
	}
}

func TestSummary_writeFails(t *testing.T) {
	if err := Summary(brokenPipe{}, schemas.Manifest{}, 0, 0); !errors.Is(err, errPipe) {
		t.Errorf("Summary = %v, want %v", err, errPipe)
	}
}

var errPipe = errors.New("broken pipe")

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errPipe }

func TestPeakMemory(t *testing.T) {
	if got := PeakMemory(); got != 0 && got < 1<<20 {
		t.Errorf("PeakMemory = %d bytes, want 0 or what a Go process needs", got)
	}
	for status, want := range map[string]int64{
		"Name:\tx\nVmHWM:\t   12345 kB\nVmRSS:\t 1 kB\n": 12345 << 10,
		"Name:\tx\n": 0, "VmHWM:\tmuch kB\n": 0, "": 0,
	} {
		if got := peakOf(status); got != want {
			t.Errorf("peakOf(%q) = %d, want %d", status, got, want)
		}
	}
}

func TestFormat(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1536: "1.5 KiB", 1<<20 - 1: "1.0 MiB", 1 << 20: "1.0 MiB",
		math.MaxInt64: "8.0 EiB",
	} {
		if got := FormatBytes(n); got != want {
			t.Errorf("FormatBytes(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567",
		math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := FormatCount(n); got != want {
			t.Errorf("FormatCount(%d) = %q, want %q", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		0: "0s", 59600 * time.Millisecond: "1m00s", 130 * time.Second: "2m10s", 3*time.Hour + 5*time.Minute: "3h05m",
	} {
		if got := formatDuration(d); got != want {
			t.Errorf("formatDuration(%v) = %q, want %q", d, got, want)
		}
	}
}

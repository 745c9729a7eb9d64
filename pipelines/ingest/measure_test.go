package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

func readJSON[T any](t *testing.T, dir, name string) (v T) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

func readReport(t *testing.T, dir string) report.Report {
	return readJSON[report.Report](t, dir, holdings.ReportFile)
}

// TestIngest_reportSaysWhatTheManifestSays: on each runner, the report has the counts of the manifest, and names
// captures of the index.
func TestIngest_reportSaysWhatTheManifestSays(t *testing.T) {
	for _, runner := range []string{"local", "direct", "prism"} {
		out := t.TempDir()
		if r := runCommand(t, "--output="+out, "--unit_size=64KiB", "--runner="+runner, archives, damaged); r.code != 3 {
			t.Fatalf("exit code %d, want 3\n%s", r.code, r.stderr)
		}
		m, r := readJSON[schemas.Manifest](t, out, holdings.ManifestFile), readReport(t, out)
		if diff := cmp.Diff(m.Totals, r.Counts); diff != "" {
			t.Errorf("on %s the report counts what the manifest does not (-manifest +report):\n%s", runner, diff)
		}
		planned := len(m.Units)
		if m.Units[planned-1].Inputs == nil {
			planned-- // the unit of joined records
		}
		if want := (report.Units{Planned: planned, Done: len(m.Units)}); r.Units != want || r.Runner != runner ||
			r.Command != "ingest" {
			t.Errorf("on %s: %q, %q, units %+v; want %+v", runner, r.Command, r.Runner, r.Units, want)
		}
		if r.CaptureBytes.Count != m.Totals.Captures || r.CaptureMicroseconds.Count != m.Totals.Captures ||
			r.UnitMilliseconds.Count != int64(len(m.Units)) {
			t.Errorf("on %s %+v, %+v, %+v were measured; want %d captures and %d units", runner,
				r.CaptureBytes, r.CaptureMicroseconds, r.UnitMilliseconds, m.Totals.Captures, len(m.Units))
		}
		if r.CaptureBytes.Sum != m.Totals.BodyBytes {
			t.Errorf("on %s bodies of %d bytes were measured, and the manifest has %d", runner, r.CaptureBytes.Sum,
				m.Totals.BodyBytes)
		}
		checkTimes(t, out, r)
	}
}

// checkTimes checks the times of a report: they differ between runs, but their sums must fit.
func checkTimes(t *testing.T, out string, r report.Report) {
	t.Helper()
	var sum, cpu schemas.Float
	for _, x := range r.Extractors {
		sum += x.Seconds
		cpu += x.CPUSeconds
	}
	if cpu <= 0 || cpu > r.CPUSeconds {
		t.Errorf("extractors took %v s of processors, and the processes %v s", cpu, r.CPUSeconds)
	}
	if all := schemas.Float(r.CaptureMicroseconds.Sum) / 1e6; len(r.Extractors) < len(enrich.Extractors()) ||
		sum < all*0.99 || sum > all*1.01+0.01 {
		t.Errorf("%d extractors took %v s, and enriching took %v s", len(r.Extractors), sum, all)
	}
	places := map[string]bool{}
	for _, l := range indexLines(t, out) {
		places[fmt.Sprint(l.Filename, l.Offset, l.URL)] = true
	}
	if len(r.Slowest) != report.MaxSlowest {
		t.Errorf("%d slowest captures, want %d", len(r.Slowest), report.MaxSlowest)
	}
	for i, s := range r.Slowest {
		if !places[fmt.Sprint(s.File, s.Offset, s.URL)] || s.Seconds <= 0 || s.Extractor == "" || i > 0 &&
			s.Seconds > r.Slowest[i-1].Seconds {
			t.Errorf("slowest %d is %+v, which is not in the index or out of order", i, s)
		}
	}
	if len(r.Processes) != 1 || r.CPUSeconds <= 0 || r.PeakMemory <= 0 || r.Seconds <= 0 {
		t.Errorf("processes %+v, %v s of CPU, %d bytes, %v s", r.Processes, r.CPUSeconds, r.PeakMemory, r.Seconds)
	}
}

// TestIngest_reportOfAResumedRun: the report covers the run's own work and the number of units done before. A run
// without work does not change the report.
func TestIngest_reportOfAResumedRun(t *testing.T) {
	in, out := copyArchives(t), t.TempDir()
	args := []string{"--output=" + out, "--extract=mime", "--unit_size=64KiB", in}
	mustRun(t, args...)
	units := readReport(t, out).Units
	appendTo(t, filepath.Join(in, "site.warc"), "\r\n\r\n")
	mustRun(t, args...)
	r := readReport(t, out)
	if want := (report.Units{Planned: units.Planned, Before: units.Done - 1, Done: 1}); r.Units != want {
		t.Errorf("units %+v, want %+v", r.Units, want)
	}
	if m := readJSON[schemas.Manifest](t, out, holdings.ManifestFile); r.Counts.Captures == 0 ||
		r.Counts.Captures >= m.Totals.Captures {
		t.Errorf("%d captures in the report of one unit, and %d in the collection", r.Counts.Captures, m.Totals.Captures)
	}
	mustRun(t, args...)
	if again := readReport(t, out); !cmp.Equal(again.Started, r.Started) {
		t.Errorf("a run that did nothing wrote a report")
	}
	mustRun(t, append([]string{"--fresh"}, args...)...)
	if r := readReport(t, out); r.Units != units {
		t.Errorf("units after --fresh: %+v, want %+v", r.Units, units)
	}
}

// TestIngest_metrics requests metrics of a run during its work and after it. The run cannot end before its summary is
// read.
func TestIngest_metrics(t *testing.T) {
	summary, stdout, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fill(t, stdout)
	out := t.TempDir()
	cmd := command(t.Context(), "--output="+out, "--unit_size=64KiB", "--metrics_port=127.0.0.1:0",
		"--pprof_port=127.0.0.1:0", archives)
	cmd.Stdout = stdout
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	closeFile(t, stdout) // the command has a copy
	lines := bufio.NewScanner(stderr)
	metrics, profiles := address(t, lines), address(t, lines)
	captures, done := 0.0, filepath.Join(out, holdings.ReportFile)
	for deadline := time.Now().Add(time.Minute); !exists(done); time.Sleep(10 * time.Millisecond) {
		now := value(t, metrics, "gleaner_captures_total")
		if now < captures || time.Now().After(deadline) {
			t.Fatalf("%v captures after %v, and the run has not ended", now, captures)
		}
		captures = now
	}
	got := map[string]float64{}
	for _, name := range []string{
		"gleaner_captures_total", "gleaner_bytes_total", "gleaner_units_total",
		"gleaner_queue_captures",
	} {
		got[name] = value(t, metrics, name)
	}
	for _, name := range []string{"gleaner_extractor_seconds_total", "gleaner_extractor_cpu_seconds_total"} {
		if n := value(t, metrics, name+`{extractor="text"}`); n <= 0 {
			t.Errorf("%s of text is %v", name, n)
		}
	}
	if page := get(t, profiles); !strings.Contains(page, "goroutine") {
		t.Errorf("profiles: %.200q", page)
	}
	if _, err := io.Copy(io.Discard, summary); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	closeFile(t, summary)
	m := readJSON[schemas.Manifest](t, out, holdings.ManifestFile)
	want := map[string]float64{
		"gleaner_captures_total": float64(m.Totals.Captures), "gleaner_bytes_total": float64(m.Totals.BytesRead),
		"gleaner_units_total": float64(len(m.Units)), "gleaner_queue_captures": 0,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics at the end (-manifest +metrics):\n%s", diff)
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// fill writes to a pipe until it blocks.
func fill(t *testing.T, w *os.File) {
	t.Helper()
	if err := w.SetWriteDeadline(time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := w.Write([]byte{'\n'}); errors.Is(err, os.ErrDeadlineExceeded) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// address returns the next URL in the command's output.
func address(t *testing.T, lines *bufio.Scanner) string {
	t.Helper()
	for lines.Scan() {
		if url := regexp.MustCompile(`http://127\.0\.0\.1:\d+/\S*`).FindString(lines.Text()); url != "" {
			return url
		}
	}
	t.Fatalf("no address was printed: %v", lines.Err())
	return ""
}

func get(t *testing.T, url string) string {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer closeFile(t, r.Body)
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, r.Status, err)
	}
	return string(b)
}

// value returns the current value of a metric.
func value(t *testing.T, url, name string) float64 {
	t.Helper()
	for line := range strings.Lines(get(t, url)) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			v, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return v
		}
	}
	return 0
}

// TestIngest_portTaken: a port in use is reported before the work.
func TestIngest_portTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer closeFile(t, l)
	_, port, _ := strings.Cut(l.Addr().String(), ":")
	for _, flag := range []string{
		"--metrics_port=" + port, "--pprof_port=" + port, "--metrics_port=nonsense",
		"--log_format=xml", "--log_level=loud",
	} {
		out := filepath.Join(t.TempDir(), "out")
		r := runCommand(t, "--output="+out, flag, archives)
		if _, err := os.Stat(out); r.code != 2 || !strings.Contains(r.stderr, flag) || !os.IsNotExist(err) {
			t.Errorf("%s: exit code %d, stderr %q, output %v; want 2, the flag's name and no output", flag, r.code, r.stderr,
				err)
		}
	}
}

// TestIngest_logAsRecords: with --log_format=json, all messages are records. At the level debug, there is one per
// unit.
func TestIngest_logAsRecords(t *testing.T) {
	r := mustRun(t, "--output="+t.TempDir(), "--extract=", "--log_format=json", "--log_level=debug", "--unit_size=64KiB",
		archives)
	for line := range strings.Lines(r.stderr) {
		if !json.Valid([]byte(line)) {
			t.Errorf("%q is no record", line)
		}
	}
	if n := strings.Count(r.stderr, `"msg":"unit done"`); n < 3 {
		t.Errorf("%d records of units; want one for each\n%s", n, r.stderr)
	}
}

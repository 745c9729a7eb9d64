package report

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gleaner-web/gleaner/schemas"
)

func distributionOf(values ...int64) (d Distribution) {
	for _, v := range values {
		d.Add(v)
	}
	return d
}

func TestDistribution_valuesSayTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(2026, 11))
	tests := [][]int64{{}, {7}, {7, 7}, {1, 9}, {0, 0, 0}, {1, 2, 4, 8, 16}, {5, 1000000, 3}}
	for range 100 {
		values := make([]int64, 1+r.IntN(50))
		for i := range values {
			values[i] = r.Int64N(1 << 40)
		}
		tests = append(tests, values)
	}
	for _, values := range tests {
		d := distributionOf(values...)
		var again Distribution
		for v := range d.Values() {
			again.Add(v)
		}
		if again != d {
			t.Fatalf("Values of %+v are those of %+v", d, again)
		}
		for range d.Values() {
			break // a consumer may stop
		}
	}
}

func TestDistribution_merge(t *testing.T) {
	d := distributionOf(3, 5)
	d.Merge(Distribution{})
	d.Merge(distributionOf(1, 9, 2))
	if want := (Distribution{Count: 5, Sum: 20, Min: 1, Max: 9}); d != want {
		t.Errorf("merged = %+v, want %+v", d, want)
	}
	var empty Distribution
	empty.Merge(d)
	if empty != d {
		t.Errorf("merged into none = %+v, want %+v", empty, d)
	}
}

var names = []string{"mime", "text", "page"}

func TestMeasures_capture(t *testing.T) {
	var m Measures
	m.Capture(Slow{File: "a", Bytes: 10}, names, Share([]time.Duration{time.Millisecond, 3 * time.Millisecond, 0},
		2*time.Millisecond))
	m.Capture(Slow{File: "b", Bytes: 30}, names, Share([]time.Duration{5 * time.Millisecond, 3 * time.Millisecond, 0},
		8*time.Millisecond))
	m.End(20*time.Millisecond, 1<<20)
	want := Measures{
		Seconds: 0.02,
		Extractors: map[string]Spent{
			"mime": {6 * time.Millisecond, 5500 * time.Microsecond},
			"text": {6 * time.Millisecond, 4500 * time.Microsecond},
		},
		Bytes:     Distribution{2, 40, 10, 30},
		Micros:    Distribution{2, 12000, 4000, 8000},
		CPUMicros: Distribution{2, 10000, 2000, 8000},
		Slowest: []Slow{
			{File: "b", Bytes: 30, Seconds: 0.008, CPUSeconds: 0.008, Extractor: "mime"},
			{File: "a", Bytes: 10, Seconds: 0.004, CPUSeconds: 0.002, Extractor: "text"},
		},
		Process: Process{PeakMemory: 1 << 20},
	}
	if diff := cmp.Diff(want, m, cmpopts.IgnoreFields(Process{}, "Host", "PID", "CPUSeconds")); diff != "" {
		t.Errorf("measures (-want +got):\n%s", diff)
	}
	if m.Process.PID != os.Getpid() {
		t.Errorf("process = %+v, want this one, %d", m.Process, os.Getpid())
	}
}

// TestMeasures_slowestAreTheSlowest: only a few captures are kept, the slowest, for any order.
func TestMeasures_slowestAreTheSlowest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, order := range [][]int{r.Perm(1000), r.Perm(1000)} {
		var m Measures
		for _, i := range order {
			m.Capture(Slow{Offset: int64(i)}, names, []Spent{{Wall: time.Duration(i/2) * time.Millisecond}})
		}
		if len(m.Slowest) != MaxSlowest {
			t.Fatalf("%d captures are kept, want %d", len(m.Slowest), MaxSlowest)
		}
		for i, s := range m.Slowest {
			want := int64(999 - i ^ 1) // of two equal captures, the first in the file comes first
			if s.Offset != want {
				t.Errorf("slowest %d is at %d, want %d", i, s.Offset, want)
			}
		}
	}
}

func TestMeasures_longURLsAreCut(t *testing.T) {
	var m Measures
	m.Capture(Slow{URL: strings.Repeat("é", maxURL)}, names, nil)
	if u := m.Slowest[0].URL; len(u) > maxURL+4 || !utf8.ValidString(u) || !strings.HasSuffix(u, "é…") {
		t.Errorf("URL of %d bytes is kept as %d", 2*maxURL, len(u))
	}
}

// rowOf returns the row of a unit whose captures are in a file of its own.
func rowOf(id int, captures int64, process Process) Row {
	m := &Measures{Process: process, Seconds: 2}
	for i := range captures {
		m.Capture(Slow{File: fmt.Sprint(id), Offset: i, Bytes: 1}, names,
			[]Spent{{time.Second, 0}, {3 * time.Second, time.Second}})
	}
	u := schemas.UnitResult{Unit: schemas.Unit{ID: id}, Counts: schemas.Counts{Captures: captures}}
	schemas.Count(&u.ByReject, "garbage", captures)
	return Row{UnitResult: u, Measures: m}
}

func TestReport_addsWhatThisRunDid(t *testing.T) {
	started := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	r := New(Run{Command: "ingest", Runner: "direct", Started: started}, 4)
	one, other := Process{"a", 1, 0, 5, 100}, Process{"b", 1, 0, 7, 300}
	r.Add(rowOf(0, 2, one))
	r.Add(Row{UnitResult: schemas.UnitResult{Unit: schemas.Unit{ID: 1}, Counts: schemas.Counts{Captures: 1000}}})
	later := one
	later.CPUSeconds, later.PeakMemory = 9, 200
	r.Add(rowOf(2, 1, later))
	r.Add(rowOf(2, 1, later)) // a duplicate
	r.Add(rowOf(3, 30, other))
	r.End(started.Add(90 * time.Second))
	want := &Report{
		SchemaVersion: schemas.Version, Run: r.Run, Seconds: 90, CPUSeconds: 16, PeakMemory: 300,
		Units:      Units{Planned: 4, Before: 1, Done: 3},
		Counts:     schemas.Counts{Captures: 33, ByReject: map[string]int64{"garbage": 33}},
		Extractors: []Extractor{{"text", 99, 33, 0.75}, {"mime", 33, 0, 0.25}}, CaptureBytes: Distribution{33, 33, 1, 1},
		CaptureMicroseconds: Distribution{33, 33 * 4e6, 4e6, 4e6}, CaptureCPUMicroseconds: Distribution{
			33, 33 * 1e6, 1e6,
			1e6,
		}, UnitMilliseconds: Distribution{3, 6000, 2000, 2000},
		Processes: []Process{{Machine: 1, CPUSeconds: 9, PeakMemory: 200}, {Machine: 2, CPUSeconds: 7, PeakMemory: 300}},
	}
	if diff := cmp.Diff(want, r, cmpopts.IgnoreUnexported(Report{}),
		cmpopts.IgnoreFields(Report{}, "Slowest")); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if n := len(r.Slowest); n != MaxSlowest || r.Slowest[0].File != "0" || r.Slowest[2].File != "2" {
		t.Errorf("%d slowest, %+v; want the first of each unit", n, r.Slowest)
	}
}

// TestRow_travels: the row of a worker reaches the report unchanged. It can also be read as only a unit's result.
func TestRow_travels(t *testing.T) {
	want := rowOf(3, 30, Process{"a", 1, 0, 0.25, 100})
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Row
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
	var unit schemas.UnitResult
	if err := json.Unmarshal(b, &unit); err != nil || !cmp.Equal(unit, want.UnitResult) {
		t.Errorf("as a unit's result: %+v, %v", unit, err)
	}
	if len(b) > 10<<10 {
		t.Errorf("a row has %d bytes", len(b))
	}
}

// TestReport_ofNothing: the report of an empty run has no division by zero.
func TestReport_ofNothing(t *testing.T) {
	r := New(Run{}, 0)
	r.End(time.Time{})
	if _, err := json.Marshal(r); err != nil || math.IsNaN(float64(r.Seconds)) {
		t.Errorf("report of nothing: %+v, %v", r, err)
	}
}

// TestCPUTime: work takes CPU time, and waiting almost none.
func TestCPUTime(t *testing.T) {
	if threadTime() == 0 {
		t.Skip("this system does not tell a thread's processor time")
	}
	sum := 0
	work := CPUTime(func() {
		for i := range 200_000_000 {
			sum += i ^ sum
		}
	})
	if wait := CPUTime(func() { time.Sleep(100 * time.Millisecond) }); work < 10*time.Millisecond || wait > work/2 {
		t.Errorf("work took %v, and waiting %v (%d)", work, wait, sum)
	}
}

func ExampleReport() {
	var m Measures
	m.Capture(Slow{File: "a.warc.gz", Offset: 512, URL: "http://a.example/"}, []string{"page", "text"},
		[]Spent{{Wall: time.Second}, {Wall: 3 * time.Second}})
	r := New(Run{Command: "ingest"}, 1)
	r.Add(Row{Measures: &m})
	r.End(time.Time{})
	for _, x := range r.Extractors {
		fmt.Println(x.Name, x.Seconds, x.Share)
	}
	fmt.Println(r.Slowest[0].URL, r.Slowest[0].Extractor)
	// Output:
	// text 3 0.75
	// page 1 0.25
	// http://a.example/ text
}

// BenchmarkMeasures measures the cost of measures per capture, without the stopwatch: see enrich.BenchmarkStopwatch.
func BenchmarkMeasures(b *testing.B) {
	var m Measures
	names := strings.Split("abcdefghijklmn", "")
	wall := make([]time.Duration, len(names))
	for i := range wall {
		wall[i] = time.Duration(i)
	}
	b.ReportAllocs()
	for b.Loop() {
		cpu := CPUTime(func() {})
		m.Capture(Slow{File: "a"}, names, Share(wall, cpu))
	}
}

package report

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// Report describes a run. Units counts the work of earlier runs, which is not in the rest.
type Report struct {
	SchemaVersion string `json:"schema_version"`
	Run
	Seconds    schemas.Float  `json:"seconds"`     // from Started to the end
	CPUSeconds schemas.Float  `json:"cpu_seconds"` // of all Processes
	PeakMemory int64          `json:"peak_memory"` // maximum of Processes in bytes
	Units      Units          `json:"units"`
	Counts     schemas.Counts `json:"counts"`
	Extractors []Extractor    `json:"extractors"` // from the slowest
	// Decoded bytes of captures, times to enrich one, and times to do a unit.
	CaptureBytes           Distribution `json:"capture_bytes"`
	CaptureMicroseconds    Distribution `json:"capture_microseconds"`
	CaptureCPUMicroseconds Distribution `json:"capture_cpu_microseconds"`
	UnitMilliseconds       Distribution `json:"unit_milliseconds"`
	Slowest                []Slow       `json:"slowest"`   // captures, at most MaxSlowest
	Processes              []Process    `json:"processes"` // that did units

	seen       map[int]bool // units already added
	extractors map[string]Spent
}

type Run struct {
	Command string    `json:"command"`
	Runner  string    `json:"runner"`
	Started time.Time `json:"started"`
}

// Units counts units by who did them. The unit of joined records counts in addition to Planned.
type Units struct {
	Planned int `json:"planned"`
	Before  int `json:"before"` // done by earlier runs
	Done    int `json:"done"`   // done by this run
}

type Extractor struct {
	Name       string        `json:"name"`
	Seconds    schemas.Float `json:"seconds"`
	CPUSeconds schemas.Float `json:"cpu_seconds"` // its share of captures' CPU time, by wall time
	Share      schemas.Float `json:"share"`       // of the seconds of all extractors
}

// New begins a report of a run over planned units.
func New(r Run, planned int) *Report {
	return &Report{
		SchemaVersion: schemas.Version, Run: r, Units: Units{Planned: planned}, seen: map[int]bool{},
		extractors: map[string]Spent{},
	}
}

// Add adds a unit. Runners that repeat work may return a unit twice; only the first counts.
func (r *Report) Add(u Row) {
	if r.seen[u.ID] {
		return
	}
	r.seen[u.ID] = true
	m := u.Measures
	if m == nil {
		r.Units.Before++
		return
	}
	r.Units.Done++
	r.Counts.Add(u.Counts)
	r.CaptureBytes.Merge(m.Bytes)
	r.CaptureMicroseconds.Merge(m.Micros)
	r.CaptureCPUMicroseconds.Merge(m.CPUMicros)
	r.UnitMilliseconds.Add(int64(m.Seconds * 1000))
	for _, s := range m.Slowest {
		r.Slowest = keep(r.Slowest, s)
	}
	for name, d := range m.Extractors {
		r.extractors[name] = r.extractors[name].plus(d)
	}
	r.process(m.Process)
}

// process adds the use of a process. Its numbers only grow, so the maximum is the latest whatever the order of units.
func (r *Report) process(p Process) {
	i := slices.IndexFunc(r.Processes, func(q Process) bool { return q.Host == p.Host && q.PID == p.PID })
	if i < 0 {
		r.Processes = append(r.Processes, p)
		return
	}
	q := &r.Processes[i]
	q.CPUSeconds, q.PeakMemory = max(q.CPUSeconds, p.CPUSeconds), max(q.PeakMemory, p.PeakMemory)
}

// End computes the totals and replaces the names of machines by numbers. Call it once.
func (r *Report) End(now time.Time) {
	r.Seconds = seconds(now.Sub(r.Started))
	machines := map[string]int{}
	for i, p := range r.Processes {
		r.CPUSeconds += p.CPUSeconds
		r.PeakMemory = max(r.PeakMemory, p.PeakMemory)
		if machines[p.Host] == 0 {
			machines[p.Host] = len(machines) + 1
		}
		r.Processes[i].Host, r.Processes[i].PID, r.Processes[i].Machine = "", 0, machines[p.Host]
	}
	var all time.Duration
	for _, d := range r.extractors {
		all += d.Wall
	}
	for name, d := range r.extractors {
		share := schemas.Float(math.Round(float64(d.Wall)/float64(all)*1e4) / 1e4)
		r.Extractors = append(r.Extractors, Extractor{name, seconds(d.Wall), seconds(d.CPU), share})
	}
	slices.SortFunc(r.Extractors, func(a, b Extractor) int {
		return cmp.Or(cmp.Compare(b.Seconds, a.Seconds), strings.Compare(a.Name, b.Name))
	})
}

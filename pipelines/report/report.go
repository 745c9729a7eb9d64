package report

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// Report is what a run did itself. What an earlier run had done is only counted, in Units.
type Report struct {
	SchemaVersion string `json:"schema_version"`
	Run
	Seconds    schemas.Float  `json:"seconds"`     // from Started to the end
	CPUSeconds schemas.Float  `json:"cpu_seconds"` // of all Processes
	PeakMemory int64          `json:"peak_memory"` // bytes, of the process that had most
	Units      Units          `json:"units"`
	Counts     schemas.Counts `json:"counts"`
	Extractors []Extractor    `json:"extractors"` // what took most is first
	// What captures have in bytes of their decoded bodies, what it took to enrich one, and what it took to do a unit.
	CaptureBytes           Distribution `json:"capture_bytes"`
	CaptureMicroseconds    Distribution `json:"capture_microseconds"`
	CaptureCPUMicroseconds Distribution `json:"capture_cpu_microseconds"`
	UnitMilliseconds       Distribution `json:"unit_milliseconds"`
	Slowest                []Slow       `json:"slowest"`   // captures, at most MaxSlowest
	Processes              []Process    `json:"processes"` // that did units

	seen       map[int]bool // units that are in it
	extractors map[string]Spent
}

// Run is what is known of a run before it begins.
type Run struct {
	Command string    `json:"command"`
	Runner  string    `json:"runner"`
	Started time.Time `json:"started"`
}

// Units are how many units there are, and who did them. The unit of joined records is one more, where there is one.
type Units struct {
	Planned int `json:"planned"`
	Before  int `json:"before"` // done by earlier runs
	Done    int `json:"done"`   // by this one
}

// Extractor is the time that an extractor took for all captures, in all workers.
type Extractor struct {
	Name       string        `json:"name"`
	Seconds    schemas.Float `json:"seconds"`
	CPUSeconds schemas.Float `json:"cpu_seconds"` // a share of its captures' processor time, as its share of their time is
	Share      schemas.Float `json:"share"`       // of the seconds of all extractors
}

// New begins a report of a run over so many units.
func New(r Run, planned int) *Report {
	return &Report{
		SchemaVersion: schemas.Version, Run: r, Units: Units{Planned: planned}, seen: map[int]bool{},
		extractors: map[string]Spent{},
	}
}

// Add adds a unit. Runners that repeat work may name one twice; the first counts.
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

// process notes what a process had used when one of its units was done.
// Numbers of a process only grow, so that the greatest is the last, whatever order units come in.
func (r *Report) process(p Process) {
	i := slices.IndexFunc(r.Processes, func(q Process) bool { return q.Host == p.Host && q.PID == p.PID })
	if i < 0 {
		r.Processes = append(r.Processes, p)
		return
	}
	q := &r.Processes[i]
	q.CPUSeconds, q.PeakMemory = max(q.CPUSeconds, p.CPUSeconds), max(q.PeakMemory, p.PeakMemory)
}

// End adds up and sorts what was added, and takes out what nobody needs to know of the machines. It is called once.
// Shares are rounded to a hundredth of a percent.
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

// Package report measures a run: how long units and captures took, where the time went, and which captures were the
// slowest. The measures of all units make report.json beside the manifest, which differs each time.
//
//	var m report.Measures                       // of a unit
//	m.Capture(report.Slow{File: …}, names, spent) // once a capture
//	m.End(took, run.PeakMemory())
//	r := report.New(report.Run{Command: "ingest", Started: started}, 1)
//	r.Add(report.Row{UnitResult: result, Measures: &m})
//	r.End(time.Now())
//
// It knows nothing of Beam. Unless noted, times are wall-clock times, so they include waiting: for a CPU, and for
// processes that read documents.
package report

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// MaxSlowest is how many of its slowest captures a unit or a report lists.
const MaxSlowest = 20

// maxURL limits the URL of a slow capture, in bytes, since archives may be hostile.
const maxURL = 500

// Distribution summarizes many values. Distributions can be merged in any order.
type Distribution struct {
	Count int64 `json:"count"`
	Sum   int64 `json:"sum"`
	Min   int64 `json:"min"`
	Max   int64 `json:"max"`
}

// Add adds a value.
func (d *Distribution) Add(v int64) { d.Merge(Distribution{1, v, v, v}) }

// Merge adds the values of o.
func (d *Distribution) Merge(o Distribution) {
	switch {
	case o.Count == 0:
	case d.Count == 0:
		*d = o
	default:
		*d = Distribution{d.Count + o.Count, d.Sum + o.Sum, min(d.Min, o.Min), max(d.Max, o.Max)}
	}
}

// Values yields values with the same count, sum, minimum and maximum as d, which is all that Beam keeps of a
// distribution. The maximum and minimum come first, then means that make the sum exact.
func (d Distribution) Values() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		if d.Count > 1 && !yield(d.Max) || d.Count > 0 && !yield(d.Min) || d.Count < 3 {
			return
		}
		n := d.Count - 2
		rest := d.Sum - d.Min - d.Max
		for i := range n {
			v := rest / n
			if i < rest%n {
				v++
			}
			if !yield(v) {
				return
			}
		}
	}
}

// Slow is a capture that took long.
type Slow struct {
	File    string        `json:"file"`
	Offset  int64         `json:"offset"` // bytes from the file's start
	URL     string        `json:"url"`
	Bytes   int64         `json:"bytes"`   // of the decoded body
	Seconds schemas.Float `json:"seconds"` // to enrich it
	// CPU time without other processes that read documents.
	CPUSeconds schemas.Float `json:"cpu_seconds"`
	Extractor  string        `json:"extractor"` // that took most of the time
}

// Spent is the time that an extractor took.
type Spent struct {
	Wall time.Duration `json:"ns"`
	CPU  time.Duration `json:"cpu_ns"`
}

func (s Spent) plus(o Spent) Spent { return Spent{s.Wall + o.Wall, s.CPU + o.CPU} }

// Share divides the CPU time of a capture among extractors by their wall times. It is an estimate, since waiting
// takes no CPU time.
func Share(wall []time.Duration, cpu time.Duration) []Spent {
	var all time.Duration
	for _, d := range wall {
		all += d
	}
	list := make([]Spent, len(wall))
	for i, d := range wall {
		if d > 0 {
			list[i] = Spent{d, time.Duration(float64(cpu) * float64(d) / float64(all))}
		}
	}
	return list
}

// Measures are the costs of a unit, and travel as JSON with its result. The zero value is ready for use by one
// goroutine.
type Measures struct {
	Seconds    schemas.Float    `json:"seconds"` // of the whole unit
	Extractors map[string]Spent `json:"extractors,omitempty"`
	Bytes      Distribution     `json:"capture_bytes"`  // of decoded bodies
	Micros     Distribution     `json:"capture_us"`     // wall time to enrich captures
	CPUMicros  Distribution     `json:"capture_cpu_us"` // CPU time
	Slowest    []Slow           `json:"slowest,omitempty"`
	Process    Process          `json:"process"` // that did the unit
}

// Row is a unit's result on its way to the report. Measures is nil if an earlier run did the unit.
type Row struct {
	schemas.UnitResult
	Measures *Measures `json:"measures,omitempty"`
}

// Capture adds a capture with the time that each extractor took, which sets its times and Extractor.
func (m *Measures) Capture(s Slow, extractors []string, spent []Spent) {
	if m.Extractors == nil {
		m.Extractors = map[string]Spent{}
	}
	var longest time.Duration
	var all Spent
	for i, d := range spent {
		if d.Wall == 0 {
			continue // the extractor did not run
		}
		m.Extractors[extractors[i]] = m.Extractors[extractors[i]].plus(d)
		all = all.plus(d)
		if d.Wall > longest {
			longest, s.Extractor = d.Wall, extractors[i]
		}
	}
	s.Seconds, s.CPUSeconds = seconds(all.Wall), seconds(all.CPU)
	m.Bytes.Add(s.Bytes)
	m.Micros.Add(all.Wall.Microseconds())
	m.CPUMicros.Add(all.CPU.Microseconds())
	m.Slowest = keep(m.Slowest, s)
}

// keep inserts s into the sorted list if it is among the slowest. A list of twenty is faster than a heap.
func keep(list []Slow, s Slow) []Slow {
	if len(list) == MaxSlowest && list[MaxSlowest-1].compare(s) <= 0 {
		return list
	}
	if len(s.URL) > maxURL {
		s.URL = strings.ToValidUTF8(s.URL[:maxURL], "") + "…"
	}
	at, _ := slices.BinarySearchFunc(list, s, Slow.compare)
	list = slices.Insert(list, at, s)
	return list[:min(len(list), MaxSlowest)]
}

// compare orders by time, then by file and offset.
func (s Slow) compare(o Slow) int {
	return cmp.Or(cmp.Compare(o.Seconds, s.Seconds), strings.Compare(s.File, o.File), cmp.Compare(s.Offset, o.Offset))
}

// End sets the duration of the unit and its process. peakMemory is in bytes.
func (m *Measures) End(took time.Duration, peakMemory int64) {
	m.Seconds, m.Process = seconds(took), thisProcess(peakMemory)
}

// seconds rounds d to microseconds.
func seconds(d time.Duration) schemas.Float { return schemas.Float(d.Microseconds()) / 1e6 }

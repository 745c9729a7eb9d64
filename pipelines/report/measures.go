// Package report measures what a run did: how long its units and captures took, where the time went, and which captures
// were the slowest. What units measure is added up to a report, report.json, which lies beside the manifest and is,
// unlike all else there, different each time.
//
//	var m report.Measures                       // of a unit
//	m.Capture(report.Slow{File: …}, names, spent) // once a capture
//	m.End(took, run.PeakMemory())
//	r := report.New(report.Run{Command: "ingest", Started: started}, 1)
//	r.Add(report.Row{UnitResult: result, Measures: &m})
//	r.End(time.Now())
//
// It knows nothing of Beam. Where nothing else is said, times are those of a clock on the
// wall, so they include waiting: for a processor, and for processes that read documents.
package report

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// MaxSlowest is how many of its slowest captures a unit notes, and a report lists.
const MaxSlowest = 20

// maxURL bounds the URL of a slow capture, in bytes.
// A hostile archive could fill the report otherwise.
const maxURL = 500

// Distribution is what is known of many values.
// Four numbers, so that it can be added up in any order and costs nothing to keep.
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

// Values are values of which the same is known as of d's: as many, with the same sum, and the same extremes. What Beam
// keeps of a distribution is that.
// The greatest and the least come first, then the mean for the rest, rounded so that the sum is right.
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
	// of these, processor time; other processes that read documents have their own
	CPUSeconds schemas.Float `json:"cpu_seconds"`
	Extractor  string        `json:"extractor"` // that took most of it
}

// Spent is the time that an extractor took.
type Spent struct {
	Wall time.Duration `json:"ns"`
	CPU  time.Duration `json:"cpu_ns"`
}

func (s Spent) plus(o Spent) Spent { return Spent{s.Wall + o.Wall, s.CPU + o.CPU} }

// Share divides the processor time of a capture among the extractors that took the times wall of it.
// It is an estimate: waiting takes time and no processor.
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

// Measures are what doing a unit took. The zero value is ready to be used by one goroutine. They travel as JSON with
// the unit's result.
// Nothing is locked, as the writer of a unit is one goroutine.
type Measures struct {
	Seconds    schemas.Float    `json:"seconds"` // of the whole unit
	Extractors map[string]Spent `json:"extractors,omitempty"`
	Bytes      Distribution     `json:"capture_bytes"`  // of decoded bodies
	Micros     Distribution     `json:"capture_us"`     // to enrich captures, in microseconds
	CPUMicros  Distribution     `json:"capture_cpu_us"` // of these, processor time
	Slowest    []Slow           `json:"slowest,omitempty"`
	Process    Process          `json:"process"` // that did it
}

// Row is a unit's result as it travels from the worker that did the unit to the one that makes the report. Measures are
// nil when an earlier run did it.
type Row struct {
	schemas.UnitResult
	Measures *Measures `json:"measures,omitempty"`
}

// Capture adds a capture, for which extractors took the times spent; its times and Extractor are made of these.
func (m *Measures) Capture(s Slow, extractors []string, spent []Spent) {
	if m.Extractors == nil {
		m.Extractors = map[string]Spent{}
	}
	var longest time.Duration
	var all Spent
	for i, d := range spent {
		if d.Wall == 0 {
			continue // it was not asked for
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

// keep puts s among the slowest, if it is one of them. They are sorted, slowest first.
// A sorted list of twenty is quicker to keep than a heap, and is what is shown.
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

// compare orders by time, then by place, so that equal times have one order.
func (s Slow) compare(o Slow) int {
	return cmp.Or(cmp.Compare(o.Seconds, s.Seconds), strings.Compare(s.File, o.File), cmp.Compare(s.Offset, o.Offset))
}

// End notes how long the unit took, and which process did it, with the most memory that it has had resident, in bytes.
func (m *Measures) End(took time.Duration, peakMemory int64) {
	m.Seconds, m.Process = seconds(took), thisProcess(peakMemory)
}

// seconds is d to the microsecond.
// Less is noise.
func seconds(d time.Duration) schemas.Float { return schemas.Float(d.Microseconds()) / 1e6 }

package report

import (
	"os"
	"runtime"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// Process is a process that did units, and what it has used since it began.
type Process struct {
	// Host and PID tell processes apart while their units are added up. A finished report lies beside what is published,
	// and has Machine in their place: see [Report.End].
	Host string `json:"host,omitempty"`
	PID  int    `json:"pid,omitempty"`
	// Machine numbers the machines from 1, in the order in which their first units were added.
	Machine int `json:"machine,omitempty"`
	// of it and of its children that ended, which read documents; 0 where the system does not say
	CPUSeconds schemas.Float `json:"cpu_seconds"`
	PeakMemory int64         `json:"peak_memory"` // bytes resident; 0 likewise
}

// thisProcess is the process that asks, which has had so many bytes resident.
// Only the peak is passed in: the command line knows how to ask for it, and this package knows no command line.
func thisProcess(peakMemory int64) Process {
	host, _ := os.Hostname() // "" where there is none
	return Process{Host: host, PID: os.Getpid(), CPUSeconds: seconds(processTime()), PeakMemory: peakMemory}
}

// CPUTime calls do, and returns the processor time that it took in the goroutine that calls it; 0 where the system does
// not say. It asks twice, for about a microsecond, which is why it is not asked for each extractor.
func CPUTime(do func()) time.Duration {
	runtime.LockOSThread() // the clock is the thread's
	defer runtime.UnlockOSThread()
	before := threadTime()
	do()
	return threadTime() - before
}

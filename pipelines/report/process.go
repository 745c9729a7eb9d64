package report

import (
	"os"
	"runtime"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// Process is a process that did units, with its use of resources since it began.
type Process struct {
	// Host and PID identify processes while units are added. A finished report may be published, so it has Machine
	// instead: see [Report.End].
	Host string `json:"host,omitempty"`
	PID  int    `json:"pid,omitempty"`
	// Machine numbers the machines from 1, in the order of their first units.
	Machine int `json:"machine,omitempty"`
	// CPU time with ended children, which read documents; 0 if unknown.
	CPUSeconds schemas.Float `json:"cpu_seconds"`
	PeakMemory int64         `json:"peak_memory"` // resident bytes; 0 if unknown
}

// thisProcess returns this process. The caller passes peakMemory, in bytes.
func thisProcess(peakMemory int64) Process {
	host, _ := os.Hostname() // "" on an error
	return Process{Host: host, PID: os.Getpid(), CPUSeconds: seconds(CPU()), PeakMemory: peakMemory}
}

// CPUTime calls do and returns the CPU time of its goroutine, or 0 if the system does not say. It takes about a
// microsecond, too much for each extractor.
func CPUTime(do func()) time.Duration {
	runtime.LockOSThread() // the clock is the thread's
	defer runtime.UnlockOSThread()
	before := threadTime()
	do()
	return threadTime() - before
}

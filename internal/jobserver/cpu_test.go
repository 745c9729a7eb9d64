//go:build linux

package jobserver_test

import (
	"os/exec"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/jobserver"
)

// TestMeter: the meter counts what the system counts for a program and its child, also after their end.
func TestMeter(t *testing.T) {
	m := jobserver.StartMeter(t)
	count := "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"
	cmd := exec.Command("sh", "-c", "("+count+") & "+count+"; wait")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	m.Watch("counter", cmd.Process.Pid)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	var got time.Duration
	for _, d := range m.CPU() {
		got += d
	}
	want := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	// Two processes, each with up to 50 ms unseen, and times in steps of 10 ms.
	if got > want+30*time.Millisecond || got < want-200*time.Millisecond || got < want/2 {
		t.Errorf("%v of CPU time were counted, the system has %v", got, want)
	}
}

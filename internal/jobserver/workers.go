//go:build linux

package jobserver

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// Workers are the process ids of the workers that the program has started.
// They are in the process group of the program, which start has made.
func (p *Process) Workers() []int {
	p.t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		p.t.Fatal(err)
	}
	var pids []int
	for _, name := range names {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err != nil {
			p.t.Fatal(err)
		}
		group, err := syscall.Getpgid(pid)
		if err != nil || group != p.cmd.Process.Pid {
			continue // another's, or it has ended
		}
		// Arguments are divided by zeros in that file.
		line, err := os.ReadFile(name)
		if err == nil && bytes.Contains(line, []byte("\x00--worker=true\x00")) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// KillWorkers ends the workers as kill -9 does, and returns how many there were.
// A runner has to notice that, and to start others or fail the job.
func (p *Process) KillWorkers() int {
	p.t.Helper()
	pids := p.Workers()
	for _, pid := range pids {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			p.t.Logf("worker %d: %v", pid, err) // it had ended
		}
	}
	return len(pids)
}

// NoWorkers is nil when all workers have ended.
// It is for Await.
func (p *Process) NoWorkers() error {
	if pids := p.Workers(); len(pids) > 0 {
		return fmt.Errorf("workers are left: %v", pids)
	}
	return nil
}

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

// Workers returns the process ids of the workers in the program's process group.
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
			continue // another's, or ended
		}
		// Zeros separate arguments in this file.
		line, err := os.ReadFile(name)
		if err == nil && bytes.Contains(line, []byte("\x00--worker=true\x00")) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// KillWorkers kills the workers, as kill -9 does, and returns their number. A runner must start others or fail the
// job.
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

// NoWorkers returns nil if all workers have ended, for Await.
func (p *Process) NoWorkers() error {
	if pids := p.Workers(); len(pids) > 0 {
		return fmt.Errorf("workers are left: %v", pids)
	}
	return nil
}

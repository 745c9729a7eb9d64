//go:build linux

package jobserver

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Meter counts the CPU time of programs and their descendants, by the names that Watch gave and the programs' own:
// "taskmanager0 java". It looks at them every 50 ms. So it misses what a process does in its last 50 ms, and a process
// that lives for less.
type Meter struct {
	mu    sync.Mutex
	seen  map[incarnation]*metered
	roots map[int]string // by process id
	alive map[int]string // likewise, of all processes that the last look counted
}

// incarnation is a process, since ids are used again.
type incarnation struct {
	pid   int
	start string // in clock ticks after the system's start
}

type metered struct {
	root, program string
	ticks         int64
}

// meterInterval costs a percent of a core.
const meterInterval = 50 * time.Millisecond

// StartMeter starts a meter that ends with the test.
func StartMeter(t testing.TB) *Meter {
	m := &Meter{seen: map[incarnation]*metered{}, roots: map[int]string{}}
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	go func() {
		for tick := time.NewTicker(meterInterval); ; {
			select {
			case <-tick.C:
				m.look()
			case <-done:
				tick.Stop()
				return
			}
		}
	}()
	return m
}

// Watch counts a program from now on, under a name.
func (m *Meter) Watch(name string, pid int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.roots[pid] = name
}

// Watch counts all programs of the cluster.
func (c *FlinkCluster) Watch(m *Meter) {
	for _, p := range append([]*Process{c.jobManager}, c.TaskManagers...) {
		m.Watch(p.name, p.cmd.Process.Pid)
	}
}

// Watch counts the server.
func (s *Server) Watch(m *Meter) { m.Watch(s.name, s.cmd.Process.Pid) }

// CPU returns the user and system time so far.
func (m *Meter) CPU() map[string]time.Duration {
	m.look()
	m.mu.Lock()
	defer m.mu.Unlock()
	all := map[string]time.Duration{}
	for _, p := range m.seen {
		// A clock tick is 10 ms on all Linux systems that Go knows.
		all[p.root+" "+p.program] += time.Duration(p.ticks) * 10 * time.Millisecond
	}
	return all
}

// look reads the times of all watched processes, and finds new ones.
func (m *Meter) look() {
	names, err := os.ReadDir("/proc")
	if err != nil {
		return // CPU returns nothing, which no test takes for a measurement
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	// A child that is listed before its parent is found the next time.
	known := maps.Clone(m.roots)
	maps.Copy(known, m.alive)
	m.alive = map[int]string{}
	for _, name := range names {
		pid, err := strconv.Atoi(name.Name())
		if err != nil {
			continue
		}
		s, err := readStat(pid)
		if err != nil {
			continue // it has ended
		}
		m.note(pid, s, known)
	}
}

// note counts a process if it, its parent, or its process group is known, and makes it known.
func (m *Meter) note(pid int, s stat, known map[int]string) {
	key := incarnation{pid, s.start}
	p := m.seen[key]
	if p == nil {
		root := cmp.Or(known[pid], known[s.parent], known[s.group])
		if root == "" {
			return
		}
		p = &metered{root: root}
		m.seen[key] = p
	}
	known[pid], m.alive[pid] = p.root, p.root
	p.program, p.ticks = s.program, s.ticks
}

// stat has fields of proc_pid_stat(5). Times do not include children.
type stat struct {
	program, start string
	parent, group  int
	ticks          int64
}

func readStat(pid int) (s stat, err error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return s, err
	}
	// The name, in parentheses, may contain anything.
	open, end := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if open < 0 || end < open {
		return s, fmt.Errorf("/proc/%d/stat: %q", pid, data)
	}
	fields := bytes.Fields(data[end+1:])
	if len(fields) < 20 {
		return s, fmt.Errorf("/proc/%d/stat: %q", pid, data)
	}
	// Fields are numbered from 1, and field 3 is the first here.
	field := func(n int) string { return string(fields[n-3]) }
	var user, system int64
	_, err = fmt.Sscan(field(4)+" "+field(5)+" "+field(14)+" "+field(15), &s.parent, &s.group, &user, &system)
	s.program, s.start, s.ticks = string(data[open+1:end]), field(22), user+system
	return s, err
}

//go:build linux

package jobserver

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Process is a program that runs beside a test, with all that it starts.
type Process struct {
	t     testing.TB
	name  string
	cmd   *exec.Cmd
	log   string        // file of what it prints
	ended chan struct{} // closed when the program has ended
}

// start starts a program. It dies with the test, also when the test is killed.
// A server that outlived its test would hold ports and memory for the next one.
func start(t testing.TB, name string, cmd *exec.Cmd) *Process {
	t.Helper()
	p := &Process{t: t, name: name, cmd: cmd, log: filepath.Join(t.TempDir(), name+".log"), ended: make(chan struct{})}
	log, err := os.Create(p.log)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	// A group of its own, so that Kill reaches the workers that it starts; and the signal when our thread ends.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go p.run(started)
	if err := errors.Join(<-started, log.Close()); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	t.Cleanup(p.stop)
	return p
}

// run starts the program and waits for its end, all in one thread: it dies with the thread that started it.
func (p *Process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.ended)
	err := p.cmd.Start()
	started <- err
	if err == nil {
		_ = p.cmd.Wait() // it is killed in the end; Kill tells when that was too late
	}
}

// Kill ends the program and what it started as kill -9 does.
func (p *Process) Kill() {
	// The minus means the group.
	err := syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	if err != nil && !errors.Is(err, syscall.ESRCH) {
		p.t.Errorf("kill %s: %v", p.name, err)
	}
	<-p.ended
}

// stop ends the program, and shows what it printed when the test failed.
func (p *Process) stop() {
	p.Kill()
	// A test that went well needs no log.
	if p.t.Failed() {
		p.t.Logf("%s printed:\n%s", p.name, p.printed())
	}
}

// maxShown is how much of a log is shown, in bytes.
const maxShown = 8 << 10

// printed is the end of what the program printed. The end has the error.
func (p *Process) printed() string {
	b, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(b[max(0, len(b)-maxShown):])
}

// Await waits until ready returns nil, and fails the test when the program ends before or the limit passes.
// It asks twenty times a second, and notices at once when there is nothing to wait for.
func (p *Process) Await(limit time.Duration, ready func() error) {
	p.t.Helper()
	var err error
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if err = ready(); err == nil {
			return
		}
		select {
		case <-p.ended:
			p.t.Fatalf("%s ended too early: %v", p.name, p.cmd.ProcessState)
		default:
		}
	}
	p.t.Fatalf("%s is not as awaited after %v: %v", p.name, limit, err)
}

// listening reports whether something accepts connections.
func listening(endpoint string) error {
	c, err := net.DialTimeout("tcp", endpoint, time.Second)
	if err != nil {
		return err
	}
	return c.Close()
}

// freeEndpoint is an address of this machine that nobody listened on a moment ago.
// Somebody else may take it before the server does; the server then fails, and the test with it.
func freeEndpoint(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }() // it is to be free
	return l.Addr().String()
}

// cache is the folder for files that are downloaded or built once. It is shared by tests of all packages, and by runs:
// GLEANER_CACHE names another.
func cache(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("GLEANER_CACHE")
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			t.Fatalf("no folder for what is fetched: %v; name one by GLEANER_CACHE", err)
		}
		dir = filepath.Join(user, "gleaner")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// once returns the folder called name in the cache, made by fill when it is not there. Tests that make it at the same
// time do not disturb each other: one of the results stays.
func once(t testing.TB, name string, fill func(dir string) error) (string, error) {
	t.Helper()
	// Its files are not checked again; remove the folder if in doubt.
	dir := filepath.Join(cache(t), name)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	// In the cache itself, since renaming works within one file system only.
	temp, err := os.MkdirTemp(cache(t), name+".tmp-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(temp) }() // gone when all went well
	if err := fill(temp); err != nil {
		return "", err
	}
	// Another test was faster: its folder is as good.
	if err := os.Rename(temp, dir); err != nil {
		if _, other := os.Stat(dir); other != nil {
			return "", err
		}
	}
	return dir, nil
}

// quietly runs a command; the error has what it printed.
// A command that goes well prints nothing of interest.
func quietly(cmd *exec.Cmd) error {
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", cmd, err, out[max(0, len(out)-2000):])
	}
	return nil
}

// Peak is the most memory that the program itself had from the system until now, in bytes: VmHWM of
// proc_pid_status(5).
func (p *Process) Peak() (int64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(data), "VmHWM:")
	var kilobytes int64
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		return 0, fmt.Errorf("the peak of %s: %w", p.name, err)
	}
	return kilobytes << 10, nil
}

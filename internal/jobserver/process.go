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

// Process is a program beside a test, with all its children.
type Process struct {
	t     testing.TB
	name  string
	cmd   *exec.Cmd
	log   string        // file of its output
	ended chan struct{} // closed when the program has ended
}

// start starts a program. It dies even if the test is killed, because it would keep ports and memory.
func start(t testing.TB, name string, cmd *exec.Cmd) *Process {
	t.Helper()
	p := &Process{t: t, name: name, cmd: cmd, log: filepath.Join(t.TempDir(), name+".log"), ended: make(chan struct{})}
	log, err := os.Create(p.log)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	// Its own group, so that Kill reaches its workers, and a signal when our thread ends.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go p.run(started)
	if err := errors.Join(<-started, log.Close()); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	t.Cleanup(p.stop)
	return p
}

// run starts the program and waits for its end in one thread, since the program dies with the thread that started it.
func (p *Process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.ended)
	err := p.cmd.Start()
	started <- err
	if err == nil {
		_ = p.cmd.Wait() // it is killed in the end; Kill reports one that died early
	}
}

// Kill kills the program and its children, as kill -9 does.
func (p *Process) Kill() {
	// The minus means the group.
	err := syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	if err != nil && !errors.Is(err, syscall.ESRCH) {
		p.t.Errorf("kill %s: %v", p.name, err)
	}
	<-p.ended
}

// stop kills the program, and shows its output if the test failed.
func (p *Process) stop() {
	p.Kill()
	if p.t.Failed() {
		p.t.Logf("%s printed:\n%s", p.name, p.printed())
	}
}

// maxShown is how much of a log is shown, in bytes.
const maxShown = 8 << 10

// printed returns the end of the output, which has the error.
func (p *Process) printed() string {
	b, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(b[max(0, len(b)-maxShown):])
}

// Await waits until ready returns nil. It fails the test if the program ends or the limit passes.
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

// listening returns nil if something accepts connections at endpoint.
func listening(endpoint string) error {
	c, err := net.DialTimeout("tcp", endpoint, time.Second)
	if err != nil {
		return err
	}
	return c.Close()
}

// freeEndpoint returns an unused loopback address. If something else takes it before the server, the test fails.
func freeEndpoint(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }() // to free the port
	return l.Addr().String()
}

// cache returns the folder for files that are downloaded or built once, shared by all tests and runs. GLEANER_CACHE
// overrides it.
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

// once returns the folder name in the cache, made by fill if needed. Concurrent tests do not disturb each other: one
// of the results stays.
func once(t testing.TB, name string, fill func(dir string) error) (string, error) {
	t.Helper()
	// Existing files are not checked again; remove the folder in doubt.
	dir := filepath.Join(cache(t), name)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	// In the cache, because renaming works only within a file system.
	temp, err := os.MkdirTemp(cache(t), name+".tmp-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(temp) }() // already renamed on success
	if err := fill(temp); err != nil {
		return "", err
	}
	// Another test may have been faster: its folder is as good.
	if err := os.Rename(temp, dir); err != nil {
		if _, other := os.Stat(dir); other != nil {
			return "", err
		}
	}
	return dir, nil
}

// quietly runs a command; the error has its output.
func quietly(cmd *exec.Cmd) error {
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", cmd, err, out[max(0, len(out)-2000):])
	}
	return nil
}

// Peak returns the program's own peak memory in bytes, without children: VmHWM of proc_pid_status(5).
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

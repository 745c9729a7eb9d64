// Package servertest starts real servers for tests, on loopback at free ports. It uses pinned artefacts from a cache
// folder, and ends the servers with the test in any case.
//
//	k := servertest.StartKafka(t)
//	p, err := kafka.NewProducer(kafka.Config{Brokers: k.Brokers, …})
//	k.Kill()
//	k.Restart()
//	k.Ready()
//
// A test is skipped if a tool for its server is missing; the message names it.
package servertest

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Cache returns the folder of artefacts: $GLEANER_CACHE, or gleaner in the user's cache folder, as in package
// jobserver.
func Cache(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("GLEANER_CACHE")
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			t.Fatalf("no folder for artefacts; set GLEANER_CACHE: %v", err)
		}
		dir = filepath.Join(user, "gleaner")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// FreePort returns an unused port of 127.0.0.1. If something else takes it before the server, the test fails.
func FreePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return port
}

// Process is a running server. Tests may read the output of a killed one in its file.
type Process struct {
	t     testing.TB
	cmd   *exec.Cmd
	guard *exec.Cmd
	held  io.Closer // the guard's standard input
	ended chan struct{}
	Log   string // the file of its output
}

// Start starts cmd with its output in a file. The server is killed when the test ends. If the test's process is
// killed, which skips Cleanup, the guard kills it.
func Start(t testing.TB, cmd *exec.Cmd) *Process {
	t.Helper()
	log, err := os.CreateTemp(t.TempDir(), "server-*.log")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close() // the server has its own
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &Process{t: t, cmd: cmd, ended: make(chan struct{}), Log: log.Name()}
	t.Cleanup(p.Kill)
	p.watch()
	// Without Wait a server that has ended would stay a zombie.
	go func() {
		_ = cmd.Wait() // its log says how it ended
		close(p.ended)
	}()
	return p
}

// watch starts a shell that kills the server when its standard input closes, as the system does however this process
// dies.
func (p *Process) watch() {
	p.t.Helper()
	// cat waits for the end of input.
	p.guard = exec.Command("sh", "-c", "cat >/dev/null; kill -9 "+strconv.Itoa(p.cmd.Process.Pid))
	held, err := p.guard.StdinPipe()
	if err == nil {
		err = p.guard.Start()
	}
	if err != nil {
		// Without a guard the server might outlive the tests.
		_ = p.cmd.Process.Kill()
		p.t.Fatalf("no shell that guards the server: %v", err)
	}
	p.held = held
}

// Kill kills the server, as kill -9 does, and waits for its end. It may be called again. Crash tests use it.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	p.wait()
}

// Stop interrupts the server and waits for its end, so that it can write what it has in memory.
func (p *Process) Stop() {
	_ = p.cmd.Process.Signal(os.Interrupt) // as above
	p.wait()
}

// wait waits for the server's end, and then ends its guard, which might kill another process with the same number.
func (p *Process) wait() {
	<-p.ended
	// Cleanup calls it again after a test that killed the server.
	if p.guard == nil {
		return
	}
	// Killed first, because the shell kills the server when its input ends.
	_ = p.guard.Process.Kill()
	_ = p.held.Close()
	_ = p.guard.Wait()
	p.guard = nil
}

// AwaitLine waits until the server has logged a line that contains text. It fails the test if the server ends or the
// limit passes.
func (p *Process) AwaitLine(text string, limit time.Duration) {
	p.t.Helper()
	for deadline := time.Now().Add(limit); ; time.Sleep(50 * time.Millisecond) {
		log, err := os.ReadFile(p.Log)
		if err != nil {
			p.t.Fatal(err)
		}
		if bytes.Contains(log, []byte(text)) {
			return
		}
		select {
		case <-p.ended:
			p.t.Fatalf("the server has ended:\n%s", tail(log))
		default:
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("the server was not ready within %v:\n%s", limit, tail(log))
		}
	}
}

func tail(log []byte) []byte { return log[max(0, len(log)-4000):] }

// Need skips the test if a command is not installed.
func Need(t testing.TB, commands ...string) {
	t.Helper()
	for _, c := range commands {
		if _, err := exec.LookPath(c); err != nil {
			t.Skipf("%s is not installed: on Debian, apt-get install maven has all that is needed", c)
		}
	}
}

// Maven returns a folder with exactly the jars in sums, which has lines as of sha256sum. Maven fetches them once,
// from its configured repository. The checksums reveal a repository with other files.
func Maven(t testing.TB, name, pom, sums string) string {
	t.Helper()
	dir := filepath.Join(Cache(t), name)
	// Hashing each time takes less than starting a server.
	if checkJars(dir, sums) == nil {
		return dir
	}
	// The dot keeps it from being taken for the folder of jars.
	work, err := os.MkdirTemp(Cache(t), "."+name+"-")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(work) }() // hidden and no longer needed
	if err := os.WriteFile(filepath.Join(work, "pom.xml"), []byte(pom), 0o644); err != nil {
		t.Fatal(err)
	}
	// The plugin's version is pinned too.
	fetch := exec.Command("mvn", "-B", "-q", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies",
		"-DoutputDirectory=lib", "-DincludeScope=runtime")
	fetch.Dir = work
	if out, err := fetch.CombinedOutput(); err != nil {
		// Without a network the test is skipped.
		t.Skipf("the jars of %s cannot be had: %v: %s", name, err, tail(out))
	}
	lib := filepath.Join(work, "lib")
	if err := checkJars(lib, sums); err != nil {
		t.Fatalf("the jars of %s are not those that were pinned: %v", name, err)
	}
	// An existing folder has wrong checksums, or it would have been used.
	_ = os.RemoveAll(dir)
	if err := os.Rename(lib, dir); err != nil && checkJars(dir, sums) != nil { // another process may have been first
		t.Fatal(err)
	}
	return dir
}

// checkJars returns an error unless a folder has exactly the files of sums: an extra jar could replace a pinned
// class.
func checkJars(dir, sums string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	want := 0
	for s := bufio.NewScanner(strings.NewReader(sums)); s.Scan(); want++ {
		// sha256sum writes two blanks.
		sum, file, _ := strings.Cut(s.Text(), "  ")
		b, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return err
		}
		if got := sha256.Sum256(b); hex.EncodeToString(got[:]) != sum {
			return fmt.Errorf("%s has the SHA-256 %x", file, got)
		}
	}
	// All pinned files exist, so the number is enough.
	if len(entries) != want {
		return fmt.Errorf("there are %d files, and %d were pinned", len(entries), want)
	}
	return nil
}

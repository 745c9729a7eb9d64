// Package servertest starts real servers for tests: on loopback, at free ports, from pinned artefacts that are kept in
// a cache folder, and ended with the test whatever becomes of it.
//
//	k := servertest.StartKafka(t)
//	p, err := kafka.NewProducer(kafka.Config{Brokers: k.Brokers, …})
//	k.Kill()
//	k.Restart()
//	k.Ready()
//
// A test is skipped where a tool that its server needs is not installed; the message says which.
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

// Cache returns the folder that artefacts are kept in: $GLEANER_CACHE, or gleaner in the user's cache folder.
// The same folder as that of package jobserver.
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

// FreePort returns a port of 127.0.0.1 that nobody listens at.
// It was free a moment ago. Somebody may take it before the server does, and the test then fails.
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

// Process is a server that runs.
// Its output is in a file, as a test may want to read what a killed server has said.
type Process struct {
	t     testing.TB
	cmd   *exec.Cmd
	guard *exec.Cmd
	held  io.Closer // the guard's standard input
	ended chan struct{}
	Log   string // the file of its output
}

// Start starts cmd, with its output in a file. It is killed when the test ends, and also when the test's process dies.
// Cleanup is not called in a process that is killed, hence the guard.
func Start(t testing.TB, cmd *exec.Cmd) *Process {
	t.Helper()
	log, err := os.CreateTemp(t.TempDir(), "server-*.log")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close() // the server has it
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &Process{t: t, cmd: cmd, ended: make(chan struct{}), Log: log.Name()}
	t.Cleanup(p.Kill)
	p.watch()
	// Someone has to wait, or the server stays in the table of processes after its end.
	go func() {
		_ = cmd.Wait() // how it ended is in its log
		close(p.ended)
	}()
	return p
}

// watch starts a shell that kills the server when its standard input ends, as it does when this process dies.
// This process holds the other end of the pipe, which the system closes whatever way it dies.
func (p *Process) watch() {
	p.t.Helper()
	// cat ends when there is nothing more to read.
	p.guard = exec.Command("sh", "-c", "cat >/dev/null; kill -9 "+strconv.Itoa(p.cmd.Process.Pid))
	held, err := p.guard.StdinPipe()
	if err == nil {
		err = p.guard.Start()
	}
	if err != nil {
		// Without a guard the server could outlive the tests.
		_ = p.cmd.Process.Kill()
		p.t.Fatalf("no shell that guards the server: %v", err)
	}
	p.held = held
}

// Kill ends the server at once, as kill -9 does, and waits for its end. It may be called again.
// It is what crash tests do in the midst of them, and start the server again.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	p.wait()
}

// Stop asks the server to end, and waits for that.
// An interrupt lets it write what it has in memory.
func (p *Process) Stop() {
	_ = p.cmd.Process.Signal(os.Interrupt) // likewise
	p.wait()
}

// wait waits for the server's end, and then ends its guard, which would kill whoever gets the number of its process.
func (p *Process) wait() {
	<-p.ended
	// wait may be called again, by Cleanup after a test that killed the server itself.
	if p.guard == nil {
		return
	}
	// Killed and not told: the shell would kill as soon as its input ends.
	_ = p.guard.Process.Kill()
	_ = p.held.Close()
	_ = p.guard.Wait()
	p.guard = nil
}

// AwaitLine waits until the server has written a line that holds text. A server that ends before, or needs longer than
// limit, fails the test.
// A line of the log is what servers have in common; each says in its own words that it is ready.
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

// tail is the end of a log, which is enough to see why.
func tail(log []byte) []byte { return log[max(0, len(log)-4000):] }

// Need skips the test when a command is not installed.
// Tests on a machine without Java are skipped, and do not fail.
func Need(t testing.TB, commands ...string) {
	t.Helper()
	for _, c := range commands {
		if _, err := exec.LookPath(c); err != nil {
			t.Skipf("%s is not installed: on Debian, apt-get install maven has all that is needed", c)
		}
	}
}

// Maven returns a folder with the jars of a project's dependencies, which are those of sums and no others: lines as
// sha256sum writes them. They are fetched once, by Maven and from where it is set up to fetch.
// Sums pin every jar: a repository that has another file under the same name is found out.
func Maven(t testing.TB, name, pom, sums string) string {
	t.Helper()
	dir := filepath.Join(Cache(t), name)
	// They are hashed each time, which takes less than starting a server.
	if checkJars(dir, sums) == nil {
		return dir
	}
	// It begins with a dot, so that it is not taken for the folder of jars.
	work, err := os.MkdirTemp(Cache(t), "."+name+"-")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(work) }() // hidden, and of no use to anybody
	if err := os.WriteFile(filepath.Join(work, "pom.xml"), []byte(pom), 0o644); err != nil {
		t.Fatal(err)
	}
	// The plugin's version is fixed, like everything else.
	fetch := exec.Command("mvn", "-B", "-q", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies",
		"-DoutputDirectory=lib", "-DincludeScope=runtime")
	fetch.Dir = work
	if out, err := fetch.CombinedOutput(); err != nil {
		// A machine without a network cannot have them, and skips.
		t.Skipf("the jars of %s cannot be had: %v: %s", name, err, tail(out))
	}
	lib := filepath.Join(work, "lib")
	if err := checkJars(lib, sums); err != nil {
		t.Fatalf("the jars of %s are not those that were pinned: %v", name, err)
	}
	// The file there does not match its checksums, or it would have been used.
	_ = os.RemoveAll(dir)
	if err := os.Rename(lib, dir); err != nil && checkJars(dir, sums) != nil { // another process may have been first
		t.Fatal(err)
	}
	return dir
}

// checkJars reports whether a folder holds the files of sums and no others.
// A file too many may be a class that is loaded in place of a pinned one.
func checkJars(dir, sums string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	want := 0
	for s := bufio.NewScanner(strings.NewReader(sums)); s.Scan(); want++ {
		// Two blanks, as sha256sum puts them.
		sum, file, _ := strings.Cut(s.Text(), "  ")
		b, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return err
		}
		if got := sha256.Sum256(b); hex.EncodeToString(got[:]) != sum {
			return fmt.Errorf("%s has the SHA-256 %x", file, got)
		}
	}
	// Names need not be compared: all that were pinned are there.
	if len(entries) != want {
		return fmt.Errorf("there are %d files, and %d were pinned", len(entries), want)
	}
	return nil
}

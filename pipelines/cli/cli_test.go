package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// writeToClosedSocket is only set where socket pairs exist.
var writeToClosedSocket func() error

// TestMain makes this binary a command for the tests of Main.
func TestMain(m *testing.M) {
	if mode := os.Getenv("RUN_TEST_COMMAND"); mode != "" {
		Main("gleaner", func(ctx context.Context) (int, error) { return testCommand(ctx, mode) })
	}
	os.Exit(m.Run())
}

func testCommand(ctx context.Context, mode string) (int, error) {
	switch mode {
	case "losses":
		return ExitLosses, nil
	case "usage":
		return ExitDone, fmt.Errorf("reading flags: %w", Usagef("--out is missing"))
	case "fail":
		return ExitDone, errors.New("disk is full")
	case "help":
		return ExitUsage, flag.ErrHelp
	case "chatty":
		// This command spills, and removes the folder when it ends by itself.
		dir, err := os.MkdirTemp("", "spill-")
		if err != nil {
			return ExitFailed, err
		}
		for ctx.Err() == nil {
			fmt.Println("a line of the answer")
		}
		return ExitDone, errors.Join(ctx.Err(), os.RemoveAll(dir))
	case "sockets":
		err := writeToClosedSocket()
		time.Sleep(100 * time.Millisecond) // the signal may arrive at any time
		return ExitDone, errors.Join(err, ctx.Err())
	case "stubborn":
		fmt.Println("ready")
		select {}
	}
	release := Hold()
	go func() {
		<-ctx.Done()
		time.Sleep(50 * time.Millisecond)
		fmt.Println("cleaned up")
		release()
	}()
	fmt.Println("ready")
	<-ctx.Done()
	if mode == "serve" {
		return ExitDone, nil
	}
	return ExitDone, ctx.Err()
}

// TestMain_readerGoes: if its reader exits, as in "query | head", a command cleans up without messages. It exits with
// the code of shells for SIGPIPE.
func TestMain_readerGoes(t *testing.T) {
	dir := t.TempDir()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "RUN_TEST_COMMAND=chatty", "TMPDIR="+dir)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err == nil {
		_, err = out.Read(make([]byte, 1))
	}
	if err = errors.Join(err, out.Close()); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // checked below
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 || c.ProcessState.ExitCode() != exitPipe || errs.Len() > 0 {
		t.Errorf("%v, left %v, it said %q, %v", c.ProcessState, left, &errs, err)
	}
}

func TestMain_exitCodes(t *testing.T) {
	for _, tt := range []struct {
		mode, stderr string
		code         int
	}{
		{"losses", "", ExitLosses},
		{"usage", "gleaner: reading flags: --out is missing\nTry: gleaner --help\n", ExitUsage},
		{"fail", "gleaner: disk is full\n", ExitFailed},
		{"help", "", ExitDone},
	} {
		t.Run(tt.mode, func(t *testing.T) {
			c := command(t, tt.mode)
			var stderr bytes.Buffer
			c.Stderr = &stderr
			err := c.Run()
			if got := c.ProcessState.ExitCode(); got != tt.code {
				t.Errorf("exit code = %d (%v), want %d", got, err, tt.code)
			}
			if stderr.String() != tt.stderr {
				t.Errorf("stderr = %q, want %q", &stderr, tt.stderr)
			}
		})
	}
}

func command(t *testing.T, mode string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "RUN_TEST_COMMAND="+mode)
	return c
}

// interrupt starts the command, sends it an interrupt as soon as it is ready, and count-1 more while it stops.
func interrupt(t *testing.T, mode string, count int) (*os.ProcessState, string, string) {
	t.Helper()
	c := command(t, mode)
	var stdout, stderr watched
	stdout.seen, stderr.seen = make(chan struct{}, 100), make(chan struct{}, 100)
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(20*time.Second, func() { _ = c.Process.Kill() }) // it may have ended
	defer timer.Stop()
	<-stdout.seen
	for i := range count {
		if i > 0 {
			<-stderr.seen
		}
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
	}
	_ = c.Wait() // the tests check the state
	return c.ProcessState, stdout.text.String(), stderr.text.String()
}

// watched is a buffer that signals a write to it. The command's pipe copiers write to it, and Wait waits for them
// before the text is read.
type watched struct {
	text bytes.Buffer // not embedded: its ReadFrom would bypass Write
	seen chan struct{}
}

func (w *watched) Write(p []byte) (int, error) {
	n, err := w.text.Write(p)
	w.seen <- struct{}{}
	return n, err
}

func TestMain_interruptCleansUpAndTellsHowToResume(t *testing.T) {
	state, stdout, stderr := interrupt(t, "work", 1)
	if state.ExitCode() != ExitFailed {
		t.Errorf("exit code = %d, want %d", state.ExitCode(), ExitFailed)
	}
	if !strings.Contains(stdout, "cleaned up") {
		t.Errorf("Main ended before the hold was released: stdout = %q", stdout)
	}
	for _, want := range []string{"press Ctrl-C again to kill", "run the same command again"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("stderr = %q, want %q in it", stderr, want)
		}
	}
}

func TestMain_interruptEndsAServerWell(t *testing.T) {
	state, _, stderr := interrupt(t, "serve", 1)
	if state.ExitCode() != ExitDone || strings.Contains(stderr, "again to go on") {
		t.Errorf("exit code = %d, stderr = %q, want %d and nothing to resume", state.ExitCode(), stderr, ExitDone)
	}
}

func TestMain_secondInterruptKills(t *testing.T) {
	state, _, _ := interrupt(t, "stubborn", 2)
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() || status.Signal() != syscall.SIGINT {
		t.Errorf("state = %v, want killed by the interrupt", state)
	}
}

func TestWaitHolds_givesUp(t *testing.T) {
	release := Hold()
	if waitHolds(10 * time.Millisecond) {
		t.Error("waitHolds = true while one is held")
	}
	release()
	if !waitHolds(time.Minute) {
		t.Error("waitHolds = false after the release")
	}
}

func TestWorkers(t *testing.T) {
	if got := Workers(3); got != 3 {
		t.Errorf("Workers(3) = %d", got)
	}
	for _, n := range []int{0, -1} {
		if got, want := Workers(n), runtime.GOMAXPROCS(0); got != want {
			t.Errorf("Workers(%d) = %d, want %d", n, got, want)
		}
	}
}

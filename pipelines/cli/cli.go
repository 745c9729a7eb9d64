// Package cli is shared by all commands, with or without pipelines: flags and help, exit codes, interruption, log,
// progress and summary. Only it ends the process. It knows nothing of archives, single commands or Beam; package run
// adds what a pipeline needs.
//
// A command is one line of main and one function:
//
//	func main() { cli.Verb{Name: "count", Do: count}.Main() }
//
//	func count(ctx context.Context, args []string) (int, error) {
//		f := cli.NewFlags(flag.CommandLine, cli.Command{Name: "count", Args: "[file ...]", Summary: "…"})
//		var out string
//		f.Add([]setting.Setting{{Name: "out", Value: &out, Default: "out", Help: "folder to write to"}})
//		f.LogFlags()
//		if err := f.Parse(args); err != nil {
//			return cli.ExitUsage, err
//		}
//		return cli.ExitDone, countAll(ctx, f.Args(), out)
//	}
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// The exit codes of every command.
const (
	ExitDone   = 0 // everything was done
	ExitFailed = 1 // the run failed or was interrupted; finished units are kept
	ExitUsage  = 2 // the command line is wrong; nothing was done
	ExitLosses = 3 // everything was done, but bytes of the input are in no record
)

// exitUsage is the process's exit status for ExitUsage. Below a supervisor it is that of sysexits.h, to tell it from
// Go's own 2.
var exitUsage = ExitUsage

const exitUsageBelow = 64

// exitPipe is the status that shells give to a process ended by SIGPIPE: 128 and its number.
const exitPipe = 141

// UsageError is a mistake on the command line. Main prints it without decoration and exits with ExitUsage.
type UsageError struct {
	Message string // the mistake and how to correct it
}

// Error returns the message.
func (e *UsageError) Error() string { return e.Message }

// Usagef makes a UsageError.
func Usagef(format string, args ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// Main runs a command and exits with its exit code. The first interrupt (Ctrl-C or SIGTERM) ends the command's
// context, after which it should clean up and return; a second one kills the process. Main prints an error to stderr
// and exits with ExitUsage for a UsageError or else with ExitFailed. If nobody reads the output any longer, as in
// "query | head", the context ends too, and Main exits silently with 141.
//
// If the system may refuse memory, the command runs in a child process: see supervise.
func Main(name string, command func(context.Context) (int, error)) {
	// Noted first, so that no message shows a secret.
	secret.NoteEnvironment()
	secret.NoteArguments(os.Args[1:])
	console.name(name)
	UseLog()
	supervise()
	ctx, stop := interruptible(context.Background(), os.Stderr)
	code, err := guarded(ctx, command)
	if !waitHolds(holdLimit) {
		slog.Warn("some units did not stop in time; the next run sweeps their temporary files", "limit", holdLimit)
	}
	if errors.Is(context.Cause(ctx), errReader) {
		code = exitPipe
	} else {
		code = conclude(name, outcome{code: code, err: err, interrupted: ctx.Err() != nil})
	}
	stop()
	if code == ExitUsage {
		code = exitUsage
	}
	os.Exit(code)
}

// guarded calls command and turns a panic into an error, since a panic would exit with Go's 2, which is ExitUsage.
func guarded(ctx context.Context, command func(context.Context) (int, error)) (code int, err error) {
	defer func() {
		if p := recover(); p != nil {
			code, err = ExitFailed, fmt.Errorf("internal error, please report it: %v\n%s", p, debug.Stack())
		}
	}()
	return command(ctx)
}

// outcome is how a command ended. It lets tests check exit codes.
type outcome struct {
	code        int
	err         error
	interrupted bool
}

// conclude reports the outcome and returns the exit code.
func conclude(name string, o outcome) int {
	var usage *UsageError
	switch {
	case o.err == nil && o.code == ExitLosses && console.lenient.Load():
		slog.Warn("not everything could be read, or was taken by a server: exit code 0 for 3, as --damage=warn asks")
		return ExitDone
	case o.err == nil:
		return o.code
	case errors.Is(o.err, flag.ErrHelp):
		return ExitDone // the help was the answer
	// Each mistake comes with a hint to the help.
	case errors.As(o.err, &usage):
		slog.Error(fmt.Sprintf("%v\nTry: %s%s --help", o.err, within, name))
		return ExitUsage
	case o.interrupted:
		slog.Error("interrupted; the units that were finished are kept: run the same command again to go on")
		return ExitFailed
	}
	message := o.err.Error()
	// The failing library has logged it already.
	if !console.memory.first(message) {
		message = "failed, as said above; the units that were finished are kept: run the same command again to go on"
	}
	slog.Error(message)
	return ExitFailed
}

// Say writes a message to the user. It ignores errors, as from a closed terminal.
func Say(w io.Writer, format string, args ...any) {
	_, _ = io.WriteString(w, secret.Redact(fmt.Sprintf(format, args...)))
}

// errReader is the cause of a context that ends because nobody reads the output.
var errReader = errors.New("nobody reads the output any longer")

// interruptible returns a context that ends at the first interrupt, or when nobody reads the output. Later interrupts
// kill the process.
func interruptible(parent context.Context, w io.Writer) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals, broken := make(chan os.Signal, 1), pipes()
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer signal.Stop(signals)
		for ctx.Err() == nil {
			select {
			case <-signals:
				// Stop first, so that a second interrupt kills even before the message.
				signal.Stop(signals)
				if !console.json.Load() {
					Say(w, "\n") // the terminal shows ^C or progress
				}
				slog.Info("stopping, unfinished units are cleaned up; press Ctrl-C again to kill")
				cancel(nil)
			case <-broken:
				// The signal is also about sockets.
				if readerGone() {
					cancel(errReader)
				}
			case <-ctx.Done():
			}
		}
	}()
	return ctx, func() { cancel(nil); <-ended }
}

// holdLimit is how long Main waits for units that clean up. They check their context once per capture, which takes
// seconds at most.
const holdLimit = 15 * time.Second

var holds sync.WaitGroup

// Hold delays the end of the process until release is called, once. Functions that write files use it, because
// runners do not wait for them after an interrupt.
func Hold() (release func()) {
	holds.Add(1)
	return holds.Done
}

// waitHolds waits for all holds, but no longer than limit.
func waitHolds(limit time.Duration) bool {
	released := make(chan struct{})
	go func() { holds.Wait(); close(released) }()
	select {
	case <-released:
		return true
	case <-time.After(limit):
		return false
	}
}

// Workers returns how many captures a process enriches concurrently: n, or if n <= 0 GOMAXPROCS, which follows the
// CPU limit of a container.
func Workers(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

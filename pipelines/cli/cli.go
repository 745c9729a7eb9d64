// Package cli is what all commands share, those that run pipelines and those that do not: flags and their help, exit
// codes, interruption, the log, progress on the terminal and the summary at the end. It is the only package that ends
// the process. It knows nothing of archives, of any one command or of Beam, and is small: package run adds what a
// pipeline needs.
//
// A command is one line of main and one function:
//
//	func main() { cli.Verb{Name: "count", Do: count}.Main() }
//
//	func count(ctx context.Context, args []string) (int, error) {
//		f := cli.NewFlags(flag.CommandLine, cli.Command{Name: "count", Args: "[file ...]", Summary: "…"})
//		out := f.String(cli.Flag{Name: "out", Default: "out", Help: "folder to write to", Example: "/data/out"})
//		f.LogFlags()
//		if err := f.Parse(args); err != nil {
//			return cli.ExitUsage, err
//		}
//		return cli.ExitDone, countAll(ctx, f.Args(), *out)
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
	ExitDone   = 0 // all was done
	ExitFailed = 1 // the run failed or was interrupted; finished units are kept
	ExitUsage  = 2 // the command line is wrong; nothing was done
	ExitLosses = 3 // all was done, and bytes of the input are in no record
)

// exitUsage is what the process ends with for ExitUsage: below a supervisor, which has to tell it from Go's own 2, that
// of sysexits.h.
var exitUsage = ExitUsage

const exitUsageBelow = 64

// exitPipe is what shells say of a process that SIGPIPE has ended: 128 and its number.
const exitPipe = 141

// UsageError is a mistake on the command line: Main prints it without decoration and exits with ExitUsage.
type UsageError struct {
	Message string // what is wrong and what would be right
}

// Error returns the message.
func (e *UsageError) Error() string { return e.Message }

// Usagef makes a UsageError.
func Usagef(format string, args ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// Main runs a command and ends the process with its exit code. The command's context ends at the first interrupt
// (Ctrl-C or SIGTERM), and the command should then clean up and return; a second interrupt kills the process. An error
// is printed to stderr; a UsageError exits with ExitUsage, any other with ExitFailed, whatever the code. When nobody
// reads what the command prints any longer, as in "query | head", its context ends as well, and the code is 141 without
// a word.
//
// Where the system may refuse memory, the command runs in a child process: see supervise.
func Main(name string, command func(context.Context) (int, error)) {
	// Secrets are noted before anything can be said, so that no message has one.
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

// guarded calls command, and makes an error of a panic, which would end the process with the exit code of ExitUsage.
func guarded(ctx context.Context, command func(context.Context) (int, error)) (code int, err error) {
	defer func() {
		if p := recover(); p != nil {
			code, err = ExitFailed, fmt.Errorf("internal error, please report it: %v\n%s", p, debug.Stack())
		}
	}()
	return command(ctx)
}

// outcome is how a command ended.
// It is apart from Main so that tests can ask for the exit code.
type outcome struct {
	code        int
	err         error
	interrupted bool
}

// conclude says what there is to say of the outcome and returns the exit code.
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
	// Where the help is, is said with each mistake.
	case errors.As(o.err, &usage):
		slog.Error(fmt.Sprintf("%v\nTry: %s%s --help", o.err, within, name))
		return ExitUsage
	case o.interrupted:
		slog.Error("interrupted; the units that were finished are kept: run the same command again to go on")
		return ExitFailed
	}
	message := o.err.Error()
	// The library that failed has said it already.
	if !console.memory.first(message) {
		message = "failed, as said above; the units that were finished are kept: run the same command again to go on"
	}
	slog.Error(message)
	return ExitFailed
}

// Say writes a message to the user, who may have closed the terminal: there is nobody to tell of that.
func Say(w io.Writer, format string, args ...any) {
	_, _ = io.WriteString(w, secret.Redact(fmt.Sprintf(format, args...)))
}

// errReader is the cause of a context that ends because nobody reads what the command prints.
var errReader = errors.New("nobody reads the output any longer")

// interruptible returns a context that ends at the first interrupt, or when nobody reads the output any longer; from
// then on an interrupt has its usual effect, which is to kill.
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
				// Before anything is said, so that who reads it can kill.
				signal.Stop(signals)
				if !console.json.Load() {
					Say(w, "\n") // the terminal shows ^C, or progress
				}
				slog.Info("stopping, unfinished units are cleaned up; press Ctrl-C again to kill")
				cancel(nil)
			case <-broken:
				// Told of sockets, too, whose other end may go.
				if readerGone() {
					cancel(errReader)
				}
			case <-ctx.Done():
			}
		}
	}()
	return ctx, func() { cancel(nil); <-ended }
}

// holdLimit is how long Main waits for units that are cleaning up. They look at their context once a capture, and
// the slowest capture takes seconds.
const holdLimit = 15 * time.Second

var holds sync.WaitGroup

// Hold keeps Main from ending the process before release is called (once): runners return from an interrupted
// pipeline while its functions are still cleaning up. A function that writes files holds the process meanwhile.
func Hold() (release func()) {
	holds.Add(1)
	return holds.Done
}

// waitHolds waits for all holds, at most for limit.
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

// Workers is how many captures a process enriches at once: n, or when n is not positive as many as Go runs threads
// (GOMAXPROCS, which follows the CPU limit of a container).
func Workers(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// SetMemoryLimit makes the garbage collector rest until the process nears this many bytes, and work harder from there
// on. It bounds what garbage may add and refuses no allocation. A limit that is not positive changes nothing.
func SetMemoryLimit(bytes int64) {
	if bytes > 0 {
		debug.SetMemoryLimit(bytes)
		debug.SetGCPercent(gcPercent)
	}
}

// gcPercent lets the heap grow to the limit before it is collected. All extractors over four archives of 67 MB cost
// the collector .5 s of CPU with 400, 1.2 with 200 and 1.3 with 100, of 8 s in all; the peak was 475, 385 and 297 MiB.
const gcPercent = 400

// Package commandtest runs commands for tests, as processes of the test binary.
package commandtest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// AsCommand is the environment variable that names the command which the test binary is.
const AsCommand = "GLEANER_TEST_COMMAND"

// Main is TestMain of a package whose tests run these commands.
func Main(m *testing.M, verbs ...cli.Verb) {
	docsandbox.Main() // children that read documents have an empty environment
	for _, v := range verbs {
		if v.Name == os.Getenv(AsCommand) {
			v.Main() // does not return
		}
	}
	os.Exit(m.Run())
}

// Command returns the command of that name with arguments. Main must know it.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), AsCommand+"="+name)
	return cmd
}

// Run runs the command of that name to its end, and returns its exit code and its output.
func Run(tb testing.TB, name string, args ...string) (code int, stdout, stderr string) {
	tb.Helper()
	return Output(tb, Command(tb.Context(), name, args...))
}

// Output runs cmd to its end, and returns its exit code and its output.
func Output(tb testing.TB, cmd *exec.Cmd) (code int, stdout, stderr string) {
	tb.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	code = codeOf(tb, cmd)
	return code, out.String(), errs.String()
}

// Combined is like Output, but returns standard output and standard error as one text.
func Combined(tb testing.TB, cmd *exec.Cmd) (code int, text string) {
	tb.Helper()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	code = codeOf(tb, cmd)
	return code, out.String()
}

func codeOf(tb testing.TB, cmd *exec.Cmd) int {
	tb.Helper()
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		tb.Fatalf("%v: %v", cmd.Args, err)
	}
	return cmd.ProcessState.ExitCode()
}

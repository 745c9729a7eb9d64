// Package commandtest runs commands for tests.
package commandtest

import (
	"bytes"
	"errors"
	"os/exec"
	"testing"
)

// Output runs cmd to its end, and returns its exit code and its output.
func Output(tb testing.TB, cmd *exec.Cmd) (code int, stdout, stderr string) {
	tb.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		tb.Fatalf("%v: %v", cmd.Args, err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

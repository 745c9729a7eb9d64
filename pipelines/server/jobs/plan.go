package jobs

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// These limit a plan, since somebody waits for it.
const (
	planTime = time.Minute
	maxPlan  = 64 << 10 // in bytes
)

// PlanError is the error message of a command that could not make a plan.
type PlanError string

// Error returns the message.
func (e PlanError) Error() string { return string(e) }

// Plan runs a command that only reports what it would do, and returns the report. Only one is made at a time. A
// *PlanError comes from the command itself.
func (q *Queue) Plan(ctx context.Context, verb string, args []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, planTime)
	defer cancel()
	select {
	case q.planning <- struct{}{}:
		defer func() { <-q.planning }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	var out, said clipped
	cmd := q.o.Program(verb, args)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = nil, &out, &said
	own(cmd)
	// As for jobs, a child gets its signal when the thread that started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return "", err
	}
	ended := make(chan struct{})
	defer close(ended)
	go stopWith(ctx, cmd, ended)
	err := cmd.Wait()
	switch exit := (*exec.ExitError)(nil); {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.As(err, &exit):
		return "", PlanError(cmp.Or(lastLine(said.text(), verb), err.Error()))
	}
	return out.text(), err
}

// clipped keeps the beginning of the data written to it.
type clipped struct{ b bytes.Buffer }

// Write accepts all data, and keeps as much as there is room for.
func (c *clipped) Write(p []byte) (int, error) {
	_, _ = c.b.Write(p[:min(len(p), maxPlan-c.b.Len())]) // it never fails
	return len(p), nil
}

func (c *clipped) text() string {
	// The cut may be inside a character.
	text := strings.ToValidUTF8(c.b.String(), "\uFFFD")
	if c.b.Len() == maxPlan {
		text += "\n…\n"
	}
	return text
}

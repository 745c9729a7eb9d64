package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// work does the jobs one after the other until the context ends.
func (q *Queue) work(ctx context.Context) {
	for {
		// All that wait, then sleep: one wake may stand for several new jobs.
		for j := q.next(); j != nil; j = q.next() {
			q.run(ctx, j)
			// The server ends: what is left waits for the next one.
			if ctx.Err() != nil {
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-q.wake:
		}
	}
}

// next is the oldest job that waits, nil when none does.
func (q *Queue) next() *Job {
	q.mu.Lock()
	defer q.mu.Unlock()
	// By number, the oldest first. The list is short: see maxWaiting and Options.Most.
	for _, n := range q.numbers() {
		if q.jobs[n].State == Queued {
			return q.jobs[n]
		}
	}
	return nil
}

// patience is how long a process has to end after it was asked to.
// Long enough for a command to finish the shard at hand and remove what is half written.
const patience = 30 * time.Second

// run does a job. When the context ends the job stays one that is running: it is run again by the next server.
func (q *Queue) run(ctx context.Context, j *Job) {
	// A context for each job, so that one can be cancelled and the next begins.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// The process of a server that was killed may still be cleaning up, and has the folder's lock meanwhile.
	await(ctx, j.PID, j.Began)
	// Waiting took place without the lock, and a user may have cancelled.
	q.mu.Lock()
	if j.State != Queued { // cancelled meanwhile
		q.mu.Unlock()
		return
	}
	// Cancelled while the server was being killed: it is not begun again.
	if j.Cancel != "" {
		q.end(j, nil, "")
		q.mu.Unlock()
		return
	}
	j.State, j.Started, q.cancel = Running, time.Now().UTC(), cancel
	// Written before the child starts: after a kill, the job is known to have been begun.
	err := q.save(j)
	q.mu.Unlock()
	if err == nil {
		err = q.child(ctx, j)
	}
	// Read before the lock is taken, for which others wait.
	last := ""
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		last = q.lastWords(j)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	// Cancel is set before the context ends, so an empty one means that the server ends. The file
	// still says running.
	if ctx.Err() != nil && j.Cancel == "" {
		return // the server ends
	}
	q.end(j, err, last)
}

// end notes how a job ended, and what its command said last. Codes are those of package cli. The caller has the lock.
func (q *Queue) end(j *Job, err error, last string) {
	j.Ended, j.PID, j.Began = time.Now().UTC(), 0, 0
	exit := (*exec.ExitError)(nil)
	switch {
	// First: a cancelled command also ends with an error.
	case j.Cancel != "":
		j.State = Cancelled
	case err == nil:
		j.State = Done
	// Damaged input is a result, and no failure.
	case errors.As(err, &exit) && exit.ExitCode() == cli.ExitLosses:
		j.State, j.Code = Losses, cli.ExitLosses
	default:
		j.State, j.Code = Failed, cli.ExitFailed
		j.Error = err.Error()
		if exit != nil {
			j.Code = exit.ExitCode()
			j.Error = last
		}
	}
	if err := q.save(j); err != nil {
		// Nothing else can be done: the next server would run it again, which gives the same result.
		slog.Error("a job's end cannot be written", "number", j.Number, "error", err)
	}
}

// lastWords is the last thing that a command said, which is its error, without its name.
func (q *Queue) lastWords(j *Job) string {
	// The last 8 KiB hold the last line of any command of ours.
	log, _, err := q.Log(j.Number, 8<<10)
	if err != nil {
		return "it failed, and its log cannot be read"
	}
	return lastLine(log, j.Verb)
}

// lastLine is the error at the end of what a command said.
func lastLine(said, verb string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	last := lines[len(lines)-1]
	if strings.HasPrefix(last, "Try:") && len(lines) > 1 { // what is below a mistake on the command line
		last = lines[len(lines)-2]
	}
	return strings.TrimPrefix(last, verb+": ")
}

// child runs the process of a job, and waits for it.
func (q *Queue) child(ctx context.Context, j *Job) error {
	// Appended to, as a job that is run again goes on in the same log.
	log, err := os.OpenFile(q.file(j.Number, "log"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the child writes it
	if j.Again > 0 {
		fmt.Fprintf(log, "The server ended meanwhile: run again, %s\n", time.Now().UTC().Format(time.RFC3339))
	}
	cmd := q.o.Program(j.Verb, j.Args)
	// No input: a command that would ask something gets the end of file. The child writes to the file
	// itself, so nothing is lost when the server is killed.
	cmd.Stdin, cmd.Stdout, cmd.Stderr = nil, log, log
	own(cmd)
	// The child is told of this process's end by the end of the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return err
	}
	// Noted while it runs, for the server after a kill.
	q.mu.Lock()
	j.PID, j.Began = cmd.Process.Pid, began(cmd.Process.Pid)
	err = q.save(j)
	q.mu.Unlock()
	if err != nil {
		// Not fatal: the child runs, and is only not found again after a kill.
		slog.Warn("a job's process cannot be noted", "number", j.Number, "error", err)
	}
	// Closed when Wait returns, so that stopWith does not outlive the process it watches.
	ended := make(chan struct{})
	defer close(ended)
	go stopWith(ctx, cmd, ended)
	return cmd.Wait()
}

// stopWith asks a process to end when the context does, and ends it when it does not.
func stopWith(ctx context.Context, cmd *exec.Cmd, ended <-chan struct{}) {
	select {
	case <-ended:
		return
	case <-ctx.Done():
	}
	ask(cmd)
	select {
	case <-ended:
	case <-time.After(patience):
		// It did not end in time: with all that it started.
		kill(cmd)
	}
}

package jobs

import (
	"cmp"
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

// work runs the jobs one after the other until the context ends.
func (q *Queue) work(ctx context.Context) {
	for {
		// It runs all waiting jobs, then sleeps: one wake may stand for several new jobs.
		for j := q.next(); j != nil; j = q.next() {
			q.run(ctx, j)
			// The server ends; the remaining jobs wait for the next one.
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

// next returns the oldest waiting job, or nil if there is none.
func (q *Queue) next() *Job {
	q.mu.Lock()
	defer q.mu.Unlock()
	// It goes by number, the oldest first. The list is short: see maxWaiting and Options.Most.
	for _, n := range q.numbers() {
		if q.jobs[n].State == Queued {
			return q.jobs[n]
		}
	}
	return nil
}

// patience is how long a process may take to end after it was asked to. A command can finish its current shard in that
// time, and remove incomplete files.
const patience = 30 * time.Second

// run runs a job. If the context ends, the job keeps the state Running, and the next server runs it again.
func (q *Queue) run(ctx context.Context, j *Job) {
	// Each job has its own context, so that one can be cancelled and the next one begins.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// The process of a killed server may still be cleaning up, and holds the folder's lock until then.
	await(ctx, j.PID, j.Began)
	// The lock was not held while waiting, so a user may have cancelled the job.
	q.mu.Lock()
	if j.State != Queued { // it was cancelled while waiting
		q.mu.Unlock()
		return
	}
	// It was cancelled when the server was killed, so it is not started again.
	if j.Cancel != "" {
		q.end(j, nil, "")
		q.mu.Unlock()
		return
	}
	j.State, j.Started, q.cancel = Running, time.Now().UTC(), cancel
	// It is saved before the child starts, so that after a kill the job is known to have been started.
	err := q.save(j)
	q.mu.Unlock()
	if err == nil {
		err = q.child(ctx, j)
	}
	// This is read before the lock is taken, since others wait for the lock.
	last := ""
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		last = q.lastWords(j)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	// Cancel is set before the context ends, so an empty one means that the server ends. The file still has the state
	// Running.
	if ctx.Err() != nil && j.Cancel == "" {
		return // the server ends
	}
	q.end(j, err, last)
}

// end saves how a job ended, and the last output of its command. Codes are those of package cli. The caller holds the
// lock.
func (q *Queue) end(j *Job, err error, last string) {
	j.Ended, j.PID, j.Began = time.Now().UTC(), 0, 0
	exit := (*exec.ExitError)(nil)
	switch {
	// This comes first, since a cancelled command also ends with an error.
	case j.Cancel != "":
		j.State = Cancelled
	case err == nil:
		j.State = Done
	// Damaged input is a result, not a failure.
	case errors.As(err, &exit) && exit.ExitCode() == cli.ExitLosses:
		j.State, j.Code = Losses, cli.ExitLosses
	default:
		j.State, j.Code = Failed, cli.ExitFailed
		j.Error = err.Error()
		if exit != nil {
			j.Code = exit.ExitCode()
			j.Error = cmp.Or(last, err.Error()) // a killed process writes nothing
		}
	}
	if err := q.save(j); err != nil {
		// Nothing else can be done. The next server would run the job again, with the same result.
		slog.Error("a job's end cannot be written", "number", j.Number, "error", err)
	}
}

// lastWords returns the last line of a command's output, which is its error, without the command's name.
func (q *Queue) lastWords(j *Job) string {
	// The last line of our commands is always within the last 8 KiB.
	log, _, err := q.Log(j.Number, 8<<10)
	if err != nil {
		return "it failed, and its log cannot be read"
	}
	return lastLine(log, j.Verb)
}

// lastLine returns the error at the end of a command's output.
func lastLine(said, verb string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	last := lines[len(lines)-1]
	if strings.HasPrefix(last, "Try:") && len(lines) > 1 { // this line follows a mistake on the command line
		last = lines[len(lines)-2]
	}
	return strings.TrimSpace(strings.TrimPrefix(last, verb+": "))
}

// child runs the process of a job, and waits for it.
func (q *Queue) child(ctx context.Context, j *Job) error {
	// The output is appended, as a job that is run again continues in the same log.
	log, err := os.OpenFile(q.file(j.Number, "log"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the child writes it
	if j.Again > 0 {
		fmt.Fprintf(log, "The server ended meanwhile: run again, %s\n", time.Now().UTC().Format(time.RFC3339))
	}
	cmd := q.o.Program(j.Verb, j.Args)
	// There is no input: a command that asks for some gets the end of file. The child writes to the file itself, so
	// nothing is lost if the server is killed.
	cmd.Stdin, cmd.Stdout, cmd.Stderr = nil, log, log
	own(cmd)
	// The child gets its signal when the thread that started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return err
	}
	// The process is saved while it runs, for the next server after a kill.
	q.mu.Lock()
	j.PID, j.Began = cmd.Process.Pid, began(cmd.Process.Pid)
	err = q.save(j)
	q.mu.Unlock()
	if err != nil {
		// This is not fatal: the child runs, but cannot be found again after a kill.
		slog.Warn("a job's process cannot be noted", "number", j.Number, "error", err)
	}
	// It is closed when Wait returns, so that stopWith does not outlive its process.
	ended := make(chan struct{})
	defer close(ended)
	go stopWith(ctx, cmd, ended)
	return cmd.Wait()
}

// stopWith asks a process to end when the context ends, and kills it if it does not.
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
		// It did not end in time, so it is killed together with all processes that it started.
		kill(cmd)
	}
}

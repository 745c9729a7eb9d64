package statement

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// child is a process that answers a question.
type child struct {
	r      *Runner
	cmd    *exec.Cmd
	out    *os.File // what the child writes
	stderr tail
	temp   string // its folder
	limit  time.Duration

	kill  func(cause error)
	cause func() error // why it was killed, or nil
	ended chan struct{}
	once  sync.Once
	err   error // of Wait; valid after ended is closed
}

// errLate is the cause of a child's end at its time limit.
var errLate = errors.New("statement: it took too long")

// start starts the process of a question.
func (r *Runner) start(ctx context.Context, q Question) (*child, error) {
	temp, err := r.tempDir()
	if err != nil {
		return nil, err
	}
	out, in, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	c := &child{
		r: r, cmd: r.o.Program("query", q.args()), out: out, temp: temp, limit: q.Time, ended: make(chan struct{}),
	}
	if c.cmd.Env == nil {
		c.cmd.Env = os.Environ()
	}
	c.cmd.Env = append(append(c.cmd.Env, cli.Limits+"="+where(q.Limits)), r.environment(temp)...)
	c.cmd.Stdin = strings.NewReader(q.Limits)
	c.cmd.Stdout, c.cmd.Stderr = in, &c.stderr
	c.cmd.SysProcAttr = attributes()
	ctx, cancel := context.WithCancelCause(ctx)
	c.kill, c.cause = cancel, func() error { return context.Cause(ctx) }
	timer := time.AfterFunc(q.Time, func() { cancel(errLate) })
	started := make(chan error)
	go c.run(ctx, started, timer)
	err = <-started
	// The child has its own end of the pipe. With ours open, reading would never end.
	_ = in.Close()
	if err != nil {
		c.end()
		return nil, err
	}
	return c, nil
}

// where names the place of limits for the child.
func where(limits string) string {
	if limits == "" {
		return ""
	}
	return "stdin"
}

// run starts the process and waits for its end in one thread, because a child dies with the thread that started it.
func (c *child) run(ctx context.Context, started chan<- error, timer *time.Timer) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(c.ended)
	defer timer.Stop()
	if c.err = c.cmd.Start(); c.err != nil {
		started <- c.err
		return
	}
	if err := restrict(c.cmd.Process.Pid, c.r.o.Memory, c.r.o.Disk); err != nil {
		c.kill(err)
	}
	stop := context.AfterFunc(ctx, func() { _ = c.cmd.Process.Kill() }) // it may have ended
	started <- nil
	c.err = c.cmd.Wait()
	stop()
}

// end ends the process, and removes what it has left.
func (c *child) end() {
	c.once.Do(func() {
		c.kill(context.Canceled)
		<-c.ended
		_ = c.out.Close() // nothing was written to it
		_ = os.RemoveAll(c.temp)
	})
}

// verdict waits for the end of the process and returns why the answer is not complete, or nil.
func (c *child) verdict() error {
	<-c.ended
	if c.err == nil {
		return nil
	}
	if cause := c.cause(); cause != nil && !errors.Is(cause, errLate) {
		return cause
	}
	return c.failure()
}

// tail keeps the last bytes that are written to it.
type tail []byte

// maxTail is more than the longest message, which may repeat a statement of 20,000 characters with escapes.
const maxTail = 256 << 10

// Write keeps the last bytes of b.
func (t *tail) Write(b []byte) (int, error) {
	*t = append(*t, b[max(0, len(b)-maxTail):]...)
	*t = append((*t)[:0], (*t)[max(0, len(*t)-maxTail):]...)
	return len(b), nil
}

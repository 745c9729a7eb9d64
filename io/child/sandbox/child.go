package sandbox

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Limits of wall time: startLimit for a child to start, and wallFactor times Options.CPU for a request. The second
// one ends children that sleep.
const (
	startLimit = time.Minute
	wallFactor = 30
)

// child is the parent's view of a process that answers requests. It is for one goroutine.
type child struct {
	p      *Pool // its pool
	cmd    *exec.Cmd
	in     io.Writer
	out    *bufio.Reader
	stderr tail
	clock  func() time.Duration // its CPU time
	ended  chan struct{}        // closed when the process has ended
	served int
}

// start starts a child and waits until it is ready.
func start(p *Pool) (*child, error) {
	c := &child{p: p, cmd: exec.Command(program()), ended: make(chan struct{})}
	c.cmd.Args = []string{"sandbox"}
	c.cmd.Env = []string{memoryVariable + "=" + strconv.FormatInt(p.o.Memory, 10), "GOMAXPROCS=1", "GOTRACEBACK=none"}
	c.cmd.Stderr = &c.stderr
	c.cmd.SysProcAttr = attributes()
	in, errIn := c.cmd.StdinPipe()
	out, errOut := c.cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	c.in, c.out = in, bufio.NewReaderSize(out, 64<<10)
	started := make(chan error)
	go c.run(started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	c.clock = processClock(c.cmd.Process.Pid)
	timer := time.AfterFunc(startLimit, c.kill)
	defer timer.Stop()
	confined, err := readFrame(c.out, maxConfined)
	if err != nil {
		c.end()
		return nil, fmt.Errorf("%w: %w: %s", ErrStart, err, c.lastWords())
	}
	p.tell.Do(func() { slog.Debug("child processes are confined", "by", string(confined)) })
	return c, nil
}

// run starts the process and waits for its end in one thread, because a child dies with the thread that started it.
func (c *child) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(c.ended)
	err := c.cmd.Start()
	started <- err
	if err == nil {
		_ = c.cmd.Wait() // ProcessState shows how it ended
	}
}

// kill ends the process at once; it may have ended before.
func (c *child) kill() { _ = c.cmd.Process.Kill() }

// end ends the process and waits until it has.
func (c *child) end() {
	c.kill()
	<-c.ended
}

// lastWords says how the process ended and what it printed last.
func (c *child) lastWords() string {
	<-c.ended
	return strings.TrimSpace(c.cmd.ProcessState.String() + " " + string(c.stderr))
}

// do sends the child one request. After an error the child cannot be used again.
func (c *child) do(ctx context.Context, name string, request []byte) ([]byte, error) {
	stop := c.watch(ctx)
	reply, err := c.exchange(name, request)
	if killed := stop(); killed != nil {
		return nil, killed
	}
	c.served++
	if err == nil || errors.Is(err, ErrLimit) {
		return reply, err
	}
	c.kill() // after an invalid frame the process may still run
	return nil, fmt.Errorf("%w: %w: %s", ErrCrashed, err, c.lastWords())
}

func (c *child) exchange(name string, request []byte) ([]byte, error) {
	if err := writeFrame(c.in, []byte(name)); err != nil {
		return nil, err
	}
	if err := writeFrame(c.in, request); err != nil {
		return nil, err
	}
	return readFrame(c.out, c.p.o.MaxReply)
}

// watch kills the child at its time limit, when ctx ends, or when the pool is closed. The returned stop ends the watch
// and gives the reason for the kill, or nil.
func (c *child) watch(ctx context.Context) (stop func() error) {
	answered, verdict := make(chan struct{}), make(chan error, 1)
	go func() {
		err := c.overrun(ctx, answered)
		if err != nil {
			c.kill()
		}
		verdict <- err
	}()
	return func() error {
		close(answered)
		return <-verdict
	}
}

// overrun waits until the request is answered and returns nil, or returns why the child must be killed. CPU time is
// first checked after the whole limit of wall time: one thread cannot use more than that. Most requests end earlier.
func (c *child) overrun(ctx context.Context, answered <-chan struct{}) error {
	limit := c.p.o.CPU
	begin, used := time.Now(), c.clock()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case <-answered:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-c.p.closing:
			return ErrClosed
		case <-timer.C:
		}
		left := limit - (c.clock() - used)
		if left <= 0 || time.Since(begin) >= wallFactor*limit {
			return ErrTimeout
		}
		timer.Reset(max(left, time.Millisecond))
	}
}

// tail keeps the last bytes that are written to it.
type tail []byte

// maxTail is enough for the message of a panic or of the runtime, without stack traces; bytes.
const maxTail = 2 << 10

// Write keeps the last bytes of b.
func (t *tail) Write(b []byte) (int, error) {
	*t = append(*t, b[max(0, len(b)-maxTail):]...)
	*t = append((*t)[:0], (*t)[max(0, len(*t)-maxTail):]...)
	return len(b), nil
}

// sinceNow returns a clock of wall time, for processes whose CPU time is unknown.
func sinceNow() func() time.Duration {
	begin := time.Now()
	return func() time.Duration { return time.Since(begin) }
}

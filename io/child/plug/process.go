package plug

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/child/plug/arrowanswer"
)

// errEnded means that a process has ended before its answer.
var errEnded = errors.New("the plug has ended without an answer")

// errExtra means that a process has written more than answers. Then answers may be those of other documents.
var errExtra = errors.New("the plug has written a line that is no answer: it writes one line for each document, " +
	"after it has read it")

// process is one run of a command.
type process struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	said *tail
	says declaration
	gone sync.Once

	room   int // bytes that the pipe to it has room for, at least
	asked  bool
	values *arrowanswer.Reader // of Arrow
}

// begin starts a process and reads its first line.
func begin(ctx context.Context, command string) (*process, error) {
	c := &process{cmd: exec.Command("sh", "-c", command), said: &tail{}}
	if runtime.GOOS == "windows" {
		c.cmd = exec.Command("cmd", "/c", command)
	}
	own(c.cmd)
	c.cmd.Stderr = c.said
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 64<<10)
	c.room = 4 << 10
	for _, pipe := range []any{out, c.in} {
		if f, is := pipe.(*os.File); is && widen(f) && pipe == c.in {
			c.room = 1 << 20
		}
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, c.kill)()
	line, err := c.line(maxLine)
	if err == nil {
		if wrong := json.Unmarshal(line, &c.says); wrong != nil {
			err = fmt.Errorf("its first line is not a declaration: %.80q: %w", line, wrong)
		}
	}
	if err != nil {
		c.end()
		if ctx.Err() != nil {
			err = errors.New("it has not declared itself in time")
		}
		return nil, fmt.Errorf("%w%s", err, c.lastWords())
	}
	return c, nil
}

// mostWaits bounds the wait for the answer to a batch, in time-outs of a document. A batch in which one hangs must not
// hold a worker for an hour.
const mostWaits = 5

// patience returns how long the answer to n documents may take.
func patience(n int, timeout time.Duration) time.Duration {
	return time.Duration(min(n, mostWaits)) * timeout
}

// longest returns how many bytes the answer to n documents may have.
func longest(n int) int { return min(n*maxLine, maxAnswer) }

// ask sends a request and returns the answer. It waits by patience.
func (c *process) ask(r request, by exchange, timeout time.Duration) (reply, error) {
	timeout = patience(r.n, timeout)
	if c.out.Buffered() > 0 && c.says.Exchange != exchangeArrow { // rows tell in Arrow
		c.kill()
		return reply{}, errExtra
	}
	late := time.AfterFunc(timeout, c.kill)
	defer late.Stop()
	sending := r.bytes
	if !c.asked && len(r.head) > 0 {
		sending = slices.Concat(r.head, sending)
	}
	c.asked = true
	// The process may answer before it has read all, or end, so writing and reading go on at once.
	sent := make(chan error, 1)
	if len(sending) < c.room { // fits into the pipe, as the last answer was read
		_, err := c.in.Write(sending)
		sent <- err
	} else {
		go func() {
			_, err := c.in.Write(sending)
			sent <- err
		}()
	}
	a, err := by.read(c, r)
	if err != nil {
		c.kill() // which also ends the writer
	}
	if writeErr := <-sent; err == nil && !a.astray && writeErr != nil {
		err = errEnded
	}
	if err != nil && !late.Stop() {
		return reply{}, fmt.Errorf("no answer in %v", timeout)
	}
	return a, err
}

// line reads a line of at most limit bytes. It is valid until the next call.
func (c *process) line(limit int) ([]byte, error) {
	var long []byte
	for {
		part, err := c.out.ReadSlice('\n')
		switch {
		case len(long)+len(part) > limit:
			return nil, fmt.Errorf("an answer is longer than %d bytes", limit)
		case errors.Is(err, bufio.ErrBufferFull):
			long = append(long, part...)
			continue
		case err != nil:
			return nil, errEnded
		case long == nil:
			return bytes.TrimSpace(part), nil
		}
		return bytes.TrimSpace(append(long, part...)), nil
	}
}

// kill ends the process and those that it has started.
func (c *process) kill() { killAll(c.cmd) }

// end closes the input, which tells the process to end, and kills it if it does not. It reports whether the process had
// written lines that were not asked for.
func (c *process) end() (extra bool) {
	c.gone.Do(func() {
		_ = c.in.Close() // it may have ended already
		late := time.AfterFunc(2*time.Second, c.kill)
		defer late.Stop()
		// Until it has closed its output.
		for part := make([]byte, 4<<10); ; {
			n, err := c.out.Read(part)
			if extra = extra || len(bytes.TrimSpace(part[:n])) > 0 && c.says.Exchange != exchangeArrow; err != nil {
				break
			}
		}
		_ = c.cmd.Wait() // lastWords says more than the exit code
	})
	return extra
}

// lastWords returns the last line that the process has written to standard error, for a message.
func (c *process) lastWords() string {
	lines := strings.Split(strings.TrimSpace(c.said.String()), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return fmt.Sprintf(": %.200s", last)
	}
	return ""
}

// tail keeps the last bytes that are written to it.
type tail struct {
	mu   sync.Mutex
	last []byte
}

// maxTail is enough for the last line of a stack trace; bytes.
const maxTail = 2 << 10

// Write keeps the last bytes of b.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, b[max(0, len(b)-maxTail):]...)
	t.last = append(t.last[:0], t.last[max(0, len(t.last)-maxTail):]...)
	return len(b), nil
}

// String returns the last bytes.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.last)
}

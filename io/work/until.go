package work

import (
	"context"
	"io"
)

// Until returns a reader of r whose reads end with ctx. The system does not interrupt a read from a pipe or a terminal,
// which would keep a command that was told to end. Without r it returns nil.
func Until(ctx context.Context, r io.Reader) io.Reader {
	if r == nil {
		return nil
	}
	return &until{ctx: ctx, in: r, done: make(chan result, 1)}
}

type until struct {
	ctx  context.Context
	in   io.Reader
	buf  []byte // of a read under way, which may write to it after nobody waits any more
	done chan result
}

type result struct {
	n   int
	err error
}

// Read reads. After the end of the context it never does again.
func (u *until) Read(p []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, context.Cause(u.ctx)
	}
	if len(u.buf) < len(p) {
		u.buf = make([]byte, len(p))
	}
	go func(b []byte) {
		n, err := u.in.Read(b)
		u.done <- result{n, err} // it has room, so that the goroutine ends
	}(u.buf[:len(p)])
	select {
	case <-u.ctx.Done():
		return 0, context.Cause(u.ctx)
	case r := <-u.done:
		return copy(p, u.buf[:r.n]), r.err
	}
}

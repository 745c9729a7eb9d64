// Package sandbox calls a function in child processes. There it may loop, crash or exhaust the memory without harm to
// the caller. A child is this program, started again, so no other program has to be installed.
//
// A program calls Main before anything else. In a child it answers requests and does not return:
//
//	func main() {
//		sandbox.Main(func(name string, request []byte) []byte { return parse(request) })
//		pool, err := sandbox.New(sandbox.Options{})
//		…
//		reply, err := pool.Do(ctx, "a.pdf", body)
//	}
//
// On Linux the memory of a child is limited by RLIMIT_DATA. (A limit on the address space would have to be above
// 1.3 GiB, which an idle Go program reserves.) A child writes no files and no core, opens few files, has none of the
// parent's environment, and dies with its parent. The time limit counts the child's CPU time, so a busy machine does
// not change results. On other systems memory is not limited, and the time limit is of wall time.
//
// Go is memory-safe, so hostile input can make a parser loop, allocate and panic, but not run code. As a second
// defence, Landlock and seccomp block files, the network and other programs, on Linux kernels that have them.
package sandbox

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync"
	"time"
)

// These errors concern one request. Later requests are not affected.
var (
	ErrCrashed = errors.New("the child died")                    // twice: each request is tried again once, in a new child
	ErrTimeout = errors.New("the child took too long")           // Options.CPU
	ErrLimit   = errors.New("the request or reply is too large") // Options.MaxRequest, Options.MaxReply
)

// These errors of the program or the machine concern every request.
var (
	ErrNoMain = errors.New("sandbox: Main was not called at the start of the program; to read documents such as " +
		"PDF, begin func main with docsandbox.Main()")
	ErrStart  = errors.New("sandbox: no child could be started")
	ErrClosed = errors.New("sandbox: the pool is closed")
)

// Options bound a pool and its children. Zero fields get the defaults, which are in the comments.
type Options struct {
	Size       int           // maximum number of children; GOMAXPROCS
	Uses       int           // requests that a child answers before it is replaced; 500
	CPU        time.Duration // limit for one request; 10 s
	Memory     int64         // bytes of a child's data; 512 MiB
	MaxRequest int           // bytes; 64 MiB
	MaxReply   int           // bytes; 64 MiB
}

func (o Options) withDefaults() Options {
	return Options{
		Size:       cmp.Or(max(o.Size, 0), runtime.GOMAXPROCS(0)),
		Uses:       cmp.Or(max(o.Uses, 0), 500),
		CPU:        cmp.Or(max(o.CPU, 0), 10*time.Second),
		Memory:     cmp.Or(max(o.Memory, 0), 512<<20),
		MaxRequest: cmp.Or(max(o.MaxRequest, 0), 64<<20),
		MaxReply:   cmp.Or(max(o.MaxReply, 0), 64<<20),
	}
}

// Pool has children that answer requests, each one at a time. Children start when they are needed. A Pool is safe for
// concurrent use.
type Pool struct {
	o       Options
	slots   chan struct{} // one for each running call
	closing chan struct{} // closed by Close
	once    sync.Once
	tell    sync.Once // logs what confines the children

	mu   sync.Mutex
	idle []*child
}

// New makes a pool. It starts no child.
func New(o Options) (*Pool, error) {
	if !called.Load() {
		return nil, ErrNoMain // a child would run the whole program again
	}
	o = o.withDefaults()
	return &Pool{o: o, slots: make(chan struct{}, o.Size), closing: make(chan struct{})}, nil
}

// Do sends request to a child and returns its reply, which the caller owns. The handler also gets name, of at most
// 64 KiB, which describes the request. Errors are those of this package or the cause of ctx.
func (p *Pool) Do(ctx context.Context, name string, request []byte) ([]byte, error) {
	if len(name) > maxName || len(request) > p.o.MaxRequest {
		return nil, ErrLimit
	}
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-p.closing:
		return nil, ErrClosed
	}
	for fresh := false; ; fresh = true {
		c, err := p.take(fresh)
		if err != nil {
			return nil, err
		}
		reply, err := c.do(ctx, name, request)
		p.put(c, err)
		if fresh || !errors.Is(err, ErrCrashed) {
			return reply, err
		}
		// Earlier requests may have filled its memory, or another process may have killed it. So try once more.
	}
}

// take returns an idle child, or a new one if fresh or if none is idle.
func (p *Pool) take(fresh bool) (*child, error) {
	select {
	case <-p.closing:
		return nil, ErrClosed
	default:
	}
	p.mu.Lock()
	if n := len(p.idle); n > 0 && !fresh {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	return start(p)
}

// put takes a child back, or ends it if it failed or has answered enough requests.
func (p *Pool) put(c *child, err error) {
	if err != nil || c.served >= p.o.Uses {
		c.end()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, c)
}

// Close ends the children and waits until they have ended. Running and later calls of Do return ErrClosed.
func (p *Pool) Close() { p.once.Do(p.close) }

func (p *Pool) close() {
	close(p.closing)
	for range cap(p.slots) { // wait for the running calls
		p.slots <- struct{}{}
	}
	for _, c := range p.idle {
		c.end()
	}
	for range cap(p.slots) {
		<-p.slots
	}
}

// Package sandbox calls a function in child processes, where it may loop, crash or exhaust the memory without harm to
// the caller. A child is this program, started again: no other program is needed, on no machine that runs this one.
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
// On Linux a child has a limit on its memory (RLIMIT_DATA: a limit on its address space would have to be above 1.3 GiB,
// since that is what an idle Go program reserves), writes no files and no core, opens few, has an empty environment,
// and dies with the process that started it. The limit on time counts the child's CPU time, so that a busy machine
// changes no result. Elsewhere there is no limit on memory, and time is that on the clock.
//
// This is a defence against faults, not against code of an attacker: Go is safe in its memory, so what hostile input
// can do is loop, allocate and panic. A child could still read files and use the network.
package sandbox

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync"
	"time"
)

// What can be wrong with a request. After any of these the next request is answered as if nothing had been.
var (
	ErrCrashed = errors.New("the child died")                    // twice: the request is tried again in a new child
	ErrTimeout = errors.New("the child took too long")           // Options.CPU
	ErrLimit   = errors.New("the request or reply is too large") // Options.MaxRequest, Options.MaxReply
)

// What is wrong with the program or the machine, and so with every request.
var (
	ErrNoMain = errors.New("sandbox: Main was not called at the start of the program; to read documents such as " +
		"PDF, begin func main with docsandbox.Main()")
	ErrStart  = errors.New("sandbox: no child could be started")
	ErrClosed = errors.New("sandbox: the pool is closed")
)

// Options bound a pool and its children; the zero value takes the defaults.
type Options struct {
	Size       int           // children at a time; GOMAXPROCS
	Uses       int           // requests that a child answers before a new one takes its place; 500
	CPU        time.Duration // that a child may take for one request; 10 s
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

// Pool is a number of children that answer requests, one each at a time. They are started when they are needed. It may
// be used by several goroutines at the same time.
type Pool struct {
	o       Options
	slots   chan struct{} // one for each call under way
	closing chan struct{} // closed by Close
	once    sync.Once
	tell    sync.Once // what the children are confined by

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

// Do has a child answer request. name says what request is, in at most 64 KiB; the handler gets both. The reply is the
// caller's. An error that is not one of this package's is ctx's.
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
		// The child may have been full of what came before, or was killed from without: once more.
	}
}

// take returns a child that waits for a request, a new one when fresh.
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

// put takes a child back, or ends it when it failed or has answered enough.
func (p *Pool) put(c *child, err error) {
	if err != nil || c.served >= p.o.Uses {
		c.end()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, c)
}

// Close ends the children and waits until they have ended. Calls under way and later ones get ErrClosed.
func (p *Pool) Close() { p.once.Do(p.close) }

func (p *Pool) close() {
	close(p.closing)
	for range cap(p.slots) { // wait for the calls under way
		p.slots <- struct{}{}
	}
	for _, c := range p.idle {
		c.end()
	}
	for range cap(p.slots) {
		<-p.slots
	}
}

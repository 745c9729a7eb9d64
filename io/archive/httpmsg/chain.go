package httpmsg

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"
)

// chain is a payload and the stages through which it is read, outermost coding first. No data between two stages are
// held whole, and no stage returns more than limit bytes. So a stack of codings costs at most its height times the
// limit.
type chain struct {
	payload  *bytes.Reader
	limit    int64
	stages   []stage
	limiters []*limiter
	end      *bufio.Reader // of the last stage, or over the payload
}

func newChain(payload []byte, limit int64) *chain {
	c := &chain{payload: bytes.NewReader(payload), limit: limit}
	// There is always a buffer at the end, also without any stage: sniffing peeks into it.
	c.end = bufferOver(c.payload)
	return c
}

// add adds a stage that removes one more coding.
func (c *chain) add(coding string) {
	// The stage reads from the previous end; the new end reads from the stage.
	s := open(coding, c.end)
	l := &limiter{r: s, left: c.limit}
	c.stages = append(c.stages, s)
	c.limiters = append(c.limiters, l)
	c.end = bufferOver(l)
}

// release returns the borrowed buffers and decoders.
func (c *chain) release() {
	for _, s := range c.stages {
		// Each stage owns the buffer that it reads from; c.end is the one after the last stage.
		s.release()
		giveBack(s.in)
	}
	giveBack(c.end)
}

// over reports whether a stage had more than limit bytes. It may be any stage: a bomb may be small again after its
// outer coding.
func (c *chain) over() bool {
	for _, l := range c.limiters {
		if l.over {
			return true
		}
	}
	return false
}

// drained is called when the last stage has ended. It reports whether bytes follow the end of any stage's stream, and
// returns an error if an earlier stream ends badly.
func (c *chain) drained() (tail bool, err error) {
	for _, s := range c.stages {
		// A stage ends where its own stream does. The rest in its buffer was never read.
		switch _, e := s.in.Peek(1); {
		case e == nil:
			tail = true
		case !errors.Is(e, io.EOF):
			err = e
		}
	}
	return tail, err
}

// scratchLen holds most pages: they are decoded into a borrowed buffer and then copied into one of the right size.
const scratchLen = 512 << 10

var (
	bufferPool  = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, sniffLen) }}
	scratchPool = sync.Pool{New: func() any { return new([scratchLen]byte) }}
)

func bufferOver(r io.Reader) *bufio.Reader {
	b := bufferPool.Get().(*bufio.Reader)
	b.Reset(r)
	return b
}

// giveBack returns b to the pool, without what it was reading.
func giveBack(b *bufio.Reader) {
	b.Reset(nil)
	// Without this, a pooled buffer would keep the body of the last page alive.
	bufferPool.Put(b)
}

// readAll reads the chain to its end, at most limit bytes, and returns what there is also when it fails.
func (c *chain) readAll() ([]byte, error) {
	scratch := scratchPool.Get().(*[scratchLen]byte)
	defer scratchPool.Put(scratch)
	// The capacity is cut to the limit, so that a small limit holds for the scratch as well.
	// Most bodies fit, and cost one allocation of exactly their size.
	buf, err := fill(c.end, scratch[:0:min(scratchLen, c.limit)])
	borrowed := true
	for errors.Is(err, errFull) && int64(len(buf)) < c.limit {
		// The new buffer replaces the scratch, and the bytes so far are copied once.
		buf = append(make([]byte, 0, c.expect(int64(len(buf)))), buf...)
		borrowed = false
		buf, err = fill(c.end, buf)
	}
	// Full at the limit itself: whether the body is cut depends on whether there is one byte more.
	if errors.Is(err, errFull) {
		err = c.beyond()
	}
	// The scratch goes back to the pool, and a body may be held for long: neither may keep memory that is
	// not its own.
	if borrowed || len(buf) < cap(buf)/2 {
		buf = bytes.Clone(buf)
	}
	return buf, err
}

// expect returns the size of a new buffer when the first n bytes did not fit. It assumes that the rest of the payload
// decodes like its beginning, and adds some, because decoders read ahead. An estimate over half the limit becomes the
// limit, so that two such buffers are never held at once.
func (c *chain) expect(n int64) int64 {
	total := c.payload.Size()
	// At least 1, since it divides below.
	used := max(total-int64(c.payload.Len()), 1)
	// At least twice as much each time, so that copying stays linear. limit bounds what a false estimate
	// can cost.
	want := max((n/used+1)*total, 2*n)
	want += want / 4
	if want > c.limit/2 {
		return c.limit
	}
	return want
}

// beyond returns how the chain goes on when limit bytes have been read: nil when it does not.
func (c *chain) beyond() error {
	// The limiter of the last stage fails here with errLimit if there is more. Without a stage the
	// payload has no limiter, but then nothing reads the chain.
	switch _, err := c.end.Peek(1); {
	case errors.Is(err, io.EOF):
		return nil
	default:
		return err
	}
}

// errFull says that a buffer is full.
var errFull = errors.New("httpmsg: buffer full")

// maxEmptyReads is the number of reads without a byte or an error after which a decoder counts as hanging.
const maxEmptyReads = 100

// fill reads r into the capacity of buf. It returns errFull when that is used up, nil at the end of r.
func fill(r io.Reader, buf []byte) ([]byte, error) {
	// An io.Reader may return no bytes and no error; so many in a row are taken for a decoder that
	// will never go on.
	for empty := 0; len(buf) < cap(buf); {
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case errors.Is(err, io.EOF):
			return buf, nil
		case err != nil:
			return buf, err
		case n > 0:
			empty = 0
		default:
			if empty++; empty == maxEmptyReads {
				return buf, io.ErrNoProgress
			}
		}
	}
	return buf, errFull
}

// limiter lets a number of bytes through and fails with errLimit if there are more.
type limiter struct {
	r    io.Reader
	left int64
	over bool
}

var errLimit = errors.New("httpmsg: limit reached")

func (l *limiter) Read(p []byte) (int, error) {
	switch {
	case l.over:
		return 0, errLimit
	case len(p) == 0:
		return 0, nil
	// A body of exactly limit bytes is whole: whether there is more is asked with one byte.
	case l.left == 0:
		var one [1]byte
		n, err := l.r.Read(one[:])
		if n > 0 {
			l.over = true
			return 0, errLimit
		}
		return 0, err
	}
	// Never asks for more than is left, so the bound holds whatever the stage would give.
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

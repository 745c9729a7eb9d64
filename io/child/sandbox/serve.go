package sandbox

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"sync/atomic"
)

// Handler answers a request in a child. What it prints to os.Stdout goes to standard error.
type Handler func(name string, request []byte) []byte

// memoryVariable makes the process a child; its value is Options.Memory.
const memoryVariable = "GLEANER_SANDBOX"

// called is true after Main was called in a process that is not a child.
var called atomic.Bool

// Main returns at once, except in a child: there it answers requests with h and never returns. Call it first in main,
// and first in TestMain.
func Main(h Handler) {
	memory, ok := os.LookupEnv(memoryVariable)
	if !ok {
		keepFiles()
		called.Store(true)
		return
	}
	if err := serve(h, memory); err != nil {
		fmt.Fprintln(os.Stderr, "sandbox:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve answers requests until the parent closes the pipe.
func serve(h Handler, memory string) error {
	signal.Ignore(os.Interrupt) // the parent gets it too, and closes the pool
	limit, err := strconv.ParseInt(memory, 10, 64)
	if err != nil {
		return err
	}
	if err := restrict(uint64(limit)); err != nil {
		return err
	}
	debug.SetMemoryLimit(limit / 4 * 3) // more garbage collection before the process exceeds the limit and dies
	in, out := bufio.NewReaderSize(os.Stdin, 64<<10), os.Stdout
	os.Stdout = os.Stderr
	if err := writeFrame(out, []byte(bounded(confine(), maxConfined))); err != nil { // ready
		return err
	}
	for {
		name, err := readFrame(in, maxName)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		request, err := readFrame(in, math.MaxInt32)
		if err != nil {
			return err
		}
		if err := writeFrame(out, h(string(name), request)); err != nil {
			return err
		}
	}
}

// maxConfined limits a child's report of what confines it, in bytes.
const maxConfined = 512

func bounded(s string, limit int) string { return s[:min(len(s), limit)] }

// A frame is a magic number, its length, and its bytes. The magic number distinguishes it from stray output of a
// handler.
const (
	frameMagic = "\x00gS\xff"
	frameHead  = len(frameMagic) + 4
	maxName    = 64 << 10
)

var errFrame = errors.New("what the child wrote is no reply")

func writeFrame(w io.Writer, b []byte) error {
	if len(b) > math.MaxInt32 {
		return ErrLimit
	}
	head := binary.BigEndian.AppendUint32([]byte(frameMagic), uint32(len(b)))
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err := w.Write(b)
	return err
}

// readFrame reads a frame of at most limit bytes. It returns io.EOF if no frame follows.
func readFrame(r io.Reader, limit int) ([]byte, error) {
	head := make([]byte, frameHead)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, err
	}
	if string(head[:len(frameMagic)]) != frameMagic {
		return nil, errFrame
	}
	n := binary.BigEndian.Uint32(head[len(frameMagic):])
	if int64(n) > int64(limit) {
		return nil, ErrLimit
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, fmt.Errorf("frame of %d bytes: %w", n, err)
	}
	return b, nil
}

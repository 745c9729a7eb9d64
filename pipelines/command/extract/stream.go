package extract

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/gleaner-web/gleaner/schemas"
)

// stream answers lines with lines. Pages are made at once, and answered in order.
type stream struct {
	in      *bufio.Reader
	out     *bufio.Writer
	limit   int // bytes of a line
	workers int
	make    func(*schemas.Capture) *schemas.Document
}

// answer is a line of the output.
type answer struct {
	line   []byte
	faulty bool
}

// copy answers all lines, and returns how many were not pages. It stops reading when an answer cannot be written.
func (s *stream) copy() (faulty int, err error) {
	// One answer waits beside those under way, so that memory is bounded by lines.
	queue := make(chan chan answer, s.workers)
	failed, written := make(chan struct{}), make(chan error, 1)
	go func() {
		err := s.write(queue, &faulty)
		if err != nil {
			close(failed)
			for range queue { // the reader may be waiting for room
				continue
			}
		}
		written <- err
	}()
	readErr := s.read(queue, failed)
	close(queue)
	return faulty, errors.Join(readErr, <-written)
}

// read begins the answer of each line.
func (s *stream) read(queue chan<- chan answer, failed <-chan struct{}) error {
	slots := make(chan struct{}, s.workers)
	for n := 1; ; n++ {
		line, long, err := s.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("standard input: %w", err)
		}
		if end := err != nil && len(line) == 0 && !long; end {
			return nil
		}
		one := make(chan answer, 1)
		select {
		case <-failed:
			return nil // the writer has the error
		case slots <- struct{}{}:
		}
		queue <- one
		go func() {
			one <- s.answer(n, line, long)
			<-slots
		}()
	}
}

// line reads a line of at most limit bytes; of a longer one it returns nothing.
func (s *stream) line() (line []byte, long bool, err error) {
	for {
		part, err := s.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > s.limit; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// answer makes the answer of line n. A panic on a hostile page is an answer too.
func (s *stream) answer(n int, line []byte, long bool) (a answer) {
	fault := func(format string, args ...any) answer {
		text, _ := json.Marshal(map[string]any{"error": fmt.Sprintf(format, args...), "line": n}) // strings and numbers
		return answer{append(text, '\n'), true}
	}
	defer func() {
		if p := recover(); p != nil {
			a = fault("internal error, please report it: %v\n%s", p, debug.Stack())
		}
	}()
	if long {
		return fault("the line has more than %d bytes: see --max_line", s.limit)
	}
	// Some programs for text write a byte order mark before the first line.
	c, err := parsePage(bytes.TrimPrefix(line, []byte("\ufeff")))
	if err != nil {
		return fault("%v", err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // keep & readable in URLs
	if err := e.Encode(s.make(c)); err != nil {
		return fault("%v", err)
	}
	return answer{line: b.Bytes()}
}

// write writes answers in order. It holds nothing back while it waits, because the other side may wait as well.
func (s *stream) write(queue <-chan chan answer, faulty *int) error {
	for {
		var one chan answer
		var more bool
		select {
		case one, more = <-queue:
		default:
			if err := s.out.Flush(); err != nil {
				return err
			}
			one, more = <-queue
		}
		if !more {
			return s.out.Flush()
		}
		var a answer
		select {
		case a = <-one:
		default:
			if err := s.out.Flush(); err != nil {
				return err
			}
			a = <-one
		}
		if a.faulty {
			*faulty++
		}
		if _, err := s.out.Write(a.line); err != nil {
			return err
		}
	}
}

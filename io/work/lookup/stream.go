package lookup

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/gleaner-web/gleaner/io/stream/member"
)

// members are the decoded bytes of an archive from the member on that begins at start, one member after the other.
type members struct {
	r     *member.Reader
	start int64
	buf   []byte // decoded; what precedes at was given, and is kept as far as the decoder looks back
	at    int
	begun bool
	open  bool
	err   error // that comes after what is in buf
}

// memberBuffer is how much is decoded at a time, beside what the decoder looks back at.
const memberBuffer = 32 << 10

// windows are the buffers of members, for the next ones.
var windows = sync.Pool{New: func() any { b := make([]byte, 0, memberBuffer+32<<10); return &b }}

// release gives the buffer to the next reader. Those that a large window made long are dropped.
func (m *members) release() {
	if cap(m.buf) <= 4*memberBuffer {
		b := m.buf // alone, so that the pool does not keep the decoder
		windows.Put(&b)
	}
}

// errBreak is an archive that is damaged where the record goes on.
var errBreak = errors.New("the archive is damaged here")

// fill decodes more. It returns io.EOF where the archive ends.
func (m *members) fill() error {
	if m.err != nil {
		return m.err
	}
	if !m.open {
		step, err := m.r.Next()
		if err != nil {
			m.err = err
			return err
		}
		// Between members there may be padding; anything else is damage, and the record goes on in what was lost.
		if m.begun {
			for _, g := range step.Gaps {
				if g.Kind != "" {
					m.err = errBreak
				}
			}
		} else if step.Start != m.start {
			m.err = errNone
		}
		if m.err != nil {
			return m.err
		}
		m.begun, m.open = true, true
	}
	m.room()
	var err error
	m.buf, err = m.r.Append(m.buf)
	switch {
	case errors.Is(err, io.EOF):
		m.open = false
	case err != nil: // a checksum that does not match is damage as well: nothing vouches for the bytes
		m.err = err
	}
	return nil
}

// room makes room after buf, and keeps what was not given, and what the decoder looks back at.
func (m *members) room() {
	keep := max(len(m.buf)-m.at, min(m.r.History(), len(m.buf)))
	if cap(m.buf)-len(m.buf) >= memberBuffer/2 {
		return
	}
	tail := m.buf[len(m.buf)-keep:]
	at := m.at - (len(m.buf) - keep)
	// Copied to a new place only when the old one is too small: a large head, a zstd window.
	if cap(m.buf) < keep+memberBuffer {
		m.buf = append(make([]byte, 0, 2*keep+memberBuffer), tail...)
	} else {
		m.buf = m.buf[:copy(m.buf[:cap(m.buf)], tail)]
	}
	m.at = at
}

// Read reads decoded bytes.
func (m *members) Read(p []byte) (int, error) {
	for m.at == len(m.buf) {
		if err := m.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, m.buf[m.at:])
	m.at += n
	return n, nil
}

// peek returns the next bytes without reading them; whole tells that there are no more.
func (m *members) peek(n int) (b []byte, whole bool, err error) {
	for len(m.buf)-m.at < n {
		if err := m.fill(); errors.Is(err, io.EOF) {
			return m.buf[m.at:], true, nil
		} else if err != nil && len(m.buf) > m.at {
			return m.buf[m.at:], true, nil // what is there may be a whole head
		} else if err != nil {
			return nil, false, err
		}
		// A member's end is mostly the record's: no other is decoded for a head that is there.
		if !m.open && len(m.buf) > m.at {
			return m.buf[m.at:], false, nil
		}
	}
	return m.buf[m.at : m.at+n], false, nil
}

func (m *members) skip(n int) { m.at += n }

// exact reads as many bytes as a block has. That there are fewer is an error.
type exact struct {
	r    io.Reader
	left int64
}

func (e *exact) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n, err := e.r.Read(p[:min(int64(len(p)), e.left)])
	e.left -= int64(n)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// newBuffered is a reader whose beginning can be looked at.
func newBuffered(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, 4<<10) }

// isChunked reports whether a body that is declared to be in chunks is: crawlers store them joined, too.
func isChunked(b *bufio.Reader) bool {
	head, _ := b.Peek(18) // 16 digits and the line end; fewer when the body ends
	line, _, ok := bytes.Cut(head, []byte("\n"))
	size, _, _ := bytes.Cut(bytes.TrimSpace(line), []byte(";"))
	return ok && len(size) > 0 && len(bytes.Trim(bytes.TrimSpace(size), "0123456789abcdefABCDEF")) == 0
}

// isCoded reports whether a body is in the content coding that it is declared to be in, where its bytes can tell.
func isCoded(coding string, b *bufio.Reader) bool {
	head, _ := b.Peek(4)
	switch coding {
	case "gzip", "x-gzip":
		return bytes.HasPrefix(head, []byte{0x1f, 0x8b})
	case "deflate":
		return len(head) >= 2 && head[0]&15 == 8 && (int(head[0])<<8|int(head[1]))%31 == 0
	case "zstd":
		return bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd})
	}
	return coding == "br" && len(head) > 0
}

// stated reads a body that its head says the length of; left is -1 where it does not. A body that is shorter was cut
// off by the crawler; what follows it is kept, as in all of the project.
type stated struct {
	r    io.Reader
	left int64
}

func (s *stated) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if s.left > 0 {
		s.left = max(0, s.left-int64(n))
	}
	if errors.Is(err, io.EOF) && s.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

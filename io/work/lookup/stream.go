package lookup

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/gleaner-web/gleaner/io/stream/member"
)

// members are the decoded bytes of an archive from the member at start on, one member after the other.
type members struct {
	r     *member.Reader
	start int64
	buf   []byte // decoded bytes; those before at were returned, and are kept as the decoder's history
	at    int
	begun bool
	open  bool
	err   error // returned after the bytes in buf
}

// memberBuffer is the number of bytes that are decoded at a time, besides the decoder's history.
const memberBuffer = 32 << 10

// windows are idle buffers of members.
var windows = sync.Pool{New: func() any { b := make([]byte, 0, memberBuffer+32<<10); return &b }}

// release returns the buffer to the pool. It drops one that a large window made long.
func (m *members) release() {
	if cap(m.buf) <= 4*memberBuffer {
		b := m.buf // a copy, so that the pool does not keep the decoder
		windows.Put(&b)
	}
}

// errBreak means that the archive is damaged within the record.
var errBreak = errors.New("the archive is damaged here")

// fill decodes more. It returns io.EOF at the end of the archive.
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
		// Padding between members is allowed. Anything else is damage, and the record continues in the lost bytes.
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
	case err != nil: // a wrong checksum is also damage, because nothing confirms the bytes
		m.err = err
	}
	return nil
}

// room makes room after buf. It keeps unread bytes and the decoder's history.
func (m *members) room() {
	keep := max(len(m.buf)-m.at, min(m.r.History(), len(m.buf)))
	if cap(m.buf)-len(m.buf) >= memberBuffer/2 {
		return
	}
	tail := m.buf[len(m.buf)-keep:]
	at := m.at - (len(m.buf) - keep)
	// Copied to a new buffer only if the old one is too small: for a large head or a zstd window.
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

// peek returns the next bytes without reading them. whole means that no more bytes follow.
func (m *members) peek(n int) (b []byte, whole bool, err error) {
	for len(m.buf)-m.at < n {
		if err := m.fill(); errors.Is(err, io.EOF) {
			return m.buf[m.at:], true, nil
		} else if err != nil && len(m.buf) > m.at {
			return m.buf[m.at:], true, nil // the bytes may be a whole head
		} else if err != nil {
			return nil, false, err
		}
		// A member's end is mostly the record's, so no other member is decoded for a head that is there.
		if !m.open && len(m.buf) > m.at {
			return m.buf[m.at:], false, nil
		}
	}
	return m.buf[m.at : m.at+n], false, nil
}

func (m *members) skip(n int) { m.at += n }

// exact reads as many bytes as a block has. Fewer bytes are an error.
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

// newBuffered returns a reader that can peek.
func newBuffered(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, 4<<10) }

// isChunked reports whether a body with declared chunks really has them: crawlers also store them joined.
func isChunked(b *bufio.Reader) bool {
	head, _ := b.Peek(18) // 16 digits and the line end; fewer when the body ends
	line, _, ok := bytes.Cut(head, []byte("\n"))
	size, _, _ := bytes.Cut(bytes.TrimSpace(line), []byte(";"))
	return ok && len(size) > 0 && len(bytes.Trim(bytes.TrimSpace(size), "0123456789abcdefABCDEF")) == 0
}

// isCoded reports whether a body has its declared content coding, as far as its bytes show.
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

// stated reads a body with the length in its head; left is -1 without a length. A shorter body was cut off by the
// crawler. Bytes after it are kept, as everywhere in the project.
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

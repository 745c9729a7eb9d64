package datastreamer

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// Protostream reads the files of Spinn3r's third interface (2009 to 2011), such as the ICWSM 2011 data set. They have a
// header, then entries in Protocol Buffers, each after a delimiter, and a final delimiter. It is a dump.Framed. An
// entry becomes a record, and that a capture. Numbers of fields are those of spinn3rApi.proto and protoStream.proto of
// the original's client.
type Protostream struct{}

// Match reports whether head begins with a header, which names its version and the type of its entries.
func (Protostream) Match(_ string, head []byte) bool {
	b, n := protowire.ConsumeBytes(head)
	if n < 0 {
		return false
	}
	m, err := parse(b)
	// Field 1 is the version, field 2 the name of the entries' type.
	return err == nil && m.text(1) != "" && strings.HasSuffix(m.text(2), "Entry")
}

// Capture reads an entry.
func (Protostream) Capture(entry []byte, o payload.Options) (*schemas.Capture, []string, error) {
	r, more, err := fromEntry(entry)
	if err != nil {
		return nil, nil, err
	}
	c := Capture(r, o)
	for name, value := range more {
		// Under a prefix of their own: records of today have no such fields.
		c.SetCrawl("spinn3r."+name, value)
	}
	return c, nil, nil
}

// Frames finds the entries.
func (Protostream) Frames(r io.Reader, _ []byte, limit int) dump.Frames {
	return &protoFrames{in: bufio.NewReader(r), limit: limit, state: atHeader}
}

// protoFrames reads messages with their lengths before them.
type protoFrames struct {
	in         *bufio.Reader
	limit      int
	state      int
	at         int64 // the bytes read so far
	start, end int64 // of the last entry
	buf        []byte
}

// What protoFrames reads next.
const (
	atHeader = iota
	atDelimiter
	atEntry
)

// Values of a delimiter's type.
const (
	delimitsEntry = 1
	delimitsEnd   = 2
)

// Next returns the next entry.
func (f *protoFrames) Next() ([]byte, error) {
	for {
		// Before the length, so that Span covers the whole record in the file.
		start := f.at
		b, err := f.message()
		// A file ends after its closing delimiter, or before a header: anywhere else it was cut off.
		if err == io.EOF && f.state != atHeader {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		switch f.state {
		case atHeader:
			f.state = atDelimiter
		case atEntry:
			f.state = atDelimiter
			f.start, f.end = start, f.at
			return b, nil
		case atDelimiter:
			if f.state, err = delimited(b); err != nil {
				return nil, err
			}
		}
	}
}

// delimited is what follows a delimiter; after the end, files may be joined.
func delimited(b []byte) (state int, err error) {
	m, err := parse(b)
	if err != nil {
		return 0, err
	}
	switch kind := m.number(1); kind {
	case delimitsEntry:
		return atEntry, nil
	case delimitsEnd, 0: // which is the default
		return atHeader, nil
	default:
		return 0, fmt.Errorf("datastreamer: a delimiter of type %d", kind)
	}
}

// message reads a length and so many bytes. The memory for them is taken as they come.
func (f *protoFrames) message() ([]byte, error) {
	n := uint64(0)
	// A varint, seven bits a byte, the lowest first. Read here since protowire needs all its bytes at
	// hand.
	for shift := 0; ; shift += 7 {
		c, err := f.in.ReadByte()
		if err != nil {
			if err == io.EOF && shift > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		f.at++
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			break
		}
		// Five bytes are enough: no message of Protocol Buffers is longer than 2 GiB.
		if shift == 28 {
			return nil, errors.New("datastreamer: the length of a message is none")
		}
	}
	if n > uint64(f.limit) {
		return nil, fmt.Errorf("datastreamer: a message of %d bytes: %w", n, dump.ErrLimit)
	}
	// Used again: an entry is valid until the next one is asked for.
	f.buf = f.buf[:0]
	for uint64(len(f.buf)) < n {
		old := len(f.buf)
		// 64 KiB at a time: a false length costs no more than what really follows.
		f.buf = append(f.buf, make([]byte, min(n-uint64(old), 64<<10))...)
		k, err := io.ReadFull(f.in, f.buf[old:])
		f.at += int64(k)
		if err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
	return f.buf, nil
}

// Span is where the entry that Next returned last stands, with its length before it.
func (f *protoFrames) Span() (start, end int64) { return f.start, f.end }

// Open is false: entries have lengths.
func (f *protoFrames) Open() bool { return false }

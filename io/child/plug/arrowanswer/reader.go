// Package arrowanswer reads the answers of a plug: an Arrow IPC stream with a record batch for each request. The plug
// is not trusted. So lengths are checked before anything is allocated, and only types that values have are read.
//
//	r := arrowanswer.NewReader(out, map[string]schemas.ValueType{"words": schemas.TypeInteger})
//	values, err := r.Next(0, 64, 8<<20) // the values of rows 0 to 63
//
// It follows the columnar format 1.5, "Serialization and Interprocess Communication": little-endian streams without
// compression and dictionaries.
package arrowanswer

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// Columns of the protocol, besides those of the plug.
const (
	Row   = "row"   // int64: the number of the document, as in the request
	Error = "error" // text, or null
)

// maxMeta bounds the metadata of a message, in bytes. Those of 1,000 columns have less.
const maxMeta = 256 << 10

// Reader reads a stream. It is not safe for concurrent use.
type Reader struct {
	in      *bufio.Reader
	typed   map[string]schemas.ValueType
	columns []column // of the stream's schema; nil before the first answer
}

// NewReader returns a reader of a stream with columns of these types.
func NewReader(in *bufio.Reader, typed map[string]schemas.ValueType) *Reader {
	return &Reader{in: in, typed: typed}
}

// Next reads the answer to n documents, and returns their values. row is the number of the first document. The error
// is io.ErrUnexpectedEOF if the stream ends. After any error, the rest of the stream cannot be read.
func (r *Reader) Next(row int64, n, maxBytes int) ([]enrich.Values, error) {
	if r.columns == nil {
		header, kind, _, err := r.message(maxBytes)
		if err != nil {
			return nil, err
		}
		if kind != messageSchema {
			return nil, errors.New("the answer is not an Arrow stream: its schema is missing")
		}
		if r.columns, err = columnsOf(header, r.typed); err != nil {
			return nil, err
		}
	}
	header, kind, body, err := r.message(maxBytes)
	if err != nil {
		return nil, err
	}
	if kind != messageBatch {
		return nil, errors.New("the answer is not a record batch of Arrow; dictionaries are not read")
	}
	return r.values(header, body, row, n)
}

// The kinds of messages.
const (
	messageSchema = 1
	messageBatch  = 3
)

// message reads a message of at most max bytes besides its metadata.
func (r *Reader) message(maxBytes int) (header table, kind byte, body []byte, err error) {
	var prefix [8]byte
	if err := r.fill(prefix[:4]); err != nil {
		return header, 0, nil, err
	}
	if binary.LittleEndian.Uint32(prefix[:]) != 0xffffffff {
		next, _ := r.in.Peek(min(r.in.Buffered(), 60)) // as much as there is
		return header, 0, nil, fmt.Errorf("the answer is not an Arrow stream: %.60q", append(prefix[:4:4], next...))
	}
	if err := r.fill(prefix[4:]); err != nil {
		return header, 0, nil, err
	}
	switch n := binary.LittleEndian.Uint32(prefix[4:]); {
	case n == 0:
		return header, 0, nil, errors.New("the plug has closed its Arrow stream")
	case n > maxMeta:
		return header, 0, nil, fmt.Errorf("the metadata of an Arrow message is longer than %d bytes", maxMeta)
	default:
		meta := make([]byte, n)
		if err := r.fill(meta); err != nil {
			return header, 0, nil, err
		}
		m := root(meta)
		kind, header = m.byte(1), m.table(2)
		length := m.int64(3)
		switch {
		case *m.bad:
			return header, 0, nil, errDamaged
		case length < 0 || length > int64(maxBytes):
			return header, 0, nil, fmt.Errorf("an answer is longer than %d bytes", maxBytes)
		}
		body = make([]byte, length)
		return header, kind, body, r.fill(body)
	}
}

// fill reads len(b) bytes.
func (r *Reader) fill(b []byte) error {
	if _, err := io.ReadFull(r.in, b); err != nil {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// maxValues bounds the values of an answer: each takes more memory here than there.
const maxValues = 1 << 20

// values reads a record batch.
func (r *Reader) values(header table, body []byte, row int64, n int) ([]enrich.Values, error) {
	b := batch{body: body, nodes: header.vector(1, 16), buffers: header.vector(2, 16)}
	length := header.int64(0)
	switch {
	case *header.bad:
		return nil, errDamaged
	case header.has(3):
		return nil, errors.New("the answer is compressed; that is not read")
	case length != int64(n):
		return nil, fmt.Errorf("the answer has %d rows for %d documents", length, n)
	}
	list := make([]enrich.Values, n)
	for i := range list {
		list[i].ByColumn = make(map[string][]string, len(r.columns))
	}
	left := maxValues
	for _, c := range r.columns {
		if err := b.read(c, row, list, &left); err != nil {
			return nil, err
		}
	}
	if *header.bad || b.nodes.n != 0 || b.buffers.n != 0 {
		return nil, errDamaged
	}
	return list, nil
}

package hbase

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// HBase uses protocol buffers of version 2. This package needs some thirty of its messages, with few fields each, so it
// writes and reads fields by number. The definitions are in the files of hbase-protocol-shaded 2.5.11 that comments
// name.

// message is a message that is written.
type message []byte

// num appends a number, which is never negative.
func (m message) num(field protowire.Number, v uint64) message {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), v)
}

// yes appends true.
func (m message) yes(field protowire.Number) message { return m.num(field, 1) }

// no appends false, for fields with the default true.
func (m message) no(field protowire.Number) message { return m.num(field, 0) }

// bytes appends bytes, or a message.
func (m message) bytes(field protowire.Number, v []byte) message {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), v)
}

// text appends a string.
func (m message) text(field protowire.Number, v string) message {
	return protowire.AppendString(protowire.AppendTag(m, field, protowire.BytesType), v)
}

// errWire means that an answer is not a valid message.
var errWire = errors.New("the server's answer is not in HBase's format")

// errInside means that the cells of an answer are messages, as servers send them to clients without a codec.
var errInside = fmt.Errorf("%w: its cells are not in a block", errWire)

// each calls do with each field of a message: with its number in v, or its bytes in b, which are part of m. Only for
// numbers, b is nil. By this numbers (in scanner.go) distinguishes a packed list from a single number. The function
// must ignore unknown fields, because later versions may send more.
func each(m []byte, do func(field protowire.Number, v uint64, b []byte) error) error {
	for len(m) > 0 {
		field, kind, n := protowire.ConsumeTag(m)
		if n < 0 {
			return errWire
		}
		m = m[n:]
		var v uint64
		var b []byte
		switch kind {
		case protowire.VarintType:
			v, n = protowire.ConsumeVarint(m)
		case protowire.BytesType:
			b, n = protowire.ConsumeBytes(m)
		default: // doubles of statistics, which nothing here reads
			n = protowire.ConsumeFieldValue(field, kind, m)
		}
		if n < 0 {
			return errWire
		}
		m = m[n:]
		if err := do(field, v, b); err != nil {
			return err
		}
	}
	return nil
}

// cut returns the message after its length at the start of b. Requests and answers have several messages in one frame,
// each with a varint of its length, as in Java's writeDelimitedTo.
func cut(b []byte) (m, rest []byte, err error) {
	m, n := protowire.ConsumeBytes(b)
	if n < 0 {
		return nil, nil, fmt.Errorf("%w: a message of an impossible length", errWire)
	}
	return m, b[n:], nil
}

// regionNamed returns a RegionSpecifier with the region's full name. HBase.proto. The 1 is REGION_NAME of
// RegionSpecifierType; 2 would be the encoded name, the hash alone.
func regionNamed(name []byte) message { return message(nil).num(1, 1).bytes(2, name) }

// message returns a TableName. HBase.proto.
func (t table) message() message { return message(nil).text(1, t.namespace).text(2, t.name) }

package hbase

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// HBase speaks protocol buffers of version 2. Of its messages this package needs some thirty, with few fields each, so
// it writes and reads fields by their numbers: the definitions are those of hbase-protocol-shaded 2.5.11, in the files
// that comments name.

// message is a message that is written.
type message []byte

// num appends a number. Negative ones do not occur.
func (m message) num(field protowire.Number, v uint64) message {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), v)
}

// yes appends a bool that is true.
func (m message) yes(field protowire.Number) message { return m.num(field, 1) }

// no appends a bool that is false, where that is not the default.
func (m message) no(field protowire.Number) message { return m.num(field, 0) }

// bytes appends bytes, or a message.
func (m message) bytes(field protowire.Number, v []byte) message {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), v)
}

// text appends a string.
func (m message) text(field protowire.Number, v string) message {
	return protowire.AppendString(protowire.AppendTag(m, field, protowire.BytesType), v)
}

// errWire is an answer that is not a message.
var errWire = errors.New("the server's answer is not in HBase's format")

// errInside is an answer whose cells are messages. Servers do that with clients that name no codec.
var errInside = fmt.Errorf("%w: its cells are not in a block", errWire)

// each calls do with each field of a message: with its number in v, or its bytes in b, which are part of m.
// An unknown field is given to do as well, which takes no notice of it: servers of later versions may send more. b is
// nil for numbers, and not nil for bytes, even none, which is how numbers (in scanner.go) tells a packed list from a
// single one.
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
		default: // doubles of statistics: nothing here reads them
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

// cut takes the message that its length is before off b.
// Requests and answers put several messages after each other in one frame, each with a varint of its length, as
// writeDelimitedTo in Java does.
func cut(b []byte) (m, rest []byte, err error) {
	m, n := protowire.ConsumeBytes(b)
	if n < 0 {
		return nil, nil, fmt.Errorf("%w: a message of an impossible length", errWire)
	}
	return m, b[n:], nil
}

// regionNamed is a RegionSpecifier with the region's whole name. HBase.proto.
// The 1 is REGION_NAME of RegionSpecifierType; 2 would be the encoded name, which is the hash alone.
func regionNamed(name []byte) message { return message(nil).num(1, 1).bytes(2, name) }

// tableName is a TableName. HBase.proto.
func (t table) message() message { return message(nil).text(1, t.namespace).text(2, t.name) }

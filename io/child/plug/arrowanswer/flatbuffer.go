package arrowanswer

import (
	"encoding/binary"
	"errors"
)

var errDamaged = errors.New("the answer is not Arrow: its metadata are damaged")

// table is a table of a flatbuffer. Reads outside the buffer give zeros, and set bad.
type table struct {
	b   []byte
	at  int
	bad *bool
}

// root returns the table at the root of a flatbuffer.
func root(b []byte) table {
	t := table{b: b, bad: new(bool)}
	t.at = int(t.uint32(0))
	return t
}

// bytes returns n bytes, or zeros.
func (t table) bytes(at, n int) []byte {
	if at < 0 || n < 0 || at > len(t.b)-n {
		*t.bad = true
		return make([]byte, min(max(n, 0), 8))
	}
	return t.b[at : at+n]
}

func (t table) uint32(at int) uint32 { return binary.LittleEndian.Uint32(t.bytes(at, 4)) }

// place returns where a field is, or 0 if the table does not have it.
func (t table) place(field int) int {
	if t.at == 0 {
		return 0
	}
	about := t.at - int(int32(t.uint32(t.at)))
	slot := 4 + 2*field
	if slot+2 > int(binary.LittleEndian.Uint16(t.bytes(about, 2))) {
		return 0
	}
	if offset := int(binary.LittleEndian.Uint16(t.bytes(about+slot, 2))); offset > 0 {
		return t.at + offset
	}
	return 0
}

func (t table) has(field int) bool { return t.place(field) > 0 }

func (t table) byte(field int) byte {
	if at := t.place(field); at > 0 {
		return t.bytes(at, 1)[0]
	}
	return 0
}

// int16 returns a number, or what it is without the field.
func (t table) int16(field int, without int16) int16 {
	if at := t.place(field); at > 0 {
		return int16(binary.LittleEndian.Uint16(t.bytes(at, 2)))
	}
	return without
}

func (t table) int32(field int) int32 {
	if at := t.place(field); at > 0 {
		return int32(t.uint32(at))
	}
	return 0
}

func (t table) int64(field int) int64 {
	if at := t.place(field); at > 0 {
		return int64(binary.LittleEndian.Uint64(t.bytes(at, 8)))
	}
	return 0
}

// target returns where the value of a field is that the table refers to, or 0.
func (t table) target(field int) int {
	if at := t.place(field); at > 0 {
		return at + int(t.uint32(at))
	}
	return 0
}

// table returns a table, or one without fields.
func (t table) table(field int) table { return table{t.b, t.target(field), t.bad} }

// vector returns a list of items of a size.
func (t table) vector(field, size int) vector {
	at := t.target(field)
	if at == 0 {
		return vector{table: t}
	}
	v := vector{table{t.b, at + 4, t.bad}, int(t.uint32(at)), size}
	if v.n > (len(t.b)-v.at)/size {
		*t.bad = true
		v.n = 0
	}
	return v
}

func (t table) text(field int) string {
	v := t.vector(field, 1)
	return string(v.bytes(v.at, v.n))
}

// vector is a list.
type vector struct {
	table
	n, size int
}

// item returns the table that an item refers to.
func (v vector) item(i int) table {
	at := v.at + i*v.size
	return table{v.b, at + int(v.uint32(at)), v.bad}
}

// pair takes a struct of two numbers off the front. It sets bad if there is none.
func (v *vector) pair() (first, second int64) {
	if v.n == 0 {
		*v.bad = true
		return 0, 0
	}
	b := v.bytes(v.at, 16)
	v.at, v.n = v.at+16, v.n-1
	return int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:]))
}

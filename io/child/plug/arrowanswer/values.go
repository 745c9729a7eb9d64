package arrowanswer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// batch is a record batch, without the columns that were read.
type batch struct {
	body           []byte
	nodes, buffers vector
}

// values is a column of a batch, or the items of its lists.
type values struct {
	form
	n             int
	valid         []byte // a bit for each value; empty if all are valid
	offsets, data []byte
}

// buffer takes the next buffer, which must have at least some bits.
func (b *batch) buffer(bits int64) ([]byte, error) {
	offset, length := b.buffers.pair()
	if *b.buffers.bad || offset < 0 || length < 0 || offset > int64(len(b.body)) || length > int64(len(b.body))-offset {
		return nil, errDamaged
	}
	if bits > length*8 {
		return nil, errors.New("the answer is not Arrow: a buffer is too short")
	}
	return b.body[offset : offset+length], nil
}

// take takes the next array.
func (b *batch) take(f form) (a values, err error) {
	length, nulls := b.nodes.pair()
	// A value has a bit at least, except for nulls, which take nothing here either.
	if *b.nodes.bad || length < 0 || f.kind != typeNull && length > int64(len(b.body))*8 || length > math.MaxInt32 {
		return a, errDamaged
	}
	a = values{form: f, n: int(length)}
	if f.kind == typeNull {
		return a, nil
	}
	if nulls == 0 {
		_, err = b.buffer(0)
	} else {
		a.valid, err = b.buffer(length)
	}
	if err != nil {
		return a, err
	}
	switch f.kind {
	case typeText, typeLongText, typeList, typeLongList:
		need := (length + 1) * int64(f.bits)
		if length == 0 {
			need = 0
		}
		if a.offsets, err = b.buffer(need); err == nil && (f.kind == typeText || f.kind == typeLongText) {
			a.data, err = b.buffer(0)
		}
		if err == nil && !a.ascends() {
			err = errOffset
		}
	case typeBool:
		a.data, err = b.buffer(length)
	default:
		a.data, err = b.buffer(length * int64(f.bits))
	}
	return a, err
}

func (a values) isNull(i int) bool {
	return a.kind == typeNull || len(a.valid) > 0 && a.valid[i/8]>>(i%8)&1 == 0
}

// span returns what value i has of the data or items, which have n parts.
func (a values) span(i, n int) (from, to int, err error) {
	var x, y uint64
	if a.bits == 32 {
		x, y = uint64(binary.LittleEndian.Uint32(a.offsets[4*i:])), uint64(binary.LittleEndian.Uint32(a.offsets[4*i+4:]))
	} else {
		x, y = binary.LittleEndian.Uint64(a.offsets[8*i:]), binary.LittleEndian.Uint64(a.offsets[8*i+8:])
	}
	if x > y || y > uint64(n) {
		return 0, 0, errOffset
	}
	return int(x), int(y), nil
}

var errOffset = errors.New("the answer is not Arrow: an offset is outside its buffer")

// ascends reports whether no offset is below the one before. So no byte is a part of two values, also with nulls.
func (a values) ascends() bool {
	for i := range a.n {
		if _, _, err := a.span(i, math.MaxInt); err != nil {
			return false
		}
	}
	return true
}

// number returns the bits of value i.
func (a values) number(i int) uint64 {
	switch a.bits {
	case 8:
		return uint64(a.data[i])
	case 16:
		return uint64(binary.LittleEndian.Uint16(a.data[2*i:]))
	case 32:
		return uint64(binary.LittleEndian.Uint32(a.data[4*i:]))
	}
	return binary.LittleEndian.Uint64(a.data[8*i:])
}

// signed returns value i of signed integers.
func (a values) signedNumber(i int) int64 {
	n := 64 - a.bits
	return int64(a.number(i)) << n >> n
}

// text returns value i as documents take it.
func (a values) text(i int) (string, error) {
	switch a.kind {
	case typeText, typeLongText:
		from, to, err := a.span(i, len(a.data))
		if err != nil {
			return "", err
		}
		text := string(a.data[from:to])
		if !utf8.ValidString(text) {
			text = string([]rune(text)) // as in JSON, with U+FFFD for each byte that is not UTF-8
		}
		return text, nil
	case typeBool:
		return strconv.FormatBool(a.data[i/8]>>(i%8)&1 == 1), nil
	case typeInt:
		if a.signed {
			return strconv.FormatInt(a.signedNumber(i), 10), nil
		}
		return strconv.FormatUint(a.number(i), 10), nil
	case typeFloat:
		if a.bits == 32 {
			return strconv.FormatFloat(float64(math.Float32frombits(uint32(a.number(i)))), 'g', -1, 64), nil
		}
		return strconv.FormatFloat(math.Float64frombits(a.number(i)), 'g', -1, 64), nil
	}
	return a.moment(i).Format(time.RFC3339Nano), nil
}

// moment returns value i of times. Those without a zone are in UTC.
func (a values) moment(i int) time.Time {
	n := a.signedNumber(i)
	if a.unit == 0 { // days
		return time.Unix(n*24*60*60, 0).UTC()
	}
	each := int64(1e9) / a.unit // in a second
	seconds := n / each
	rest := n % each
	return time.Unix(seconds, rest*a.unit).UTC()
}

// read reads a column of the batch and sets the values of documents. left is how many values the answer may still have.
func (b *batch) read(c column, row int64, list []enrich.Values, left *int) error {
	a, err := b.take(c.form)
	if err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	items := a
	if c.item != nil {
		if items, err = b.take(*c.item); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	if a.n != len(list) {
		return fmt.Errorf("%s has %d values for %d documents", c.name, a.n, len(list))
	}
	for i := range list {
		if c.name == Row {
			if a.isNull(i) || a.signedNumber(i) != row+int64(i) {
				return fmt.Errorf("the answer is not to this request: its rows are others")
			}
			continue
		}
		if a.isNull(i) {
			continue
		}
		from, to := i, i+1
		if c.item != nil {
			if from, to, err = a.span(i, items.n); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
		if items.kind == typeNull {
			continue
		}
		if *left -= to - from; *left < 0 {
			return fmt.Errorf("the answer has more than %d values", maxValues)
		}
		if err := set(&list[i], c.name, items, from, to); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// set sets the values of a document in a column, or its error.
func set(v *enrich.Values, name string, items values, from, to int) error {
	for i := from; i < to; i++ {
		if items.isNull(i) {
			continue
		}
		text, err := items.text(i)
		if err != nil {
			return err
		}
		if name == Error {
			v.ByColumn, v.Err = nil, errors.New(text)
			return nil
		}
		if v.Err == nil {
			v.ByColumn[name] = append(v.ByColumn[name], text)
		}
	}
	return nil
}

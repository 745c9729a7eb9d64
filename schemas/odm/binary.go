package odm

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Element is a row of any collection, as it travels between machines.
type Element interface {
	MarshalBinary() ([]byte, error)
	isRow()
}

func (Row[K, V]) isRow() {}

// form is the first byte of a row.
// Another layout has to have another number.
const form = 1

// MarshalBinary returns the row with the columns of its schema, so that it can be read where the collection is not
// known. Equal rows are equal bytes.
func (r Row[K, V]) MarshalBinary() ([]byte, error) {
	b := appendText([]byte{form}, keyText(r.Key))
	var columns []Column
	if r.schema != nil {
		// Sorted, since maps have no order and equal rows are equal bytes.
		columns = slices.SortedFunc(maps.Keys(r.schema.types), Column.compare)
	}
	b = binary.AppendUvarint(b, uint64(len(columns)))
	// Values name their column by its number in this list, which is shorter than its name.
	places := make(map[Column]int, len(columns))
	for i, c := range columns {
		places[c] = i
		b = append(appendText(appendText(b, c.Family), c.Qualifier), byte(r.schema.types[c]))
	}
	b = binary.AppendUvarint(b, uint64(len(r.Versions)))
	for _, v := range r.Versions {
		rv := version(v)
		if rv == nil {
			return nil, fmt.Errorf("odm: row %.200q has a version that CreateRowVersion has not made", keyText(r.Key))
		}
		// Times have milliseconds, as in HBase.
		b = binary.AppendVarint(b, rv.time.UnixMilli())
		b = binary.AppendUvarint(b, uint64(len(rv.values)))
		for _, c := range slices.SortedFunc(maps.Keys(rv.values), Column.compare) {
			b = appendText(binary.AppendUvarint(b, uint64(places[c])), string(rv.values[c]))
		}
	}
	return b, nil
}

func (c Column) compare(d Column) int {
	return cmp.Or(strings.Compare(c.Family, d.Family), strings.Compare(c.Qualifier, d.Qualifier))
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// ErrForm reports bytes that are not a row.
var ErrForm = errors.New("odm: these bytes are no row")

// UnmarshalBinary is the inverse of MarshalBinary. It keeps nothing of b.
func (r *Row[K, V]) UnmarshalBinary(b []byte) error {
	d := decoder{b: b}
	if d.octet() != form {
		d.bad = true
	}
	key := d.text()
	schema := &RowSchema{}
	// count bounds this by the bytes that are left, so that bad bytes cannot ask for much memory.
	columns := make([]Column, d.count())
	for i := range columns {
		columns[i] = Column{d.text(), d.text()}
		schema.AddColumn(columns[i].Qualifier, columns[i].Family, Type(d.octet()))
	}
	row := Row[K, V]{schema: schema}
	for range d.count() {
		millis, n := binary.Varint(d.b)
		d.skip(n)
		v := version(row.CreateRowVersion(time.UnixMilli(millis)))
		for range d.count() {
			i, n := binary.Uvarint(d.b)
			d.skip(n)
			value := d.text()
			// Checked before the number is used as an index.
			if d.bad || i >= uint64(len(columns)) {
				return ErrForm
			}
			v.values[columns[i]] = []byte(value)
		}
	}
	// Bytes that are left over do not belong to a row either.
	if d.bad || len(d.b) > 0 {
		return ErrForm
	}
	var err error
	if row.Key, err = keyOf[K](key); err != nil {
		return err
	}
	// Assigned last, so that r stays as it was after an error.
	*r = row
	return nil
}

// decoder takes values off bytes. Once they are bad, all values are zero.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) skip(n int) {
	// Varint returns 0 for bytes that end too early, and less for a number above 64 bits.
	if n <= 0 {
		d.b, d.bad = nil, true
		return
	}
	d.b = d.b[n:]
}

func (d *decoder) octet() byte {
	if len(d.b) == 0 {
		d.bad = true
		return 0
	}
	x := d.b[0]
	d.b = d.b[1:]
	return x
}

// count is a number of things that have a byte at least, so that bad bytes cannot ask for much memory.
func (d *decoder) count() int {
	n, size := binary.Uvarint(d.b)
	d.skip(size)
	if n > uint64(len(d.b)) {
		d.b, d.bad = nil, true
		return 0
	}
	return int(n)
}

func (d *decoder) text() string {
	n := d.count()
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

// Key is what keys of rows can be, coded as values of such types are: texts and bytes as they are, numbers big-endian.
// Tables are in the order of these bytes, in which negative numbers stand after all others, as in HBase.
type Key interface {
	~string | ~[]byte | ~int64 | ~int32 | ~int16
}

// keyText is the bytes of a key.
func keyText[K Key](key K) string {
	switch v := reflect.ValueOf(key); v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Slice:
		return string(v.Bytes())
	case reflect.Int64:
		return string(binary.BigEndian.AppendUint64(nil, uint64(v.Int())))
	case reflect.Int32:
		return string(binary.BigEndian.AppendUint32(nil, uint32(v.Int())))
	default:
		return string(binary.BigEndian.AppendUint16(nil, uint16(v.Int())))
	}
}

// bound is the bytes of a key as a bound of a scan, or nil for the zero value.
func bound[K Key](key K) string {
	if reflect.ValueOf(key).IsZero() {
		return ""
	}
	return keyText(key)
}

// keyOf is the inverse of keyText.
func keyOf[K Key](text string) (key K, err error) {
	v := reflect.ValueOf(&key).Elem()
	// Other kinds are texts and bytes, which need no decoding.
	t := map[reflect.Kind]Type{reflect.Int64: Long, reflect.Int32: Integer, reflect.Int16: Short}[v.Kind()]
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
		return key, nil
	case reflect.Slice:
		v.SetBytes([]byte(text))
		return key, nil
	}
	n, err := t.Decode([]byte(text))
	if err != nil {
		return key, fmt.Errorf("odm: the key %.200q: %w", text, err)
	}
	v.SetInt(reflect.ValueOf(n).Int())
	return key, nil
}

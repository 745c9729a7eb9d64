package hbase

import (
	"encoding/binary"
	"fmt"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// Cells travel after messages in a block: each with the length of what follows in four bytes, and then as a KeyValue,
// the form in which HBase keeps it. Numbers are big-endian (section 70.7 of HBase's reference guide, "KeyValue"):
//
//	4 length of the key  4 length of the value
//	key: 2 length of the row  row  1 length of the family  family  qualifier  8 time  1 type
//	value
//
// The codec is named when a connection begins.
const cellCodec = "org.apache.hadoop.hbase.codec.KeyValueCodec"

// Kinds of cells: KeyValue.Type.
const (
	typePut          = 4
	typeDeleteFamily = 14 // this family's versions up to the cell's time
)

// keyOverhead is the bytes of a key beside row, family and qualifier; cellOverhead those of a cell in a block.
const (
	keyOverhead  = 2 + 1 + 8 + 1
	cellOverhead = 4 + 4 + 4 + keyOverhead
)

// maxShort is the longest row or family that its length can be written of.
const (
	maxRow    = 1<<15 - 1
	maxFamily = 1<<7 - 1
)

// appendCell appends a cell. The caller has seen to it that lengths fit.
// Families and rows are checked by check and Check before: their lengths would be cut silently here.
func appendCell(b []byte, row string, kind byte, c rowstore.Cell) []byte {
	key := keyOverhead + len(row) + len(c.Family) + len(c.Qualifier)
	b = binary.BigEndian.AppendUint32(b, uint32(8+key+len(c.Value)))
	b = binary.BigEndian.AppendUint32(b, uint32(key))
	b = binary.BigEndian.AppendUint32(b, uint32(len(c.Value)))
	b = append(binary.BigEndian.AppendUint16(b, uint16(len(row))), row...)
	b = append(append(b, byte(len(c.Family))), c.Family...)
	b = append(b, c.Qualifier...)
	b = binary.BigEndian.AppendUint64(b, uint64(rowstore.Millis(c.Time)))
	return append(append(b, kind), c.Value...)
}

// cellReader takes cells off a block. What it returns is part of the block.
type cellReader struct {
	block []byte
	// Families and qualifiers repeat from row to row: one string serves all.
	names map[string]string
}

// next returns the next cell and its row.
func (r *cellReader) next() (row []byte, c rowstore.Cell, err error) {
	kv, ok := r.take()
	if !ok || len(kv) < 8 {
		return nil, c, fmt.Errorf("%w: a block of cells ends within one", errWire)
	}
	keyLen, valueLen := uint64(binary.BigEndian.Uint32(kv)), uint64(binary.BigEndian.Uint32(kv[4:]))
	kv = kv[8:]
	if keyLen < keyOverhead || keyLen+valueLen > uint64(len(kv)) { // tags may follow
		return nil, c, fmt.Errorf("%w: a cell of impossible lengths", errWire)
	}
	key := kv[:keyLen]
	c.Value = kv[keyLen : keyLen+valueLen]
	rowLen := int(binary.BigEndian.Uint16(key))
	if 2+rowLen+1 > len(key) {
		return nil, c, fmt.Errorf("%w: a row longer than its key", errWire)
	}
	row, key = key[2:2+rowLen], key[2+rowLen:]
	familyLen := int(key[0])
	if 1+familyLen+9 > len(key) {
		return nil, c, fmt.Errorf("%w: a family longer than its key", errWire)
	}
	c.Family = r.name(key[1 : 1+familyLen])
	c.Qualifier = r.name(key[1+familyLen : len(key)-9])
	c.Time = rowstore.At(int64(binary.BigEndian.Uint64(key[len(key)-9:])))
	return row, c, nil
}

// take takes what follows a length.
func (r *cellReader) take() ([]byte, bool) {
	if len(r.block) < 4 {
		return nil, false
	}
	n := uint64(binary.BigEndian.Uint32(r.block))
	if n > uint64(len(r.block)-4) {
		return nil, false
	}
	kv := r.block[4 : 4+n]
	r.block = r.block[4+n:]
	return kv, true
}

// maxNames bounds the names that are kept: qualifiers may be data.
const maxNames = 1000

func (r *cellReader) name(b []byte) string {
	if s, ok := r.names[string(b)]; ok { // which allocates nothing
		return s
	}
	s := string(b)
	if r.names == nil {
		r.names = map[string]string{}
	}
	if len(r.names) < maxNames {
		r.names[s] = s
	}
	return s
}

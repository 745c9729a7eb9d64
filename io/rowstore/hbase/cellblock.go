package hbase

import (
	"encoding/binary"
	"fmt"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// Cells follow messages in a block: each with its length in four bytes, and then as a KeyValue, the form in which HBase
// stores it. Numbers are big-endian (section 70.7 of HBase's reference guide, "KeyValue"):
//
//	4 length of the key  4 length of the value
//	key: 2 length of the row  row  1 length of the family  family  qualifier  8 time  1 type
//	value
//
// The header of a connection names the codec.
const cellCodec = "org.apache.hadoop.hbase.codec.KeyValueCodec"

// Kinds of cells: KeyValue.Type.
const (
	typePut          = 4
	typeDeleteFamily = 14 // this family's versions up to the cell's time
)

// keyOverhead is the size of a key without row, family and qualifier; cellOverhead that of a cell in a block.
const (
	keyOverhead  = 2 + 1 + 8 + 1
	cellOverhead = 4 + 4 + 4 + keyOverhead
)

// The largest lengths of a row and a family in this format.
const (
	maxRow    = 1<<15 - 1
	maxFamily = 1<<7 - 1
)

// appendCell appends a cell. check and Check have tested the lengths of families and rows, which would be silently cut
// here.
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

// cellReader reads cells from a block. Its results are parts of the block.
type cellReader struct {
	block []byte
	// names caches families and qualifiers, which repeat from row to row.
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

// take returns the bytes after a length.
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

// maxNames limits the cached names, because qualifiers may be data.
const maxNames = 1000

func (r *cellReader) name(b []byte) string {
	if s, ok := r.names[string(b)]; ok { // without an allocation
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

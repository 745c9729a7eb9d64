package corpora

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sort"

	"github.com/klauspost/compress/s2"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// blockBytes is the size of a block's records, before compression.
const blockBytes = 1 << 20

// block is the position of a block of a stage.
type block struct {
	First  []byte `json:"first"` // key of its first record
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
	Sum    uint32 `json:"sum"` // CRC-32C of its bytes in the file
}

// castagnoli is the polynomial for which processors have an instruction.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// stage writes the rows of a unit, sorted by key, so that ranges can be read separately. It has blocks of records, each
// an S2 block; the list of blocks as JSON; and its length in 8 bytes. S2 takes half of the time of the fastest zstd,
// and the file is temporary.
type stage struct {
	*output
	buf    []byte
	packed []byte
	first  []byte
	blocks []block
}

func createStage(f folder.Folder) (*stage, error) {
	o, err := create(f)
	if err != nil {
		return nil, err
	}
	return &stage{output: o}, err
}

func (s *stage) add(key, value []byte) error {
	if s.first == nil {
		s.first = append([]byte{}, key...)
	}
	if s.buf = appendRecord(s.buf, key, value); len(s.buf) >= blockBytes {
		return s.flush()
	}
	return nil
}

func (s *stage) flush() error {
	if len(s.buf) == 0 {
		return nil
	}
	s.packed = s2.Encode(s.packed[:cap(s.packed)], s.buf)
	s.blocks = append(s.blocks, block{s.first, s.size, int64(len(s.packed)), crc32.Checksum(s.packed, castagnoli)})
	s.buf, s.first = s.buf[:0], nil
	_, err := s.Write(s.packed)
	return err
}

func (s *stage) end(name string) error {
	if err := s.flush(); err != nil {
		return err
	}
	index, err := json.Marshal(s.blocks)
	if err == nil {
		_, err = s.Write(binary.BigEndian.AppendUint64(index, uint64(len(index))))
	}
	if err == nil {
		_, err = s.commit(name)
	}
	return err
}

// eachStaged calls do with the records of a stage whose keys are in [from, to); to may be nil.
func eachStaged(f folder.Folder, name string, from, to []byte, do func(key, value []byte) error) (err error) {
	in, err := f.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	blocks, err := readBlocks(in)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path(name), err)
	}
	// The last block that begins at or before from may contain it.
	at := sort.Search(len(blocks), func(i int) bool { return bytes.Compare(blocks[i].First, from) > 0 })
	for _, b := range blocks[max(0, at-1):] {
		if to != nil && bytes.Compare(b.First, to) >= 0 {
			break
		}
		if err := eachInBlock(in, b, from, to, do); err != nil {
			return fmt.Errorf("%s: %w", f.Path(name), err)
		}
	}
	return nil
}

func readBlocks(in folder.Reader) (blocks []block, err error) {
	var tail [8]byte
	if in.Size() < int64(len(tail)) {
		return nil, errRecords
	}
	end := in.Size() - int64(len(tail))
	if _, err := in.ReadAt(tail[:], end); err != nil && err != io.EOF {
		return nil, err
	}
	n := binary.BigEndian.Uint64(tail[:])
	if n > uint64(end) || n > maxRecord {
		return nil, errRecords
	}
	index := make([]byte, n)
	if _, err := in.ReadAt(index, end-int64(n)); err != nil && err != io.EOF {
		return nil, err
	}
	return blocks, json.Unmarshal(index, &blocks)
}

func eachInBlock(in io.ReaderAt, b block, from, to []byte, do func(key, value []byte) error) error {
	if b.Length < 0 || b.Length > 2*maxRecord {
		return errRecords
	}
	packed := make([]byte, b.Length)
	if _, err := in.ReadAt(packed, b.Offset); err != nil && err != io.EOF {
		return err
	}
	// Checked before the stated length is trusted.
	if crc32.Checksum(packed, castagnoli) != b.Sum {
		return errRecords
	}
	if n, err := s2.DecodedLen(packed); err != nil || n > 2*maxRecord {
		return errRecords
	}
	left, err := s2.Decode(nil, packed)
	if err != nil {
		return err
	}
	for len(left) > 0 {
		var key, value []byte
		if key, value, left, err = cutRecord(left); err != nil {
			return err
		}
		if bytes.Compare(key, from) < 0 {
			continue
		}
		if to != nil && bytes.Compare(key, to) >= 0 {
			return nil
		}
		if err := do(key, value); err != nil {
			return err
		}
	}
	return nil
}

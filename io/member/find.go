package member

import (
	"bytes"
	"io"
)

// Chain rule. A stored block of a deflate stream holds at most 65,535 bytes (RFC 1951, section 3.2.4: LEN has 16
// bits), then a block header must intrude; a raw block of a zstd frame holds at most 128 KiB (RFC 8878, section
// 3.1.1.2.4). So a run of consecutive members with right checksums that is at least this long cannot lie verbatim
// inside another member, and its first member is a true start, however many archives the archive holds.
const (
	gzipChain = 65536
	zstdChain = 131072
)

// maxChainWork bounds the compressed bytes that one FindStart decodes to test candidates, so that a file made of
// false starts costs a bounded time a split point; past it the file is not split there.
const maxChainWork = 256 << 20

// FindStart returns the first byte offset at or after from that the chain rule proves to be a true member start
// whose data begins with a record's head, or rng.Size when there is none. It depends on the file's bytes alone, so
// that neighbours agree where one's range ends and the other's starts. An LZ4 file is not split: its raw blocks reach 4 MiB,
// and a chain that long would cost more than it saves.
func FindStart(src io.ReaderAt, kind Kind, from, size int64, isHead func([]byte) bool) (int64, error) {
	if from <= 0 {
		return 0, nil
	}
	if kind == LZ4 {
		return size, nil
	}
	r, err := newReader(src, Range{End: size, Size: size}, kind, Options{IsHead: isHead}, searchBuffer)
	if err != nil {
		return size, err
	}
	defer r.Close()
	need := int64(gzipChain)
	if kind == Zstd {
		need = zstdChain
	}
	var work int64
	for q := from; work < maxChainWork; q++ {
		q = r.nextHead(q)
		if q >= size {
			break
		}
		n := r.chain(q, need)
		if n >= need {
			return q, nil
		}
		work += n + 1
	}
	return size, r.in.err()
}

// Search returns the first offset in [from, limit) whose member begins with a record's head by the weaker rule that
// is enough to go on after damage, or limit.
func Search(src io.ReaderAt, kind Kind, from, limit int64, isHead func([]byte) bool) (int64, error) {
	r, err := newReader(src, Range{End: limit, Size: limit}, kind, Options{IsHead: isHead}, searchBuffer)
	if err != nil {
		return limit, err
	}
	defer r.Close()
	return r.nextHead(from), r.in.err()
}

// nextStart returns the first offset at or after from whose member begins with a record's head, or the range's end.
func nextStart(src io.ReaderAt, kind Kind, from int64, rng Range, isHead func([]byte) bool) int64 {
	if kind == Plain || from >= rng.End {
		return rng.End
	}
	q, err := Search(src, kind, from, rng.Size, isHead)
	if err != nil {
		return rng.End // the reader meets the file's error itself where it goes on
	}
	return min(q, rng.End)
}

var magics = map[Kind][]byte{
	Gzip: {0x1f, 0x8b, 8}, Zstd: {0x28, 0xb5, 0x2f, 0xfd}, LZ4: {0x04, 0x22, 0x4d, 0x18},
}

// nextHead scans for the kind's magic and returns the first hit at or after from that decodes to a record's head.
func (r *Reader) nextHead(from int64) int64 {
	magic := magics[r.kind]
	buf := make([]byte, 256<<10)
	head := make([]byte, 4096)
	for from < r.rng.Size {
		n, err := r.src.ReadAt(buf[:min(int64(len(buf)), r.rng.Size-from)], from)
		for p := 0; p < n; p++ {
			i := bytes.Index(buf[p:n], magic)
			if i < 0 {
				break
			}
			p += i
			if r.headAt(from+int64(p), head) {
				return from + int64(p)
			}
		}
		if n < len(magic) || err != nil && err != io.EOF {
			break
		}
		from += int64(n - len(magic) + 1)
	}
	return r.rng.Size
}

// headAt tells whether the member at off decodes to at least the beginning of a record's head.
func (r *Reader) headAt(off int64, head []byte) bool {
	if !r.Reopen(off) {
		return false
	}
	n := 0
	for n < len(head) {
		k, err := r.Read(head[n:])
		n += k
		if err != nil {
			break
		}
	}
	return r.o.IsHead(head[:n])
}

// chain decodes members from off on, one behind the other, until need bytes are covered, and returns how many are.
func (r *Reader) chain(off, need int64) int64 {
	sink := make([]byte, 64<<10)
	end := off
	for end-off < need {
		if !r.Reopen(end) {
			break
		}
		var err error
		for err == nil {
			_, err = r.Read(sink)
		}
		if err != io.EOF {
			break
		}
		end = r.in.pos()
	}
	return end - off
}

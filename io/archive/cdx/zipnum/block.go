package zipnum

import (
	"bytes"
	"container/list"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sort"
	"sync"

	"github.com/gleaner-web/gleaner/io/stream/inflate"
)

// block is a decoded block.
type block struct {
	text []byte
	ends []int32 // offset after each line, which is that of its line end
}

// decodeBlock decodes one or more gzip members, within the limits.
func decodeBlock(raw []byte, o Options) (*block, error) {
	// The last four bytes state the length, which is only a hint.
	text := make([]byte, 0, min(hint(raw), o.MaxBlock)+slack)
	for first := true; first || len(raw) > 0; first = false {
		start, err := memberStart(raw)
		if err != nil {
			return nil, err
		}
		before := len(text)
		var used int
		if text, used, err = decodeStream(text, raw[start:], o.MaxBlock); err != nil {
			return nil, err
		}
		raw = raw[start+used:]
		if len(raw) < 8 {
			return nil, fmt.Errorf("%w: %w", ErrBlock, io.ErrUnexpectedEOF)
		}
		if crc32.ChecksumIEEE(text[before:]) != binary.LittleEndian.Uint32(raw) ||
			uint32(len(text)-before) != binary.LittleEndian.Uint32(raw[4:]) {
			return nil, fmt.Errorf("%w: %w", ErrBlock, inflate.ErrChecksum)
		}
		raw = raw[8:]
	}
	return split(text, o.MaxLine)
}

// slack is room that the decoder may write to.
const slack = 64

func hint(raw []byte) int {
	if len(raw) < 4 {
		return 0
	}
	// Deflate makes at most 1032 bytes of one, so a lie costs no more than the limit.
	return int(min(int64(binary.LittleEndian.Uint32(raw[len(raw)-4:])), int64(len(raw))*1032))
}

// decodeStream appends a deflate stream to text.
func decodeStream(text, src []byte, limit int) (out []byte, used int, err error) {
	d, _ := decoders.Get().(*inflate.Decoder)
	if d == nil {
		d = new(inflate.Decoder)
	}
	defer decoders.Put(d)
	d.Reset()
	for {
		n := len(text)
		var part int
		text, part, err = d.Decode(text, src[used:])
		used += part
		switch {
		case errors.Is(err, io.EOF):
			if len(text) > limit {
				return nil, 0, fmt.Errorf("%w: more than %d bytes decoded", ErrLimit, limit)
			}
			return text, used, nil
		case err != nil:
			return nil, 0, fmt.Errorf("%w: %w", ErrBlock, err)
		case len(text) > limit:
			return nil, 0, fmt.Errorf("%w: more than %d bytes decoded", ErrLimit, limit)
		case cap(text)-len(text) < slack:
			text = append(text, make([]byte, len(text)+4096)...)[:len(text)]
		case part == 0 && len(text) == n:
			return nil, 0, fmt.Errorf("%w: %w", ErrBlock, io.ErrUnexpectedEOF)
		}
	}
}

// decoders have tables, which are worth keeping.
var decoders sync.Pool

// memberStart returns the length of a gzip member's header: section 2.3 of RFC 1952.
func memberStart(raw []byte) (int, error) {
	if len(raw) < 18 || raw[0] != 0x1f || raw[1] != 0x8b || raw[2] != 8 || raw[3]&0xe0 != 0 {
		return 0, fmt.Errorf("%w: not a gzip member", ErrBlock)
	}
	flags, at := raw[3], 10
	if flags&4 != 0 { // extra field
		at += 2 + int(binary.LittleEndian.Uint16(raw[at:]))
	}
	for _, flag := range []byte{8, 16} { // name and comment, which end with a zero
		if flags&flag == 0 || at > len(raw) {
			continue
		}
		end := bytes.IndexByte(raw[at:], 0)
		if end < 0 {
			at = len(raw)
		}
		at += end + 1
	}
	if flags&2 != 0 { // checksum of the header
		at += 2
	}
	if at >= len(raw) {
		return 0, fmt.Errorf("%w: %w", ErrBlock, io.ErrUnexpectedEOF)
	}
	return at, nil
}

// split finds the lines of a block. Other programs end them with CRLF, too, and may leave out the last line end.
func split(text []byte, limit int) (*block, error) {
	b := &block{text: text, ends: make([]int32, 0, BlockLines)}
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			b.text = append(text, '\n')
			end = len(text) - at
		}
		if end > limit {
			return nil, fmt.Errorf("%w: line of %d bytes at byte %d of the decoded block", ErrLimit, end, at)
		}
		at += end + 1
		b.ends = append(b.ends, int32(at))
	}
	return b, nil
}

// line returns a line without its line end.
func (b *block) line(n int) []byte {
	start := int32(0)
	if n > 0 {
		start = b.ends[n-1]
	}
	line := b.text[start : b.ends[n]-1]
	return bytes.TrimSuffix(line, []byte("\r"))
}

// check compares the order of lines, and the first one with the key of the .idx file. A search in a block that is not
// sorted would miss lines.
func (b *block) check(key []byte) error {
	if len(b.ends) == 0 {
		return fmt.Errorf("%w: no line", ErrBlock)
	}
	if first := b.line(0); !bytes.HasPrefix(first, key) {
		return fmt.Errorf("%w: it begins with %.80q, and the .idx file says %.80q", ErrBlock, first, key)
	}
	last := b.line(0)
	for n := 1; n < len(b.ends); n++ {
		line := b.line(n)
		if isBefore(line, last) {
			return fmt.Errorf("%w: %.80q after %.80q", ErrOrder, line, last)
		}
		last = line
	}
	return nil
}

// isBefore reports whether a line belongs before another. Whole lines are nearly always in order; programs that sort by
// key and time only differ in the rest.
func isBefore(line, last []byte) bool {
	return bytes.Compare(line, last) < 0 && bytes.Compare(KeyOf(line), KeyOf(last)) < 0
}

// from returns the number of the first line from key on.
func (b *block) from(key []byte) int {
	return sort.Search(len(b.ends), func(n int) bool { return bytes.Compare(b.line(n), key) >= 0 })
}

// cache keeps the decoded blocks that were used last.
type cache struct {
	mu    sync.Mutex
	limit int64
	bytes int64
	order *list.List // of cached, the last used first
	by    map[int]*list.Element
	asked [256]int // numbers, plus 1, of blocks that were asked for lately, each at its place modulo the length
}

type cached struct {
	i int
	b *block
}

func newCache(limit int64) *cache {
	return &cache{limit: limit, order: list.New(), by: map[int]*list.Element{}}
}

func (c *cache) get(i int) *block {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.by[i]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(cached).b
}

// often reports whether a block was asked for lately and is worth keeping. It notes this request.
func (c *cache) often(i int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	place := &c.asked[i%len(c.asked)]
	before := *place
	*place = i + 1
	return before == i+1
}

func (c *cache) put(i int, b *block) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// Two goroutines may have decoded it at the same time.
	if c.by[i] != nil || b.size() > c.limit {
		return
	}
	c.by[i] = c.order.PushFront(cached{i, b})
	for c.bytes += b.size(); c.bytes > c.limit; {
		e := c.order.Back()
		old := c.order.Remove(e).(cached)
		delete(c.by, old.i)
		c.bytes -= old.b.size()
	}
}

// size returns the memory of a block.
func (b *block) size() int64 { return int64(cap(b.text)) + 4*int64(cap(b.ends)) }

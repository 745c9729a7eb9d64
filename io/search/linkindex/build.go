package linkindex

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
)

// sortBytes is the memory for sorting the links of a shard; more are sorted on disk.
const sortBytes = 32 << 20

// maker makes the file of a shard.
type maker struct {
	names   []byte // the section hosts
	ids     map[string]uint32
	records []byte
	targets []byte
	sources []entry
	inverse *extsort.Sorter

	rows int64
	page schemas.Link       // the first link of the current page
	row  int64              // its row
	to   map[uint32]*Places // of the current page
}

// entry is a hash with the number of a page.
type entry struct {
	hash   uint64
	number uint32
}

// errTooMany means that a shard has more links than numbers of 32 bits.
var errTooMany = errors.New("linkindex: the shard has more than 4,294,967,295 links")

// write makes the file of a shard in w.
func write(ctx context.Context, w io.WriteSeeker, part holdings.Part, s schemas.Shard, temp string) (err error) {
	m := newMaker(temp)
	defer func() { err = errors.Join(err, m.inverse.Close()) }()
	part.Shards, part.Rejected = []schemas.Shard{s}, nil
	for l, err := range part.Links(ctx) {
		if err == nil {
			err = m.add(&l)
		}
		if err != nil {
			return err
		}
	}
	m.end()
	return m.write(w, newHeader(s))
}

// newMaker returns a maker that sorts in a folder for temporary files.
func newMaker(temp string) *maker {
	return &maker{
		ids: map[string]uint32{}, to: map[uint32]*Places{},
		inverse: extsort.New(extsort.Options{MemoryBytes: sortBytes, TempDir: temp}),
	}
}

func (m *maker) add(l *schemas.Link) error {
	if m.rows == math.MaxUint32 {
		return errTooMany
	}
	if m.rows == 0 || l.URL != m.page.URL || l.Timestamp != m.page.Timestamp {
		m.end()
		m.page, m.row = *l, m.rows
	}
	if l.TargetHost != "" && isWeb(l.Target) {
		m.count(m.id(l.TargetHost), l.Place)
	}
	if l.TargetSURT != "" {
		key := binary.BigEndian.AppendUint64(make([]byte, 0, entryBytes), hashOf(l.TargetSURT))
		if err := m.inverse.Add(binary.BigEndian.AppendUint32(key, uint32(m.rows)), nil); err != nil {
			return err
		}
	}
	m.rows++
	return nil
}

// isWeb reports whether a target is a page of the web. Only such links make edges between hosts.
func isWeb(target string) bool {
	return strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://")
}

// id returns the number of a host.
func (m *maker) id(host string) uint32 {
	n, known := m.ids[host]
	if !known {
		n = uint32(len(m.ids))
		m.ids[host] = n
		m.names = append(binary.AppendUvarint(m.names, uint64(len(host))), host...)
	}
	return n
}

func (m *maker) count(host uint32, place string) {
	p := m.to[host]
	if p == nil {
		p = new(Places)
		m.to[host] = p
	}
	p[placeOf(place)]++
}

// end writes the record of the current page.
func (m *maker) end() {
	if m.rows == m.row {
		return
	}
	r := record{
		key: Key(m.page.URL, m.page.Timestamp), surt: hashOf(m.page.SURT), micros: microsOf(m.page.Timestamp),
		first: uint32(m.row), rows: uint32(m.rows - m.row), host: m.id(m.page.Host), targets: uint64(len(m.targets)),
	}
	m.sources = append(m.sources, entry{r.surt, uint32(len(m.records) / pageBytes)})
	m.records = r.append(m.records)
	m.targets = appendTargets(m.targets, m.to)
	clear(m.to)
	m.row = m.rows
}

// appendTargets appends the hosts that a page links to, in the order of their numbers.
func appendTargets(b []byte, to map[uint32]*Places) []byte {
	list := make([]uint32, 0, len(to))
	for id := range to {
		list = append(list, id)
	}
	slices.Sort(list)
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, id := range list {
		b = binary.AppendUvarint(b, uint64(id))
		for _, n := range to[id] {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	return b
}

// write writes the sections, and then the header before them.
func (m *maker) write(w io.WriteSeeker, h header) error {
	if _, err := w.Seek(headerBytes, io.SeekStart); err != nil {
		return err
	}
	slices.SortFunc(m.sources, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.number, b.number))
	})
	out := &summed{w: bufio.NewWriterSize(w, 1<<20), h: &h}
	out.section(hosts, m.names)
	out.section(pages, m.records)
	out.section(targets, m.targets)
	for _, e := range m.sources {
		out.entry(sources, e)
	}
	err := m.inverse.Merge(func(key, _ []byte) error {
		out.entry(inverse, entry{binary.BigEndian.Uint64(key), binary.BigEndian.Uint32(key[8:])})
		return out.err
	})
	if err = errors.Join(err, out.err, out.w.Flush()); err != nil {
		return fmt.Errorf("linkindex: %w", err)
	}
	if _, err := w.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, h)
}

// summed writes sections, and notes their sizes and sums in a header.
type summed struct {
	w   *bufio.Writer
	h   *header
	b   []byte
	err error
}

func (s *summed) section(i int, data []byte) {
	s.h.Size[i] += int64(len(data))
	s.h.Sum[i] = crc32.Update(s.h.Sum[i], castagnoli, data)
	if s.err == nil {
		_, s.err = s.w.Write(data)
	}
}

func (s *summed) entry(i int, e entry) {
	s.b = binary.LittleEndian.AppendUint64(s.b[:0], e.hash)
	s.section(i, binary.LittleEndian.AppendUint32(s.b, e.number))
}

package sitetemplate

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sort"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Template is the boilerplate of one host, in ascending order. An empty one marks nothing.
type Template []Hash

// Boilerplate returns marks for the boilerplate blocks, by index in p.Blocks, and their number. The marks are nil if
// there are none.
func (t Template) Boilerplate(p *page.Page) (marks []bool, n int) {
	if len(t) == 0 {
		return nil, 0
	}
	for i := range p.Blocks {
		if !candidate(&p.Blocks[i]) {
			continue
		}
		if _, found := slices.BinarySearch(t, hashOf(p, i)); !found {
			continue
		}
		if marks == nil {
			marks = make([]bool, len(p.Blocks))
		}
		marks[i] = true
		n++
	}
	return marks, n
}

// Row is the template of one host.
type Row struct {
	Host     string // any name that the caller uses
	Template Template
}

// A table is a header, entries by ascending key, and a last entry for the end of the hashes. Then come the hashes of
// all templates, one after the other. Numbers are little-endian:
//
//	"GLNRTPL1"  number of hosts: 8
//	key: 8      place of the first hash: 8     for each host, and once more
//	hash: 4 …
const (
	tableMagic = "GLNRTPL1"
	headSize   = 16
	entrySize  = 16
	hashSize   = 4
)

// maxTemplate is the maximum number of hashes in a template: each is on three pages of a full sample.
const maxTemplate = MaxPages * MaxBlocks / minPages

// EncodeTable returns the table of these rows in any order. It leaves out hosts without a template, and duplicates.
func EncodeTable(rows []Row) []byte {
	type entry struct {
		key uint64
		Row
	}
	var list []entry
	for _, r := range rows {
		if len(r.Template) > 0 {
			list = append(list, entry{hostKey(r.Host), r})
		}
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.Host, b.Host)) })
	list = slices.CompactFunc(list, func(a, b entry) bool { return a.key == b.key })
	le := binary.LittleEndian
	b := le.AppendUint64([]byte(tableMagic), uint64(len(list)))
	n := 0
	for _, e := range list {
		b = le.AppendUint64(le.AppendUint64(b, e.key), uint64(n))
		n += len(e.Template)
	}
	b = le.AppendUint64(le.AppendUint64(b, 0), uint64(n))
	for _, e := range list {
		for _, h := range e.Template {
			b = le.AppendUint32(b, uint32(h))
		}
	}
	return b
}

// hostKey returns a hash for which nobody can construct collisions.
func hostKey(host string) uint64 {
	sum := sha256.Sum256([]byte(host))
	return binary.BigEndian.Uint64(sum[:])
}

// Table finds templates in a file made by EncodeTable. It holds nothing in memory. It is safe for concurrent use if
// its reader is.
type Table struct {
	r     io.ReaderAt
	hosts int
}

// OpenTable reads the head of the table in r, which has size bytes. It returns ErrFormat for other data.
func OpenTable(r io.ReaderAt, size int64) (*Table, error) {
	head := make([]byte, headSize)
	if size < headSize+entrySize {
		return nil, fmt.Errorf("%w: a table of %d bytes", ErrFormat, size)
	}
	if _, err := r.ReadAt(head, 0); err != nil {
		return nil, fmt.Errorf("sitetemplate: head of the table: %w", err)
	}
	n := binary.LittleEndian.Uint64(head[8:])
	if !bytes.HasPrefix(head, []byte(tableMagic)) || n > uint64(size-headSize-entrySize)/entrySize {
		return nil, fmt.Errorf("%w: head of the table", ErrFormat)
	}
	t := &Table{r: r, hosts: int(n)}
	_, end, err := t.entry(t.hosts)
	if err != nil {
		return nil, err
	}
	if size != t.hashes(end) {
		return nil, fmt.Errorf("%w: a table of %d bytes", ErrFormat, size)
	}
	return t, nil
}

// Hosts returns the number of hosts with a template.
func (t *Table) Hosts() int { return t.hosts }

// Find returns the template of host, or nil if it has none. For a million hosts it reads some twenty times.
func (t *Table) Find(host string) (Template, error) {
	want := hostKey(host)
	var failed error
	i := sort.Search(t.hosts, func(i int) bool {
		key, _, err := t.entry(i)
		failed = cmp.Or(failed, err)
		return key >= want
	})
	if failed != nil || i == t.hosts {
		return nil, failed
	}
	key, start, err := t.entry(i)
	if err != nil || key != want {
		return nil, err
	}
	_, end, err := t.entry(i + 1)
	if err != nil {
		return nil, err
	}
	if start >= end || end-start > maxTemplate {
		return nil, fmt.Errorf("%w: entry %d of the table", ErrFormat, i)
	}
	b := make([]byte, (end-start)*hashSize)
	if _, err := t.r.ReadAt(b, t.hashes(start)); err != nil {
		return nil, fmt.Errorf("sitetemplate: entry %d of the table: %w", i, err)
	}
	list, ok := decodeHashes(b, int(end-start))
	if !ok {
		return nil, fmt.Errorf("%w: entry %d of the table", ErrFormat, i)
	}
	return list, nil
}

// hashes returns the position of the n-th hash in the file, or a negative number for an invalid one.
func (t *Table) hashes(n uint64) int64 {
	const most = 1 << 60
	if n > most {
		return -1
	}
	return headSize + int64(t.hosts+1)*entrySize + int64(n)*hashSize
}

// entry reads the i-th entry.
func (t *Table) entry(i int) (key, start uint64, err error) {
	b := make([]byte, entrySize)
	if _, err := t.r.ReadAt(b, headSize+int64(i)*entrySize); err != nil {
		return 0, 0, fmt.Errorf("sitetemplate: entry %d of the table: %w", i, err)
	}
	return binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]), nil
}

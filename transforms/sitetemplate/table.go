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

// Template is the boilerplate of one host, in ascending order. The empty one marks nothing.
type Template []Hash

// Boilerplate tells by a block's index in p.Blocks whether it is boilerplate, and how many are; nil when none is.
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
	Host     string // by whatever name the caller knows it
	Template Template
}

// A table is a header, entries by ascending key, a last entry that only says where the hashes end, and the hashes of
// all templates, one after the other; numbers are little-endian:
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

// maxTemplate is the most hashes that a template can have: each stands on three pages of a full sample.
const maxTemplate = MaxPages * MaxBlocks / minPages

// EncodeTable returns the table of these rows, whatever their order; hosts without a template are left out, and so is
// what is there twice.
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

// hostKey is a hash that nobody can make two hosts share on purpose.
func hostKey(host string) uint64 {
	sum := sha256.Sum256([]byte(host))
	return binary.BigEndian.Uint64(sum[:])
}

// Table finds templates in a file that EncodeTable made. It holds nothing in memory, and several goroutines may use it
// if they may use its reader.
type Table struct {
	r     io.ReaderAt
	hosts int
}

// OpenTable reads the head of the table in r, which is size bytes long. What is not a table is ErrFormat.
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

// Hosts is how many hosts have a template.
func (t *Table) Hosts() int { return t.hosts }

// Find returns the template of host, nil when it has none. It reads some twenty times for a million hosts.
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

// hashes is where the n-th hash is in the file; a negative one is nowhere.
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

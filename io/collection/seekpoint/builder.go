package seekpoint

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/member"
)

const (
	// MinSize is the least size of an archive that gets points, in bytes: shorter ones are read in a moment.
	MinSize = 4 << 20
	// minEvery is the least distance of points, in compressed bytes, and maxSpread the most decoded bytes between them,
	// as a multiple of that distance. A point costs some 10 KiB.
	minEvery  = 1 << 20
	maxSpread = 16
	// maxPoints and maxWindows limit the points of a builder and the bytes of their windows. When there are more, every
	// second one is dropped.
	maxPoints  = 4096
	maxWindows = 32 << 20
)

// point is a place in a member, and the first record that begins there or later.
type point struct {
	member.Point
	head    int64 // decoded bytes before the record's head; -1 if no record follows
	ordinal int
	window  []byte // sealed
}

// points are those of one member.
type points struct {
	start   int64
	list    []point
	waiting int // the first point without a record
}

// Builder makes the points of an archive while it is read. It is not safe for concurrent use.
type Builder struct {
	src      io.ReaderAt
	size     int64
	identity [sha256.Size]byte
	every    int64
	members  []*points
	count    int
	bytes    int
	seal     sealer
	err      error // that ended building
}

// NewBuilder returns a builder for the archive in src, which has size bytes.
func NewBuilder(src io.ReaderAt, size int64) *Builder {
	return &Builder{src: src, size: size, every: max(minEvery, size/maxPoints)}
}

// of returns the points of a member, or nil. Records are told after later points, so it may be the last but one.
func (b *Builder) of(start int64) *points {
	for i := len(b.members) - 1; i >= 0; i-- {
		if b.members[i].start == start {
			return b.members[i]
		}
	}
	return nil
}

// Due is that of member.Marks.
func (b *Builder) Due(start, at, decoded int64) bool {
	if at-start < b.every && decoded < maxSpread*b.every || b.err != nil {
		return false // nearly all members end before
	}
	if m := b.of(start); m != nil {
		last := m.list[len(m.list)-1]
		start, decoded = last.At, decoded-last.Decoded
	}
	return at-start >= b.every || decoded >= maxSpread*b.every
}

// Mark is that of member.Marks.
func (b *Builder) Mark(p member.Point, history, next []byte) {
	// The archive is closed before the points are written.
	if b.count == 0 {
		if b.identity, b.err = identity(b.src, b.size); b.err != nil {
			return
		}
	}
	m := b.of(p.Member)
	if m == nil {
		m = &points{start: p.Member}
		b.members = append(b.members, m)
	}
	window, err := b.seal.seal(p, history, next)
	if err != nil {
		b.err = err
		return
	}
	m.list = append(m.list, point{Point: p, head: -1, window: window})
	b.count, b.bytes = b.count+1, b.bytes+len(window)
	for b.count > maxPoints || b.bytes > maxWindows {
		b.thin()
	}
}

// thin drops every second point. The first one of a member stays, so when each has only one, the first members go.
func (b *Builder) thin() {
	b.every *= 2
	if b.count == len(b.members) {
		b.members = b.members[(len(b.members)+1)/2:]
	}
	b.count, b.bytes = 0, 0
	for _, m := range b.members {
		kept := m.list[:0]
		waiting := 0
		for i, p := range m.list {
			if i%2 == 1 {
				continue
			}
			if kept = append(kept, p); i < m.waiting {
				waiting = len(kept)
			}
			b.bytes += len(p.window)
		}
		clear(m.list[len(kept):])
		m.list, m.waiting = kept, waiting
		b.count += len(kept)
	}
}

// Record is that of record.Marks.
func (b *Builder) Record(start, at int64, ordinal int) {
	m := b.of(start)
	if m == nil {
		return
	}
	for m.waiting < len(m.list) && m.list[m.waiting].Decoded <= at {
		m.list[m.waiting].head, m.list[m.waiting].ordinal = at, ordinal
		m.waiting++
	}
}

// Write writes the points of all long members to the collection in f. file is the archive's name in documents.
func (b *Builder) Write(f folder.Folder, file string) error {
	if len(b.members) == 0 || b.err != nil {
		return b.err
	}
	if err := Prepare(f); err != nil {
		return fmt.Errorf("seek points: %w", err)
	}
	var errs []error
	for _, m := range b.members {
		errs = append(errs, f.Write(Name(file, m.start), b.encode(m)))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("seek points: %w", err)
	}
	return nil
}

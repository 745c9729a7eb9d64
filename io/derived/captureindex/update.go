package captureindex

import (
	"bytes"
	"context"
	"io"
	"os"

	"github.com/gleaner-web/gleaner/io/archive/cdx/zipnum"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
)

// Update is a change of an index.
type Update struct {
	Lines   *extsort.Sorter        // the new lines, as keys; Update closes it
	Drop    func(line []byte) bool // reports which lines leave; nil if none does
	Sources []Source               // all sources of the new index
	Options map[string]string      // for the state
}

// Done says what an update did.
type Done struct {
	Added   int64 // lines
	Twice   int64 // new lines that were there, or came twice
	Dropped int64 // old lines that left
	Copied  int   // blocks that stayed as they were
}

// Update merges new lines into the index. Equal lines are there once. The old index stays in place until the new one
// is complete.
func (x *Folder) Update(ctx context.Context, u Update) (done Done, err error) {
	next := State{Update: x.state.Update + 1, Options: u.Options}
	m := &merger{ctx: ctx, drop: u.Drop}
	if x.state.Update > 0 && x.state.Blocks > 0 {
		// Blocks are used once.
		if m.old, err = zipnum.Open(x.f.Path(zipnum.IndexFile), zipnum.Options{Cache: 1}); err != nil {
			return done, err
		}
		defer func() { _ = m.old.Close() }() // read only
	}
	var idx bytes.Buffer
	err = x.create(partFile(next.Update), func(w io.Writer) error {
		m.out = zipnum.NewWriter(w, &idx, zipnum.WriterOptions{Part: partName(next.Update)})
		if err := u.Lines.Merge(func(line, _ []byte) error { return m.add(line) }); err != nil {
			return err
		}
		if err := m.advance(nil); err != nil {
			return err
		}
		if m.out.Lines() == 0 && m.done.Copied == 0 {
			// A cluster has a block at least: cluster.idx tells the number of the update.
			if _, err := m.out.Add([]byte(emptyLine)); err != nil {
				return err
			}
		}
		return m.out.Close()
	})
	if err != nil {
		return done, err
	}
	if next.Lines = x.state.Lines + m.done.Added - m.done.Dropped; next.Lines > 0 {
		next.Blocks = m.out.Blocks()
	}
	if err := x.writeSources(next, u.Sources); err != nil {
		return done, err
	}
	if err := x.commit(ctx, next, idx.Bytes()); err != nil {
		return done, err
	}
	x.sources = u.Sources
	return m.done, nil
}

// emptyLine is the only line of an index without lines. Lines that begin so are comments in CDXJ, and before all keys.
const emptyLine = "!"

// merger merges new lines, in order, with the blocks of the old index.
type merger struct {
	ctx   context.Context
	old   *zipnum.Index // nil if there is none
	at    int           // next block that was not opened
	lines [][]byte      // remaining lines of the open block
	raw   []byte        // buffer
	drop  func([]byte) bool
	// dropped is the last line that left. Lines are never empty.
	dropped []byte
	out     *zipnum.Writer
	done    Done
}

// add adds a new line after the old ones before it.
func (m *merger) add(line []byte) error {
	// An interrupt ends it soon, without asking for each line.
	if (m.done.Added+m.done.Twice)%1000 == 0 {
		if err := m.ctx.Err(); err != nil {
			return err
		}
	}
	if err := m.advance(line); err != nil {
		return err
	}
	added, err := m.out.Add(line)
	switch {
	case added && bytes.Equal(line, m.dropped): // it left and comes back
		m.done.Dropped--
		m.done.Twice++
	case added:
		m.done.Added++
	case err == nil:
		m.done.Twice++
	}
	return err
}

// advance writes the old lines that are not after a new line, or all that remain if it is nil.
func (m *merger) advance(line []byte) error {
	for {
		for len(m.lines) > 0 {
			if line != nil && bytes.Compare(m.lines[0], line) > 0 {
				return nil
			}
			if err := m.keep(m.lines[0]); err != nil {
				return err
			}
			m.lines = m.lines[1:]
		}
		if m.old == nil || m.at == m.old.Blocks() {
			return nil
		}
		key := m.old.Block(m.at).Key
		if line != nil && string(zipnum.KeyOf(line)) < key {
			return nil
		}
		if err := m.ctx.Err(); err != nil {
			return err
		}
		if err := m.take(key, line); err != nil {
			return err
		}
	}
}

// take copies or opens the next block.
func (m *merger) take(key string, line []byte) (err error) {
	defer func() { m.at++ }()
	if !m.copies(line) {
		m.lines, err = m.old.BlockLines(m.at)
		return err
	}
	if m.raw, err = m.old.Raw(m.at, m.raw[:0]); err != nil {
		return err
	}
	m.done.Copied++
	return m.out.Copy(key, m.raw)
}

// copies reports whether the next block stays as it is. All its lines must be before the new line, which only the key
// of the block after it tells. Lines with that key may be in both.
func (m *merger) copies(line []byte) bool {
	if m.drop != nil || !m.out.IsWhole() {
		return false
	}
	if line == nil {
		return true
	}
	return m.at+1 < m.old.Blocks() && m.old.Block(m.at+1).Key < string(zipnum.KeyOf(line))
}

// keep writes an old line, unless it leaves.
func (m *merger) keep(line []byte) error {
	if m.drop != nil && m.drop(line) {
		m.done.Dropped++
		m.dropped = append(m.dropped[:0], line...)
		return nil
	}
	_, err := m.out.Add(line)
	return err
}

// WritePlain writes the whole index as one sorted CDXJ file of this name into the folder. The file is replaced in one
// step.
func (x *Folder) WritePlain(name string) error {
	if x.state.Blocks == 0 {
		return x.f.Write(name, nil)
	}
	from, err := zipnum.Open(x.f.Path(zipnum.IndexFile), zipnum.Options{Cache: 1})
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }() // read only
	return x.create(name, func(w io.Writer) error {
		for line, err := range from.Lines("", "") {
			if err != nil {
				return err
			}
			if _, err := w.Write(line); err != nil {
				return err
			}
			if _, err := w.Write([]byte{'\n'}); err != nil {
				return err
			}
		}
		return nil
	})
}

// Temp makes a folder for temporary files beside the index, and returns a function that removes it.
func (x *Folder) Temp() (dir string, remove func() error, err error) {
	dir, err = x.f.Temp(".sort" + tempPart + folder.Unique())
	return dir, func() error { return os.RemoveAll(dir) }, err
}

package shard

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// copyShard copies a shard, byte for byte, to an output of the writer's unit.
func (w *Writer) copyShard(from folder.Folder, s schemas.Shard, name string) error {
	out, err := Create(w.f, name, w.unique)
	if err != nil {
		return err
	}
	w.outputs = append(w.outputs, out)
	// Nothing needs to be encoded.
	out.Enc = io.NopCloser(nil)
	in, err := from.Open(s.Name)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, in.Close()); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	made, err := out.Finish()
	// A damaged shard is not taken.
	if err == nil && (made.Bytes != s.Bytes || made.SHA256 != s.SHA256) {
		err = fmt.Errorf("%w: %s", holdings.ErrChanged, from.Path(s.Name))
	}
	w.row.Modified = append(w.row.Modified, out.Time)
	return err
}

// Copy copies the shards of a unit and commits them with its row.
func Copy(to, from folder.Folder, r ledger.Row) error {
	// A writer without encoders, used only to publish files with a row.
	w := &Writer{f: to, row: r, unique: folder.Unique()}
	defer w.Abort()
	// The times are those of their files.
	w.row.Modified = nil
	for _, s := range r.Shards {
		if err := w.copyShard(from, s, s.Name); err != nil {
			return err
		}
	}
	return w.publish()
}

// CopyAs commits the shards of a unit again under another key. Shards whose documents were moved may be missing.
func CopyAs(f folder.Folder, r ledger.Row, key string, names map[string]string, moved ledger.Moved) error {
	w := &Writer{f: f, row: r, unique: folder.Unique()}
	defer w.Abort()
	w.row.Key, w.row.Retired, w.row.Modified = key, r.Key, nil
	w.row.Shards = slices.Clone(r.Shards)
	for i, s := range r.Shards {
		w.row.Shards[i].Name = names[s.Name]
		if moved.Has(s) {
			w.row.Modified = append(w.row.Modified, 0)
			continue
		}
		if w.link(s.Name, names[s.Name], r.Modified, i) {
			continue
		}
		if err := w.copyShard(f, s, names[s.Name]); err != nil {
			return err
		}
	}
	return w.publish()
}

// linker is a folder in which a file may have two names.
type linker interface {
	Link(from, to string) error
}

// link gives shard i of a row a second name instead of a copy, if the folder can. It reports whether it did. Shards are
// never written to, so sharing is safe.
func (w *Writer) link(from, to string, modified []int64, i int) bool {
	l, can := w.f.(linker)
	o := &Output{f: w.f, Name: to, Temp: ledger.TempName(to, w.unique)}
	if !can || i >= len(modified) || l.Link(from, o.Temp) != nil {
		return false
	}
	w.outputs, w.row.Modified = append(w.outputs, o), append(w.row.Modified, modified[i])
	return true
}

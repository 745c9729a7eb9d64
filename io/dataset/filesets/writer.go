package filesets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// Writer writes one unit. It is for one goroutine. Others may write the same unit at the same time: they write the same
// bytes, so that any of them may win.
type Writer struct {
	f       folder.Folder
	row     Row
	outputs []*output // by kind; nil for a kind without lines
}

// NewWriter begins the unit with the given key, for the requests of a chunk. number is its place in the order of
// chunks.
func NewWriter(f folder.Folder, key, chunk string, number int) *Writer {
	return &Writer{f: f, row: Row{Key: key, Number: number, Chunk: chunk}, outputs: make([]*output, len(kinds))}
}

// Result writes the outcome of a request.
func (w *Writer) Result(out *fileset.Outcome) error {
	// It counts before writing: an error drops the unit with its counts.
	c := &w.row.Counts
	c.Requests++
	c.Results++
	if out.Result.Hit {
		c.Hits++
	}
	schemas.Count(&c.Statuses, out.Result.Status, 1)
	if out.Result.Platform != "" {
		schemas.Count(&c.Platform, out.Result.Platform, 1)
	}
	for _, f := range out.Result.Manifest {
		c.Files++
		// Files that exist elsewhere do not count as verified by this unit.
		if f.Status == fileset.StatusSuccess && f.Size != nil {
			c.Verified++
			c.Bytes = fileset.AddSize(c.Bytes, *f.Size)
		}
	}
	// The numbers are indexes of kinds.
	err := w.write(0, &out.Result)
	if out.File != nil {
		err = errors.Join(err, w.write(1, out.File))
	}
	for i := range out.Missing {
		c.Missing++
		err = errors.Join(err, w.write(2, &out.Missing[i]))
	}
	return err
}

// Reject writes a line that is not a request.
func (w *Writer) Reject(r *schemas.Reject) error {
	w.row.Counts.Requests++
	w.row.Counts.Rejects++
	return w.write(3, r)
}

func (w *Writer) write(kind int, line any) error {
	// The file is made with its first line, so that no empty files appear.
	if w.outputs[kind] == nil {
		o, err := newOutput(w.f, strings.HasSuffix(kinds[kind].ext, ".zst"))
		if err != nil {
			return err
		}
		w.outputs[kind] = o
	}
	return w.outputs[kind].lines.Write(line)
}

// Commit gives the files their final names and then writes the row, which completes the unit.
func (w *Writer) Commit() (Row, error) {
	for i, o := range w.outputs {
		if o == nil {
			continue
		}
		s, err := o.commit(w.f, kinds[i].name+"-"+w.row.Key+kinds[i].ext)
		if err != nil {
			return w.row, err
		}
		w.row.Shards, w.outputs[i] = append(w.row.Shards, s), nil
	}
	// The row completes the unit, since the files have their names by now.
	data, err := folder.EncodeJSON(w.row)
	if err == nil {
		// The names must be on disk before the row that lists them.
		err = errors.Join(w.f.Sync(""), w.f.Write(rowFile(w.row.Key), data))
	}
	return w.row, err
}

// Abort drops the unit. After Commit it does nothing.
func (w *Writer) Abort() {
	for i, o := range w.outputs {
		if o != nil {
			o.drop(w.f)
			w.outputs[i] = nil
		}
	}
}

// output is a file that is being written under a hidden name.
type output struct {
	temp  string
	file  folder.File
	hash  hash.Hash
	size  int64
	lines *jsonl.Writer
}

func newOutput(f folder.Folder, compressed bool) (*output, error) {
	// Each writer has its own name, so that two writers of one unit use different files.
	o := &output{temp: Hidden("tmp-" + folder.Unique()), hash: sha256.New()}
	var err error
	if o.file, err = f.Create(o.temp); err != nil {
		return nil, err
	}
	how := jsonl.None
	if compressed {
		how = jsonl.Zstd
	}
	if o.lines, err = jsonl.NewWriter(o, how); err != nil {
		o.drop(f)
	}
	return o, err
}

// Write takes the output of the compressor.
func (o *output) Write(p []byte) (int, error) {
	o.hash.Write(p) // a hash never fails to write
	o.size += int64(len(p))
	return o.file.Write(p)
}

func (o *output) commit(f folder.Folder, name string) (schemas.Shard, error) {
	err := o.lines.Close()
	// The file is synced before it gets its name: a file that a row lists is complete.
	if err = errors.Join(err, o.file.Sync(), o.file.Close()); err != nil {
		return schemas.Shard{}, errors.Join(err, f.Remove(o.temp))
	}
	return schemas.Shard{Name: name, Bytes: o.size, SHA256: hex.EncodeToString(o.hash.Sum(nil))}, f.Rename(o.temp, name)
}

func (o *output) drop(f folder.Folder) {
	_ = o.file.Close()   // it is dropped
	_ = f.Remove(o.temp) // the next run sweeps it
}

package conversion

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// Target is a format to convert to: one of archive.Outputs.
type Target struct {
	Format  string
	Options dump.WriteOptions
}

// Unit writes the captures of one unit. It is for one goroutine. Other units, or the same unit, may be written in
// parallel.
type Unit struct {
	f       folder.Folder
	work    string // local folder of this attempt
	row     Row
	targets []*target
	files   *shard
	rejects *shard
}

type target struct {
	format string
	folder *dump.Folder
	writer dump.Writer
}

// NewUnit begins a unit, one of total, in an open folder. The caller ends it with Commit and, always, Abort.
func NewUnit(f folder.Folder, key string, in schemas.Unit, total int, to []Target) (*Unit, error) {
	u := &Unit{f: f, row: Row{Key: key, UnitResult: schemas.UnitResult{Unit: in}}}
	if err := u.open(numbered(in.ID, total), to); err != nil {
		u.Abort()
		return nil, fmt.Errorf("conversion: unit %d: %w", in.ID, err)
	}
	return u, nil
}

// numbered returns 00017-of-00240: as wide as the total, so that names sort in the order of the input.
func numbered(id, total int) string {
	width := max(5, len(strconv.Itoa(total)))
	return fmt.Sprintf("%0*d-of-%0*d", width, id, width, total)
}

// filesName returns the name of the list of a unit's files.
func filesName(number string) string { return "files-" + number + ".jsonl" }

func (u *Unit) open(number string, to []Target) (err error) {
	if u.work, err = u.f.Temp(hidden(workStart + folder.Unique())); err != nil {
		return err
	}
	if u.files, err = newShard(u.work, filesName(number)); err != nil {
		return err
	}
	if u.rejects, err = newShard(u.work, "rejects-"+number+".jsonl"); err != nil {
		return err
	}
	for _, t := range to {
		if err := u.openTarget(number, t); err != nil {
			return err
		}
	}
	return nil
}

// openTarget opens a writer. Only the writer knows whether its files can be mixed with those of other units.
func (u *Unit) openTarget(number string, t Target) (err error) {
	opened := &target{format: t.Format}
	s := &sink{files: u.files, format: t.Format}
	if opened.folder, err = dump.OpenFolder(filepath.Join(u.work, t.Format)); err != nil {
		return err
	}
	u.targets = append(u.targets, opened)
	s.folder = opened.folder
	if opened.writer, err = archive.NewWriter(t.Format, s, t.Options); err != nil {
		return err
	}
	if _, tree := opened.writer.(dump.Tree); !tree {
		s.part = number
	}
	return nil
}

// Write writes c in every format. A capture that a format cannot hold is rejected as refused, or as omitted if nothing
// is lost.
func (u *Unit) Write(c *schemas.Capture) error {
	for _, t := range u.targets {
		err := t.writer.Write(c)
		if err == nil {
			u.row.Written++
			continue
		}
		if !errors.Is(err, dump.ErrRefused) {
			return err
		}
		kind := schemas.KindRefused
		if errors.Is(err, dump.ErrNoPage) {
			kind = schemas.KindLeftOut
		}
		u.row.Rejects++
		schemas.Count(&u.row.ByReject, string(kind), 1)
		if err := u.Reject(schemas.Reject{
			File: c.Origin.File, Offset: c.Origin.Offset, Length: c.Origin.Length, Stage: "write", Kind: kind,
			Message: t.format + ": " + err.Error(), URL: c.URL, Record: c.RecordID,
		}); err != nil {
			return err
		}
	}
	return nil
}

// WriteRecord writes a record that is not a capture in every format with such records, and counts it for the others.
// A truncated record that a format has is counted as a truncated body.
func (u *Unit) WriteRecord(r *schemas.Record) error {
	cut := false
	for _, t := range u.targets {
		w, ok := t.writer.(dump.RecordWriter)
		if !ok {
			schemas.Count(&u.row.ByDrop, t.format+"."+r.Name(), 1)
			continue
		}
		if err := w.WriteRecord(r); err != nil {
			return err
		}
		cut = r.Cut
	}
	if cut {
		schemas.Count(&u.row.ByFlag, string(schemas.FlagBody), 1)
	}
	return nil
}

// Reject writes r, which the caller has counted.
func (u *Unit) Reject(r schemas.Reject) error { return u.rejects.lines.Write(r) }

// Commit ends the unit's files and makes it finished. counts are those of reading, and inputs the ranges that were
// read.
func (u *Unit) Commit(counts schemas.Counts, inputs []schemas.Range) (Row, error) {
	u.row.Inputs = inputs
	u.row.Counts.Add(counts)
	for _, t := range u.targets {
		if err := t.writer.Close(); err != nil {
			return Row{}, err
		}
		drops := t.writer.Drops()
		for _, field := range slices.Sorted(maps.Keys(drops)) {
			schemas.Count(&u.row.ByDrop, t.format+"."+field, drops[field])
		}
	}
	for _, s := range []*shard{u.files, u.rejects} {
		done, err := s.close()
		if err != nil {
			return Row{}, err
		}
		u.row.Shards = append(u.row.Shards, done)
	}
	text, err := encode(u.row)
	if err == nil {
		err = os.WriteFile(filepath.Join(u.work, rowFile), text, 0o644)
	}
	if err == nil {
		err = u.f.Adopt(u.work, unitDir(u.row.Key), rowFile)
	}
	if err == nil {
		return u.row, nil
	}
	if _, there := u.f.Size(path.Join(unitDir(u.row.Key), rowFile)); there == nil {
		err = nil // another attempt was faster, and wrote the same
	}
	return u.row, err
}

// Abort removes the files, unless the unit was committed.
func (u *Unit) Abort() {
	for _, t := range u.targets {
		if t.writer != nil {
			_ = t.writer.Close() // closes its file, which is removed next
		}
		_ = t.folder.Close()
	}
	for _, s := range []*shard{u.files, u.rejects} {
		if s != nil {
			_ = s.file.Close() // already closed if the unit was committed
		}
	}
	_ = os.RemoveAll(u.work) // gone after the commit; otherwise Open sweeps it
}

// File is a line of files-*.jsonl.
type File struct {
	Name   string `json:"name"` // with slashes, relative to the conversion's folder
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // hexadecimal
}

// sink lists the files of a writer in the order in which they are ended.
type sink struct {
	folder *dump.Folder
	files  *shard
	format string
	part   string // folder of the unit's files; "" for a tree
}

// Create begins a file.
func (s *sink) Create(name string) (dump.Output, error) {
	name = path.Join(s.part, name)
	out, err := s.folder.Create(name)
	if err != nil {
		return nil, err
	}
	return &listed{Output: out, sum: sha256.New(), files: s.files, name: path.Join(s.format, name)}, nil
}

// listed is a file that is listed when it is complete.
type listed struct {
	dump.Output
	sum   hash.Hash
	n     int64
	files *shard
	name  string
}

func (l *listed) Write(p []byte) (int, error) {
	n, err := l.Output.Write(p)
	l.sum.Write(p[:n])
	l.n += int64(n)
	return n, err
}

// Close ends the file and lists it.
func (l *listed) Close() error {
	if err := l.Output.Close(); err != nil {
		return err
	}
	return l.files.lines.Write(File{Name: l.name, Bytes: l.n, SHA256: hex.EncodeToString(l.sum.Sum(nil))})
}

// shard is a file of JSON lines by the conversion itself.
type shard struct {
	name  string
	file  *os.File
	sum   hash.Hash
	n     int64
	lines *jsonl.Writer
}

func newShard(dir, name string) (*shard, error) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	s := &shard{name: name, file: f, sum: sha256.New()}
	if s.lines, err = jsonl.NewWriter(s, jsonl.None); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

func (s *shard) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	s.sum.Write(p[:n])
	s.n += int64(n)
	return n, err
}

func (s *shard) close() (schemas.Shard, error) {
	err := errors.Join(s.lines.Close(), s.file.Close())
	return schemas.Shard{Name: s.name, Bytes: s.n, SHA256: hex.EncodeToString(s.sum.Sum(nil))}, err
}

package meaningindex

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/meaning"
)

const (
	// magic begins each file; its last byte is the version of the format, and of the division into passages.
	magic      = "GLEANMN\x01"
	suffix     = ".meaning"
	tempPrefix = ".new-"
	// tempAge is how old a temporary file is that a killed process left.
	tempAge = 24 * time.Hour
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Source is a collection.
type Source struct {
	Dir      string // of the index; files are made there if that is possible
	CanWrite bool
	Shards   []schemas.Shard // of documents
	// Documents yields the documents of a shard with Columns, in their order.
	Documents func(ctx context.Context, s schemas.Shard) iter.Seq2[*schemas.Document, error]
	Model     *meaning.Model
}

// Index is the index of a collection, in memory. Several goroutines may use it.
type Index struct {
	Model  *meaning.Model
	shards []schemas.Shard
	parts  []*part // of the shards
	pages  int     // how many SURTs there are
	newest [][]uint64
}

// Open reads the index of a collection. It makes missing files, and removes those of other shards.
func Open(ctx context.Context, s Source) (*Index, error) {
	x := &Index{Model: s.Model}
	for _, shard := range s.Shards {
		p, err := s.open(ctx, shard)
		if err != nil {
			return nil, err
		}
		x.shards, x.parts = append(x.shards, shard), append(x.parts, p)
	}
	x.number()
	x.newest = x.allowed(&Query{})
	if !s.CanWrite {
		return x, nil
	}
	return x, s.sweep()
}

// number gives each SURT a number, so that searches need no maps.
func (x *Index) number() {
	numbers := map[uint64]uint32{}
	for _, p := range x.parts {
		for i := range p.documents {
			d := &p.documents[i]
			n, known := numbers[d.surt]
			if !known {
				n = uint32(len(numbers))
				numbers[d.surt] = n
			}
			d.page = n
		}
	}
	x.pages = len(numbers)
}

// Len returns the number of passages.
func (x *Index) Len() (n int) {
	for _, p := range x.parts {
		n += len(p.passages)
	}
	return n
}

func nameOf(s schemas.Shard) string {
	unit, _, _ := strings.Cut(s.Name, ".")
	return unit + suffix
}

// head returns the beginning of the file of a shard, up to its checksum.
func (s Source) head(shard schemas.Shard) []byte {
	b := append([]byte(magic), shard.SHA256...)
	b = binary.LittleEndian.AppendUint64(b, uint64(shard.Bytes))
	return append(b, s.Model.ID...)
}

// open reads the file of a shard, or makes it.
func (s Source) open(ctx context.Context, shard schemas.Shard) (*part, error) {
	path := filepath.Join(s.Dir, nameOf(shard))
	if data, err := os.ReadFile(path); err == nil {
		if p, ok := s.parse(data, shard); ok {
			return p, nil
		}
	}
	p, err := build(s.Model, s.Documents(ctx, shard))
	if err != nil {
		return nil, err
	}
	if s.CanWrite {
		// The index in memory is as good, so a full disk does no harm.
		_ = s.write(path, shard, p.encode())
	}
	return p, nil
}

// parse returns the part in a file, if the file is of this shard and model, and whole.
func (s Source) parse(data []byte, shard schemas.Shard) (*part, bool) {
	data, found := bytes.CutPrefix(data, s.head(shard))
	if !found || len(data) < 4 || crc32.Checksum(data[4:], castagnoli) != binary.LittleEndian.Uint32(data) {
		return nil, false
	}
	p, ok := decode(data[4:])
	return p, ok && p.dim == s.Model.Dim
}

// write writes a file under a temporary name first, so that path is always complete.
func (s Source) write(path string, shard schemas.Shard, body []byte) (err error) {
	if err = os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), tempPrefix+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(binary.LittleEndian.AppendUint32(s.head(shard), crc32.Checksum(body, castagnoli)))
	if err == nil {
		_, err = f.Write(body)
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// sweep removes files of shards that the collection no longer has.
func (s Source) sweep() error {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	wanted := map[string]bool{}
	for _, shard := range s.Shards {
		wanted[nameOf(shard)] = true
	}
	for _, e := range entries {
		info, failed := e.Info()
		if failed != nil {
			continue // another process has removed it
		}
		old := strings.HasPrefix(e.Name(), tempPrefix) && time.Since(info.ModTime()) > tempAge
		if old || strings.HasSuffix(e.Name(), suffix) && !wanted[e.Name()] {
			if failed := os.Remove(filepath.Join(s.Dir, e.Name())); failed != nil && !errors.Is(failed, fs.ErrNotExist) {
				err = errors.Join(err, failed)
			}
		}
	}
	return err
}

// Exists reports whether a folder has files of an index.
func Exists(dir string) bool {
	found, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	return err == nil && len(found) > 0
}

package imageindex

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
)

const (
	// magic begins each file; its last byte is the version of the format.
	magic      = "GLEANIM\x01"
	suffix     = ".images"
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
}

// Index is the index of a collection, in memory. Several goroutines may use it.
type Index struct {
	shards       []schemas.Shard
	parts        []*part // of the shards
	urls, groups int     // how many numbers are given
}

// Open reads the index of a collection. It makes missing files, and removes those of other shards.
func Open(ctx context.Context, s Source) (*Index, error) {
	x := &Index{}
	for _, shard := range s.Shards {
		p, err := s.open(ctx, shard)
		if err != nil {
			return nil, err
		}
		x.shards, x.parts = append(x.shards, shard), append(x.parts, p)
	}
	x.number()
	if !s.CanWrite {
		return x, nil
	}
	return x, s.sweep()
}

// number gives each SURT and each image a number, so that searches need no maps. Images without a page, and URLs in
// pages whose image is missing, have numbers, too.
func (x *Index) number() {
	urls, groups := map[uint64]uint32{}, map[uint64]uint32{}
	of := func(m map[uint64]uint32, hash uint64) uint32 {
		n, known := m[hash]
		if !known {
			n = uint32(len(m))
			m[hash] = n
		}
		return n
	}
	for _, p := range x.parts {
		for k := range p.images {
			i := &p.images[k]
			i.url, i.group = of(urls, i.surt), of(groups, i.same)
		}
	}
	for _, p := range x.parts {
		for k := range p.uses {
			p.uses[k].url = of(urls, p.uses[k].surt)
		}
	}
	x.urls, x.groups = len(urls), len(groups)
}

func nameOf(s schemas.Shard) string {
	unit, _, _ := strings.Cut(s.Name, ".")
	return unit + suffix
}

// head returns the beginning of the file of a shard, up to its checksum.
func head(s schemas.Shard) []byte {
	b := append([]byte(magic), s.SHA256...)
	return binary.LittleEndian.AppendUint64(b, uint64(s.Bytes))
}

// open reads the file of a shard, or makes it.
func (s Source) open(ctx context.Context, shard schemas.Shard) (*part, error) {
	path := filepath.Join(s.Dir, nameOf(shard))
	if data, err := os.ReadFile(path); err == nil {
		if p, ok := parse(data, shard); ok {
			return p, nil
		}
	}
	p, err := build(s.Documents(ctx, shard))
	if err != nil {
		return nil, err
	}
	if s.CanWrite {
		// The index in memory is as good, so a full disk does no harm.
		_ = write(path, shard, p.encode())
	}
	return p, nil
}

// parse returns the part in a file, if the file is of this shard and whole.
func parse(data []byte, shard schemas.Shard) (*part, bool) {
	data, found := bytes.CutPrefix(data, head(shard))
	if !found || len(data) < 4 || crc32.Checksum(data[4:], castagnoli) != binary.LittleEndian.Uint32(data) {
		return nil, false
	}
	return decode(data[4:])
}

// write writes a file under a temporary name first, so that path is always complete.
func write(path string, shard schemas.Shard, body []byte) (err error) {
	if err = os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), tempPrefix+"*")
	if err != nil {
		return err
	}
	data := binary.LittleEndian.AppendUint32(head(shard), crc32.Checksum(body, castagnoli))
	_, err = f.Write(append(data, body...))
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

// Remove removes the files.
func Remove(dir string) error { return os.RemoveAll(dir) }

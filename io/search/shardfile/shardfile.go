package shardfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

const (
	tempPrefix = ".new-"
	// tempAge is how old a temporary file is that a killed process left.
	tempAge = 24 * time.Hour
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Kind is a kind of files.
type Kind struct {
	Magic  string // its last byte is the version of the format
	Suffix string // of names
	Key    string // what the content depends on beside the shard
	// Variant is a part of names, such as the digest of a model. So files with one suffix may be of several models. ""
	// is a variant too.
	Variant string
}

// Codec makes, writes and reads the content P of a file.
type Codec[P any] struct {
	Build  func(schemas.Shard) (P, error)
	Encode func(P) []byte
	Decode func([]byte) (P, bool)
}

// Open returns the contents of the files of shards. If canWrite is set, it makes missing files and removes those of
// other shards, of all variants. A content that cannot be written is as good in memory, so a full disk does no harm.
func Open[P any](dir string, canWrite bool, k Kind, shards []schemas.Shard, c Codec[P]) ([]P, error) {
	contents := make([]P, len(shards))
	wanted := map[string]bool{}
	for i, s := range shards {
		wanted[k.nameOf(s)] = true
		path := filepath.Join(dir, k.nameOf(s))
		if data, err := os.ReadFile(path); err == nil {
			if body, ok := k.body(data, s); ok {
				if contents[i], ok = c.Decode(body); ok {
					continue
				}
			}
		}
		p, err := c.Build(s)
		if err != nil {
			return nil, err
		}
		if contents[i] = p; canWrite {
			_ = k.write(path, s, c.Encode(p))
		}
	}
	if !canWrite {
		return contents, nil
	}
	if err := k.keepVariants(dir, shards, wanted); err != nil {
		return contents, err
	}
	_, err := Sweep(dir, k.Suffix, wanted)
	return contents, err
}

func (k Kind) nameOf(s schemas.Shard) string {
	unit, _, _ := strings.Cut(s.Name, ".")
	if k.Variant != "" {
		unit += "." + k.Variant
	}
	return unit + k.Suffix
}

// keepVariants adds the files of other variants to wanted, if they are of the shards as these are now. A file of an
// older shard may have a page that was taken down.
func (k Kind) keepVariants(dir string, shards []schemas.Shard, wanted map[string]bool) error {
	byUnit := map[string]schemas.Shard{}
	for _, s := range shards {
		unit, _, _ := strings.Cut(s.Name, ".")
		byUnit[unit] = s
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	own := k
	own.Key = ""
	for _, e := range entries {
		unit, variant, _ := strings.Cut(strings.TrimSuffix(e.Name(), k.Suffix), ".")
		s, has := byUnit[unit]
		if !has || variant == k.Variant || !strings.HasSuffix(e.Name(), k.Suffix) {
			continue
		}
		head := own.head(s)
		if got, err := beginning(filepath.Join(dir, e.Name()), len(head)); err == nil && bytes.Equal(got, head) {
			wanted[e.Name()] = true
		}
	}
	return nil
}

// beginning returns the first n bytes of a file.
func beginning(path string, n int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(f, b)
	return b, errors.Join(err, f.Close())
}

// head returns the beginning of the file of a shard, up to its checksum.
func (k Kind) head(s schemas.Shard) []byte {
	b := append([]byte(k.Magic), s.SHA256...)
	b = binary.LittleEndian.AppendUint64(b, uint64(s.Bytes))
	return append(b, k.Key...)
}

// body returns the content in a file, if the file is of this kind and shard, and whole.
func (k Kind) body(data []byte, s schemas.Shard) ([]byte, bool) {
	data, found := bytes.CutPrefix(data, k.head(s))
	if !found || len(data) < 4 || crc32.Checksum(data[4:], castagnoli) != binary.LittleEndian.Uint32(data) {
		return nil, false
	}
	return data[4:], true
}

func (k Kind) write(path string, s schemas.Shard, body []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return Create(path, func(f *os.File) error {
		_, err := f.Write(binary.LittleEndian.AppendUint32(k.head(s), crc32.Checksum(body, castagnoli)))
		if err == nil {
			_, err = f.Write(body)
		}
		return err
	})
}

// Create writes a file under a temporary name first, so that path is always complete.
func Create(path string, write func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), tempPrefix+"*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Close())
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

// Sweep removes files with suffix that are not wanted, and temporary files that a killed process left. It returns how
// many it removed.
func Sweep(dir, suffix string, wanted map[string]bool) (removed int, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	for _, e := range entries {
		info, failed := e.Info()
		if failed != nil {
			continue // another process has removed it
		}
		old := strings.HasPrefix(e.Name(), tempPrefix) && time.Since(info.ModTime()) > tempAge
		if !old && (!strings.HasSuffix(e.Name(), suffix) || wanted[e.Name()]) {
			continue
		}
		if failed := os.Remove(filepath.Join(dir, e.Name())); failed != nil && !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
			continue
		}
		removed++
	}
	return removed, err
}

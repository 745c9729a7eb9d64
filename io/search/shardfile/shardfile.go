package shardfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
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
}

// Codec makes, writes and reads the content P of a file.
type Codec[P any] struct {
	Build  func(schemas.Shard) (P, error)
	Encode func(P) []byte
	Decode func([]byte) (P, bool)
}

// Open returns the contents of the files of shards. If canWrite is set, it makes missing files and removes those of
// other shards. A content that cannot be written is as good in memory, so a full disk does no harm.
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
	_, err := Sweep(dir, k.Suffix, wanted)
	return contents, err
}

func (k Kind) nameOf(s schemas.Shard) string {
	unit, _, _ := strings.Cut(s.Name, ".")
	return unit + k.Suffix
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

package collection

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
)

// file is what a shard is written to; tests put a full disk in its place.
type file interface {
	io.Writer
	Sync() error
	Close() error
}

func createFile(path string) (file, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

var attempts atomic.Int64

// unique tells this attempt from every other: of this process (counter), this machine (process id) and all
// others (64 random bits).
func unique() string {
	var b [8]byte
	rand.Read(b[:]) // documented to never fail
	return fmt.Sprintf("%d-%x-%d", os.Getpid(), b, attempts.Add(1))
}

// syncDir makes the names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// writeFile makes a file that is whole or not there; after an error it is not there.
func writeFile(path string, data []byte) error {
	f, err := createFile(path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// replaceFile writes data to temp and renames it to path.
func replaceFile(path, temp string, data []byte) error {
	if err := writeFile(temp, data); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return syncDir(filepath.Dir(path))
}

// removeFile removes a file that may be gone already.
func removeFile(path string) error {
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// encode is the JSON of v as rows and manifests hold it: indented, URLs as they are, ended by a line feed.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// readJSON reads a JSON file of at most limit bytes into v.
func readJSON(path string, limit int64, v any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if int64(len(data)) > limit {
		return fmt.Errorf("%s: more than %d bytes", path, limit)
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// hashFile returns the size and the hexadecimal SHA-256 of a file.
func hashFile(path string) (int64, string, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	h := sha256.New()
	n, err := io.CopyBuffer(h, f, make([]byte, 256<<10))
	return n, hex.EncodeToString(h.Sum(nil)), errors.Join(err, f.Close())
}

package collection

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/folder"
)

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

// readFile reads a file of at most limit bytes.
func readFile(f folder.Folder, name string, limit int64) ([]byte, error) {
	r, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s: more than %d bytes", f.Path(name), limit)
	}
	return data, nil
}

// readJSON reads a JSON file of at most limit bytes into v.
func readJSON(f folder.Folder, name string, limit int64, v any) error {
	data, err := readFile(f, name, limit)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", f.Path(name), err)
	}
	return nil
}

// hashFile returns the size and the hexadecimal SHA-256 of a file.
func hashFile(f folder.Folder, name string) (int64, string, error) {
	r, err := f.Open(name)
	if err != nil {
		return 0, "", err
	}
	h := sha256.New()
	n, err := io.CopyBuffer(h, r, make([]byte, 256<<10))
	return n, hex.EncodeToString(h.Sum(nil)), errors.Join(err, r.Close())
}

package collection

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
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

// ErrContent is a file that holds what this package does not write, and not one that cannot be read just now.
var ErrContent = errors.New("not as it was written")

// readFile reads a file of at most limit bytes; a longer one is ErrContent.
func readFile(f folder.Folder, name string, limit int64) ([]byte, error) {
	r, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	// One byte more tells a file that is too long from one that just fits.
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s: %w: more than %d bytes", f.Path(name), ErrContent, limit)
	}
	return data, nil
}

// readJSON reads a JSON file of at most limit bytes into v. One that does not hold it is ErrContent.
func readJSON(f folder.Folder, name string, limit int64, v any) error {
	data, err := readFile(f, name, limit)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w: %w", f.Path(name), ErrContent, err)
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

// EncodeManifest returns the manifest as JSON, indented, with a unit a line: a hundred thousand units would be half
// blanks otherwise.
func EncodeManifest(m schemas.Manifest) ([]byte, error) {
	var units bytes.Buffer
	e := json.NewEncoder(&units)
	e.SetEscapeHTML(false)
	for i, u := range m.Units {
		units.WriteString("    ")
		if err := e.Encode(u); err != nil {
			return nil, err
		}
		// Without the line feed that Encode ends with.
		if units.Truncate(units.Len() - 1); i < len(m.Units)-1 {
			units.WriteByte(',')
		}
		units.WriteByte('\n')
	}
	// Written empty, and the lines are put between the brackets.
	m.Units = []schemas.UnitResult{}
	text, err := encode(m)
	if err != nil || units.Len() == 0 {
		return text, err
	}
	const list = "\n  \"units\": [" // what else is called so is indented more
	// The brackets of an empty list stand together: the one that closes it is the first byte of after.
	before, after, _ := bytes.Cut(text, []byte(list))
	return slices.Concat(before, []byte(list+"\n"), units.Bytes(), []byte("  "), after), nil
}

package collection

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// ErrContent is a file that holds what this package does not write, and not one that cannot be read just now.
var ErrContent = folder.ErrContent

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
	text, err := folder.EncodeJSON(m)
	if err != nil || units.Len() == 0 {
		return text, err
	}
	const list = "\n  \"units\": [" // what else is called so is indented more
	// The brackets of an empty list stand together: the one that closes it is the first byte of after.
	before, after, _ := bytes.Cut(text, []byte(list))
	return slices.Concat(before, []byte(list+"\n"), units.Bytes(), []byte("  "), after), nil
}

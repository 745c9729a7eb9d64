package ledger

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

// ErrContent means that a file has content that this package does not write. It does not mean that reading failed.
var ErrContent = folder.ErrContent

func HashFile(f folder.Folder, name string) (int64, string, error) {
	r, err := f.Open(name)
	if err != nil {
		return 0, "", err
	}
	h := sha256.New()
	n, err := io.CopyBuffer(h, r, make([]byte, 256<<10))
	return n, hex.EncodeToString(h.Sum(nil)), errors.Join(err, r.Close())
}

// EncodeManifest returns the manifest as JSON, indented, but with each unit on one line: indentation would double the
// size of a hundred thousand units.
func EncodeManifest(m schemas.Manifest) ([]byte, error) {
	var units bytes.Buffer
	e := json.NewEncoder(&units)
	e.SetEscapeHTML(false)
	for i, u := range m.Units {
		units.WriteString("    ")
		if err := e.Encode(u); err != nil {
			return nil, err
		}
		// Drop Encode's line feed.
		if units.Truncate(units.Len() - 1); i < len(m.Units)-1 {
			units.WriteByte(',')
		}
		units.WriteByte('\n')
	}
	// Encoded without units; their lines are inserted between the brackets.
	m.Units = []schemas.UnitResult{}
	text, err := folder.EncodeJSON(m)
	if err != nil || units.Len() == 0 {
		return text, err
	}
	const list = "\n  \"units\": [" // fields of this name deeper in the file are indented more
	// after begins with the bracket that closes the empty list.
	before, after, _ := bytes.Cut(text, []byte(list))
	return slices.Concat(before, []byte(list+"\n"), units.Bytes(), []byte("  "), after), nil
}

// Package office reads office files. This file is a placeholder until the reader is merged.
package office

import (
	"errors"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// Reads tells whether documents of a media type are read.
func Reads(string) bool { return false }

// Read is to return what is read from an office file.
func Read(string, []byte, doctext.Options) (*doctext.Document, error) {
	return nil, errors.New("office: not read yet")
}

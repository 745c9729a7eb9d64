// Package pdf reads PDF. This file is a placeholder until the reader is merged.
package pdf

import (
	"errors"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// Read is to return what is read from a PDF.
func Read([]byte, doctext.Options) (*doctext.Document, error) {
	return nil, errors.New("pdf: not read yet")
}

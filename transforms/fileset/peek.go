package fileset

import (
	"bufio"
	"io"
)

// newPeeker is a reader whose beginning can be looked at.
func newPeeker(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, 32<<10) }

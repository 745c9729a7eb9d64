package lookup

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Builder writes the index that OpenFile opens: sorted, uncompressed lines of CDXJ. The names of archives have the
// number of their folder as a prefix. It is not safe for concurrent use.
type Builder struct{ w *cdx.SortedWriter }

// NewBuilder returns a builder that sorts in memoryBytes and, beyond these, in files in tempDir.
func NewBuilder(w io.Writer, memoryBytes int, tempDir string) *Builder {
	return &Builder{cdx.NewSortedWriter(w, cdx.Options{Plain: true, MemoryBytes: memoryBytes, TempDir: tempDir})}
}

// Add adds a line whose archive is below the folder number base. It leaves out lines without a record. It computes the
// keys again: those of other programs differ in details, and would not be found.
func (b *Builder) Add(base int, l cdx.Line) error {
	if l.URL == "" || l.Offset < 0 || l.Filename == "" {
		return nil
	}
	l.SURT = urlkey.SURT(l.URL)
	l.Filename = strconv.Itoa(base) + ":" + l.Filename
	return b.w.Add(l)
}

// AddText adds a line of another Builder.
func (b *Builder) AddText(line []byte) error { return b.w.AddText(line) }

// Close writes the lines.
func (b *Builder) Close() error { return b.w.Close() }

// Abort drops them. After Close it does nothing.
func (b *Builder) Abort() error { return b.w.Abort() }

// place returns the number of a line's folder and the name below it.
func place(l *cdx.Line) (base int, name string) {
	number, name, ok := strings.Cut(l.Filename, ":")
	if n, err := strconv.Atoi(number); ok && err == nil && n >= 0 {
		return n, name
	}
	return 0, l.Filename // of a server
}

// errBase is the error for a line with an unknown folder.
func errBase(n int) error {
	return fmt.Errorf("lookup: the index was made for more folders than there are: number %d", n)
}

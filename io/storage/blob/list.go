package blob

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/io/storage/secret"
)

// maxListLine limits a line of a list, in bytes: sixteen times the longest path.
const maxListLine = 64 << 10

// maxList limits a list, in decompressed bytes: ten times the longest of Common Crawl.
const maxList = 128 << 20

// inflated returns a list as text, because some are published compressed.
func inflated(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	// Peek consumes nothing: other content than gzip is read from the start.
	magic, err := b.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if string(magic) != "\x1f\x8b" { // one byte is not a list
		return &bounded{b, maxList}, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, err
	}
	// The limit applies after decompression: a small file may hold endless zeros.
	return &bounded{z, maxList}, nil
}

// bounded reads at most left bytes, and returns an error for more. A silently cut list would make a run read less than
// requested.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left == 0 {
		var more [1]byte
		if n, err := io.ReadFull(b.r, more[:]); n == 0 {
			return 0, err
		}
		return 0, fmt.Errorf("longer than %d bytes: %w", int64(maxList), ErrSyntax)
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// nameIn returns the name for a line of the list called from. In the lists of large public archives names begin at the
// root, as the list's own name does.
func nameIn(from, line string) string {
	switch {
	// Without a list, or with one on standard input, a line stays unchanged, and so does a name with a scheme.
	case from == "" || scheme(line) != "":
		return line
	// The list's own URL may have a query with slashes: secret.Folder returns the part before it, up to the last slash
	// of the path.
	case scheme(from) != "":
		scheme, path, _ := strings.Cut(secret.Folder(from)+from[strings.LastIndexByte(from, '/'):], "://")
		host, path, _ := strings.Cut(path, "/")
		root := scheme + "://" + host + "/"
		// The lists of Common Crawl are at /crawl-data/NAME/warc.paths.gz, and their lines begin with crawl-data/. If
		// the first folder is the same, the line counts from the root, otherwise from the list's folder as a relative
		// URL does.
		folder, _, nested := strings.Cut(path, "/")
		if line = strings.TrimPrefix(line, "/"); nested && strings.HasPrefix(line, folder+"/") {
			return root + line
		}
		return root + path[:strings.LastIndexByte(path, '/')+1] + line
	case filepath.IsAbs(line):
		return line
	}
	// A name with ".." may lead out of the folder of the list: the list is the user's own.
	return filepath.Join(filepath.Dir(from), line)
}

// readList yields the names in a list: one a line, without blank lines and lines that begin with "#". A zero byte near
// the beginning means a list of find -print0: zero bytes end its names, which are taken unchanged.
func readList(r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		// As large as a line may be, since Peek sees no more than the buffer.
		b := bufio.NewReaderSize(r, maxListLine)
		head, _ := b.Peek(maxListLine) // an error comes again when it is read
		lines := bufio.NewScanner(b)
		lines.Buffer(nil, maxListLine)
		read := listName
		// Text has no zero bytes, and find -print0 has one after the first path, which is shorter than the buffer.
		if bytes.IndexByte(head, 0) >= 0 {
			lines.Split(zeroEnded)
			// Unchanged: here a name may begin with "#" or a space, and may be "-".
			read = func(name string, _ int) (string, error) { return name, nil }
		}
		for n := 1; lines.Scan(); n++ {
			name, err := read(lines.Text(), n)
			if name == "" && err == nil {
				continue
			}
			if !yield(name, err) {
				return
			}
		}
		// A line that is too long cannot be a path. Skipping it would read less than the user requested.
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield("", fmt.Errorf("a line is longer than %d bytes: %w", maxListLine, ErrSyntax))
		case err != nil:
			yield("", fmt.Errorf("blob: read list: %w", err))
		}
	}
}

// zeroEnded splits at zero bytes.
func zeroEnded(data []byte, atEnd bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	// The last name may lack its zero byte, as the last line may lack its newline.
	if atEnd && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// listName returns the name on the line with number n, or "" if it has none.
func listName(line string, n int) (string, error) {
	// Editors on Windows put a byte order mark before the first line.
	if n == 1 {
		line = strings.TrimPrefix(line, "\ufeff")
	}
	// Spaces at the ends come from editors and tables, and the carriage return from Windows. Names that really have
	// them need find -print0.
	name := strings.Trim(line, " \t\r")
	switch {
	case strings.HasPrefix(name, "#"):
		return "", nil
	// Otherwise lists could nest without end, or read standard input twice.
	case name == "-", strings.HasPrefix(name, "@"):
		return "", fmt.Errorf("line %d: a list within a list: %w", n, ErrSyntax)
	case strings.IndexByte(name, 0) >= 0:
		return "", fmt.Errorf("line %d: a zero byte: %w", n, ErrSyntax)
	}
	return name, nil
}

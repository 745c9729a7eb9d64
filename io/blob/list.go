package blob

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// maxListLine bounds a line of a list, in bytes: sixteen times the longest path.
const maxListLine = 64 << 10

// readList yields the names in a list: one a line, without the blank lines and those that begin with "#".
func readList(r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, maxListLine)
		for n := 1; lines.Scan(); n++ {
			name, err := listName(lines.Text(), n)
			if name == "" && err == nil {
				continue
			}
			if !yield(name, err) {
				return
			}
		}
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield("", fmt.Errorf("a line is longer than %d bytes: %w", maxListLine, ErrSyntax))
		case err != nil:
			yield("", fmt.Errorf("blob: read list: %w", err))
		}
	}
}

// listName returns the name on the line with number n, or "" when it has none.
func listName(line string, n int) (string, error) {
	if n == 1 {
		line = strings.TrimPrefix(line, "\ufeff")
	}
	name := strings.Trim(line, " \t\r")
	switch {
	case strings.HasPrefix(name, "#"):
		return "", nil
	case name == "-", strings.HasPrefix(name, "@"):
		return "", fmt.Errorf("line %d: a list within a list: %w", n, ErrSyntax)
	case strings.IndexByte(name, 0) >= 0:
		return "", fmt.Errorf("line %d: a zero byte: %w", n, ErrSyntax)
	}
	return name, nil
}

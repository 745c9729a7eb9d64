package lookup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

const (
	// pageBytes is the size of one read during a search: some twenty lines.
	pageBytes = 4 << 10
	// maxPages is the number of stored pages, 16 MiB: the first ten steps of a search always use the same pages.
	maxPages = 4096
	// maxLine limits a line of the index; cdx.Options have the same default.
	maxLine = 1 << 20
)

// file is an index in a file that a Builder has written.
type file struct {
	in blob.Object

	mu    sync.Mutex
	pages map[int64][]byte
}

// OpenFile opens the index of a Builder.
func OpenFile(ctx context.Context, store *blob.Store, name string) (Index, error) {
	in, err := store.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	return &file{in: in, pages: map[int64][]byte{}}, nil
}

// Close closes the file.
func (f *file) Close() error { return f.in.Close() }

// Find uses a binary search, because the lines are sorted.
func (f *file) Find(_ context.Context, url string, most int) ([]cdx.Line, error) {
	key := append([]byte(keyOf(url)), ' ')
	// Finds the first page from which on all lines are at or after the key, and then searches line by line.
	low, high := int64(0), (f.in.Size()+pageBytes-1)/pageBytes
	for low < high {
		middle := (low + high) / 2
		line, _, err := f.lineAfter(middle * pageBytes)
		if err != nil {
			return nil, err
		}
		if line == nil || bytes.Compare(line, key) >= 0 {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return f.from(max(0, low-1)*pageBytes, key, most)
}

// keyOf returns the key of a URL as in the lines, which cannot hold a blank in it.
func keyOf(url string) string {
	l := cdx.Line{SURT: urlkey.SURT(url), Offset: -1}
	key, _, _ := bytes.Cut(l.AppendTo(nil), []byte(" "))
	return string(key)
}

// from reads the lines with the key, from the first line after off on.
func (f *file) from(off int64, key []byte, most int) (found []cdx.Line, err error) {
	for len(found) < most {
		line, next, err := f.lineAfter(off)
		if err != nil || line == nil {
			return found, err
		}
		off = next
		switch {
		case bytes.HasPrefix(line, key):
			l, err := cdx.Parse(line)
			if err != nil {
				return nil, fmt.Errorf("%s: the index is damaged: make it anew: %w", f.in.Name(), err)
			}
			found = append(found, l)
		case bytes.Compare(line, key) > 0:
			return found, nil
		}
	}
	return found, nil
}

// lineAfter returns the first line that begins at or after off, and the possible start of the next. At the end it
// returns nil.
func (f *file) lineAfter(off int64) (line []byte, next int64, err error) {
	if off > 0 {
		// The byte before off shows whether a line begins at off.
		if _, off, err = f.line(off - 1); err != nil {
			return nil, 0, err
		}
	}
	return f.line(off)
}

// line returns the bytes from off to the next line end, and the offset after that.
func (f *file) line(off int64) (line []byte, next int64, err error) {
	for at := off; ; {
		page, err := f.page(at / pageBytes)
		if err != nil {
			return nil, 0, err
		}
		rest := page[min(int64(len(page)), at%pageBytes):]
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			if line == nil {
				line = rest[:i]
			} else {
				line = append(line, rest[:i]...)
			}
			return line, at + int64(i) + 1, nil
		}
		if len(page) < pageBytes { // the end of the file, at which a line ends
			return nil, f.in.Size(), nil
		}
		line = append(line[:len(line):len(line)], rest...)
		if len(line) > maxLine {
			return nil, 0, fmt.Errorf("%s: a line of more than %d bytes at byte %d: make the index anew",
				f.in.Name(), maxLine, off)
		}
		at += int64(len(rest))
	}
}

// page returns a page of the file, which must not be changed. The last page is short.
func (f *file) page(n int64) ([]byte, error) {
	f.mu.Lock()
	page, ok := f.pages[n]
	f.mu.Unlock()
	if ok {
		return page, nil
	}
	page = make([]byte, pageBytes)
	k, err := f.in.ReadAt(page, n*pageBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	page = page[:k]
	f.mu.Lock()
	defer f.mu.Unlock()
	// All are dropped at once: tracking the most used ones would cost more than reading them again.
	if len(f.pages) >= maxPages {
		clear(f.pages)
	}
	f.pages[n] = page
	return page, nil
}

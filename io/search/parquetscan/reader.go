package parquetscan

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"
)

// reader reads the wanted pages of a chunk, forward only.
type reader struct {
	f     *File
	chunk *chunk
	want  rowSet // rows that will be needed: pages between them need not be read
	only  bool   // other rows are not used, even if their page is read

	places []place // of the pages; nil if unknown or not worth reading
	// pos and row advance together, page by page, by headers or by the index.
	pos int64 // of the next page, in the file
	row int   // first row of the next page

	window []byte // bytes read from the file
	from   int64  // offset of window

	plain   []byte // decompressed page
	page    page
	loaded  bool
	pages   int  // number of decoded pages
	indexed bool // the page has indexes into the dictionary
	aligned bool // rows do not continue in the next page
	dict    *values
}

// whole is the size up to which a chunk is read at once.
const whole = 256 << 10

// ahead is how much is read at a time of a chunk with unknown page positions.
const ahead = 64 << 10

// maxWindow limits the bytes read at once for adjacent wanted pages.
const maxWindow = 4 << 20

// readers pools the buffers: a query opens several readers for each row group. A column of short values does not get
// the buffers of texts. Otherwise all buffers would grow to the size of the largest.
var readers [5]sync.Pool

// poolOf returns the pool of readers for chunks of about these bytes. Windows are no longer than maxWindow.
func poolOf(bytes int64) *sync.Pool {
	return &readers[bits.Len64(uint64(min(max(bytes-1, 0), maxWindow-1)/whole))]
}

// maxKept limits the pooled buffers, in bytes each. Gleaner's pages have about 1 MiB.
const maxKept = 4 << 20

// open begins to read the rows of want from a chunk. The caller closes the reader.
func (f *File) open(c *chunk, want rowSet) (*reader, error) {
	// Everything except the buffers is reset.
	r, pooled := poolOf(c.end - c.start).Get().(*reader)
	if !pooled {
		r = &reader{}
	}
	old := *r
	*r = reader{f: f, chunk: c, want: want, pos: c.start, window: old.window[:0], plain: old.plain[:0], page: old.page}
	// A short chunk is read at once; its index would be another read.
	if c.end-c.start > whole {
		places, err := f.places(c)
		if err != nil {
			r.close()
			return nil, err
		}
		r.places = places
	}
	// By the format, pages begin with rows if there is an index, or outside lists.
	r.aligned = c.leaf.rep == 0 || r.places != nil
	return r, nil
}

// close returns the buffers to the pool. The reader's data must not be used any more.
func (r *reader) close() {
	// Large buffers, of a foreign file, are not pooled.
	most := max(cap(r.window), cap(r.plain), cap(r.page.values.data), 16*r.page.entries)
	if most > maxKept {
		return
	}
	pool := poolOf(r.chunk.end - r.chunk.start)
	r.f, r.chunk, r.want, r.places, r.dict = nil, nil, nil, nil, nil
	pool.Put(r)
}

// bytes returns n bytes of the file at pos, or the rest of the chunk. They are valid until the next call.
func (r *reader) bytes(pos int64, n int) ([]byte, error) {
	// The end of the chunk was checked against the file.
	n = int(min(int64(n), r.chunk.end-pos))
	if pos < r.from || pos+int64(n) > r.from+int64(len(r.window)) {
		size := min(max(n, r.stretch(pos)), int(min(r.chunk.end-pos, maxPage)))
		if cap(r.window) < size {
			r.window = make([]byte, size)
		}
		r.window, r.from = r.window[:size], pos
		if err := r.f.read(r.window, pos); err != nil {
			// After a failed read the content is undefined.
			r.window = nil
			return nil, err
		}
	}
	return r.window[pos-r.from:][:n], nil
}

// stretch returns how much to read at pos.
func (r *reader) stretch(pos int64) int {
	if r.chunk.end-pos <= whole {
		return int(r.chunk.end - pos)
	}
	if r.places == nil {
		return ahead
	}
	first, _ := slices.BinarySearchFunc(r.places, pos, func(p place, pos int64) int { return cmp.Compare(p.off, pos) })
	end := pos
	for i := first; i < len(r.places); i++ {
		p := &r.places[i]
		// Up to gap, reading unwanted pages is cheaper than another request.
		if p.off-end > r.f.gap || p.off+p.size-pos > maxWindow {
			break
		}
		if r.want.within(p.row, r.rowAfter(i)) {
			end = p.off + p.size
		}
	}
	return int(end - pos)
}

// rowAfter returns the first row after the i-th page.
func (r *reader) rowAfter(i int) int {
	if i+1 < len(r.places) {
		return r.places[i+1].row
	}
	return r.chunk.rows
}

// seek makes r.page the page of a row, which must not be before rows sought earlier.
func (r *reader) seek(row int) error {
	if r.loaded && row < r.page.first+r.page.rows {
		return nil
	}
	// Jumps to the page; without an index it reads header by header.
	if i := r.placeOf(row); i >= 0 {
		r.pos, r.row = r.places[i].off, r.places[i].row
	}
	for {
		// The page may be the dictionary, or end before row.
		if err := r.next(row); err != nil {
			return err
		}
		if r.loaded && row < r.page.first+r.page.rows {
			return nil
		}
	}
}

// placeOf returns the page of a row by the index, or -1 without an index.
func (r *reader) placeOf(row int) int {
	i, found := slices.BinarySearchFunc(r.places, row, func(p place, row int) int { return cmp.Compare(p.row, row) })
	if found {
		return i
	}
	// The last page that begins at or before row; -1 without places.
	return i - 1
}

// next reads the next page, or skips it if it ends before row.
func (r *reader) next(row int) error {
	if r.pos >= r.chunk.end {
		return fmt.Errorf("%w: column %s has fewer rows than its group", ErrFormat, r.chunk.leaf.path)
	}
	h, size, err := r.header()
	if err != nil {
		return err
	}
	// header has limited both sizes, so the sum does not overflow.
	body := r.pos + int64(size)
	if body+h.compressed > r.chunk.end {
		return errShort("page")
	}
	// Advanced first: whatever happens, the next call continues after this page.
	r.pos = body + h.compressed
	switch h.kind {
	case pageDictionary:
		return r.dictionary(&h, body)
	case pageData, pageDataV2:
	default:
		return nil // an index page, which nobody writes
	}
	r.loaded = false
	// Skipped without decompressing.
	if rows := r.rowsOf(&h); rows >= 0 && r.row+rows <= row {
		r.row += rows
		return nil
	}
	b, err := r.bytes(body, int(h.compressed))
	if err != nil {
		return err
	}
	if err := r.decode(&h, b); err != nil {
		return err
	}
	r.loaded = true
	// The number shows cursors that the page has changed.
	r.pages++
	r.page.first = r.row
	r.row += r.page.rows
	// Index and page must agree: otherwise rows of different columns would be combined.
	if i := r.placeOf(r.page.first); i >= 0 && r.row != r.rowAfter(i) || r.row > r.chunk.rows {
		return fmt.Errorf("%w: column %s has other rows than its group or index", ErrFormat, r.chunk.leaf.path)
	}
	return nil
}

// rowsOf returns the number of rows in a page, or -1 if only its levels show it.
func (r *reader) rowsOf(h *header) int {
	switch {
	case h.kind == pageDataV2:
		return int(h.rows)
	case r.chunk.leaf.rep == 0:
		return int(h.entries)
	}
	return -1
}

// Headers contain bounds, which may be long.
const (
	firstHeader = 256
	maxHeader   = 16 << 20
)

// header reads the header of the page at r.pos.
func (r *reader) header() (h header, size int, err error) {
	// Most headers fit the first time. A truncated header looks like damage, so longer pieces are tried up to
	// maxHeader.
	for n := firstHeader; ; n *= 8 {
		b, err := r.bytes(r.pos, n)
		if err != nil {
			return h, 0, err
		}
		h, size, err = parseHeader(b)
		if err == nil {
			return h, size, h.check(r.chunk.rows)
		}
		if len(b) < n || n > maxHeader {
			return h, 0, err
		}
	}
}

// dictionary reads the dictionary page.
func (r *reader) dictionary(h *header, body int64) error {
	// The first one counts, because a second would change the meaning of earlier indexes.
	if r.dict != nil {
		return nil
	}
	b, err := r.bytes(body, int(h.compressed))
	if err != nil {
		return err
	}
	// Not in r.plain, because the dictionary outlives pages.
	var scratch []byte
	if b, err = decompress(scratch, b, r.chunk.codec, int(h.plain)); err != nil {
		return err
	}
	d := &values{}
	if err := d.decode(r.chunk.leaf, encodingPlain, int(h.entries), b); err != nil {
		return err
	}
	r.dict = d
	return nil
}

var errNoDictionary = errors.New("its pages refer to a dictionary that is not there")

// loadDictionary ensures that the dictionary is loaded, for readers that began after it.
func (r *reader) loadDictionary() error {
	if r.dict != nil {
		return nil
	}
	// Another reader, so that this one keeps its position and window.
	first, err := r.f.open(r.chunk, nil)
	if err != nil {
		return err
	}
	defer first.close()
	h, size, err := first.header()
	if err != nil {
		return err
	}
	if h.kind != pageDictionary || first.pos+int64(size)+h.compressed > r.chunk.end {
		return fmt.Errorf("%w: column %s: %w", ErrFormat, r.chunk.leaf.path, errNoDictionary)
	}
	if err := first.dictionary(&h, first.pos+int64(size)); err != nil {
		return err
	}
	// close does not clear the dictionary.
	r.dict = first.dict
	return nil
}

// each reads the pages with rows of r.want. If rows may continue in the next page, it reads all pages.
func (r *reader) each(do func()) error {
	if r.aligned {
		for row := r.want.next(0); row >= 0; row = r.want.next(r.page.first + r.page.rows) {
			if err := r.seek(row); err != nil {
				return err
			}
			do()
		}
		return nil
	}
	// Rows may continue in any page, so none can be skipped.
	for r.pos < r.chunk.end {
		if err := r.next(-1); err != nil {
			return err
		}
		if r.loaded {
			do()
		}
	}
	if r.row != r.chunk.rows {
		return fmt.Errorf("%w: column %s has fewer rows than its group", ErrFormat, r.chunk.leaf.path)
	}
	return nil
}

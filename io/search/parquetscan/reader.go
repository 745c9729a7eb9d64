package parquetscan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// reader reads the pages of a chunk, forward only, and only those that are asked for.
type reader struct {
	f     *File
	chunk *chunk
	want  rowSet // the rows that will be asked for: what is between them need not be read
	only  bool   // no value of another row is looked at, though its page is read

	places []place // of the pages; nil when the file does not tell, or it is not worth asking
	// pos and row go together: both are moved over each page, by its header, or by the index.
	pos int64 // in the file, of the next page
	row int   // the next page's first

	window []byte // what was read of the file
	from   int64  // where that begins

	plain   []byte // the page decompressed
	page    page
	loaded  bool
	pages   int  // that were decoded
	indexed bool // the page has indexes of the dictionary
	aligned bool // rows do not go on from page to page
	dict    *values
}

// whole is how long a chunk may be to be read at once.
const whole = 256 << 10

// ahead is how much is read at a time of a chunk whose pages' places are not known.
const ahead = 64 << 10

// maxWindow bounds what is read at once where pages that are wanted stand side by side.
const maxWindow = 4 << 20

// readers keep their buffers: a query opens some for each row group.
var readers = sync.Pool{New: func() any { return &reader{} }}

// maxKept bounds the buffers that are kept, in bytes each. Pages of ours are some 1 MiB.
const maxKept = 4 << 20

// open begins to read a chunk, of which the rows of want will be asked for. The caller closes the reader.
func (f *File) open(c *chunk, want rowSet) (*reader, error) {
	// Everything but the buffers is set again, so that nothing of another file is left.
	old := readers.Get().(*reader)
	r := old
	*r = reader{f: f, chunk: c, want: want, pos: c.start, window: old.window[:0], plain: old.plain[:0], page: old.page}
	// A short chunk is one read with all of its pages; its index would be another.
	if c.end-c.start > whole {
		places, err := f.places(c)
		if err != nil {
			r.close()
			return nil, err
		}
		r.places = places
	}
	// The format says that pages begin with rows where there is an index, and where there are no lists.
	r.aligned = c.leaf.rep == 0 || r.places != nil
	return r, nil
}

// close gives the buffers back. Nothing of the reader's may be used any more.
func (r *reader) close() {
	// A reader that has grown for a foreign file of huge pages is left to the collector.
	most := max(cap(r.window), cap(r.plain), cap(r.page.values.data), 16*r.page.entries)
	if most > maxKept {
		return
	}
	r.f, r.chunk, r.want, r.places, r.dict = nil, nil, nil, nil, nil
	readers.Put(r)
}

// bytes returns n bytes of the file at pos, or what the chunk has left. They last until the next call.
func (r *reader) bytes(pos int64, n int) ([]byte, error) {
	// Never after the chunk: its end was checked against the file.
	n = int(min(int64(n), r.chunk.end-pos))
	if pos < r.from || pos+int64(n) > r.from+int64(len(r.window)) {
		size := min(max(n, r.stretch(pos)), int(min(r.chunk.end-pos, maxPage)))
		if cap(r.window) < size {
			r.window = make([]byte, size)
		}
		r.window, r.from = r.window[:size], pos
		if err := r.f.read(r.window, pos); err != nil {
			// What is in it after a failed read is neither the old nor the new.
			r.window = nil
			return nil, err
		}
	}
	return r.window[pos-r.from:][:n], nil
}

// stretch is how much is worth reading at pos.
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
		// Pages that nobody wants lie between: reading over them is cheaper than another request up to
		// gap.
		if p.off-end > r.f.gap || p.off+p.size-pos > maxWindow {
			break
		}
		if r.want.within(p.row, r.rowBehind(i)) {
			end = p.off + p.size
		}
	}
	return int(end - pos)
}

// rowBehind is the first row after the i-th page.
func (r *reader) rowBehind(i int) int {
	if i+1 < len(r.places) {
		return r.places[i+1].row
	}
	return r.chunk.rows
}

// seek makes r.page the page that row is in, which is not before the rows that were sought earlier.
func (r *reader) seek(row int) error {
	if r.loaded && row < r.page.first+r.page.rows {
		return nil
	}
	// Jumps to the page; without an index pages are walked header by header.
	if i := r.placeOf(row); i >= 0 {
		r.pos, r.row = r.places[i].off, r.places[i].row
	}
	for {
		// The page may be the dictionary, or end before row: then the next one.
		if err := r.next(row); err != nil {
			return err
		}
		if r.loaded && row < r.page.first+r.page.rows {
			return nil
		}
	}
}

// placeOf is the page that a row is in by the index, -1 without one.
func (r *reader) placeOf(row int) int {
	i, found := slices.BinarySearchFunc(r.places, row, func(p place, row int) int { return cmp.Compare(p.row, row) })
	if found {
		return i
	}
	// The last page that begins at or before row; -1 without places.
	return i - 1
}

// next reads the next page, or passes it over when it ends before row.
func (r *reader) next(row int) error {
	if r.pos >= r.chunk.end {
		return fmt.Errorf("%w: column %s has fewer rows than its group", ErrFormat, r.chunk.leaf.path)
	}
	h, size, err := r.header()
	if err != nil {
		return err
	}
	// header has bounded both sizes, so that the sum does not overflow.
	body := r.pos + int64(size)
	if body+h.compressed > r.chunk.end {
		return errShort("page")
	}
	// Set before the page is read: whatever comes of it, the next call goes on after it.
	r.pos = body + h.compressed
	switch h.kind {
	case pageDictionary:
		return r.dictionary(&h, body)
	case pageData, pageDataV2:
	default:
		return nil // an index page, which nobody writes
	}
	r.loaded = false
	// Passed over without being decompressed.
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
	// The number tells cursors that the page is another one.
	r.pages++
	r.page.first = r.row
	r.row += r.page.rows
	// The index and the page must agree, or rows of one column would be put beside those of another.
	if i := r.placeOf(r.page.first); i >= 0 && r.row != r.rowBehind(i) || r.row > r.chunk.rows {
		return fmt.Errorf("%w: column %s has other rows than its group or index", ErrFormat, r.chunk.leaf.path)
	}
	return nil
}

// rowsOf tells how many rows a page has, -1 when only its levels tell.
func (r *reader) rowsOf(h *header) int {
	switch {
	case h.kind == pageDataV2:
		return int(h.rows)
	case r.chunk.leaf.rep == 0:
		return int(h.entries)
	}
	return -1
}

// Headers hold bounds, and these may be long.
const (
	firstHeader = 256
	maxHeader   = 16 << 20
)

// header reads the header of the page at r.pos.
func (r *reader) header() (h header, size int, err error) {
	// Most headers fit the first time. Too short a piece is not told from damage, hence the growing tries
	// up to maxHeader.
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

// dictionary reads the page of the dictionary.
func (r *reader) dictionary(h *header, body int64) error {
	// A second one would change what indexes of earlier pages mean: the first stays.
	if r.dict != nil {
		return nil
	}
	b, err := r.bytes(body, int(h.compressed))
	if err != nil {
		return err
	}
	// Its own memory: the dictionary outlives the pages, which share r.plain.
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

// loadDictionary makes sure that there is one. Where reading began after it, it is read now.
func (r *reader) loadDictionary() error {
	if r.dict != nil {
		return nil
	}
	// Another reader, so that this one keeps its place and its window.
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
	// The other reader is closed, which lets go of its dictionary without clearing it.
	r.dict = first.dict
	return nil
}

// each reads the pages that have a row of r.want, one after the other. Where rows may go on in the next page, it reads
// them all.
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
	// Only pages tell where a row ends here, so that none can be passed over.
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

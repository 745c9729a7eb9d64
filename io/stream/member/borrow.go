package member

import (
	"bytes"

	"github.com/gleaner-web/gleaner/io/stream/zstd"
)

const (
	// maxBorrowFrames is the number of a file's first frames that are tried, since the first may be cut or damaged.
	maxBorrowFrames = 16
	maxBorrowTries  = 16 // number of dictionaries to try
	// maxBorrowScan limits the search for the first frames of a file, and for a dictionary, in bytes.
	maxBorrowScan = 256 << 20
	// maxBorrowSkips is the number of skippable frames and runs of zeros allowed before a file's first frame.
	maxBorrowSkips = 16
)

// borrow takes a dictionary from after the frames that need it, for files whose parts were joined in a wrong order.
// More of the file's first frames must decode with it than without it, and each that did must still decode. It depends
// only on the file's bytes, so that readers of different ranges have the same dictionary.
func (r *Reader) borrow(d *zstdDecoder) {
	if r.beginsWell(d) {
		return
	}
	limit := min(r.rng.Size, maxBorrowScan)
	var frames []int64
	heads := 0
	at := r.nextMagic(0, limit, magics[Zstd])
	for ; at < limit && len(frames) < maxBorrowFrames; at = r.nextMagic(at+1, limit, magics[Zstd]) {
		frames = append(frames, at)
		if r.headAt(at) {
			heads++
		}
	}
	// If most frames need none, only the file's beginning is damaged, and the rest is not searched.
	if 2*heads >= len(frames) {
		return
	}
	left := int64(maxBorrowTries * maxAdoptionWork)
	whole := map[int64]bool{} // without a dictionary
	for _, at := range frames {
		whole[at] = r.decodes(at, &left) == 2
	}
	before := d.dec
	for off, n := int64(-1), 0; n < maxBorrowTries; n++ {
		if off = r.nextMagic(off+1, limit, dictionaryMagic); off >= limit {
			break
		}
		content, next, err := dictionary(r.src, off, r.rng.Size)
		if err != nil {
			r.in.fail = err
			break
		}
		dict, err := zstd.ParseDictionary(content)
		if err != nil || len(content) == 0 {
			continue
		}
		d.dec = zstd.NewDecoder(zstd.Options{MaxWindow: r.o.MaxWindow, Dictionary: dict})
		if r.serves(off, frames, whole, &left) {
			r.taken, r.behind = off, next
			return
		}
		d.dec = before
	}
}

// beginsWell reports whether the file's first frame, possibly after skippable ones, needs no dictionary. That is so for
// nearly all files, and then nothing else is read.
func (r *Reader) beginsWell(d *zstdDecoder) bool {
	r.in.seek(0)
	for range maxBorrowSkips {
		if n, err := d.gap(); n == 0 || err != nil {
			break
		}
	}
	return r.headAt(r.in.pos())
}

// serves reports whether the decoder with the dictionary at off decodes more of the frames before it. It must also
// decode each frame that decodes without it.
func (r *Reader) serves(off int64, frames []int64, whole map[int64]bool, left *int64) bool {
	gained := false
	for _, frame := range frames {
		if frame >= off || *left <= 0 {
			break
		}
		is := r.decodes(frame, left) == 2
		if whole[frame] && !is {
			return false
		}
		gained = gained || is && !whole[frame]
	}
	return gained
}

// nextMagic returns the first offset in [from, limit) with magic bytes, or limit.
func (r *Reader) nextMagic(from, limit int64, magic []byte) int64 {
	for from < limit {
		b := r.scanFrom(from)
		if len(b) < len(magic) {
			break
		}
		if i := bytes.Index(b, magic); i >= 0 {
			return min(from+int64(i), limit)
		}
		from += int64(len(b) - len(magic) + 1)
	}
	return limit
}

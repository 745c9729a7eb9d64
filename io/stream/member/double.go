package member

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// doubleDecoder decodes members that hold the members of an archive. They are made by `gzip x.warc.gz`, and by servers
// that declare a coding for an encoded file. It returns the content of all inner members, one after the other. Damage
// ends an inner member, and the search for the next one follows.
type doubleDecoder struct {
	in     *input // of the file
	outer  decoder
	layer  *layer
	within *input  // over layer
	inner  decoder // reads from within
	kind   Kind    // of inner
	isHead func([]byte) bool
	open1  bool // an inner member is being read
	hurt   error
	start  int64 // of the member in the file
	made   int64 // decoded bytes of it
	head   []byte
	ended  error
}

func newDoubleDecoder(in *input, outer decoder, history func() int, kind Kind, o Options) *doubleDecoder {
	// The layer is read as a file of its own, so that the decoders of single members work on it as they are.
	d := &doubleDecoder{in: in, outer: outer, kind: kind, isHead: o.IsHead, layer: &layer{dec: outer, history: history}}
	d.within = newInput(d.layer, 0, maxLayer)
	switch kind {
	case Gzip:
		d.inner = &gzipDecoder{in: d.within}
	case Zstd:
		d.inner = plainZstdDecoder(d.within, o.MaxWindow)
	default:
		d.inner = newLZ4Decoder(d.within)
	}
	return d
}

// maxLayer exceeds the inner layer of any file, whose size is not known before decoding. It is far below the largest
// int64, so that positions can be added to it.
const maxLayer = 1 << 62

func (d *doubleDecoder) gap() (int64, error) { return d.outer.gap() }

// open begins a member whose content begins like a member of the inner kind.
func (d *doubleDecoder) open() bool {
	start := d.in.pos()
	if !d.outer.open() {
		return false
	}
	// The last member's data are dropped; the buffers are kept.
	d.layer.reset()
	*d.within = input{src: d.layer, size: maxLayer, buf: d.within.buf[:0]}
	d.start, d.made, d.open1, d.hurt, d.ended = start, 0, false, nil, nil
	// The content has to begin like a member of the inner kind, possibly after zeros. Otherwise the outer member has
	// another content.
	if _, err := d.inner.gap(); err != nil || Sniff(d.within.peek(maxMagic)) != d.kind {
		// Back to its start, since the caller tries something else there.
		d.in.seek(start)
		return false
	}
	return true
}

// A bomb in a bomb must cost no more than a bomb. Deflate makes at most 1,032 bytes of one.
const (
	maxRatio  = 1100
	freeBytes = 64 << 20
)

var errRatio = errors.New("two layers of compression hold more than one could")

func (d *doubleDecoder) append(dst []byte) ([]byte, error) {
	for d.ended == nil {
		// Compared with the bytes read from the file, not with the inner layer, which a bomb may have made from
		// nothing.
		if d.made > freeBytes+maxRatio*(d.in.pos()-d.start) {
			d.ended = errRatio
			break
		}
		if !d.open1 && !d.next() {
			break
		}
		out, err := d.inner.append(dst)
		n := len(out) - len(dst)
		d.made += int64(n)
		if err != nil {
			// This inner member has ended, well or not.
			d.open1 = false
		}
		if err != nil && err != io.EOF {
			d.damaged(err)
			d.resync()
		}
		// Decoded bytes are returned at once: dst may have no room for more.
		if dst = out; n > 0 || err == nil {
			return dst, nil
		}
	}
	// The final error comes with no bytes or after the last ones.
	return dst, d.ended
}

// damaged keeps the first fault of the inner layer. It is enough for the report, and shows where the damage began.
func (d *doubleDecoder) damaged(err error) {
	if d.hurt == nil {
		d.hurt = fmt.Errorf("the %s members inside: %w", d.kind, err)
	}
}

// next opens the next inner member. It returns false if there is none, and everything has ended.
func (d *doubleDecoder) next() bool {
	for {
		// The outer member has no more content.
		if _, err := d.inner.gap(); err == nil && len(d.within.peek(1)) == 0 {
			d.end()
			return false
		}
		if d.inner.open() {
			d.open1 = true
			return true
		}
		d.damaged(errors.New("no member begins where the one before ends"))
		// At least one byte further, so that resync cannot find the same offset again.
		d.within.advance(min(1, len(d.within.peek(1))))
		d.resync()
	}
}

// end ends the member with the error of its outer layer, or of its inner one if only that is damaged.
func (d *doubleDecoder) end() {
	d.ended = d.layer.err
	// Damage to the outer layer explains damage to the inner one, so it comes first.
	if d.ended == io.EOF && d.hurt != nil {
		d.ended = d.hurt
	}
}

// resync goes to the next inner member that decodes to a record's head. The magic alone occurs by chance in compressed
// data.
func (d *doubleDecoder) resync() {
	magic := magics[d.kind]
	for {
		// Half of the kept bytes, so that after an attempt the offset is still in memory.
		b := d.within.peek(keptLayer / 2)
		i := bytes.Index(b, magic)
		if i < 0 && len(b) < len(magic) {
			d.within.advance(len(b))
			return
		}
		if i < 0 {
			// All but the last bytes, in which a magic may begin.
			d.within.advance(len(b) - len(magic) + 1)
			continue
		}
		d.within.advance(i)
		at := d.within.pos()
		found := d.innerHead()
		// A long block may have moved the offset out of memory: then reading continues with the kept bytes.
		kept := min(d.within.at, d.layer.at)
		if found && at >= kept {
			d.within.seek(at)
			return
		}
		d.within.seek(max(at+1, kept))
	}
}

// innerHead reports whether the inner member at the position decodes to a record's head.
func (d *doubleDecoder) innerHead() bool {
	if !d.inner.open() {
		return false
	}
	if d.head == nil {
		d.head = make([]byte, 0, headBytes)
	}
	// The buffer is reused, since only the test of its bytes matters.
	b := d.head
	for err := error(nil); err == nil && len(b) < cap(b); {
		b, err = d.inner.append(b)
	}
	return d.isHead(b)
}

// historyOf returns the number of earlier bytes that a decoder needs.
func historyOf(d decoder) int {
	switch d := d.(type) {
	case *gzipDecoder:
		return gzipHistory
	case *zstdDecoder:
		return d.dec.Window()
	case *doubleDecoder:
		return historyOf(d.inner)
	}
	// The decoders of LZ4 and plain keep their own history.
	return 0
}

// layer is the decoded content of one member, as a file that is read forward.
type layer struct {
	dec     decoder
	history func() int // history that dec needs
	buf     []byte
	at      int64 // of buf in the layer
	err     error // how the member ended; io.EOF when well
}

// keptLayer is the number of earlier bytes that a layer can read again, so that a tried member can be left.
const keptLayer = 2 * readBlock

func (l *layer) reset() { l.buf, l.at, l.err = l.buf[:0], 0, nil }

// ReadAt reads at off, at most keptLayer bytes before the end of the bytes read so far.
func (l *layer) ReadAt(p []byte, off int64) (int, error) {
	for l.err == nil && l.at+int64(len(l.buf)) <= off {
		l.more()
	}
	end := l.at + int64(len(l.buf))
	// Earlier bytes are no longer kept, so they read like the end.
	if off < l.at || off >= end {
		return 0, io.EOF
	}
	return copy(p, l.buf[off-l.at:]), nil
}

// more decodes more bytes.
func (l *layer) more() {
	// The bytes that may be requested again, or the decoder's history.
	keep := max(keptLayer, l.history())
	if cap(l.buf)-len(l.buf) < readBlock {
		kept := l.buf[len(l.buf)-min(keep, len(l.buf)):]
		l.at += int64(len(l.buf) - len(kept))
		// Room for twice as much, so that bytes are moved once for many calls.
		if cap(l.buf) < 2*keep+readBlock {
			l.buf = append(make([]byte, 0, 2*keep+2*readBlock), kept...)
		} else {
			l.buf = l.buf[:copy(l.buf, kept)]
		}
	}
	// The slice ends after one block, so that a call decodes no more than that.
	l.buf, l.err = l.dec.append(l.buf[:len(l.buf):min(cap(l.buf), len(l.buf)+readBlock)])
}

package zipnum

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/klauspost/compress/gzip"
)

// WriterOptions say how a part is written. The zero value takes the defaults.
type WriterOptions struct {
	Part  string // name of the part in the .idx file; "cdx"
	Lines int    // of a block; BlockLines
	Level int    // of gzip; 6: the highest takes ten times as long for blocks that are 4 % smaller
}

// Writer writes a part and its lines of the .idx file. Blocks are compressed by several goroutines; the bytes do not
// depend on their number. It is for one goroutine, and must be closed.
//
// It holds back up to half a block beyond a full one. So blocks beside a copied one have at least half of the usual
// lines, and merging again and again does not leave small ones.
type Writer struct {
	o         WriterOptions
	data, idx io.Writer
	text      []byte // lines that are not in a block yet
	ends      []int  // offset after each of them
	last      []byte // line, or only its key and time after a copied block
	offset    int64
	blocks    int64 // written
	total     int64 // lines that were added
	queue     []chan packed
	free      []*gzip.Writer
	err       error
}

// packed is a block that is ready to be written.
type packed struct {
	key  string
	data []byte
	zip  *gzip.Writer // to use again; nil for a copied block
	err  error
}

// NewWriter returns a writer of a part to data, and of its lines to idx.
func NewWriter(data, idx io.Writer, o WriterOptions) *Writer {
	o.Part = cmp.Or(o.Part, "cdx")
	o.Lines = cmp.Or(o.Lines, BlockLines)
	o.Level = cmp.Or(o.Level, 6)
	return &Writer{o: o, data: data, idx: idx}
}

// Add adds a line without its line end. Lines come in order; one that equals its predecessor is left out, which Add
// reports. It copies the line.
func (w *Writer) Add(line []byte) (added bool, err error) {
	if w.err != nil {
		return false, w.err
	}
	switch c := bytes.Compare(w.last, line); {
	case c == 0 && len(line) > 0:
		return false, nil
	case c > 0:
		return false, w.fail(fmt.Errorf("%w: %.80q after %.80q", ErrOrder, line, w.last))
	case len(line) == 0 || bytes.ContainsAny(line, "\n\r"):
		return false, w.fail(fmt.Errorf("%w: %.80q is not a line", ErrFormat, line))
	}
	w.last = append(w.last[:0], line...)
	w.text = append(append(w.text, line...), '\n')
	w.ends = append(w.ends, len(w.text))
	w.total++
	if len(w.ends) >= w.o.Lines+w.o.Lines/2 {
		return true, w.flush(w.o.Lines)
	}
	return true, nil
}

// IsWhole reports whether the lines that are not in a block yet can be blocks of their own: there are none, or enough
// of them.
func (w *Writer) IsWhole() bool { return len(w.ends) == 0 || len(w.ends) >= w.o.Lines/2 }

// Copy adds a compressed block as another writer has written it, in the order of the calls. The key is that of its .idx
// line. Its lines are not known, and not counted.
func (w *Writer) Copy(key string, data []byte) error {
	if w.err != nil {
		return w.err
	}
	if string(KeyOf(w.last)) > key {
		return w.fail(fmt.Errorf("%w: block %.80q after %.80q", ErrOrder, key, w.last))
	}
	// More than a block are divided evenly.
	if n := len(w.ends); n > w.o.Lines {
		if err := w.flush(n / 2); err != nil {
			return err
		}
	}
	if err := w.flush(len(w.ends)); err != nil {
		return err
	}
	w.last = append(w.last[:0], key...)
	done := make(chan packed, 1)
	done <- packed{key: key, data: bytes.Clone(data)}
	return w.push(done)
}

// Lines returns how many lines Add has added.
func (w *Writer) Lines() int64 { return w.total }

// Blocks returns how many blocks were written. It is complete after Close.
func (w *Writer) Blocks() int64 { return w.blocks }

// Close writes the last block, and waits for the others. It does not close the files.
func (w *Writer) Close() error {
	for len(w.ends) > 0 && w.err == nil {
		_ = w.flush(min(len(w.ends), w.o.Lines)) // kept in w.err
	}
	for len(w.queue) > 0 {
		w.shift()
	}
	err := w.err
	w.err = cmp.Or(w.err, errors.New("zipnum: already closed"))
	return err
}

// flush begins to compress a block of the first n lines.
func (w *Writer) flush(n int) error {
	if n == 0 {
		return nil
	}
	var zip *gzip.Writer
	if n := len(w.free); n > 0 {
		zip, w.free = w.free[n-1], w.free[:n-1]
	} else {
		var err error
		if zip, err = gzip.NewWriterLevel(nil, w.o.Level); err != nil {
			return w.fail(err)
		}
	}
	first, _, _ := bytes.Cut(w.text, []byte("\n"))
	end := w.ends[n-1]
	key, text, done := string(KeyOf(first)), w.text[:end:end], make(chan packed, 1)
	// The goroutine has the text, so the rest moves.
	w.text = append(make([]byte, 0, cap(w.text)), w.text[end:]...)
	w.ends = append(w.ends[:0], w.ends[n:]...)
	for i := range w.ends {
		w.ends[i] -= end
	}
	go func() {
		// Without name and time, so that the same lines make the same bytes.
		var out bytes.Buffer
		zip.Reset(&out)
		_, err := zip.Write(text)
		err = errors.Join(err, zip.Close())
		done <- packed{key, out.Bytes(), zip, err}
	}()
	return w.push(done)
}

// push queues a block. The queue bounds the memory.
func (w *Writer) push(done chan packed) error {
	w.queue = append(w.queue, done)
	for len(w.queue) > runtime.GOMAXPROCS(0) {
		w.shift()
	}
	return w.err
}

// shift waits for the first block of the queue and writes it.
func (w *Writer) shift() {
	p := <-w.queue[0]
	w.queue = w.queue[1:]
	if p.zip != nil {
		w.free = append(w.free, p.zip)
	}
	if w.err != nil {
		return
	}
	if _, err := w.data.Write(p.data); p.err != nil || err != nil {
		_ = w.fail(errors.Join(p.err, err))
		return
	}
	w.blocks++
	k := Block{Key: p.key, Part: w.o.Part, Offset: w.offset, Length: int64(len(p.data)), Number: w.blocks}
	if _, err := w.idx.Write(k.AppendTo(nil)); err != nil {
		_ = w.fail(err)
	}
	w.offset += k.Length
}

func (w *Writer) fail(err error) error {
	w.err = fmt.Errorf("zipnum: %w", err)
	return w.err
}

// KeyOf returns key and time of a line, which are what clusters are sorted by: the text before the second blank.
func KeyOf(line []byte) []byte {
	first := bytes.IndexByte(line, ' ')
	if first < 0 {
		return line
	}
	if second := bytes.IndexByte(line[first+1:], ' '); second >= 0 {
		return line[:first+1+second]
	}
	return line
}

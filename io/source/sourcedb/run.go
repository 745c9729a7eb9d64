package sourcedb

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// maxRecord bounds a key and a value of a run, in bytes. A state has some 200 KB at most, by its limits.
const maxRecord = 1 << 20

// endOfRun is a length after the last record: a stream of S2 that was cut between two blocks looks whole.
const endOfRun = maxRecord + 1

// errRun is a run that does not hold what one holds.
var errRun = errors.New("sourcedb: not as it was written")

// runWriter writes a run: records sorted by key, each as two varints with the lengths, the key and the value, and at
// the end a length that no key has; all of it in a stream of S2, which is compressed and read at several times the
// speed of zstd, for files that are a quarter larger: all of it is read and written with each crawl.
type runWriter struct {
	f    folder.Folder
	name string // the final one; "%s" in it stands for the hash
	temp string
	file folder.File
	hash hash.Hash
	size int64 // of the file so far
	z    *s2.Writer

	block  int        // how much is compressed at a time, in bytes
	chunk  []byte     // records that are not compressed yet
	behind chan chunk // compressed by a goroutine while the next one is filled; nil until there is one
	free   chan chunk // what it is done with
	before int64      // the size of the file with all chunks but the last one: the same on every machine

	// What was written is brought to the disk by a goroutine while more is made, so that commit does not wait for all of
	// it; nil until there is one.
	full   chan struct{}
	synced chan error
	fresh  int // bytes since it was told

	passing bool // it is read again and removed by this run, and need not outlive the machine
}

// syncBytes is how much is written before it is brought to the disk.
const syncBytes = 16 << 20

// chunk is some records, and what became of them.
type chunk struct {
	bytes []byte
	size  int64 // of the file with it
	err   error
}

// Blocks of runs, in bytes, each of whole records, unless one is longer: a reader of one holds two of them.
const (
	wideBlock = 1 << 20
	// partBlock is that of parts, of which all of a crawl are read side by side, some hundred of them.
	partBlock = 64 << 10
)

func newRun(f folder.Folder, name string, block int) (*runWriter, error) {
	w, err := newPlain(f, name)
	if err != nil {
		return nil, err
	}
	// One goroutine, as it has one of its own: see turn.
	w.z, w.block = s2.NewWriter(w, s2.WriterConcurrency(1), s2.WriterBlockSize(block)), block
	return w, nil
}

// newPlain begins a file that is written by Write alone.
// Sources and links are JSON, compressed by their own writer.
func newPlain(f folder.Folder, name string) (*runWriter, error) {
	// The name has the hash, which is known at the end only: until then it is a hidden one that no reader looks at.
	w := &runWriter{f: f, name: name, temp: hidden("run.tmp-" + folder.Unique()), hash: sha256.New()}
	file, err := f.Create(w.temp)
	w.file = file
	return w, err
}

// Write takes what the compressor gives.
func (w *runWriter) Write(p []byte) (int, error) {
	w.hash.Write(p) // a hash never fails to write
	w.size += int64(len(p))
	n, err := w.file.Write(p)
	if w.fresh += n; w.fresh >= syncBytes && !w.passing {
		w.fresh = 0
		w.flush()
	}
	return n, err
}

// flush has what was written brought to the disk, by and by.
func (w *runWriter) flush() {
	if w.full == nil {
		w.full, w.synced = make(chan struct{}, 1), make(chan error, 1)
		go func() {
			var err error
			for range w.full {
				err = errors.Join(err, w.file.Sync())
			}
			w.synced <- err
		}()
	}
	select {
	case w.full <- struct{}{}:
	default: // it is at it
	}
}

// flushed waits until all of that is done.
func (w *runWriter) flushed() error {
	if w.full == nil {
		return nil
	}
	close(w.full)
	w.full = nil
	return <-w.synced
}

func (w *runWriter) add(key, value []byte) error {
	if most := 2*binary.MaxVarintLen32 + len(key) + len(value); len(w.chunk) > 0 && len(w.chunk)+most > w.block {
		if err := w.turn(); err != nil {
			return err
		}
	}
	// The lengths first, so that a reader knows what to expect and can refuse what is too long.
	w.chunk = binary.AppendUvarint(w.chunk, uint64(len(key)))
	w.chunk = binary.AppendUvarint(w.chunk, uint64(len(value)))
	w.chunk = append(append(w.chunk, key...), value...)
	return nil
}

// turn hands the chunk on to be compressed, and takes back the one before it.
func (w *runWriter) turn() error {
	if w.behind == nil {
		// A run of one chunk, as nearly all parts are, needs no goroutine.
		w.behind, w.free = make(chan chunk, 1), make(chan chunk, 1)
		w.free <- chunk{}
		go w.compress()
	}
	w.behind <- chunk{bytes: w.chunk}
	done := <-w.free
	w.chunk, w.before = done.bytes[:0], done.size
	return done.err
}

// compress writes chunks until there are no more. An error stays: of a compressor it is final.
func (w *runWriter) compress() {
	for c := range w.behind {
		c.err = w.z.EncodeBuffer(c.bytes)
		c.size = w.size
		w.free <- c
	}
	close(w.free)
}

// settle waits until all chunks that were handed on are compressed.
func (w *runWriter) settle() (err error) {
	if w.behind == nil {
		return nil
	}
	close(w.behind)
	for done := range w.free {
		err = done.err
	}
	w.behind = nil
	return err
}

// commit ends the run and gives it its name.
func (w *runWriter) commit() (schemas.Shard, error) {
	err := w.settle()
	if w.z != nil {
		if err == nil {
			err = w.z.EncodeBuffer(binary.AppendUvarint(w.chunk, endOfRun))
		}
		err = errors.Join(err, w.z.Close())
	}
	// On the disk before it has its name: a file with a hash in its name is whole.
	if err = errors.Join(err, w.flushed()); err == nil && !w.passing {
		err = w.file.Sync()
	}
	if err = errors.Join(err, w.file.Close()); err != nil {
		return schemas.Shard{}, err
	}
	sum := hex.EncodeToString(w.hash.Sum(nil))
	s := schemas.Shard{Name: named(w.name, sum), Bytes: w.size, SHA256: sum}
	// A file of that name has the same bytes.
	if err := w.f.Rename(w.temp, s.Name); err != nil {
		return schemas.Shard{}, err
	}
	w.file = nil
	return s, nil
}

// named puts a hash into a name that has a place for it. Names by content make a generation's files are beside those
// of the one before, until the manifest is replaced.
func named(name, sum string) string { return fmt.Sprintf(name, sum[:20]) }

// abort drops the run, if it was not committed.
func (w *runWriter) abort() {
	if w.file != nil {
		_ = w.settle()         // it is dropped
		_ = w.flushed()        // likewise
		_ = w.file.Close()     // likewise
		_ = w.f.Remove(w.temp) // the next run sweeps it
	}
}

// record is one of a run. Of readRun its bytes are new memory, which fold and merge keep; of passRun and sortedRecords
// they are valid until the next one is read.
type record struct {
	key, value []byte

	// Of merge, where it comes from: the generation before, or parts.
	before, fresh bool
}

// readRun yields the records of a run. Damage, and keys that do not ascend, end it with an error.
func readRun(f folder.Folder, name string) iter.Seq2[record, error] {
	return recordsOf(f, name, false)
}

// passRun is readRun for those who keep no record: the memory of one is that of the next.
func passRun(f folder.Folder, name string) iter.Seq2[record, error] {
	return recordsOf(f, name, true)
}

func recordsOf(f folder.Folder, name string, passing bool) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		fail := func(err error) {
			err = fmt.Errorf("%s: %w: bring it back, or make the Source DB anew of its collections", f.Path(name), err)
			yield(record{}, err)
		}
		r, err := f.Open(name)
		if err != nil {
			fail(err)
			return
		}
		defer func() { _ = r.Close() }() // it is only read
		in := records{passing: passing}
		stop, err := in.open(r)
		if err != nil {
			fail(err)
			return
		}
		defer stop()
		var last []byte
		for {
			rec, err := in.next()
			switch {
			case err == io.EOF:
				return
			// Equal keys are allowed: hits of one feed stand together.
			case err == nil && last != nil && bytes.Compare(last, rec.key) > 0:
				err = errRun
			}
			if err != nil {
				fail(err)
				return
			}
			if !yield(rec, nil) {
				return
			}
			last = append(last[:0], rec.key...)
		}
	}
}

// slabBytes is how much memory is asked for at a time, for some hundred records.
const slabBytes = 64 << 10

// records reads records. Each has its place in a slab of memory that no other record gets, since fold and merge hold
// several at once, unless they are only passed by.
type records struct {
	from    bytesReader
	slab    []byte
	passing bool
	older   bool // it is as an earlier version wrote it: zstd, which tells of itself where it ends
}

// bytesReader is a reader of a run's bytes.
type bytesReader interface {
	io.Reader
	io.ByteReader
}

// open begins to read a run; stop has to be called at last.
func (in *records) open(r io.Reader) (stop func(), err error) {
	head := bufio.NewReaderSize(r, 64<<10)
	// What is too short for either of the two is an error of the one that is tried.
	if magic, _ := head.Peek(4); string(magic) != "\x28\xb5\x2f\xfd" {
		in.from = s2.NewReader(head, s2.ReaderAllocBlock(partBlock))
		return func() {}, nil
	}
	// A window of 64 MiB at most, whatever a damaged file asks for.
	z, err := zstd.NewReader(head, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
	if err != nil {
		return nil, err
	}
	in.from, in.older = bufio.NewReaderSize(z, 64<<10), true
	return z.Close, nil
}

func (in *records) next() (record, error) {
	keys, err := binary.ReadUvarint(in.from)
	switch {
	case err == io.EOF && !in.older:
		return record{}, errRun
	case err != nil:
		return record{}, err // io.EOF at the end, else a cut one
	case keys == endOfRun:
		return record{}, in.atEnd()
	}
	values, err := binary.ReadUvarint(in.from)
	// Asked before memory is taken for it.
	if err != nil || keys > maxRecord || values > maxRecord {
		return record{}, errors.Join(errRun, err)
	}
	n := int(keys + values)
	if n > len(in.slab) {
		in.slab = make([]byte, max(n, slabBytes))
	}
	b := in.slab[:n:n]
	if !in.passing {
		in.slab = in.slab[n:]
	}
	if _, err := io.ReadFull(in.from, b); err != nil {
		return record{}, errors.Join(errRun, err)
	}
	return record{key: b[:keys:keys], value: b[keys:]}, nil
}

// atEnd is io.EOF, if nothing follows.
func (in *records) atEnd() error {
	if _, err := in.from.ReadByte(); err != io.EOF {
		return errors.Join(errRun, err)
	}
	return io.EOF
}

// hiddenDir is where what is not the result stands.
const hiddenDir = ".gleaner"

func hidden(name string) string { return hiddenDir + "/" + name }
